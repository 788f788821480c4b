import pytest

from engine.indexing.inverted_index import InvertedIndex


@pytest.fixture(scope="session")
def four_chunks():
    return InvertedIndex(
        [
            "Mars has two small moons, Phobos and Deimos.",
            "Phobos orbits Mars faster than Mars rotates.",
            "Jupiter has dozens of moons, including four large moons.",
            "The red colour of Mars comes from iron oxide dust.",
        ]
    )


@pytest.fixture(scope="session")
def three_documents():
    """Every word a term."""
    return InvertedIndex(["the cat sat", "the dog barked at the cat all day", "a bird sang"], str.split)

import numpy as np
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


@pytest.fixture(scope="session")
def many_texts():
    """700 texts whose words are as uneven as those of a language, with some subjects in them."""
    generator = np.random.default_rng(11)
    common = 1 / np.arange(1, 601) ** 0.9
    texts = []
    for at in range(700):
        subject = common.copy()
        subject[at % 12 :: 12] *= 8
        words = generator.choice(600, size=generator.integers(8, 40), p=subject / subject.sum())
        texts.append(" ".join(f"w{word}" for word in words))
    return texts

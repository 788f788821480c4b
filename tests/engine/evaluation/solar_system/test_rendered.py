"""A page saved as text becomes its headings and paragraphs, and nothing else of it stays."""

from engine.evaluation.solar_system.rendered import rendered_to_markdown

PAGE = """This article is about the dwarf planet. For other uses, see Pluto (disambiguation).

Pluto


Discovery


Discovered by
Clyde W. Tombaugh

Mean radius
7006118830000000000♠1,188.3±0.8 km[1]


Pluto is a dwarf planet in the Kuiper belt, beyond Neptune.[a]
It was the first Kuiper belt object to be discovered.[12]


Contents


1 History

1.1 Discovery


2 Orbit
3 Notes


History
Discovery
Main article: Discovery of Pluto, where more is told about it.


A photograph of the plates on which it was found in 1930.


Clyde Tombaugh found Pluto on two plates *taken* in January 1930.

The surface has an age of only 180000
−40000 years.[101] It was measured again in the year 2017.

Year
Notes


1993
1195 km


Orbit
Its orbital period is presently about 248 years.[2]
A year there is longer than a person can live.

Notes
^ The mean elements here are from the theory of the outer planets.
"""


def test_headings_and_paragraphs_stay() -> None:
    assert rendered_to_markdown(PAGE, "Pluto").split("\n\n") == [
        "# Pluto",
        "Pluto is a dwarf planet in the Kuiper belt, beyond Neptune.",
        "It was the first Kuiper belt object to be discovered.",
        "## History",
        "### Discovery",
        "## Orbit",
        "Its orbital period is presently about 248 years.",
        "A year there is longer than a person can live.\n",
    ]


def test_a_paragraph_beside_another_is_none_of_the_captions() -> None:
    page = PAGE.replace("1930.\n\nThe surface", "1930.\nThe surface")
    assert rendered_to_markdown(page, "Pluto").split("\n\n")[5:7] == [
        "Clyde Tombaugh found Pluto on two plates \\*taken\\* in January 1930.",
        "The surface has an age of only 180000 −40000 years. It was measured again in the year 2017.",
    ]


def test_a_page_without_a_table_of_contents_is_all_lead() -> None:
    page = "History\nPluto was found in 1930 by a young man.\nHe had compared pictures of the sky for a year.\n"
    assert rendered_to_markdown(page, "Pluto") == (
        "# Pluto\n\nPluto was found in 1930 by a young man.\n\nHe had compared pictures of the sky for a year.\n"
    )


def test_an_empty_page_is_a_title() -> None:
    assert rendered_to_markdown("", "Pluto") == "# Pluto\n"

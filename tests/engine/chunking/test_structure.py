"""Chunks along the structure of a note: what belongs together stays whole."""

from engine.answering.prompt import assemble_prompt
from engine.answering.verification import check_answer
from engine.chunking.corpus import chunk_corpus, lead_summaries
from engine.chunking.sentences import sentence_chunks
from engine.chunking.structure import structure_chunks, table_headers
from engine.indexing.inverted_index import InvertedIndex, indexed_text
from engine.reading.markdown import parse_markdown

TABLE = parse_markdown(
    "# Orbits\n\nTwo planets.\n\n| planet | year in days |\n|---|---|\n| Mercury | 88 |\n| Venus | 224.7 |\n\n"
    "| moon | month |\n|---|---|\n| Phobos | 0.3 |\n",
    "orbits.md",
)


def texts(document, spans):
    return [document.text[start:end] for start, end in spans]


def test_a_list_item_of_two_sentences_stays_whole_where_it_fits():
    note = parse_markdown("- Mars is red. It is cold.\n- Venus is hot. It is dry and has no moon.\n", "a.md")
    assert texts(note, sentence_chunks(note, 5)) == [
        "Mars is red.",
        "It is cold.",
        "Venus is hot.",
        "It is dry and has no moon.",
    ]
    assert texts(note, structure_chunks(note, 6)) == [
        "Mars is red. It is cold.",
        "Venus is hot.",  # nine words do not fit into six
        "It is dry and has no moon.",
    ]


def test_a_quote_and_a_code_block_stay_whole_and_long_code_is_cut_at_lines():
    note = parse_markdown('Text one.\n\n> He said so. He left.\n\n```\nprint("a. B")\n  x = 1\ny = 2\n```\n', "a.md")
    assert texts(note, structure_chunks(note, 9)) == [
        "Text one.\n\nHe said so. He left.",
        'print("a. B")\n  x = 1\ny = 2',
    ]
    assert texts(note, structure_chunks(note, 3))[-3:] == ['print("a. B")', "x = 1", "y = 2"]


def test_a_row_is_indexed_with_the_header_of_its_own_table_and_its_range_is_its_own():
    chunks = chunk_corpus([TABLE], lambda document: structure_chunks(document, 4), table_headers)
    assert [(chunk.context, chunk.text) for chunk in chunks] == [
        ("", "Two planets."),
        ("", "planet\tyear in days"),
        ("planet\tyear in days", "Mercury\t88\nVenus\t224.7"),
        ("", "moon\tmonth\nPhobos\t0.3"),
    ]
    row = chunks[2]
    assert indexed_text(row) == "Orbits\nplanet\tyear in days\nMercury\t88\nVenus\t224.7"
    assert indexed_text(row, headers=False) == "planet\tyear in days\nMercury\t88\nVenus\t224.7"
    assert TABLE.text[row.start : row.end] == row.text
    index = InvertedIndex(chunks)
    assert index.count("year", row.id) == index.count("224.7", row.id) == 1


def test_an_overlap_repeats_whole_pieces():
    note = parse_markdown("- one two\n- three four\n- five\n", "a.md")
    assert texts(note, structure_chunks(note, 4, 2)) == ["one two\nthree four", "three four\nfive"]


def test_the_summary_of_a_document_is_its_first_section_with_text():
    article = parse_markdown("# Mars\n\n## In short\n\nMars is red.\n\nIt is cold.\n\n## Moons\n\nTwo.\n", "mars.md")
    plain = parse_markdown("Only this.\n", "a.md")
    empty = parse_markdown("", "empty.md")
    summaries = lead_summaries([article, empty, plain])
    assert [(chunk.id, chunk.document, chunk.section, chunk.text) for chunk in summaries] == [
        (0, "a.md", "", "Only this."),
        (1, "mars.md", "In short", "Mars is red.\n\nIt is cold."),
    ]


def test_a_row_is_read_and_checked_with_its_header():
    row = chunk_corpus([TABLE], lambda document: structure_chunks(document, 4), table_headers)[2]
    prompt = assemble_prompt("How long is a year on Venus?", [row])
    assert "    planet\tyear in days\n    Mercury\t88\n    Venus\t224.7" in prompt.text
    assert check_answer("Year in days of Venus: 224.7 [1].", prompt)[0].supported

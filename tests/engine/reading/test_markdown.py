"""What a person reads in a note, construct by construct."""

import pytest

from engine.reading.markdown import parse_markdown
from engine.records import Document, Section


def blocks(note: Document) -> list[tuple[str, int, str]]:
    return [(block.kind, block.level, note.text[block.start : block.end]) for block in note.blocks]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("A *b* **c** ~~d~~ `e` f_g_h", "A b c d e f_g_h"),
        ("one\ntwo  \nthree\\\nfour", "one two\nthree\nfour"),
        ("中文\n句子\nand\nEnglish\n日本", "中文句子 and English 日本"),
        ("a<br>\nb <i>c</i> H<sub>2</sub>O", "a\nb c H2O"),
        ("AT&amp;T &lt;3 \\* &copy;", "AT&T <3 * ©"),
        ("[label](http://x.org 'title') <https://y.org> ![alt *text*](i.png)", "label https://y.org alt text"),
        ("[ref] and [other][ref]\n\n[ref]: http://x.org", "ref and other"),
        ("[[note#part|label]] [[plain]] ![[figure]] ![[photo.png|300]]", "label plain figure photo.png"),
        ("- a\n- b\n\n\n1. c\n2. d", "a\nb\n\nc\nd"),
        ("- [ ] open\n- [x] done", "open\ndone"),
        ("| a | b |\n|---|:-:|\n| 1 | *2* |\n|   | 3<br>4 |", "a\tb\n1\t2\n\t3 4"),
        ("> quoted\nlazily\n> > deeper", "quoted lazily\n\ndeeper"),
        ("> [!note] Title *x*\n> Body\n\n> [!tip]-\n> Folded", "Title x\n\nBody\n\nFolded"),
        ("```python\n\n  # no heading\n\nx = 1\n```", "  # no heading\n\nx = 1"),
        ("    indented\n\n    code", "indented\n\ncode"),
        ("Claim[^1].\n\n[^1]: Its source.", "Claim.\n\nIts source."),
        ("Let $a_1$ be\n\n$$\nx^2\n+ 1\n$$\n\nend", "Let a_1 be\n\nx^2\n+ 1\n\nend"),
        ("a\n$$\nb\n\n- c\n$$\nd\n\n> $$\n> e\n> $$", "a\n\nb\n\n- c\n\nd\n\ne"),
        ("```\n$$\nx\n$$\n```", "$$\nx\n$$"),
        ("It costs R$450 or US$220, then $5.", "It costs R$450 or US$220, then $5."),
        ("Set `$A` to $HOME/*x* and `$B` to it.", "Set $A to $HOME/x and $B to it."),
        ("a %%hidden *x*%% b <!-- c --> d", "a  b  d"),
        ("a\n\n%%\nhidden\n\nmore\n%%\n\nb", "a\n\nb"),
        ("```\n%%kept%%\n```\n\n`<!-- kept -->`", "%%kept%%\n\n<!-- kept -->"),
        ("Fact. ^fact-1\n\n- item ^id\n- 2 ^2 is 4\n\n^alone", "Fact.\n\nitem\n2 ^2 is 4"),
        ("Above\n\n---\n\nBelow", "Above\n\nBelow"),
        ("## Head {#anchor .class}\n\n## The set {a, b}", "Head\n\nThe set {a, b}"),
        ("", ""),
        (" \n\t\n", ""),
    ],
)
def test_the_text_is_what_a_person_reads(source: str, text: str) -> None:
    assert parse_markdown(source).text == text


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<p>Hot &amp; <b>dry</b>\nair</p>", "Hot & dry air"),
        ("<div>one</div>\n<div>two<br>three</div>", "one\ntwo\nthree"),
        ("<script>\nalert(1)\n\nalert(2)\n</script>\n\nkept", "kept"),
        ("<style>p { color: red }</style>\n\nkept", "kept"),
        ("<div>\na <!-- b\n\nc --> d\n</div>", "a\n\nd"),
        ('<img alt="a > b" src="x">\n', ""),
        ("<details>\n<summary>More</summary>\n\n*inside*\n\n</details>", "More\n\ninside"),
        ("<!-- only a comment -->", ""),
    ],
)
def test_html_loses_its_tags_and_keeps_its_words(source: str, text: str) -> None:
    assert parse_markdown(source).text == text


def test_mdx_loses_imports_exports_and_components_but_not_code() -> None:
    source = (
        "import X from './x'\nexport const a = {\n  b: 1,\n}\n\n# Title\n\n"
        '<Tabs values={[{a: 1}]} label="a > b">\n\nText {/* note */} here\n\n</Tabs>\n\n'
        "```js\nimport kept\n<Kept />\n```\n"
    )
    assert parse_markdown(source, "a.mdx").text == "Title\n\nText  here\n\nimport kept\n<Kept />"
    assert "import X" in parse_markdown(source, "a.md").text


def test_every_kind_of_block_has_its_range_and_level() -> None:
    source = (
        "# One\n\nText\n\n- a\n\n  more of a\n  - b\n\n> q\n> > r\n\n"
        "| h |\n|---|\n| c |\n\n```\ncode\n```\n\n$$\nx\n$$\n"
    )
    assert blocks(parse_markdown(source)) == [
        ("heading", 1, "One"),
        ("paragraph", 0, "Text"),
        ("item", 1, "a"),
        ("paragraph", 0, "more of a"),
        ("item", 2, "b"),
        ("quote", 1, "q"),
        ("quote", 2, "r"),
        ("row", 0, "h"),
        ("row", 0, "c"),
        ("code", 0, "code"),
        ("math", 0, "x"),
    ]


def test_a_quote_in_a_list_is_a_quote_and_a_list_in_a_quote_has_items() -> None:
    assert blocks(parse_markdown("- > q\n\n> - i")) == [("quote", 1, "q"), ("item", 1, "i")]


def test_text_after_a_nested_block_in_a_tight_item_is_not_lost() -> None:
    assert parse_markdown("- a\n  # h\n  c").text == "a\n\nh\n\nc"


class TestSections:
    def test_they_are_contiguous_and_together_the_whole_text(self) -> None:
        note = parse_markdown("Lead.\n\n# Venus\n\n## Orbit\n\nx\n\n#### Rotation\n\ny\n\n## Air\n")
        assert [(s.heading, s.level, s.path) for s in note.sections] == [
            ("", 0, ""),
            ("Venus", 1, ""),
            ("Orbit", 2, "Orbit"),
            ("Rotation", 4, "Orbit > Rotation"),
            ("Air", 2, "Air"),
        ]
        assert "".join(note.text[s.start : s.end] for s in note.sections) == note.text

    def test_a_level_1_heading_that_is_not_the_title_stays_in_the_path(self) -> None:
        note = parse_markdown("# A\n\n# B\n\n## C\n")
        assert [s.path for s in note.sections] == ["", "B", "B > C"]

    def test_there_is_an_opening_section_only_where_there_is_an_opening(self) -> None:
        assert [s.level for s in parse_markdown("---\na: b\n---\n\n# A\n").sections] == [1]
        assert parse_markdown("text").sections == (Section("", 0, "", 0, 4),)
        assert parse_markdown("").sections == (Section("", 0, "", 0, 0),)

    def test_setext_headings_open_sections_and_marks_in_code_quotes_and_lists_do_not(self) -> None:
        note = parse_markdown("Set\next\n---\n\n```\n# code\n```\n\n> # quote\n\n- # item\n")
        assert [(s.heading, s.level) for s in note.sections] == [("Set ext", 2)]

    def test_a_heading_without_words_opens_none(self) -> None:
        assert [s.heading for s in parse_markdown("#\n\n# ![](x.png)\n\n# A\n").sections] == ["A"]


class TestTitle:
    def test_it_is_the_front_matter_s_then_the_first_level_1_heading_then_the_file_s_name(self) -> None:
        assert parse_markdown("---\ntitle: Front\n---\n# Head", "dir/name.md").title == "Front"
        assert parse_markdown("## Two\n\n# *Head*\n\n# Second", "dir/name.md").title == "Head"
        assert parse_markdown("## Two", "dir/v1.2 name.markdown").title == "v1.2 name"

    def test_a_title_that_is_no_text_does_not_count(self) -> None:
        assert parse_markdown("---\ntitle: [a, b]\n---\n", "name.md").title == "name"


class TestLinks:
    def test_they_know_target_label_and_where_the_label_stands(self) -> None:
        source = "See [the *Sun*](sun.md), [[Mars#Moons|two moons]], ![[Venus]]\n\n| [[a\\|b]] |\n|---|\n"
        note = parse_markdown(source)
        assert [(link.target, link.label, link.wiki) for link in note.links] == [
            ("sun.md", "the Sun", False),
            ("Mars#Moons", "two moons", True),
            ("Venus", "Venus", True),
            ("a", "b", True),
        ]
        for link in note.links:
            assert note.text[link.position : link.position + len(link.label)] == link.label

    def test_a_label_that_opens_a_block_starts_with_the_block(self) -> None:
        note = parse_markdown("a\n\n[b](c)\n[d](e)")
        assert [link.position for link in note.links] == [3, 5]

    def test_a_linked_image_is_labelled_with_its_description(self) -> None:
        (link,) = parse_markdown("[![badge](b.svg)](ci.html)").links
        assert (link.target, link.label) == ("ci.html", "badge")


class TestTags:
    def test_they_come_from_front_matter_and_text_once_each(self) -> None:
        note = parse_markdown("---\ntags: [planet, '#hot']\n---\n#hot day (#sun/rise), 热，#中文 #3d #planet")
        assert note.tags == ("planet", "hot", "sun/rise", "中文", "3d")
        assert note.text == "#hot day (#sun/rise), 热，#中文 #3d #planet"

    def test_numbers_anchors_code_links_and_escapes_are_no_tags(self) -> None:
        source = "#1 a#b ##c `#d` [#e](x) \\#f &#35;g C# https://h.org/#i\n\n```\n#j\n```\n\n# K"
        assert parse_markdown(source).tags == ()


def test_the_file_s_date_stands_in_for_one_of_the_front_matter() -> None:
    assert parse_markdown("x", modified="2024-01-02").date == "2024-01-02"
    assert parse_markdown("---\ndate: 2020-05-06\n---\n", modified="2024-01-02").date == "2020-05-06"


def test_a_checkpoint_can_end_the_reading_of_a_long_note() -> None:
    class Enough(Exception):
        pass

    calls = 0

    def checkpoint() -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise Enough

    with pytest.raises(Enough):
        parse_markdown("*a* b\n\n" * 20_000, checkpoint=checkpoint)

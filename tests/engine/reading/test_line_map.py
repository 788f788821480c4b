"""Every character of the text leads back to the line of the source it stands on."""

import re

import pytest

from engine.reading.markdown import parse_markdown
from engine.reading.plain_text import build_document
from engine.records import Document

EVERY_CONSTRUCT = """\
---
title: none
---
# @ *@* {#id}

@ `@
@` **@
@** [@
@](target
"title") ![[x|@]]\\
@<br>@ <b
class="x">@</b> $@
@$

- @
  @
  - @

    @

    ```
    @

    @
    ```
  - | @ | @ |
    |---|---|
    |   | @ |

> [!note] @
> @ `@
> @` @
> ```
> @
>
> @
> ```

<p>@
<b>@</b> <!--

--> @</p>

$$
@

$$

%%
gone

%%

@[^1]
@

Setext @
@
===

[^1]: @
    @

    @

```

  @
@
```

    @
\t@
"""


def numbered(source: str) -> str:
    """Replace every `@` by `w` and the number of its line."""
    return "\n".join(line.replace("@", f"w{number}") for number, line in enumerate(source.split("\n"), 1))


def lines_by_word(note: Document) -> list[tuple[str, int]]:
    return [(found[0], note.line_at(found.start())) for found in re.finditer(r"w\d+", note.text)]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_each_word_of_every_construct_leads_to_its_line(line_end: str) -> None:
    words = lines_by_word(parse_markdown(numbered(EVERY_CONSTRUCT).replace("\n", line_end)))
    assert len(words) == 46
    assert [(word, f"w{line}") for word, line in words if word != f"w{line}"] == []


def test_offsets_count_characters_and_not_bytes() -> None:
    note = parse_markdown("日本 *é* 😀\n\n😀 zweite\n\n- dritte é\n- vierte")
    assert [note.line_at(note.text.index(word)) for word in ("zweite", "dritte", "vierte")] == [3, 5, 6]


def test_a_row_that_opens_with_an_empty_cell_starts_on_its_own_line() -> None:
    note = parse_markdown("| a | b |\n|---|---|\n|   | c |\n")
    assert [note.line_at(block.start) for block in note.blocks] == [1, 3]


def test_the_map_holds_one_entry_per_change_of_line_and_starts_at_zero() -> None:
    note = parse_markdown("\n\na *b* c\nd\n\ne")
    assert (list(note.line_offsets), list(note.line_numbers)) == ([0, 6, 9], [3, 4, 6])


def test_a_text_without_words_still_has_a_line() -> None:
    assert parse_markdown("").line_at(0) == 1


def test_plain_text_leads_back_too() -> None:
    note = build_document("a.txt", "w1\n  w2\n\n\nw5 w5\r\nw6")
    assert lines_by_word(note) == [("w1", 1), ("w2", 2), ("w5", 5), ("w5", 5), ("w6", 6)]

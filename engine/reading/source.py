"""What both readers share: line ends, the name of a note, and where a line break is no space."""

from __future__ import annotations

import re

MARKDOWN_ENDINGS = (".md", ".markdown", ".mdx")
NOTE_ENDINGS = (*MARKDOWN_ENDINGS, ".txt", ".rst")
PAGE_ENDINGS = (".html", ".htm")
PDF_ENDINGS = (".pdf",)
_ALL_ENDINGS = (*NOTE_ENDINGS, *PAGE_ENDINGS, *PDF_ENDINGS)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSPACED = re.compile(r"[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def clean_source(source: str) -> str:
    r"""Drop a byte order mark, end every line in `\n`, and put U+FFFD for what UTF-8 cannot hold.

    >>> clean_source("\ufeffa\r\nb\rc")
    'a\nb\nc'
    """
    source = source.removeprefix("\ufeff")
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
    try:
        source.encode()
    except UnicodeEncodeError:
        return _LONE_SURROGATE.sub("\ufffd", source)
    return source


def name_of(id: str) -> str:  # noqa: A002
    r"""Return the last part of a document's id without a note's ending, fit to be shown.

    >>> name_of("moons/Io.v2.md")
    'Io.v2'
    """
    name = id.rsplit("/", 1)[-1]
    ending = next((ending for ending in _ALL_ENDINGS if name.lower().endswith(ending) and name != ending), "")
    # A name that is not UTF-8 comes from the file system with lone surrogates.
    return " ".join(_LONE_SURROGATE.sub("\ufffd", name.removesuffix(name[len(name) - len(ending) :])).split())


def joins_without_space(before: str, after: str) -> bool:
    """Say whether a line break between two characters is only typography: both are Chinese or Japanese.

    >>> joins_without_space("金", "星"), joins_without_space("金", "A")
    (True, False)
    """
    return bool(_UNSPACED.match(before) and _UNSPACED.match(after))

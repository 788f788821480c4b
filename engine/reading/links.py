"""Notes and the links in them -> which note leads where, and from where each is led to.

Wikilinks are resolved as Obsidian does it: by path, by the shortest path that ends in what is written, by alias.
Markdown links are relative to their note. Building takes time linear in the number of links; headings are looked up
only when a link is followed.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from engine.reading.source import MARKDOWN_ENDINGS, NOTE_ENDINGS
from engine.records import Document, Link

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+:|//", re.IGNORECASE)
_ATTACHMENT = re.compile(r"\.[a-z][a-z0-9]{1,5}$", re.IGNORECASE)
_PAGE = re.compile(r"\.html?$", re.IGNORECASE)
_NO_SLUG = re.compile(r"[^\w\- ]")
_FRONTS = ("readme", "index", "_index")
"""Notes that stand for their folder."""


class Destination(NamedTuple):
    """Where a link leads."""

    document: str
    """The note's id."""
    position: int
    """Where to go in its text: the heading that is named, else 0."""


class Mention(NamedTuple):
    """A place that links to a note."""

    document: str
    """The note that holds the link."""
    position: int
    """Where its label stands in that note's text."""
    label: str
    """The text shown."""


class Unresolved(NamedTuple):
    """A link to a note that is not there."""

    document: str
    """The note that holds the link."""
    link: Link
    """The link."""


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Every link between the notes of a folder."""

    outgoing: Mapping[str, tuple[str, ...]]
    """By note: the notes it links to, in order, once each, itself left out."""
    incoming: Mapping[str, tuple[Mention, ...]]
    """By note: the first place in every other note that links to it, in the order of their ids."""
    unresolved: tuple[Unresolved, ...]
    """Links to notes that are not there, in order, once a note and target; other files and the web do not count."""
    documents: Mapping[str, Document]
    """The notes by id."""
    names: Names | NamesByFolder
    """How a written name becomes a note's id."""

    def follow(self, document: str, link: Link) -> Destination | None:
        """Return where a link of `document` leads; `None`: to no note of this folder."""
        target = self.names.find(document, link)
        if target is None:
            return None
        _, fragment = _parts(link)
        return Destination(target, _heading_position(self.documents[target], fragment) if fragment else 0)

    def after(self, documents: Mapping[str, Document], changed: Collection[str]) -> LinkGraph:
        """Return the graph after some notes were written anew, while no note came, went or got other aliases.

        Args:
            documents: the notes by id, as they are now.
            changed: ids of those that were written anew.
        """
        outgoing = {note: targets for note, targets in self.outgoing.items() if note not in changed}
        unresolved = [lost for lost in self.unresolved if lost.document not in changed]
        incoming: dict[str, tuple[Mention, ...]] = dict(self.incoming)
        for target in {target for note in changed for target in self.outgoing.get(note, ())}:
            incoming[target] = tuple(each for each in incoming[target] if each.document not in changed)
        for note in changed:
            targets, lost = _resolved(note, documents[note].links, self.names)
            unresolved += lost
            for target, link in targets.items():
                mention = Mention(note, link.position, link.label)
                incoming[target] = tuple(sorted((*incoming.get(target, ()), mention)))
            if targets:
                outgoing[note] = tuple(targets)
        return LinkGraph(
            outgoing,
            {target: mentions for target, mentions in incoming.items() if mentions},
            tuple(sorted(unresolved, key=lambda lost: lost.document)),
            documents,
            self.names,
        )


def link_graph(documents: Mapping[str, Document], folders: Sequence[str] = ()) -> LinkGraph:
    """Resolve every link between notes.

    Args:
        documents: The notes by id, in the order of their ids.
        folders: Where they are several as one library: the names that the ids start with; links stay within each.

    >>> from engine.reading.markdown import parse_markdown
    >>> notes = [parse_markdown("[[Io]] and [x](no.md)", "jupiter.md"), parse_markdown("Hot.", "moons/io.md")]
    >>> graph = link_graph({note.id: note for note in notes})
    >>> graph.outgoing, graph.incoming["moons/io.md"][0].document, graph.unresolved[0].link.target
    ({'jupiter.md': ('moons/io.md',)}, 'jupiter.md', 'no.md')
    """
    notes = [(note.id, note.links, note.aliases) for note in documents.values()]  # which may unpack them
    entries = {note: aliases for note, _, aliases in notes}
    names = NamesByFolder(entries, folders) if len(folders) > 1 else Names(entries)
    outgoing: dict[str, tuple[str, ...]] = {}
    incoming: dict[str, list[Mention]] = {}
    unresolved: list[Unresolved] = []
    for document, links, _ in notes:
        targets, lost = _resolved(document, links, names)
        unresolved += lost
        for target, link in targets.items():
            incoming.setdefault(target, []).append(Mention(document, link.position, link.label))
        if targets:
            outgoing[document] = tuple(targets)
    mentions = {target: tuple(found) for target, found in incoming.items()}
    return LinkGraph(outgoing, mentions, tuple(unresolved), documents, names)


def _resolved(
    document: str, links: Iterable[Link], names: Names | NamesByFolder
) -> tuple[dict[str, Link], list[Unresolved]]:
    """Return the first link of a note to each other one, and those that lead to none."""
    targets: dict[str, Link] = {}
    lost: dict[str, Link] = {}
    for link in links:
        if (target := names.find(document, link)) is not None:
            targets.setdefault(target, link)
        else:
            lost.setdefault(link.target, link)
    targets.pop(document, None)
    return targets, [Unresolved(document, link) for link in lost.values() if _means_a_note(link)]


class Names:
    """Finds a note by what a link says. Case and the form of accents do not matter; in a tie the shorter path wins."""

    def __init__(self, aliases: Mapping[str, Iterable[str]]) -> None:
        """Enter every note, given with its aliases, under its path, every end of its path, and these."""
        self._paths: dict[str, str] = {}
        self._ends: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._known: dict[tuple[str, str, bool], str | None] = {}
        ids = sorted(aliases, key=lambda id: (not id.lower().endswith(MARKDOWN_ENDINGS), id.count("/"), id))  # noqa: A006
        for id in ids:  # noqa: A001
            for key in _keys(id):
                self._paths.setdefault(key, id)
                for end in _ends(key):
                    self._ends.setdefault(end, id)
        for note, others in aliases.items():
            for alias in others:
                self._aliases.setdefault(_key(alias), note)

    def find(self, document: str, link: Link) -> str | None:
        """Return the id of the note that a link of `document` leads to, itself for `#heading`; `None`: to none."""
        if not link.target or link.target[0] in "#?":
            return document
        asked = (document.rpartition("/")[0], link.target, link.wiki)
        if asked not in self._known:
            path, _ = _parts(link)
            found = (
                None if path is None else self._wiki(asked[0], path) if link.wiki else self._relative(asked[0], path)
            )
            self._known[asked] = found
        return self._known[asked]

    def _wiki(self, folder: str, path: str) -> str | None:
        key = _key(path)
        if key.startswith(("./", "../")):
            return self._at(folder, path)
        key = key.strip("/")
        return (
            self._paths.get(key)
            or self._paths.get(_key(f"{folder}/{path}"))
            or (None if path.startswith("/") else self._ends.get(key))
            or self._aliases.get(key)
        )

    def _relative(self, folder: str, path: str) -> str | None:
        path = unquote(path)
        found = self._at("", path.lstrip("/")) if path.startswith("/") else self._at(folder, path)
        return found or (None if "/" in path else self._ends.get(_key(path)))

    def _at(self, folder: str, path: str) -> str | None:
        """Return the note at a path relative to a folder: the file, its page as a site has it, a folder's front."""
        key = _key(posixpath.normpath(posixpath.join(folder, path))).removeprefix("./")
        if key.startswith("../"):
            return None
        fronts = (posixpath.join("" if key == "." else key, front) for front in _FRONTS)
        return next(filter(None, map(self._paths.get, (key, _PAGE.sub("", key), *fronts))), None)


class NamesByFolder:
    """Finds a note among those of the same folder, where several are one library."""

    def __init__(self, aliases: Mapping[str, Iterable[str]], folders: Sequence[str]) -> None:
        """Enter every note with its folder, the start of its id."""
        entries: dict[str, dict[str, Iterable[str]]] = {folder: {} for folder in folders}
        for note, others in aliases.items():
            folder, _, path = note.partition("/")
            entries[folder][path] = others
        self._names = {folder: Names(known) for folder, known in entries.items()}

    def find(self, document: str, link: Link) -> str | None:
        """Return the id of the note that a link of `document` leads to; `None`: to none of its folder."""
        folder, _, path = document.partition("/")
        found = self._names[folder].find(path, link)
        return None if found is None else f"{folder}/{found}"


def _parts(link: Link) -> tuple[str | None, str]:
    """Return the path and the fragment of a link; the path is `None` where it leads to the web."""
    target = link.target
    if "://" in target or (not link.wiki and _ELSEWHERE.match(target)):
        return None, ""
    path, _, fragment = target.partition("#")
    return (path if link.wiki else path.partition("?")[0]).strip(), fragment


def _means_a_note(link: Link) -> bool:
    path, _ = _parts(link)
    return path is not None and (path.lower().endswith(NOTE_ENDINGS) or not _ATTACHMENT.search(path))


def _key(text: str) -> str:
    return text.casefold() if text.isascii() else unicodedata.normalize("NFC", text).casefold()


def _keys(id: str) -> Iterator[str]:  # noqa: A002
    """Yield the path with and without a note's ending.

    >>> list(_keys("moons/Io.md"))
    ['moons/io', 'moons/io.md']
    """
    key = _key(id)
    stem = next((key[: -len(ending)] for ending in NOTE_ENDINGS if key.endswith(ending)), key)
    yield from dict.fromkeys((stem, key))


def _ends(key: str) -> Iterator[str]:
    """Yield every end of a path: `a/b/c`, `b/c`, `c`."""
    yield key
    at = key.find("/")
    while at >= 0:
        yield key[at + 1 :]
        at = key.find("/", at + 1)


def _heading_position(document: Document, fragment: str) -> int:
    r"""Return where the heading stands that a fragment names, `heading`, `one#below` or `slug-1`; 0: nowhere.

    >>> from engine.reading.markdown import parse_markdown
    >>> _heading_position(parse_markdown("Top\n\n# A *b*"), "a-b")
    5
    """
    wanted = [_slug(part) for part in unquote(fragment).split("#")]
    seen: dict[str, int] = {}
    for section in document.sections:
        slug = _slug(section.heading)
        seen[slug] = seen.get(slug, -1) + 1
        if wanted[0] in (slug, f"{slug}-{seen[slug]}") and section.heading:
            del wanted[0]
            if not wanted:
                return section.start
    return 0


def _slug(heading: str) -> str:
    """Return a heading as it stands in an address.

    >>> _slug("What's new, in 2?")
    'whats-new-in-2'
    """
    return "-".join(_NO_SLUG.sub("", _key(heading)).split())

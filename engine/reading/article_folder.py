"""Titles -> a folder of articles as Markdown notes, with a lock file that says which revisions they are.

At the first download the lock file takes down each article's revision and the SHA-256 of the note made of it. Later
runs keep to those revisions: a note that is there and has its digest is not fetched again, so that a run that was
broken off goes on where it stopped, and a folder can be made again elsewhere from its lock file alone.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import tomli_w
import yaml

from engine.errors import EngineError, FolderError
from engine.reading.articles import parse_article
from engine.reading.markdown_writer import escaped, to_markdown
from engine.reading.wikipedia import Page, Site, Wiki
from engine.writing import write_whole

LOCK_FILE = "corpus.lock.toml"
LONGEST_NAME = 120
"""Bytes of a file's name without its ending; file systems take 255."""

State = Literal["fetched", "kept", "updated", "changed", "missing", "failed"]
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)", re.IGNORECASE)


class LockError(EngineError):
    """The lock file of a folder of articles cannot be used."""


@dataclass(frozen=True, slots=True)
class Locked:
    """One article in the lock file."""

    title: str
    """The page's title."""
    file: str
    """The note's file name."""
    page: int
    """The page's number in the wiki."""
    revision: int
    """The revision it was made of."""
    date: str
    """ISO date of that revision."""
    sha256: str
    """Digest of the note, in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one title."""

    title: str
    """As asked."""
    state: State
    """`fetched`, `updated`; `kept`: it was there; `changed`: there, but not as it was written; `missing`, `failed`."""
    file: str = ""
    """The note; empty: there is none."""
    detail: str = ""
    """What else a person should know, one line."""


def fetch_articles(folder: Path, titles: Sequence[str], wiki: Wiki, *, update: bool = False) -> Iterator[Outcome]:
    """Bring articles into a folder, one by one; what is yielded is on disk and in the lock file.

    Args:
        folder: made when it is missing.
        titles: of pages, with any capitals and redirects; empty: all in the lock file.
        wiki: where they come from.
        update: take the newest revisions in place of those in the lock file, and write over changed notes.

    Yields:
        One outcome a title, in their order.

    Raises:
        EndpointError: the wiki cannot be reached or does not answer as one; what was fetched before is kept.
        LockError: the lock file cannot be read, or is another wiki's.
        OutputError: a note or the lock file cannot be written.
        MissingExtraError: lxml is not installed.
    """
    lock = _Lock(folder / LOCK_FILE, wiki.api)
    asked = list(dict.fromkeys(_plain_title(title) for title in titles)) or list(lock.articles)
    known = {} if update else {title: lock.find(title) for title in asked}
    fetcher = _Fetcher(folder, wiki, lock, wiki.pages([title for title in asked if not known.get(title)]))
    for title in asked:
        yield fetcher.fetch(title, known.get(title), update=update)


def locked_api(folder: Path) -> str | None:
    """Return the address of the wiki that a folder's articles come from; `None`: it has no lock file that says so."""
    try:
        api = tomllib.loads((folder / LOCK_FILE).read_text(encoding="utf-8")).get("api")
    except (OSError, ValueError, RecursionError):
        return None
    return api if isinstance(api, str) else None


def file_name(title: str, taken: Iterable[str] = ()) -> str:
    """Return a name for a note that every system takes and none confuses with one of `taken`.

    >>> file_name("AC/DC"), file_name("Io", ["IO.md"]), file_name("Con"), file_name(".hidden")
    ('AC-DC.md', 'Io (2).md', 'Con_.md', '_.hidden.md')
    """
    name = _UNSAFE.sub("-", unicodedata.normalize("NFC", title)).strip().rstrip(". ")
    if len(name.encode()) > LONGEST_NAME:
        kept = name.encode()[: LONGEST_NAME - 9].decode(errors="ignore").rstrip(". ")
        name = f"{kept}-{hashlib.sha256(title.encode()).hexdigest()[:8]}"
    if _RESERVED.match(name):
        stem, dot, rest = name.partition(".")
        name = f"{stem}_{dot}{rest}"
    if not name or name.startswith((".", "-", "~")):
        name = f"_{name}"
    used = {_same(each) for each in taken}
    names = (f"{name}{f' ({number})' if number > 1 else ''}.md" for number in range(1, len(used) + 2))
    return next(each for each in names if _same(each) not in used)


class _Fetcher:
    def __init__(self, folder: Path, wiki: Wiki, lock: _Lock, pages: dict[str, Page | str]) -> None:
        self._folder, self._wiki, self._lock, self._pages = folder, wiki, lock, pages
        self._site: Site | None = None

    def fetch(self, title: str, locked: Locked | None, *, update: bool) -> Outcome:
        """Bring one article in, unless it is there."""
        page: Page | str | Locked = locked or self._pages[title]
        if isinstance(page, str):
            return Outcome(title, "missing", detail=f"{page}: check the spelling, capitals count")
        locked = self._lock.find(page.title)
        same = locked is not None and (not update or locked.revision == page.revision)
        if locked is not None and same and (digest := self._digest(locked.file)):
            if digest == locked.sha256:
                return Outcome(title, "kept", locked.file, _renamed(title, page.title))
            if not update:
                return Outcome(
                    title,
                    "changed",
                    locked.file,
                    "it is not as it was written; delete it, or --update, to fetch it again",
                )
        return self._download(title, page if locked is None or not same else locked, locked)

    def _download(self, title: str, page: Page | Locked, locked: Locked | None) -> Outcome:
        html = self._wiki.article(page.revision)
        if html is None:
            return Outcome(
                title, "failed", detail=f"revision {page.revision} is not there any more; --update takes the newest one"
            )
        self._site = self._site or self._wiki.site()
        note, words = _note(html, page, self._site)
        name = locked.file if locked else file_name(page.title, (each.file for each in self._lock.articles.values()))
        write_whole(self._folder / name, note)
        now = Locked(page.title, name, page.page, page.revision, page.date, hashlib.sha256(note.encode()).hexdigest())
        details = [_renamed(title, page.title)]
        if isinstance(page, Page) and page.is_list_of_meanings:
            details.append("it only lists pages that could be meant")
        if not words:
            details.append("it holds no paragraph")
        if page is locked and now.sha256 != locked.sha256:
            details.append("the revision reads otherwise than when it was locked; --update locks what it is now")
        else:
            self._lock.write(now)
        return Outcome(
            title, "updated" if locked and page is not locked else "fetched", name, "; ".join(filter(None, details))
        )

    def _digest(self, name: str) -> str:
        """Return the digest of a note; empty: there is none."""
        try:
            return hashlib.sha256((self._folder / name).read_bytes()).hexdigest()
        except OSError:
            return ""


class _Lock:
    """The lock file, read once and written after every article."""

    def __init__(self, path: Path, api: str) -> None:
        self._path, self._api = path, api
        self.articles: dict[str, Locked] = {}
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))
            self.articles = {each["title"]: _locked(each) for each in tables.get("article", [])}
        except FileNotFoundError:
            return
        except NotADirectoryError:
            raise FolderError(f"{path.parent} is a file, not a folder", "Name a folder for the articles.") from None
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise LockError(f"{path} cannot be used: {error}", "Mend it, or move it away to begin anew.") from None
        if tables.get("api") != api:
            raise LockError(
                f"The articles in {path.parent} come from {tables.get('api')}, not from {api}",
                "Give that address as --api, or take another folder.",
            )

    def find(self, title: str) -> Locked | None:
        """Return the article of this title; the first letter's case is no matter to a wiki."""
        return self.articles.get(title) or self.articles.get(title[:1].upper() + title[1:])

    def write(self, article: Locked) -> None:
        self.articles[article.title] = article
        tables = {"version": 1, "api": self._api, "article": [asdict(each) for each in self.articles.values()]}
        write_whole(self._path, tomli_w.dumps(tables))


def _locked(table: dict[str, Any]) -> Locked:
    locked = Locked(**table)
    for name, value in asdict(locked).items():
        if type(value) is not (int if name in ("page", "revision") else str):
            raise ValueError(f"{name} = {value!r}")
    if locked.file != Path(locked.file).name or _UNSAFE.search(locked.file) or not locked.file.endswith(".md"):
        raise ValueError(f"file = {locked.file!r} is no name of a note in this folder")
    return locked


def _note(html: str, page: Page | Locked, site: Site) -> tuple[str, bool]:
    """Return the note of an article, with its source and licence, and whether it holds a paragraph."""
    article = parse_article(html, title=page.title)
    source = site.source(page.title, page.revision)
    front = {
        "title": page.title,
        "date": page.date,
        "source": source,
        "revision": page.revision,
        "language": site.language,
        "license": " ".join(filter(None, (site.license, site.license_url))),
        "attribution": f"“{page.title}” by its authors, {source}; headings and paragraphs only",
    }
    head = yaml.safe_dump(
        {key: value for key, value in front.items() if value}, allow_unicode=True, sort_keys=False, width=10_000
    )
    return f"---\n{head}---\n\n# {escaped(page.title)}\n\n{to_markdown(article)}", bool(article.text)


def _plain_title(title: str) -> str:
    return " ".join(title.replace("_", " ").split())


def _renamed(asked: str, title: str) -> str:
    return "" if asked.casefold() == title.casefold() else f"{asked} leads to {title}"


def _same(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()

"""The nouns: what a folder, a ranking, a prompt, an answer and its check are made of.

Plain frozen records without behaviour beyond reading themselves; no NumPy, so that an interface can import
them before anything heavy is loaded. Offsets count code points of `Document.text`; ranges are half open.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from engine.notices import Notice as Notice
from engine.settings import Settings

BlockKind = Literal["heading", "paragraph", "item", "row", "code", "quote", "math"]


class Span(NamedTuple):
    """A half-open range of characters: `text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long job has come."""

    stage: str
    """What is being done: `reading`, `indexing`, `LSA` …"""
    done: int
    """Items finished, 0 to `total`."""
    total: int
    """Items in all; 0: not known yet."""


Report = Callable[[Progress], None]
ShouldStop = Callable[[], bool]


class Section(NamedTuple):
    """A heading and the text up to the next heading of any level; a document's opening text has no heading.

    >>> Section("Rotation", 3, "Orbit > Rotation", start=120, end=260).path
    'Orbit > Rotation'
    """

    heading: str
    """The heading's text; empty for the opening section."""
    level: int
    """1 to 6; 0 for the opening section."""
    path: str
    """The headings above and this one, `Orbit > Rotation`. A level-1 heading equal to the title is left out."""
    start: int
    """Where the section starts: at its heading."""
    end: int
    """Where it ends."""


class Block(NamedTuple):
    """A paragraph, heading, list item, table row, code block or quote: the unit that sentences do not cross."""

    kind: BlockKind
    """What it is."""
    start: int
    """Start in the document's text."""
    end: int
    """End in the document's text."""
    level: int = 0
    """Heading level; depth of a list item or quote, from 1; 0 elsewhere."""


class Link(NamedTuple):
    """A link from one note to another place."""

    target: str
    """As written: a path, a URL, or a wikilink's note name with its `#heading`."""
    label: str
    """The text shown."""
    position: int
    """Where the label stands in the document's text."""
    wiki: bool = False
    """Whether it was written `[[target]]`."""


class NoteLink(NamedTuple):
    """One end of a link between two notes, as the reader of the other one sees it."""

    label: str
    """The text shown."""
    document: str
    """The other note's id."""
    title: str
    """The other note's title."""
    position: int
    """Where to go in the other note's text: where its heading or its link stands."""


@dataclass(frozen=True, slots=True)
class Document:
    """One note as a person reads it, with the way back to its source lines.

    >>> Document("venus.md", "Venus", "Hot and dry.").line_at(4)
    1
    """

    id: str
    """Path relative to the folder, with `/`."""
    title: str
    """Front matter `title`, else the first level-1 heading, else the file's name without its ending."""
    text: str
    """The words without markup. Blocks are separated by a blank line, table rows and adjacent items by a line break."""
    sections: tuple[Section, ...] = ()
    """In order, without gaps; together they are the text."""
    blocks: tuple[Block, ...] = ()
    """In order; what lies between them is white space."""
    links: tuple[Link, ...] = ()
    """In order of position."""
    front_matter: Mapping[str, Any] = field(default_factory=dict)
    """As parsed from YAML or TOML; empty when there is none or it is broken."""
    tags: tuple[str, ...] = ()
    """Without `#`, from front matter and text, in order, once each."""
    aliases: tuple[str, ...] = ()
    """Other names from front matter."""
    date: str | None = None
    """ISO date: front matter `updated` or `date`, else the file's time; `None`: not known."""
    access: tuple[str, ...] | None = None
    """Names of those who may read it, from front matter; `None`: everyone; empty: nobody but the owner."""
    notices: tuple[Notice, ...] = ()
    """What went wrong while reading it."""
    line_offsets: Sequence[int] = (0,)
    """Rising offsets in `text` at which the source line changes; the first is 0."""
    line_numbers: Sequence[int] = (1,)
    """The source line, from 1, from each of `line_offsets` on."""

    def is_open_to(self, reader: str | None) -> bool:
        """Return whether `reader` may read it; `None` is the owner, who may read everything."""
        return reader is None or self.access is None or reader in self.access

    def line_at(self, offset: int) -> int:
        """Return the source line, from 1, of the character at `offset`."""
        return self.line_numbers[max(0, bisect_right(self.line_offsets, offset) - 1)]

    def section_at(self, offset: int) -> Section | None:
        """Return the section that holds `offset`; `None` for a document without sections."""
        index = bisect_right(self.sections, offset, key=lambda section: section.start) - 1
        return self.sections[max(0, index)] if self.sections else None


class Facts(Protocol):
    """What lists and filters know of a note: a `Document` has it, and a stored library keeps it apart."""

    @property
    def title(self) -> str:
        """As `Document.title`."""
        ...

    @property
    def date(self) -> str | None:
        """As `Document.date`."""
        ...

    @property
    def tags(self) -> tuple[str, ...]:
        """As `Document.tags`."""
        ...

    @property
    def aliases(self) -> tuple[str, ...]:
        """As `Document.aliases`."""
        ...


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: a character range of one document, the unit that is indexed, ranked and cited.

    >>> Chunk(0, "venus.md", 0, 12, "Hot and dry.", "Venus", "Ground").header
    'Venus > Ground'
    """

    id: int
    """Position in the collection, ordered by (document id, start)."""
    document: str
    """The document's id."""
    start: int
    """Start in the document's text."""
    end: int
    """End in the document's text."""
    text: str
    """`document.text[start:end]`."""
    title: str = ""
    """The document's title."""
    section: str = ""
    """Path of the section in which it starts; empty in the opening section."""
    line: int = 1
    """Source line, from 1, of its first character."""
    date: str | None = None
    """The document's date."""
    context: str = ""
    """Lines of the note that it is indexed and read with, outside its range: the header row of its table."""
    about: str = ""
    """A line that a model wrote about it: it is indexed with it, but no source of an answer."""

    @property
    def header(self) -> str:
        """Title and section path in one line: `Venus > Orbit`."""
        return header_of(self.title, self.section)


def header_of(title: str, section: str) -> str:
    """Return the header of the chunks of a section: title and section path, as far as there are such.

    >>> header_of("Venus", "Orbit"), header_of("Venus", "")
    ('Venus > Orbit', 'Venus')
    """
    return f"{title} > {section}" if title and section else title or section


class Hit(NamedTuple):
    """One place in a ranked list."""

    rank: int
    """From 1."""
    chunk: int
    """The chunk's id."""
    score: float
    """The retriever's score; higher is better."""
    copies: int = 1
    """How many chunks with the same normalised text this place stands for, itself included."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranked list: best first, ties by lower chunk id."""

    name: str
    """The retriever: `bm25`, `tfidf`, `lsa`, `rrf`, `fused`."""
    hits: tuple[Hit, ...] = ()
    """Best first, ranks 1, 2, 3 …"""

    @property
    def ids(self) -> tuple[int, ...]:
        """The chunk ids in order."""
        return tuple(hit.chunk for hit in self.hits)

    def rank_of(self, chunk: int) -> int | None:
        """Return the rank of a chunk id, or `None` when the list does not hold it."""
        return next((hit.rank for hit in self.hits if hit.chunk == chunk), None)


@dataclass(frozen=True, slots=True)
class TermScore:
    """What one query term adds to a chunk's BM25 score."""

    term: str
    """The analysed term."""
    count: int
    """f: how often the chunk holds it."""
    document_frequency: int
    """n: how many chunks hold it."""
    idf: float
    """Inverse document frequency, of the retriever's variant."""
    length_norm: float
    """K = k1 (1 - b + b |d| / avg)."""
    saturation: float
    """f (k1 + 1) / (f + K), 0 to k1 + 1."""
    contribution: float
    """idf times saturation, as often as the question has the term where that counts; these sum to the score."""
    stands_for: tuple[str, ...] = ()
    """Where the term is the start of a word that is being typed: the words of the chunk that it can become."""
    word: str = ""
    """The word of the question that it is the term of, as written there; empty: the term itself."""
    times: int = 1
    """How often it counts: 1, or in a long question as often as it stands there."""


@dataclass(frozen=True, slots=True)
class FusionPart:
    """What one list adds to a chunk's fused score."""

    ranking: str
    """The list's name."""
    rank: int | None
    """The chunk's rank there; `None`: the list does not hold it."""
    contribution: float
    """weight / (c + rank), or 0; in the adaptive fusion weight times `score`."""
    weight: float = 1.0
    """The list's weight."""
    score: float | None = None
    """In the adaptive fusion: the list's score of the chunk on a common scale, 0 to 1 (a cosine may be below 0)."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """How the lists of a question were made into one, and what decided it."""

    method: str
    """`adaptive`: a weighted sum of scores. `rrf`: reciprocal ranks."""
    bm25: float = 1.0
    """Weight of BM25."""
    lsa: float = 1.0
    """Weight of the dense list."""
    near: float = 0.0
    """Weight of words that stand close together; rank fusion does not look at them."""
    rarity: float | None = None
    """How rare the question's words are, 0 to 1: what LSA's weight follows. `None`: it was not asked."""
    lean: float | None = None
    """How well LSA does beside BM25 in this collection, 1: as well. `None`: not known."""
    tuned_on: int = 0
    """Labelled questions that the weights of the settings were tuned on; 0: none."""
    header: float = 0.0
    """Weight of the question's words in title and section."""
    note: float = 0.0
    """Weight of what the other passages of the same note hold."""
    crowd: float = 0.0
    """Weight, 0 or negative, of how many passages of the same note stand above."""

    def __str__(self) -> str:
        """Return one line: `adaptive: bm25 1 + near 0.45 + header 1 + note 0.3 - crowd 0.2 + lsa 0.04; rarity 0.60`."""
        read = (("near", self.near), ("header", self.header), ("note", self.note), ("crowd", self.crowd))
        signed = (f" {'-' if weight < 0 else '+'} {name} {abs(weight):.3g}" for name, weight in read if weight)
        weights = f"{self.method}: bm25 {self.bm25:.3g}" + "".join(signed)
        known = (("rarity", self.rarity), ("lean", self.lean))
        why = ", ".join(f"{name} {value:.2f}" for name, value in known if value is not None)
        tuned = f"; tuned on {self.tuned_on:,} questions" if self.tuned_on else ""
        return f"{weights} + lsa {self.lsa:.3g}" + (f"; {why}" if why else "") + tuned


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a chunk stands where it stands, with the values put into the formulas."""

    chunk: int
    """The chunk's id."""
    terms: tuple[TermScore, ...]
    """BM25 term by term, in the order of the question."""
    bm25: float
    """The sum of the contributions."""
    k1: float
    """BM25's k1 at the time."""
    b: float
    """BM25's b at the time."""
    length: int
    """|d|: terms in the chunk, header included."""
    average_length: float
    """avg: mean |d| over the collection."""
    n_chunks: int
    """N: chunks in the collection."""
    lsa: float | None
    """Cosine in LSA space, -1 to 1; `None`: LSA is not ready or does not know the question."""
    lsa_terms: tuple[tuple[str, float], ...]
    """What the chunk's words, as written there, add to that cosine, largest first: the most important ones."""
    fusion: tuple[FusionPart, ...]
    """What each list adds; last, for a note that the question names, `title`: what lifted it."""
    fused: float
    """The sum of the fusion parts."""
    rrf_c: float
    """The fusion constant c at the time."""
    method: str = "rrf"
    """How the lists were fused: see `Fusion`."""


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered passage in a prompt."""

    number: int
    """From 1; what `[n]` in an answer refers to."""
    chunk: Chunk
    """The passage."""
    label: str
    """`Venus > Orbit (venus.md, 2024-05-01)`, without the number."""
    tokens: int
    """Tokens of label and text as they stand in the prompt."""
    span: Span = Span(0, 0)
    """Where label and text stand in the prompt's text."""
    suspicious: str = ""
    """Words in it that look like an order to a model, such as `ignore previous instructions`; empty: none do."""
    version: str = ""
    """`older version of [2]` where another source is a newer version of it; empty: none is."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A ranked passage that did not get into the prompt."""

    chunk: Chunk
    """The passage."""
    tokens: int
    """What it would have cost."""
    why: str
    """The reason in words."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a generator reads: instruction, numbered sources, question.

    >>> Prompt("Is it hot?", "Question: Is it hot?", sources=(), dropped=(), tokens=7, budget=2000).strategy
    'prefix'
    """

    question: str
    """As asked."""
    text: str
    """The whole prompt, exactly as it is sent."""
    sources: tuple[Source, ...]
    """In the order of their numbers."""
    dropped: Sequence[Dropped]
    """In rank order: ranked passages that were left out, and why; read and counted when they are looked at."""
    tokens: int
    """Tokens of `text`."""
    budget: int
    """Most tokens allowed."""
    instruction_tokens: int = 0
    """Tokens of the instruction."""
    question_tokens: int = 0
    """Tokens of the question with its label."""
    template: str = "chat"
    """How it is worded: the setting `template`."""
    strategy: str = "prefix"
    """How passages were chosen and ordered: the setting `strategy`."""
    stop: tuple[str, ...] = ()
    """Where generation ends. Not empty: `text` is to be continued (a base model), not answered (a chat)."""

    def cited(self, numbers: Iterable[int]) -> tuple[Chunk, ...]:
        """Return the passages behind source numbers, in order, once each; what is no source is passed over."""
        chunks = {source.number: source.chunk for source in self.sources}
        return tuple(chunks[number] for number in dict.fromkeys(numbers) if number in chunks)


class Feature(NamedTuple):
    """One thing that a sentence was judged by."""

    name: str
    """What it is, in words."""
    value: float
    """What it is here."""
    weight: float
    """What one of it counts."""

    @property
    def product(self) -> float:
        """What it adds to the score."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that the extractive generator weighed."""

    source: int
    """The source's number."""
    sentence: str
    """Word for word."""
    coverage: float
    """Share of the question's idf that the sentence and its label cover, 0 to 1, less any penalty."""
    penalty: float = 0.0
    """What was taken off because a number was asked for and there is none."""
    matched: tuple[str, ...] = ()
    """The question's terms it covers."""
    score: float | None = None
    """Sum of the products of its features; `None`: it was judged by coverage."""
    features: tuple[Feature, ...] = ()
    """What makes the score."""


UNLIKELY = 0.2
"""Below it, a closest sentence is said to be no answer, most likely."""


class Closest(NamedTuple):
    """What a refusal would have quoted under a lower threshold: no answer, but the place to look first.

    >>> Closest((), 0.07, 0.5, "hardly right, 0.07 (threshold 0.50)").lead
    'Closest, but most likely not the answer'
    """

    sentences: tuple[Candidate, ...]
    """The best sentence; two where the question joins two names."""
    value: float
    """Probability that they are right, or their coverage where the reader judges by that; below `threshold`."""
    threshold: float
    """What they missed."""
    said: str
    """Both, in words."""

    @property
    def sources(self) -> tuple[int, ...]:
        """The numbers of their sources."""
        return tuple(each.source for each in self.sentences)

    @property
    def quoted(self) -> str:
        """The sentences, word for word, each with its source number behind it."""
        return " ".join(f"“{each.sentence}” [{each.source}]" for each in self.sentences)

    @property
    def may_be_it(self) -> bool:
        """Whether they may be the answer all the same."""
        return self.value >= UNLIKELY

    @property
    def lead(self) -> str:
        """What stands before the sentences."""
        return "Closest" if self.may_be_it else "Closest, but most likely not the answer"


def _feature(feature: Feature) -> dict[str, Any]:
    return {**feature._asdict(), "product": feature.product}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a generator wrote."""

    text: str
    """The answer with its citations."""
    generator: str
    """`extractive`, or the hosted model's name."""
    abstained: bool
    """Whether it says that the sources do not hold the answer."""
    reason: str = ""
    """Why it abstained, or how the answer was chosen, in words; empty when nothing is known."""
    candidates: tuple[Candidate, ...] = ()
    """The best sentences, best first (extractive only)."""
    confidence: float | None = None
    """Probability that the best sentence is right, 0 to 1; `None`: nobody has judged that."""
    signs: tuple[Feature, ...] = ()
    """What makes the confidence, in log odds."""
    closest: Closest | None = None
    """What came closest where it abstained; `None`: it answered, or nothing has to do with the question."""

    def reading(self) -> dict[str, Any]:
        """Return why the best sentence was chosen and how sure that is, ready for JSON; empty: nothing is known."""
        if not self.candidates:
            return {}
        return {
            "confidence": self.confidence,
            "signs": [_feature(sign) for sign in self.signs],
            "sentences": [
                {
                    "source": candidate.source,
                    "sentence": candidate.sentence,
                    "coverage": candidate.coverage,
                    "matched": list(candidate.matched),
                    "score": candidate.score,
                    "features": [_feature(feature) for feature in candidate.features],
                }
                for candidate in self.candidates
            ],
        }


@dataclass(frozen=True, slots=True)
class Check:
    """What the verification says of one sentence of an answer. Lexical: blind to negation and paraphrase."""

    sentence: str
    """The sentence with its citations, as written."""
    citations: tuple[int, ...]
    """The source numbers it cites, in order, once each."""
    support: float
    """Share of its terms that occur in the cited sources, 0 to 1."""
    supported: bool
    """Cites an existing source, support at least 0.75, and every number found."""
    missing_terms: tuple[str, ...] = ()
    """Its terms that no cited source holds."""
    missing_numbers: tuple[str, ...] = ()
    """Its numbers that no cited source holds."""
    reason: str = ""
    """Why it is flagged as it is, in words."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sources of a prompt that give different numbers for the same terms."""

    sources: tuple[int, int]
    """Their numbers."""
    sentences: tuple[str, str]
    """The sentence of each, word for word."""
    numbers: tuple[str, str]
    """The number of each as it writes it."""
    unit: str
    """The unit of both, as the second writes it; empty: they have none, and count one thing."""
    terms: tuple[str, ...]
    """The stems that stand around both numbers, in alphabetical order."""

    def __str__(self) -> str:
        """Return one line: `Sources 1 and 3 disagree: 164.8 / 164.79 years`."""
        (one, other), numbers = self.sources, " / ".join(self.numbers)
        return f"Sources {one} and {other} disagree: {numbers} {self.unit}".rstrip()


@dataclass(frozen=True, slots=True)
class Trace:
    """Every stage of one question, enough to draw it again.

    >>> from engine import Library, ask
    >>> trace = ask(Library.open("sample_docs"), "How long is a year on Venus?")
    >>> trace.terms, trace.rankings["bm25"].hits[0].rank, trace.checks[0].supported
    (('long', 'year', 'venus'), 1, True)
    """

    question: str
    """As asked."""
    terms: tuple[str, ...]
    """The question's distinct terms, in order."""
    settings: Settings
    """The settings it was answered with."""
    rankings: Mapping[str, Ranking]
    """`bm25`, `lsa` (empty while LSA is not ready) and `fused`, each up to `settings.depth` deep."""
    chunks: Mapping[int, Chunk]
    """Every chunk that a ranking or the prompt names; read from the library when it is first looked at."""
    prompt: Prompt
    """What the generator read."""
    answer: Answer
    """What it wrote."""
    checks: tuple[Check, ...]
    """One a sentence of the answer; empty when it abstained."""
    timings: Mapping[str, float]
    """Seconds by stage: `analysis`, `routing` where it is on, `bm25`, `lsa`, `fusion`, `prompt`, `answer`, `check`."""
    warnings: tuple[str, ...] = ()
    """What a person should know about this answer."""
    filters: tuple[str, ...] = ()
    """The filters in the question, as they can be typed."""
    conflicts: tuple[Conflict, ...] = ()
    """Where sources of the prompt give different numbers for the same terms."""
    n_chunks: int = 0
    """Chunks in the collection."""
    n_allowed: int = 0
    """Chunks that meet the filters: all where there are none."""
    scanned: int = 0
    """Chunks whose vectors were compared with the question's: all, or those of the IVF lists probed."""
    routed: tuple[str, ...] = ()
    """Notes that were searched because their leading sections are the best; empty: all."""
    encoder: str = ""
    """What made the vectors of the dense list, which is named `lsa` all the same; empty: LSA."""
    fusion: Fusion = Fusion("rrf")
    """How `fused` was made of the other lists."""
    complete: bool = True
    """Whether every retriever took part; false while LSA is being fitted."""
    typing: bool = False
    """Whether the last word was taken as the start of one; `terms` then names the terms that it stands for, too."""

    @property
    def in_lists(self) -> bool:
        """Whether the vectors stood in lists of which some were scanned."""
        return self.settings.lists > 0 or (self.settings.lists < 0 and 0 < self.scanned < self.n_allowed)

    def to_dict(self) -> dict[str, Any]:
        """Return the trace as JSON-ready dicts and lists (the form the command line prints)."""
        return {
            "question": self.question,
            "terms": list(self.terms),
            "settings": self.settings.to_public_dict(),
            "rankings": {name: self._ranking(ranking) for name, ranking in self.rankings.items()},
            "fusion": asdict(self.fusion),
            "prompt": {
                "text": self.prompt.text,
                "tokens": self.prompt.tokens,
                "budget": self.prompt.budget,
                "sources": [
                    {
                        "number": source.number,
                        "chunk": source.chunk.id,
                        "document": source.chunk.document,
                        "line": source.chunk.line,
                        "tokens": source.tokens,
                        "suspicious": source.suspicious,
                        "version": source.version,
                    }
                    for source in self.prompt.sources
                ],
                "dropped": [
                    {"chunk": item.chunk.id, "tokens": item.tokens, "why": item.why} for item in self.prompt.dropped
                ],
            },
            "answer": {
                "text": self.answer.text,
                "generator": self.answer.generator,
                "abstained": self.answer.abstained,
                "reason": self.answer.reason,
            },
            "checks": [
                {
                    "sentence": check.sentence,
                    "citations": list(check.citations),
                    "support": check.support,
                    "supported": check.supported,
                    "missing_terms": list(check.missing_terms),
                    "missing_numbers": list(check.missing_numbers),
                    "reason": check.reason,
                }
                for check in self.checks
            ],
            "timings": dict(self.timings),
            "warnings": list(self.warnings),
            "conflicts": [
                {
                    "sources": list(conflict.sources),
                    "numbers": list(conflict.numbers),
                    "unit": conflict.unit,
                    "terms": list(conflict.terms),
                    "sentences": list(conflict.sentences),
                }
                for conflict in self.conflicts
            ],
            "reading": self.answer.reading(),
            "closest": self._closest(),
            **({"filters": list(self.filters), "allowed": self.n_allowed} if self.filters else {}),
            **({"encoder": self.encoder} if self.encoder else {}),
            **({"scanned": self.scanned} if self.in_lists else {}),
        }

    def _closest(self) -> dict[str, Any] | None:
        closest = self.answer.closest
        if closest is None:
            return None
        return {
            "sentences": [
                {"source": each.source, "sentence": each.sentence, "document": chunk.document, "line": chunk.line}
                for each in closest.sentences
                for chunk in self.prompt.cited([each.source])
            ],
            "value": closest.value,
            "threshold": closest.threshold,
            "said": closest.said,
        }

    def _ranking(self, ranking: Ranking) -> list[dict[str, Any]]:
        return [
            {
                "rank": hit.rank,
                "chunk": hit.chunk,
                "document": self.chunks[hit.chunk].document,
                "section": self.chunks[hit.chunk].section,
                "start": self.chunks[hit.chunk].start,
                "end": self.chunks[hit.chunk].end,
                "line": self.chunks[hit.chunk].line,
                "score": hit.score,
                "copies": hit.copies,
            }
            for hit in ranking.hits
        ]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece of evidence: the answer stands in any one of these places.

    >>> Evidence((("venus.md", "every 224.7 days"), ("index.md", "224.7 days"))).alternatives[0]
    ('venus.md', 'every 224.7 days')
    """

    alternatives: tuple[tuple[str, str], ...]
    """(document id, exact text) pairs; a chunk that holds one of the texts whole is relevant."""


@dataclass(frozen=True, slots=True)
class Question:
    """A labelled question.

    >>> Question("Who lives there?", unanswerable=True).evidence
    ()
    """

    text: str
    """As a person would ask it."""
    evidence: tuple[Evidence, ...] = ()
    """Every piece is needed; empty when the notes cannot answer."""
    unanswerable: bool = False
    """Whether the right answer is to abstain."""
    references: tuple[str, ...] = ()
    """Short reference answers, for exact match and token F1."""
    gains: tuple[float, ...] = ()
    """Gain of each piece for nDCG; empty: 1 each."""

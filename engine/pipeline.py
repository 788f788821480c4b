"""START HERE. One question, from its words to a checked answer: the stages in order, one line each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

from engine.answering import Generator, generate
from engine.answering.conflicts import find_conflicts
from engine.answering.prompt import assemble_prompt, build_prompt
from engine.answering.reader import reader_of
from engine.answering.verification import check_answer
from engine.answering.versions import COMPARED
from engine.deferred import DeferredMapping, DeferredSequence
from engine.indexing.exact import Mask
from engine.indexing.inverted_index import Prefix, indexed_text
from engine.library import Library
from engine.ranking.adaptive import choose_fusion
from engine.ranking.query import Query, parse_query, unfinished_word
from engine.ranking.routing import Routed, router_for
from engine.ranking.search import Clock, search_all
from engine.ranking.search import explain as explain_ranks
from engine.records import Check, Chunk, Explanation, Fusion, Prompt, Ranking, Trace
from engine.text.analysis import tokenize, written_forms

NAMED = 5
"""Words of a question named in a warning."""


def ask(library: Library, question: str, *, generator: Generator | None = None, typing: bool = False) -> Trace:
    """Answer a question from a library and keep every stage.

    Args:
        library: at any stage; what is not ready does not take part, and the trace says so.
        question: as a person asks it.
        generator: what writes the answer from the prompt; `None`: the extractive one.
        typing: the question is being typed: its last word is the start of one, for BM25.

    Raises:
        EndpointError: a hosted generator failed.

    >>> trace = ask(Library.open("sample_docs"), "How long is a year on Venus?")
    >>> trace.answer.text
    'Venus completes an orbit every 224.7 days, on a path closer to a true circle than any other [1].'
    """
    clock = Stopwatch()
    settings = library.settings
    found = find(library, question, typing=typing, clock=clock)
    with clock("prompt"):
        chunks = _named_chunks(library.chunks, found.rankings)
        ids = found.rankings["fused"].ids
        ranked = DeferredSequence(len(ids), lambda at: chunks[ids[at]])
        aliases = {chunk.document: library.aliases(chunk.document) for chunk in ranked[:COMPARED]}
        prompt = build_prompt(found.query.words, ranked, settings, aliases)
    with clock("answer"):
        answer = generate(generator or reader_of(settings, library.bm25), prompt)
    with clock("check"):
        checks = () if answer.abstained else check_answer(answer.text, prompt)
        conflicts = find_conflicts(prompt)
    return Trace(
        question=question,
        terms=tuple(dict.fromkeys((*found.terms, *found.started))),
        settings=settings,
        rankings=found.rankings,
        chunks=chunks,
        prompt=prompt,
        answer=answer,
        checks=checks,
        timings=clock.seconds,
        warnings=(*warnings(library, found, prompt), *(f"{conflict}." for conflict in conflicts)),
        conflicts=conflicts,
        filters=tuple(map(str, found.query.filters)),
        n_chunks=len(library.chunks),
        n_allowed=len(library.chunks) if found.allowed is None else int(found.allowed.sum()),
        scanned=found.scanned,
        encoder=library.encoded.encoder.name if library.encoded else "",
        routed=found.routed,
        fusion=found.fusion,
        complete=library.stage == "lsa",
        typing=bool(found.started),
    )


@dataclass(frozen=True, slots=True)
class Found:
    """What the search for a question came to."""

    query: Query
    """The question taken apart."""
    terms: tuple[str, ...]
    """The terms of its words, repeats included."""
    allowed: Mask | None
    """(n_chunks,) which chunks meet the filters; `None`: there are none."""
    rankings: dict[str, Ranking]
    """`bm25`, `lsa` and `fused`."""
    scanned: int
    """Chunks whose vectors were compared with the question's."""
    fusion: Fusion
    """How `fused` was made."""
    routed: tuple[str, ...] = ()
    """Notes that were searched because their leads are the best; empty: all that meet the filters."""
    started: tuple[str, ...] = ()
    """Terms that the last word stands for while it is being typed, those of most chunks first."""
    searched: Mask | None = None
    """(n_chunks,) which chunks were searched: those that meet the filters, of the notes in `routed`; `None`: all."""


def find(library: Library, question: str, *, typing: bool = False, clock: Clock = lambda stage: nullcontext()) -> Found:
    """Search for a question under its filters. Without words, what meets the filters is listed, newest note first."""
    settings, dense = library.settings, library.dense
    with clock("analysis"):
        query = parse_query(question)
        terms = tuple(library.index.analyzer(query.words))
        typed = typed_terms(library, query) if typing else None
        allowed = library.catalog.allowed(query.filters) if query.filters else None
    routed = Routed((), allowed)
    if settings.routing == "leads" and library.stage != "documents":
        with clock("routing"):
            rows = library.snapshot.layers.document_rows[: len(library.chunks)]
            router = router_for(library.index, library.documents, library.chunks, rows)
            routed = router.route(terms, settings.routed_documents, k1=settings.k1, b=settings.b, allowed=allowed)
    searched = routed.allowed
    retrievers = library.bm25, dense, settings, library.duplicates
    fusion = choose_fusion(terms, library.bm25, dense, settings)
    rankings = search_all(
        terms,
        *retrievers,
        words=query.words,
        allowed=searched,
        titles=library.titles,
        typed=typed,
        fusion=fusion,
        text_of=library.text_of,
        note_of=library.note_of,
        clock=clock,
    )
    if allowed is not None and not (typed or terms):
        rankings["fused"] = library.catalog.newest(allowed, settings.depth)
    lists, probes = settings.lists, settings.probes
    scanned = 0
    if dense is not None:
        asked = query.words if dense.reads_text else terms
        scanned = dense.scanned(asked, allowed=searched, lists=lists, probes=probes)
    started = library.index.started_by(typed[-1]) if typed else ()
    return Found(query, terms, allowed, rankings, scanned, fusion, routed.documents, tuple(started), searched)


def typed_terms(library: Library, query: Query) -> tuple[*tuple[str, ...], Prefix] | None:
    """Return the terms of a question whose last word is being typed; `None`: nothing starts so, or it ends otherwise.

    The whole last word is among those that it stands for.
    """
    word = unfinished_word(query)
    start = (tokenize(word) or [""])[-1]
    prefix = Prefix(start, library.endings.terms(start)) if start else None
    if prefix is None or not library.index.document_frequency(prefix):
        return None
    return (*library.index.analyzer(query.words.removesuffix(word)), prefix)


def explain(library: Library, trace: Trace, chunk: int) -> Explanation:
    """Say why `chunk` stands where it stands in the rankings of `trace`."""
    text = indexed_text(library.chunks[chunk], library.settings.headers)
    query = parse_query(trace.question)
    terms, typed = library.index.analyzer(query.words), typed_terms(library, query) if trace.typing else None
    return explain_ranks(
        terms,
        chunk,
        text,
        library.bm25,
        library.dense,
        trace.rankings,
        library.settings,
        words=query.words,
        typed=typed,
        fusion=trace.fusion,
        text_of=library.text_of,
        note_of=library.note_of,
    )


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of `answer_question`."""

    answer: str
    """The answer with its citations."""
    checks: tuple[Check, ...]
    """One a sentence; empty when the generator abstained."""
    prompt: Prompt
    """What the generator read."""
    ranking: Ranking
    """What the retriever found."""


class Retriever(Protocol):
    """Anything that ranks chunk ids for a question: `BM25`, `Tfidf`, `LSA`, or a user's own."""

    def search(self, query: str, k: int, /) -> Ranking:
        """Return at most k hits, best first."""
        ...


def answer_question(
    question: str,
    chunks: Sequence[Chunk | str],
    retriever: Retriever,
    generator: Generator | Callable[[Prompt], str],
    k: int = 5,
) -> Answered:
    """Take the path of `ask` over chunks in memory, with one retriever.

    Args:
        question: as a person asks it.
        chunks: the collection, as chunks or plain texts; a chunk's id is its place in it.
        retriever: ranks ids of `chunks`.
        generator: any function from a prompt to text.
        k: most sources.

    >>> from engine import BM25, InvertedIndex, extractive_generator
    >>> texts = ["Mars has two small moons, Phobos and Deimos.", "Phobos orbits Mars."]
    >>> bm25 = BM25(InvertedIndex(texts))
    >>> answer_question("What moons does Mars have?", texts, bm25, extractive_generator(bm25)).answer
    'Mars has two small moons, Phobos and Deimos [1].'
    """
    ranking = retriever.search(question, k)
    prompt = assemble_prompt(question, [_as_chunk(at, chunks[at]) for at in ranking.ids], sources=k)
    answer = generate(generator, prompt)
    checks = () if answer.abstained else check_answer(answer.text, prompt)
    return Answered(answer.text, checks, prompt, ranking)


class Stopwatch:
    """Collects seconds by stage: `with clock("bm25"): …`."""

    def __init__(self) -> None:
        """Start with no stages."""
        self.seconds: dict[str, float] = {}

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        """Add the time of the block to `stage`."""
        start = perf_counter()
        try:
            yield
        finally:
            self.seconds[stage] = self.seconds.get(stage, 0.0) + perf_counter() - start


def _as_chunk(at: int, chunk: Chunk | str) -> Chunk:
    return Chunk(at, f"passage {at + 1}", 0, len(chunk), chunk) if isinstance(chunk, str) else chunk


def _named_chunks(chunks: Sequence[Chunk], rankings: Mapping[str, Ranking]) -> Mapping[int, Chunk]:
    named = (chunk for ranking in rankings.values() for chunk in ranking.ids)
    return DeferredMapping(named, chunks.__getitem__)


def warnings(library: Library, found: Found, prompt: Prompt | None = None) -> tuple[str, ...]:
    """Say in words why the lists are empty or incomplete, or the prompt holds no source."""
    said = [_about_filters(library, found) or _about_words(library, found)]
    if prompt is not None and prompt.dropped and not prompt.sources:
        said.append(f"No source is in the prompt: {prompt.dropped[0].why}.")
    said += _about_sources(prompt) if prompt is not None else []
    if library.settings.routing == "leads" and found.terms and not found.routed and library.stage != "documents":
        said.append("No leading section holds a word of the question: all notes were searched.")
    if library.stage == "documents":
        said.append("The index is not ready: nothing has been searched yet.")
    elif library.pending:
        said.append(f"The folder is being read: {library.pending:,} files are not in the lists yet.")
    elif library.stage == "bm25":
        said.append("LSA is not ready: the fused list goes without it.")
    elif library.settings.encoder != "lsa" and library.encoded is None:
        said.append("The vectors of the encoder are not there: LSA stands in.")
    return tuple(filter(None, said))


def _about_sources(prompt: Prompt) -> list[str]:
    """Name the sources that seem to give orders to a model."""
    return [
        f"Source [{source.number}] holds what looks like an instruction to a model: “{source.suspicious}”."
        for source in prompt.sources
        if source.suspicious
    ]


def _about_filters(library: Library, found: Found) -> str:
    """Say which filter leaves nothing, or that there is nothing but filters; empty: neither."""
    filters = found.query.filters
    if found.allowed is None or library.stage == "documents":
        return ""
    if not found.allowed.any():
        wanted = [one for one in filters if not one.excluded]
        empty = [str(one) for one in wanted if not library.catalog.meeting(one).any()]
        if empty:
            return f"Nothing in the notes matches {', '.join(empty)}."
        return f"No passage meets all of these at once: {' '.join(map(str, filters))}."
    if not found.terms:
        return "There are only filters and no question: what meets them is listed, newest note first."
    if not found.rankings["fused"].hits:
        return f"No passage that meets {' '.join(map(str, filters))} has to do with the words of the question."
    return ""


def _about_words(library: Library, found: Found) -> str:
    """Say what is the matter with the question's words; empty: nothing, or nothing is known yet."""
    if not found.query.text.strip():
        return "The question is empty."
    if not tokenize(found.query.words):
        return "The question holds no word, so there is nothing to search for."
    if not found.terms and not found.started:
        return "Every word of the question is a stopword, so there is nothing to search for."
    if library.stage == "documents":
        return ""
    if not library.chunks:
        return "The folder holds no text to search."
    if not found.rankings["bm25"].hits and found.allowed is None:
        if found.rankings["fused"].hits:
            return "No passage holds a word of the question, which is the title or alias of a note."
        return "No note holds any word of the question."
    whole = found.terms[:-1] if found.started else found.terms
    forms = written_forms(found.query.words, library.index.analyzer)
    missing = [forms.get(term, term) for term in dict.fromkeys(whole) if not library.index.document_frequency(term)]
    more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
    return f"No note holds: {', '.join(missing[:NAMED])}{more}." if missing else ""

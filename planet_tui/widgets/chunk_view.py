"""The selected chunk with the question's terms marked, and why it stands where it stands."""

from __future__ import annotations

from engine.records import Chunk, Explanation, Hit, Span, TermScore, Trace
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.wrapping import Mark, fit

MEANINGS = "f: times in the chunk · n: chunks with the term · K = k1(1−b+b·|d|/avg) · gain = f(k1+1)/(f+K)"
SCORES = (
    "bm25: share of the most it can be · near: share of the question close together · header: what its words in title "
    "and section add · lsa: cosine · in long notes header counts less · note: what other passages have more of · "
    "crowd: passages of the note above it, of five"
)


class ChunkView(FlowView):
    """One chunk and its explanation: BM25 term by term, the LSA cosine, the sum of the fusion."""

    def __init__(self, *, id: str) -> None:  # noqa: A002
        """Start without a chunk."""
        super().__init__(id=id, classes="pane")
        self.border_title = "5 Chunk"
        self._trace: Trace | None = None
        self._chunk: Chunk | None = None
        self._explanation: Explanation | None = None
        self._marks: tuple[Span, ...] = ()
        self._evidence: frozenset[int] = frozenset()

    @property
    def chunk(self) -> Chunk | None:
        """The chunk on show."""
        return self._chunk

    def mark(self, evidence: frozenset[int]) -> None:
        """Take the chunks that are labelled as evidence for the question."""
        if evidence != self._evidence:
            self._evidence = evidence
            self.lay_out_again(keep_scroll=True)

    def show(self, trace: Trace | None, chunk: Chunk | None) -> None:
        """Show a chunk; its explanation follows."""
        same = chunk is not None and self._chunk is not None and chunk.id == self._chunk.id
        self._trace, self._chunk = trace, chunk
        self._explanation, self._marks = None, self._marks if same else ()
        self.lay_out_again(keep_scroll=same)

    def show_explanation(self, explanation: Explanation, marks: tuple[Span, ...]) -> None:
        """Add why the chunk stands where it stands."""
        if self._chunk is not None and explanation.chunk == self._chunk.id:
            self._explanation, self._marks = explanation, marks
            self.lay_out_again(keep_scroll=True)

    def action_open(self) -> None:
        """Open the chunk's note: it is one item as a whole."""
        if self._chunk is not None:
            self.post_message(self.Opened(self, self._chunk.id))

    def compose_flow(self, flow: Flow) -> None:
        """Draw header, text, and the explanation when there is one."""
        chunk = self._chunk
        if chunk is None:
            flow.paragraph("Select a result to see its text and why it ranks where it does.", self.style("dim"))
            return
        flow.paragraph(one_line(chunk.header), self.style("heading"))
        where = f"{one_line(chunk.document)}:{chunk.line}" + (f" · {chunk.date}" if chunk.date else "")
        flow.paragraph(where, self.style("dim"))
        if chunk.id in self._evidence:
            flow.paragraph("★ evidence for this question", self.style("good"))
        flow.blank()
        if chunk.about:
            flow.paragraph(f"About it, by a model: {chunk.about}", self.style("dim"))
        if chunk.context:
            flow.paragraph(chunk.context, self.style("dim"))
        flow.paragraph(chunk.text, marks=[Mark(*span, self.style("term")) for span in self._marks])
        if self._explanation is not None:
            self._bm25(flow, self._explanation)
            self._lsa(flow, self._explanation)
            self._fusion(flow, self._explanation)

    def _bm25(self, flow: Flow, why: Explanation) -> None:
        rank = self._rank("bm25")
        flow.heading(f"BM25  {why.bm25:.4f}  {rank}", self.style("strong"))
        found = [term for term in why.terms if term.count]
        if not found:
            flow.paragraph("No word of the question stands in this chunk or its header.", self.style("dim"))
            return
        width = min(max(max(len(term.word or term.term) for term in why.terms), 4), max(6, flow.width - 40))
        names = f"{'f':>4}{'n':>6}{'idf':>7}{'K':>8}{'gain':>7}{'idf×gain':>11}"
        flow.line((f"{'term':<{width}}{names}", self.style("dim")))
        for term in why.terms:
            self._term(flow, term, width)
        flow.line((f"{'sum':<{width}}{why.bm25:>43.4f}", self.style("strong")))
        flow.paragraph(MEANINGS, self.style("dim"))
        flow.paragraph(
            f"k1 {why.k1:g} · b {why.b:g} · |d| {why.length} terms with the header · avg {why.average_length:.1f}"
            f" · N {why.n_chunks:,} chunks",
            self.style("dim"),
        )

    def _term(self, flow: Flow, term: TermScore, width: int) -> None:
        name = (fit(one_line(term.word or term.term), width), self.style("term") if term.count else self.style("dim"))
        if not term.count:
            absent = "not in this chunk" if term.document_frequency else "in none of the notes"
            values = f"{0:>4}{term.document_frequency:>6}{term.idf:>7.3f}  {absent}"
            flow.line(name, (values, self.style("dim" if term.document_frequency else "warn")))
            return
        values = (
            f" {term.count:>3} {term.document_frequency:>5} {term.idf:>6.3f} {term.length_norm:>7.3f}"
            f" {term.saturation:>6.3f} {term.contribution:>10.4f}"
        )
        flow.line(name, (values, None))
        if term.times > 1:
            flow.paragraph(f"× {term.times}: the question is long and has it so often", self.style("dim"))
        if term.stands_for:
            flow.paragraph(f"{one_line(term.term)} is {one_line(', '.join(term.stands_for))} here", self.style("dim"))

    def _lsa(self, flow: Flow, why: Explanation) -> None:
        if why.lsa is None:
            flow.heading("LSA  –", self.style("strong"))
            ready = self._trace is not None and self._trace.complete
            flow.paragraph("does not know the question's words" if ready else "is not ready yet", self.style("dim"))
            return
        flow.heading(f"LSA  cosine {why.lsa:.4f}  {self._rank('lsa')}", self.style("strong"))
        if self._trace is not None and self._trace.encoder:
            flow.paragraph(f"vectors by {one_line(self._trace.encoder)}, not by LSA", self.style("dim"))
        if why.lsa_terms:
            nearest = "  ".join(f"{term} {part:+.2f}" for term, part in why.lsa_terms)
            flow.paragraph(f"of it by its words: {nearest}", self.style("dim"))
        trace = self._trace
        if trace is not None and trace.in_lists:
            asked = trace.settings.lists > 0
            lists = f"{trace.settings.probes} of {trace.settings.lists} lists" if asked else "the closest lists"
            share = f"{lists}: {trace.scanned:,} of {trace.n_chunks:,}"
            flow.paragraph(f"approximate search of {share} vectors", self.style("dim"))

    def _fusion(self, flow: Flow, why: Explanation) -> None:
        flow.heading(f"Fused  {why.fused:.4f}  {self._rank('fused')}", self.style("strong"))
        if self._trace is not None:
            flow.paragraph(str(self._trace.fusion), self.style("dim"))
        for part in why.fusion:
            if part.ranking == "title":
                flow.paragraph(f"title match: the question names this note, + {part.contribution:.4f}")
            elif part.score is not None:
                flow.line((f"{part.ranking:<6} {part.weight:.3g} × {part.score:.4f} = {part.contribution:.4f}", None))
            elif part.rank is None:
                flow.line((f"{part.ranking:<5} not among its best", self.style("dim")))
            else:
                formula = f"{part.weight:g}/({why.rrf_c:g} + {part.rank})"
                flow.line((f"{part.ranking:<5} {formula} = {part.contribution:.4f}", None))
        if any(part.score is not None for part in why.fusion):
            flow.paragraph(SCORES, self.style("dim"))

    def _rank(self, ranking: str) -> str:
        hits: tuple[Hit, ...] = self._trace.rankings[ranking].hits if self._trace else ()
        rank = next((hit.rank for hit in hits if self._chunk and hit.chunk == self._chunk.id), None)
        of = f"the best {len(hits)}" if self._trace and len(hits) == self._trace.settings.depth else f"{len(hits)}"
        return f"rank {rank} of {of}" if rank else "not in the list"

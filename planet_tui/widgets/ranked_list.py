"""One ranked list: rank, where the chunk stands in the other lists, title > section, score."""

from __future__ import annotations

from collections.abc import Hashable

from rich.cells import cell_len
from rich.style import Style

from engine.records import Chunk, Hit, Trace
from planet_tui.plain import one_line
from planet_tui.widgets.flow import Flow, FlowView
from planet_tui.widgets.wrapping import LETTERS_A_CELL, bar, fit

EVIDENCE = "★"
"""Beside a chunk that is labelled as evidence for the question."""
ROOMY = 46
"""Width in cells from which the ranks in the other lists and the score are written out."""
NARROW = 32
"""Below this width names have the room of the bars."""
PLACES = {"bm25": "BM25", "lsa": "LSA", "fused": "the fused list"}
"""What the lists are called in a sentence."""


class RankedList(FlowView):
    """The best chunks of one retriever; the items are chunk ids."""

    def __init__(self, ranking: str, title: str, *, against: str, others: tuple[str, str], id: str) -> None:  # noqa: A002
        """Show the ranking called `ranking`; marks say how far a chunk moved against the list `against`."""
        super().__init__(id=id, classes="pane")
        self.ranking = ranking
        self.against = against
        self.others = others
        self.border_title = title
        self._trace: Trace | None = None
        self._note = "Ask a question."
        self._evidence: frozenset[int] = frozenset()

    def mark(self, evidence: frozenset[int]) -> None:
        """Take the chunks that are labelled as evidence for the question."""
        if evidence != self._evidence:
            self._evidence = evidence
            self.lay_out_again(keep_scroll=True)

    def on_focus(self) -> None:
        """Say what the sign under the cursor means."""
        self._explain_sign()

    def on_blur(self) -> None:
        """Say it no longer."""
        self.border_subtitle = ""

    def watch_cursor(self, before: Hashable | None, item: Hashable | None) -> None:
        """Follow the cursor, and say what the sign under it means."""
        super().watch_cursor(before, item)
        if self.has_focus:
            self._explain_sign()

    def _explain_sign(self) -> None:
        trace = self._trace
        hits = trace.rankings[self.ranking].hits if trace else ()
        hit = next((hit for hit in hits if hit.chunk == self.cursor), None)
        self.border_subtitle = self._meaning(trace, hit) if trace and hit else ""

    def _meaning(self, trace: Trace, hit: Hit) -> str:
        """Put the sign of a row into words."""
        other, place = trace.rankings[self.against], PLACES[self.against]
        if not other.hits:
            return f"–: {place} has nothing"
        rank = other.rank_of(hit.chunk)
        if rank is None:
            return f"new: not in the best {len(other.hits)} of {place}"
        if rank == hit.rank:
            return f"=: place {rank} in {place} too"
        return f"{'▲' if rank > hit.rank else '▼'}{abs(rank - hit.rank)}: place {rank} in {place}"

    def show(self, trace: Trace | None, note: str) -> None:
        """Draw the list of a trace; `note` stands there when the list is empty."""
        self._trace = trace
        self._note = note
        self.lay_out_again()

    def compose_flow(self, flow: Flow) -> None:
        """Draw a row a hit."""
        trace = self._trace
        ranked = trace.rankings[self.ranking].hits if trace else ()
        hits = ranked[: trace.settings.results] if trace else ()
        if trace is None or not hits:
            flow.paragraph(self._note, self.style("dim"))
            return
        beyond = ranked[len(hits)].score if len(ranked) > len(hits) else 0.0
        for hit in hits:
            self._row(flow, trace, hit, _share(hit.score, beyond, hits[0].score))

    def _row(self, flow: Flow, trace: Trace, hit: Hit, share: float) -> None:
        chunk, dim = trace.chunks[hit.chunk], self.style("dim")
        number = next((s.number for s in trace.prompt.sources if s.chunk.id == hit.chunk), None)
        badge = (str(number), self.source_style(number)) if number else (" ", None)
        columns: list[tuple[str, Style | None]] = [
            (f"{hit.rank:>2} ", None),
            badge,
            (" ", None),
            *self._movement(trace, hit, flow.width),
        ]
        tail = self._tail(trace, hit, share, flow.width)
        copies = f" ×{hit.copies}" if hit.copies > 1 else ""
        if flow.width >= ROOMY:
            copies = f" :{chunk.line}{copies}"
        if hit.chunk in self._evidence:
            copies = f" {EVIDENCE}{copies}"
        taken = sum(cell_len(text) for text, _ in [*columns, *tail])
        room = flow.width - taken - len(copies)
        flow.line(*columns, (fit(_shorten(chunk, room), room), None), (copies, dim), *tail, item=hit.chunk)

    def _movement(self, trace: Trace, hit: Hit, width: int) -> list[tuple[str, Style | None]]:
        """How many places the chunk gained against the other list: ▲2, ▼3, =, or `new` where it is not there."""
        other = trace.rankings[self.against]
        if not other.hits:
            return [("  – ", self.style("dim"))]
        rank = other.rank_of(hit.chunk)
        if rank is None:
            return [("new ", self.style("accent"))]
        gained = rank - hit.rank
        if gained == 0:
            return [("  = ", self.style("dim"))]
        sign, name = ("▲", "good") if gained > 0 else ("▼", "bad")
        return [(f"{sign}{min(abs(gained), 99):<2} ", self.style(name))]

    def _tail(self, trace: Trace, hit: Hit, share: float, width: int) -> list[tuple[str, Style | None]]:
        """The score as a bar, and in figures with the other ranks where there is room."""
        if width < NARROW:
            return []
        if width < ROOMY:
            return [(" " + bar(share, 3), self.style("bar"))]
        ranks = "".join(f"  {other} {trace.rankings[other].rank_of(hit.chunk) or '–':<3}" for other in self.others)
        figures = (f"{ranks} {hit.score:8.4f} ", self.style("dim"))
        return [figures, (bar(share, 6), self.style("bar"))]


def _share(score: float, beyond: float, best: float) -> float:
    """Say how full a bar is: empty at the score of the first hit that is not shown, full at the best.

    Measured from 0, all bars of a fused list would be nearly full: 1/61 and 1/70 differ by an eighth.

    >>> _share(3.0, 2.0, 4.0), _share(3.0, 3.0, 3.0)
    (0.5, 1.0)
    """
    return (score - beyond) / (best - beyond) if best > beyond else 1.0


def _shorten(chunk: Chunk, room: int) -> str:
    """Name a chunk in `room` cells: the title gives way to the last heading, which tells chunks of a note apart."""
    most = max(room, 0) * LETTERS_A_CELL
    name = one_line((chunk.header or chunk.document)[:most])
    heading = one_line(chunk.section[-most:].rsplit(" > ", 1)[-1])
    if cell_len(name) <= room or not heading:
        return name
    title = max(room - cell_len(heading) - 1, room // 2 - 1)
    return f"{fit(one_line(chunk.title), title).rstrip()}›{heading}"

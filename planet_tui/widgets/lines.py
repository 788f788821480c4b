"""The base of every pane that shows text: lines laid out once a width, drawn only where they are seen.

A subclass says how many lines there are (`lay_out`), how one is drawn (`draw`), and which lines belong together
as something the cursor can stand on (`item_of`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sized
from itertools import islice
from typing import Any, ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from planet_tui.widgets.inks import inks_of, source_ink

AT_ONCE = 2_000
"""Lines that are laid out in one go; more would make keys wait."""
BREATH = 0.01
"""Seconds for keys between two goes."""


class LinesView(ScrollView, can_focus=True):
    """A scrolling pane of lines with an optional cursor over items."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Down", show=False),
        Binding("k,up", "move(-1)", "Up", show=False),
        Binding("g,home", "edge(-1)", "Top", show=False),
        Binding("G,end", "edge(1)", "Bottom", show=False),
        Binding("space,pagedown,ctrl+f", "page(1)", "Page down", show=False),
        Binding("b,pageup,ctrl+b", "page(-1)", "Page up", show=False),
        Binding("enter", "open", "Open", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--cursor"}

    cursor: reactive[Hashable | None] = reactive(None, repaint=False)
    """The item under the cursor; `None`: no item."""

    class Moved(Message):
        """The cursor came to another item, by key or mouse."""

        def __init__(self, view: LinesView, item: Hashable) -> None:
            """Keep the view and the item."""
            self.view = view
            self.item = item
            super().__init__()

        @property
        def control(self) -> LinesView:
            """The view, for `@on(…, "#id")`."""
            return self.view

    class Opened(Moved):
        """Enter was pressed, or an item was clicked twice."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        """Start without lines."""
        super().__init__(id=id, classes=classes)
        self._lines: list[Any] = []
        self._coming: Iterator[Any] = iter(())
        self._growth: Timer | None = None
        self._sought: Callable[[], bool] | None = None
        self._laid_out_for = 0
        self._items: dict[Hashable, tuple[int, int]] = {}
        self._inks: tuple[str, Mapping[str, Style]] = ("", {})
        self._grounds: tuple[Style, Style] | None = None

    # What a subclass says.

    def lay_out(self, width: int) -> Iterable[Any]:
        """Return the lines for a width in cells: any cheap descriptions; an iterator is taken piece by piece."""
        raise NotImplementedError

    def draw(self, line: Any, width: int) -> Text:  # noqa: ANN401
        """Draw one line; called for the lines on screen only."""
        raise NotImplementedError

    def item_of(self, line: Any) -> Hashable | None:  # noqa: ANN401
        """Return the item that a line belongs to; `None`: the cursor passes it by."""
        return None

    # What it gets for that.

    def lay_out_again(self, *, keep_scroll: bool = False) -> None:
        """Lay the lines out again because what they show has changed; while nobody sees them, when they are seen."""
        before = self._lines
        self._laid_out_for = 0
        if not keep_scroll:
            self._sought = None
            self.scroll_to(0, 0, animate=False)
        if self.is_shown:
            self._ensure_layout()
            self._refresh_changed(before)

    @property
    def is_shown(self) -> bool:
        """Whether neither it nor what it stands in is hidden."""
        return all(node.display for node in self.ancestors_with_self if isinstance(node, Widget))

    def same(self, before: Any, line: Any) -> bool:  # noqa: ANN401
        """Return whether a line is drawn as one was before; false where a line does not tell."""
        return False

    def style(self, name: str) -> Style:
        """Return the style of a text by what it means: `style("dim")`."""
        if self._inks[0] != self.app.theme:
            self._inks = self.app.theme, inks_of(self.app.current_theme)
        return self._inks[1][name]

    def source_style(self, number: int) -> Style:
        """Return the colour of a source number, the same in every pane."""
        self.style("dim")
        return source_ink(self._inks[1], number)

    def notify_style_update(self) -> None:
        """Ask for the grounds again: the theme changed, or the focus."""
        super().notify_style_update()
        self._grounds = None

    @property
    def items(self) -> tuple[Hashable, ...]:
        """Every item, top to bottom."""
        self._ensure_layout()
        return tuple(self._items)

    def show_item(self, item: Hashable | None) -> None:
        """Scroll just far enough that an item's lines are seen."""
        self._ensure_layout()
        if item in self._items:
            first, last = self._items[item]
            region = Region(0, first, 1, last - first + 1)
            self.scroll_to_region(region, animate=False, force=True)

    def show_line(self, index: int, *, top: float = 0.3) -> None:
        """Scroll so that line `index` stands at the share `top` of the height."""
        self.scroll_to(0, max(0, index - int(self.size.height * top)), animate=False, force=True, immediate=True)

    def watch_cursor(self, before: Hashable | None, item: Hashable | None) -> None:
        """Follow the cursor."""
        if not self.is_shown:
            return
        if item is not None:
            self.show_item(item)
        for each in (before, item):
            if each in self._items:
                self._refresh_rows(*self._items[each])

    def _ensure_layout(self) -> None:
        width = self.scrollable_content_region.width or self.size.width
        if width == self._laid_out_for or not width:
            return
        self._laid_out_for = width
        if self._growth is not None:
            self._growth.stop()
        lines = self.lay_out(width)
        self._lines, self._items, self._coming = [], {}, iter(lines)
        in_sight = self.scroll_offset.y + self.size.height
        self._grow(len(lines) + 1 if isinstance(lines, Sized) else max(AT_ONCE, in_sight))

    def _grow(self, at_once: int = AT_ONCE) -> None:
        """Take the next lines; come back for more after a breath."""
        lines = list(islice(self._coming, at_once))
        for index, line in enumerate(lines, len(self._lines)):
            if (item := self.item_of(line)) is not None:
                first, _ = self._items.get(item, (index, index))
                self._items[item] = (first, index)
        self._lines += lines
        self._growth = self.set_timer(BREATH, self._grow) if len(lines) == at_once else None
        self._resize_content()
        if self._sought is not None and (self._sought() or not self.is_growing):
            self._sought = None

    def _resize_content(self) -> None:
        """Tell the scroll bar how many lines there are; the screen is laid out only where a bar comes or goes.

        Setting `virtual_size` would do both every time, and draw every line again.
        """
        size = Size(self._laid_out_for, len(self._lines))
        if size == self.virtual_size:
            return
        self.set_reactive(Widget.virtual_size, size)
        if self.styles.overflow_y == "auto" and self.show_vertical_scrollbar != (size.height > self.size.height):
            self.refresh(layout=True)
        elif self.show_vertical_scrollbar:
            self.vertical_scrollbar.window_virtual_size = size.height
        self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def _refresh_changed(self, before: list[Any]) -> None:
        """Draw those rows of the window again that differ from what stood there."""
        top = self.scroll_offset.y
        for index in range(top, top + self.size.height):
            old, new = before[index : index + 1], self._lines[index : index + 1]
            if (old or new) and not (old and new and self.same(old[0], new[0])):
                self._refresh_rows(index, index)

    def _refresh_rows(self, first: int, last: int) -> None:
        """Draw lines again, as far as they are in the window."""
        top = self.scroll_offset.y
        first, last = max(first, top), min(last, top + self.size.height - 1)
        if first <= last:
            self.refresh_lines(first, last - first + 1)

    @property
    def is_growing(self) -> bool:
        """Whether lines are still to come."""
        return self._growth is not None

    def seek(self, reach: Callable[[], bool]) -> None:
        """Call `reach` until it returns true: now, and whenever more lines are there."""
        self._ensure_layout()
        self._sought = None if reach() or not self.is_growing else reach

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the new width."""
        self._ensure_layout()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line at row `y` of the window."""
        self._ensure_layout()
        width = self.size.width
        index = y + self.scroll_offset.y
        if index >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        line = self._lines[index]
        if self._grounds is None:
            base = self.rich_style
            self._grounds = base, base + self.get_component_rich_style("lines--cursor", partial=True)
        item = self.item_of(line)
        ground = self._grounds[item is not None and item == self.cursor]
        strip = Strip(self.draw(line, self._laid_out_for).render(self.app.console))
        return strip.adjust_cell_length(width).apply_style(ground)

    # Keys and mouse.

    def action_move(self, step: int) -> None:
        """Move the cursor, or scroll where there are no items."""
        items = self.items
        if not items:
            self._sought = None
            self.scroll_relative(y=step, animate=False)
            return
        at = items.index(self.cursor) if self.cursor in self._items else (-1 if step > 0 else 1)
        target = min(max(at + step, 0), len(items) - 1)
        if items[target] == self.cursor:
            self.scroll_relative(y=step, animate=False)
        else:
            self._move_to(items[target])

    def action_edge(self, side: int) -> None:
        """Go to the first or last item, and to the top or bottom."""
        if self.items:
            self._move_to(self.items[0 if side < 0 else -1])
        if side < 0:
            self._sought = None
            self.scroll_to(y=0, animate=False)
        else:
            self.seek(self._reach_end)

    def _reach_end(self) -> bool:
        self.scroll_to(y=self.max_scroll_y, animate=False)
        return not self.is_growing

    def action_page(self, step: int) -> None:
        """Scroll by a page; the cursor stays in sight."""
        self._sought = None
        self.scroll_relative(y=step * max(1, self.size.height - 1), animate=False)
        self.call_after_refresh(self._pull_cursor)

    def action_open(self) -> None:
        """Post `Opened` for the item under the cursor."""
        if self.cursor is not None:
            self.post_message(self.Opened(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the item under the mouse; a double click opens it."""
        offset = event.get_content_offset(self)
        index = -1 if offset is None else offset.y + self.scroll_offset.y
        if not 0 <= index < len(self._lines):
            return
        item = self.item_of(self._lines[index])
        if item is None:
            return
        self._move_to(item)
        if event.chain == 2:
            self.post_message(self.Opened(self, item))

    def _move_to(self, item: Hashable) -> None:
        self.cursor = item
        self.post_message(self.Moved(self, item))

    def _pull_cursor(self) -> None:
        if self.cursor not in self._items:
            return
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self.size.height - 1
        first, last = self._items[self.cursor]
        if last < top or first > bottom:
            inside = [item for item, (a, b) in self._items.items() if b >= top and a <= bottom]
            if inside:
                self._move_to(inside[0] if last < top else inside[-1])

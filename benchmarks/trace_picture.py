"""Draws the spans of one upgrade as SVG: its slices of work on lanes, and the statements of its switch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, LABEL, ROW = 1200, 250, 15
MOST_LANES, MOST_ROWS = 40, 60
COLOURS = {"sync": "#4263eb", "parity": "#0ca678", "switch": "#e8590c"}
OTHER, ACTION, CONTROL, DATA = "#868e96", "#c2255c", "#f59f00", "#1098ad"


@dataclass(frozen=True, slots=True)
class CollectedSpan:
    """A span as a collector receives it; ids in hexadecimal, times in seconds."""

    name: str
    trace: str
    id: str
    parent: str
    begin: float
    end: float
    links: tuple[str, ...]
    attributes: Mapping[str, str]


def picture(spans: Sequence[CollectedSpan]) -> str:
    """Draw the upgrade that began first."""
    slices = [span for span in spans if span.name.startswith("reconcile ") and _upgrade(span)]
    first = min(slices, key=lambda span: span.begin)
    ours = sorted((span for span in slices if span.trace == first.trace), key=lambda span: span.begin)
    actions = sorted((span for span in spans if first.trace in span.links), key=lambda span: span.begin)
    children: dict[str, list[CollectedSpan]] = defaultdict(list)
    for span in spans:
        children[span.parent].append(span)
    drawing = Drawing()
    drawing.text(0, f"Upgrade {_upgrade(first)}: trace {first.trace}, {len(ours)} slices of work", size=15)
    _draw_lanes(drawing, ours, actions)
    _draw_switch(drawing, ours, actions, children)
    return drawing.document()


def _upgrade(span: CollectedSpan) -> str:
    return span.attributes.get("switchyard.upgrade", "")


def _controller(span: CollectedSpan) -> str:
    return span.name.removeprefix("reconcile ")


class Drawing:
    """SVG that grows downwards, row by row."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._top = 10

    def text(self, left: float, text: str, *, size: int = 11, below: bool = True) -> None:
        """Write a line; the next thing is drawn below it."""
        style = f'font-size="{size}" fill="#212529"'
        self._parts.append(f'<text x="{left:.0f}" y="{self._top + size}" {style}>{escape(text)}</text>')
        if below:
            self._top += size + 8

    def row(self, label: str, bars: Iterable[tuple[float, float, str, str]]) -> None:
        """Draw bars in one row: left and width as shares of it, colour, and what is said of it."""
        self.text(4, label, below=False)
        for left, width, colour, title in bars:
            place = f'x="{LABEL + left * (WIDTH - LABEL):.1f}" y="{self._top + 2}"'
            size = f'width="{max(1.0, width * (WIDTH - LABEL)):.1f}" height="{ROW - 4}"'
            self._parts.append(f'<rect {place} {size} fill="{colour}"><title>{escape(title)}</title></rect>')
        self._top += ROW

    def axis(self, seconds: float) -> None:
        """Write times below the rows, from 0 to the end."""
        for share in (0.0, 0.25, 0.5, 0.75, 1.0):
            text = f"{seconds * share:.1f} s" if seconds >= 2 else f"{seconds * share * 1000:.0f} ms"
            left = LABEL + share * (WIDTH - LABEL) - (40 if share == 1.0 else 0)
            self.text(left, text, size=10, below=False)
        self._top += 30

    def document(self) -> str:
        """Give the whole picture."""
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {self._top + 10}" font-family="sans-serif">'
        return "\n".join((head, '<rect width="100%" height="100%" fill="#fff"/>', *self._parts, "</svg>", ""))


def _draw_lanes(drawing: Drawing, ours: Sequence[CollectedSpan], actions: Sequence[CollectedSpan]) -> None:
    """Draw every slice of the upgrade, a lane for each key that workers took, and the actions above them."""
    begin = min(span.begin for span in (*ours, *actions))
    seconds = max(span.end for span in (*ours, *actions)) - begin
    lanes: dict[tuple[str, str], list[CollectedSpan]] = defaultdict(list)
    for span in ours:
        lanes[_controller(span), span.attributes.get("switchyard.key", "")].append(span)
    for action in actions:
        drawing.row(action.name, [_bar(action, begin, seconds, ACTION)])
    for (controller, key), slices in sorted(lanes.items(), key=lambda lane: lane[0][0] != "switch")[
        :MOST_LANES
    ]:
        colour = COLOURS.get(controller, OTHER)
        label = f"{controller} {key}"
        short = label if len(label) <= 38 else f"{label[:37]}…"
        drawing.row(f"{short} ×{len(slices)}", [_bar(span, begin, seconds, colour) for span in slices])
    drawing.axis(seconds)


def _draw_switch(
    drawing: Drawing,
    ours: Sequence[CollectedSpan],
    actions: Sequence[CollectedSpan],
    children: Mapping[str, Sequence[CollectedSpan]],
) -> None:
    """Draw what was done from the request of the switch until its slices ended, each statement in a row."""
    # A rollback is the work of the same controller. Requests of the switch before the last one were refused.
    rollbacks = [action.begin for action in actions if action.name == "action rollback"]
    until = min(rollbacks, default=float("inf"))
    requests = [action for action in actions if action.name == "action switch" and action.begin < until]
    if not requests:
        return
    asked = requests[-1]
    slices = [span for span in ours if _controller(span) == "switch" and asked.begin < span.begin < until]
    steps = [step for span in (asked, *slices) for step in (span, *_inside(span, children))]
    shown = sorted(steps, key=lambda span: span.begin - span.end)[:MOST_ROWS]
    begin, seconds = asked.begin, max(span.end for span in steps) - asked.begin
    drawing.text(0, f"The switch: {len(steps)} spans, the {len(shown)} longest of them", size=15)
    for span in sorted(shown, key=lambda span: span.begin):
        label = f"{span.name}, {(span.end - span.begin) * 1000:.0f} ms"
        drawing.row(label, [_bar(span, begin, seconds, _colour(span))])
    drawing.axis(seconds)


def _inside(span: CollectedSpan, children: Mapping[str, Sequence[CollectedSpan]]) -> Iterator[CollectedSpan]:
    for child in children.get(span.id, ()):
        yield child
        yield from _inside(child, children)


def _colour(span: CollectedSpan) -> str:
    if database := span.attributes.get("db.namespace"):
        return CONTROL if database == "control" else DATA
    return ACTION if span.name.startswith("action ") else COLOURS.get(_controller(span), OTHER)


def _bar(span: CollectedSpan, begin: float, seconds: float, colour: str) -> tuple[float, float, str, str]:
    title = f"{span.name}, after {span.begin - begin:.3f} s, {(span.end - span.begin) * 1000:.1f} ms"
    return (span.begin - begin) / seconds, (span.end - span.begin) / seconds, colour, title

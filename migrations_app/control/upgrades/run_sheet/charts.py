"""The charts of a run sheet as SVG that stands in the page itself: shards, people and the pause of writes, lag and rate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from math import ceil

from migrations_app.control.upgrades.run_sheet.document import (
    RunSheet,
    ShardSpan,
    SheetSample,
)
from migrations_app.domain.approvals.votes import VOTE_WORDS
from migrations_app.domain.switch.words import stamp

WIDTH, LEFT, RIGHT = 960, 64, 12
ROWS_HEIGHT, CURVE_HEIGHT, LINE_HEIGHT = 160, 110, 16
MOST_ROWS = 64
"""Shards that have a row of their own; of more it is drawn how many were in which state."""
COLUMNS = 120
UNSAMPLED_SECONDS = 60.0
"""Where nothing was sampled for so long, no line is drawn."""
LETTER_WIDTH = 6.6
TICK_SECONDS = (1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400, 604_800)
SHARD_WORDS = {
    "pending": "waiting",
    "syncing": "copying",
    "ready": "caught up",
    "switching": "switching",
    "switched": "switched",
    "regressed": "behind again",
    "failed": "failed",
    "unknown": "no report",
}


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """The time that all charts of a sheet share."""

    start: float
    end: float

    def x(self, at: datetime) -> float:
        """Give where a moment is drawn."""
        share = (at.timestamp() - self.start) / (self.end - self.start)
        return round(LEFT + min(1.0, max(0.0, share)) * (WIDTH - LEFT - RIGHT), 1)

    @classmethod
    def of(cls, sheet: RunSheet) -> TimeAxis:
        """Reach from the plan until the sheet's moment; until shortly after the end of one that ended."""
        start, end = sheet.upgrade.created_at.timestamp(), sheet.as_of.timestamp()
        if sheet.upgrade.finished_at and sheet.upgrade.finished_at <= sheet.as_of:
            end = min(end, sheet.upgrade.finished_at.timestamp() + 1)
        return cls(start, max(end, start + 1))

    def ticks(self) -> list[datetime]:
        """Give round moments, at most eight."""
        span = self.end - self.start
        step = next((seconds for seconds in TICK_SECONDS if span / seconds <= 8), span / 8)
        first = int(-(-self.start // step))
        count = int((self.end - first * step) // step) + 1
        return [datetime.fromtimestamp((first + number) * step, UTC) for number in range(max(0, count))]

    def label(self, at: datetime) -> str:
        """Write a moment of the axis as exactly as its length asks for."""
        span = self.end - self.start
        return f"{at:%m-%d %H:%M}" if span > 86_400 else f"{at:%H:%M:%S}" if span < 600 else f"{at:%H:%M}"


def shards_chart(sheet: RunSheet) -> str:
    """Draw the shards, what people did, and the pause of writes."""
    axis = TimeAxis.of(sheet)
    marks = list(_marks(sheet, axis))
    top = LINE_HEIGHT * (1 + max((row for row, _ in marks), default=0)) + 6
    bottom = top + ROWS_HEIGHT
    rows = _rows(sheet, axis) if _row_count(sheet) <= MOST_ROWS else _columns(sheet, axis)
    parts = [f'<g transform="translate(0 {top})">', *rows, "</g>", *_freeze(sheet, axis, bottom)]
    parts += [mark for _, mark in marks]
    parts += [_text(4, top + 12, f"{sheet.upgrade.shard_count}"), _text(4, top + 26, "shards")]
    return _svg("".join((*parts, *_time_labels(axis, bottom))), bottom + 20, _shards_text(sheet))


def curve_chart(sheet: RunSheet, name: str, unit: str, value: Callable[[SheetSample], float | None]) -> str:
    """Draw a curve with its unit; empty where nothing was sampled until then."""
    points = [(each.at, found) for each in sheet.samples if (found := value(each)) is not None]
    if not points:
        return ""
    axis, most = TimeAxis.of(sheet), max(1.0, *(number for _, number in points))
    path, before = [], None
    for at, number in points:
        joined = before is not None and (at - before).total_seconds() <= UNSAMPLED_SECONDS
        y = round(8 + (CURVE_HEIGHT - 12) * (1 - number / most), 1)
        path.append(f"{'L' if joined else 'M'}{axis.x(at)} {y}")
        before = at
    highest = max(points, key=lambda point: point[1])
    words = f"{name}: highest {_number(highest[1])} {unit} at {stamp(highest[0])}, last {_number(points[-1][1])} {unit}."
    parts = [
        f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{CURVE_HEIGHT - 4}" y2="{CURVE_HEIGHT - 4}"/>',
        f'<path class="curve" d="{"".join(path)}"/>',
        _text(4, 14, f"{_number(most)} {unit}"),
        _text(4, CURVE_HEIGHT - 2, f"0 {unit}"),
    ]
    return _svg("".join((*parts, *_time_labels(axis, CURVE_HEIGHT))), CURVE_HEIGHT + 20, words)


def legend(spans: Sequence[ShardSpan]) -> str:
    """Name the colours of the states that occur, each with its shape of a square and its word."""
    states = {span.state for span in spans}
    items = [
        f'<li><svg width="12" height="12" aria-hidden="true"><rect class="{state}" width="12" height="12"/></svg> '
        f"{word}</li>"
        for state, word in SHARD_WORDS.items()
        if state in states
    ]
    return f'<ul class="legend">{"".join(items)}</ul>' if items else ""


def _row_count(sheet: RunSheet) -> int:
    """Tell how many shards there are in time: before a switch there may be more, or fewer, than after it."""
    return max([sheet.upgrade.shard_count, *(span.shard + 1 for span in sheet.spans)])


def _rows(sheet: RunSheet, axis: TimeAxis) -> Iterator[str]:
    height = ROWS_HEIGHT / max(1, _row_count(sheet))
    gap = 1 if height > 3 else 0
    for span in sheet.spans:
        x, width = axis.x(span.start), max(0.5, axis.x(span.end) - axis.x(span.start))
        y = round(span.shard * height, 1)
        yield f'<rect class="{span.state}" x="{x}" y="{y}" width="{width:.1f}" height="{height - gap:.1f}"/>'


def _columns(sheet: RunSheet, axis: TimeAxis) -> Iterator[str]:
    """Stack how many shards were in which state, in columns of equal time."""
    counts: list[Counter[str]] = [Counter() for _ in range(COLUMNS)]
    step, room = (axis.end - axis.start) / COLUMNS, (WIDTH - LEFT - RIGHT) / COLUMNS
    for span in sheet.spans:
        # A column shows the states of its middle.
        first, last = (ceil((at.timestamp() - axis.start) / step - 0.5) for at in (span.start, span.end))
        for column in range(max(0, first), min(COLUMNS, last)):
            counts[column][span.state] += 1
    for column, count in enumerate(counts):
        y, total = float(ROWS_HEIGHT), _row_count(sheet)
        for state in SHARD_WORDS:
            if height := ROWS_HEIGHT * count[state] / total:
                y -= height
                x = LEFT + column * room
                yield f'<rect class="{state}" x="{x:.1f}" y="{y:.1f}" width="{room + 0.3:.1f}" height="{height:.1f}"/>'


def _marks(sheet: RunSheet, axis: TimeAxis) -> Iterator[tuple[int, str]]:
    """Write what people did above its moment, in as many lines as keep the words apart."""
    deeds = [(sheet.upgrade.created_at, f"{sheet.upgrade.created_by} planned")]
    for request in sheet.requests:
        deeds.append((request.at, f"approval of {request.purpose} requested"))
        deeds += [
            (vote.at, f"{vote.who} {VOTE_WORDS.get(vote.verdict, vote.verdict)}") for vote in request.votes
        ]
    ends: list[float] = []
    for at, words in sorted(deeds):
        width = len(words) * LETTER_WIDTH
        x = max(4.0, min(axis.x(at), WIDTH - RIGHT - width))
        row = next((number for number, end in enumerate(ends) if end <= x), len(ends))
        ends[row : row + 1] = [x + width + 8]
        yield (
            row,
            (
                f'<line class="mark" x1="{axis.x(at)}" x2="{axis.x(at)}" y1="{row * LINE_HEIGHT + 14}" y2="100%"/>'
                + _text(x, row * LINE_HEIGHT + 11, words)
            ),
        )


def _freeze(sheet: RunSheet, axis: TimeAxis, bottom: float) -> Iterator[str]:
    if sheet.freeze:
        x = axis.x(sheet.freeze[0])
        width = max(2.0, axis.x(sheet.freeze[1]) - x)
        yield f'<rect class="freeze" x="{x}" y="0" width="{width:.1f}" height="{bottom}"/>'


def _time_labels(axis: TimeAxis, y: float) -> Iterator[str]:
    for at in axis.ticks():
        words = axis.label(at)
        half = len(words) * LETTER_WIDTH / 2
        yield _text(min(WIDTH - RIGHT - 2 * half, max(LEFT, axis.x(at) - half)), y + 14, words)


def _shards_text(sheet: RunSheet) -> str:
    many = sheet.upgrade.shard_count
    last = {span.shard: span.state for span in sheet.spans if span.shard < many}
    counts = Counter(last.values())
    states = [f"{counts[state]} {word}" for state, word in SHARD_WORDS.items() if counts[state]]
    silent = many - len(last)
    states += [f"{silent} without a report"] if silent else []
    return f"{many} shards in time; at {stamp(sheet.as_of)}: {', '.join(states)}."


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def _text(x: float, y: float, words: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def _svg(content: str, height: float, words: str) -> str:
    return (
        f'<svg role="img" aria-label="{escape(words)}" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}">{content}</svg>'
    )

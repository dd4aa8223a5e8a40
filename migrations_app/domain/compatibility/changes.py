"""The change of one key, seen by one writer and one reader: who goes first, and in which steps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from migrations_app.domain.compatibility.statuses import (
    MessageOutcome,
    OutcomePolicy,
    Status,
    Strategy,
    outcome,
)


class ChangeOrder(StrEnum):
    """Which side changes first."""

    ANY = "any"
    READER_FIRST = "reader first"
    WRITER_FIRST = "writer first"
    STAGED = "staged"


class MessageSide(StrEnum):
    """The two ends of a message."""

    READER = "reader"
    WRITER = "writer"


@dataclass(frozen=True, slots=True)
class StatusStep:
    """One side's move from one status to another."""

    side: MessageSide
    before: Status
    after: Status

    def __str__(self) -> str:
        return f"{self.side}:{self.before}→{self.after}"


@dataclass(frozen=True, slots=True)
class KeyChange:
    """What a change of one key means under a strategy and a policy."""

    before: Status
    after: Status
    strategy: Strategy
    reader_first: MessageOutcome
    writer_first: MessageOutcome
    order: ChangeOrder
    plan: tuple[StatusStep, ...]


def key_change(
    before: Status, after: Status, strategy: Strategy, policy: OutcomePolicy = OutcomePolicy.NO_LOSS
) -> KeyChange:
    """Judge the change of one key."""
    reader_first = outcome(before, after, strategy)
    writer_first = outcome(after, before, strategy)
    return KeyChange(
        before,
        after,
        strategy,
        reader_first,
        writer_first,
        order_of(policy.admits(reader_first), policy.admits(writer_first)),
        shortest_plan(before, after, strategy, policy),
    )


def order_of(reader_first: bool, writer_first: bool) -> ChangeOrder:
    """Turn what may go first into an order; this is the three-phase theorem's table.

    `reader_first` says that old messages fit the new reader (E0 within A1), `writer_first` that new
    messages fit the old reader (E1 within A0).
    """
    if reader_first and writer_first:
        return ChangeOrder.ANY
    if reader_first:
        return ChangeOrder.READER_FIRST
    return ChangeOrder.WRITER_FIRST if writer_first else ChangeOrder.STAGED


def shortest_plan(
    before: Status, after: Status, strategy: Strategy, policy: OutcomePolicy
) -> tuple[StatusStep, ...]:
    """Find the fewest steps of which each leaves a safe pair; empty when nothing changes or none exist.

    Between the ends a side may also be optional. Of plans that are as short, the writer moves first.
    """
    allowed = tuple(dict.fromkeys((before, after, Status.OPTIONAL)))
    start, end = (before, before), (after, after)
    paths: dict[tuple[Status, Status], tuple[StatusStep, ...]] = {start: ()}
    frontier = [start]
    while frontier and end not in paths:
        following: list[tuple[Status, Status]] = []
        for state, (side, status) in product(
            frontier, product((MessageSide.WRITER, MessageSide.READER), allowed)
        ):
            writer, reader = state
            moved = (status, reader) if side is MessageSide.WRITER else (writer, status)
            if moved in paths or not policy.admits(outcome(*moved, strategy)):
                continue
            old = writer if side is MessageSide.WRITER else reader
            paths[moved] = (*paths[state], StatusStep(side, old, status))
            following.append(moved)
        frontier = following
    return paths.get(end, ())

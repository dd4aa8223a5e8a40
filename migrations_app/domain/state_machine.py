"""State machines as tables: which event moves which state where, what ends, and the diagram of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import ascii_uppercase
from typing import Generic, TypeVar

from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.messages import message

S = TypeVar("S", bound=StrEnum)
E = TypeVar("E", bound=StrEnum)


# Without slots: an alias of it with its types given is called too, which Python 3.11 cannot do with them.
@dataclass(frozen=True)
class Transition(Generic[S, E]):
    """One row of a table: `letter` is its stable name in the audit, tests and diagram."""

    letter: str
    source: S
    event: E
    target: S
    meaning: str


@dataclass(frozen=True, slots=True)
class StateMachine(Generic[S, E]):
    """The states that one kind of thing can be in, and the rows by which it moves.

    `initial` are the states in which it can be made. A state that no row leaves is final. Several rows may lead from
    one state to another, but one event leads from a state to one place only.
    """

    noun: str
    states: type[S]
    initial: tuple[S, ...]
    transitions: tuple[Transition[S, E], ...]

    @property
    def final(self) -> frozenset[S]:
        """The states that nothing leaves."""
        return frozenset(self.states) - {row.source for row in self.transitions}

    def find(self, source: S, event: E) -> Transition[S, E] | None:
        """Find the row that an event takes from a state; None where it takes none."""
        return next((row for row in self.transitions if row.source is source and row.event is event), None)

    def events(self, source: S) -> tuple[E, ...]:
        """Name the events that a state can meet, in the order of the table."""
        return tuple(row.event for row in self.transitions if row.source is source)

    def sources(self, event: E) -> frozenset[S]:
        """Name the states that an event can meet."""
        return frozenset(row.source for row in self.transitions if row.event is event)

    def after(self, source: S, event: E) -> S:
        """Give the state after an event.

        Raises: InvariantBroken (`state-machine`) when the table has no such row: callers have asked before.
        """
        row = self.find(source, event)
        if row is None:
            raise InvariantBroken(
                message("{noun} in state {source} met {event}.", noun=self.noun, source=source, event=event),
                code="state-machine",
            )
        return row.target

    def is_step(self, source: S, target: S) -> bool:
        """Tell whether some event leads from one state to the other; staying is always possible."""
        return source is target or any(
            row.source is source and row.target is target for row in self.transitions
        )

    def check_step(self, source: S | None, target: S) -> None:
        """Let a change of state pass that the table has; None as the source is for what is made now.

        Raises: InvariantBroken (`state-machine`).
        """
        if target in self.initial if source is None else self.is_step(source, target):
            return
        before = "made" if source is None else f"moved from {source}"
        raise InvariantBroken(
            message(
                "{noun} was {before} to {target}, which its table does not have.",
                noun=self.noun,
                before=before,
                target=target,
            ),
            code="state-machine",
        )

    def mermaid(self) -> str:
        """Draw the table as a Mermaid state diagram."""
        rows = ["stateDiagram-v2", *(f"    [*] --> {_id(state)}" for state in self.initial)]
        rows += [
            f"    {_id(row.source)} --> {_id(row.target)}: {row.letter} {row.event}"
            for row in self.transitions
        ]
        rows += [f"    {_id(state)} --> [*]" for state in self.states if state in self.final]
        return "\n".join(rows)

    def table(self) -> str:
        """Write the table in Markdown."""
        head = ["| row | from | event | to | meaning |", "|---|---|---|---|---|"]
        return "\n".join(head + [_row(row) for row in self.transitions])


def lettered(rows: Sequence[tuple[S, E, S, str]]) -> tuple[Transition[S, E], ...]:
    """Give rows their letters: A to Z, then AA."""
    names = [*ascii_uppercase, *(f"A{letter}" for letter in ascii_uppercase)]
    return tuple(Transition(name, *row) for name, row in zip(names, rows, strict=False))


def _row(row: Transition[S, E]) -> str:
    return f"| {row.letter} | {row.source} | {row.event} | {row.target} | {row.meaning} |"


def _id(state: StrEnum) -> str:
    # A hyphen ends an identifier of Mermaid.
    return state.value.replace("-", "_")

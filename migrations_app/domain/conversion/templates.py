"""Templates: several texts written as one, and found in it again."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.states import ABSENT, State


@dataclass(frozen=True, slots=True)
class Template:
    """Texts with literal text between them; `order` tells which state each text is."""

    head: str
    literals: tuple[str, ...]
    order: tuple[int, ...]

    def parse(self, states: tuple[State, ...]) -> tuple[State, ...]:
        """Take a text apart; all absent when it is not of the template."""
        nothing = (ABSENT,) * len(self.order)
        rest = states[0]
        if not isinstance(rest, str) or not rest.startswith(self.head):
            return nothing
        rest = rest[len(self.head) :]
        found: list[State] = list(nothing)
        for place, literal in zip(self.order, self.literals, strict=True):
            part, mark, rest = rest.partition(literal) if literal else (rest, "", "")
            if not part or mark != literal:
                return nothing
            found[place] = part
        return nothing if rest else tuple(found)

    def form(self, states: tuple[State, ...]) -> tuple[State, ...]:
        """Write the texts as one; absent when they would not be found in it again."""
        whole = self.head
        for place, literal in zip(self.order, self.literals, strict=True):
            part = states[place]
            if part.__class__ is not str or not part:
                return (ABSENT,)
            whole = f"{whole}{part}{literal}"
        return (whole,) if self.parse((whole,)) == states else (ABSENT,)

"""References to resources, converted by the name maps of the types they refer to."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.naming.name_maps import NameMap
from migrations_app.domain.conversion.states import ABSENT, State, same
from migrations_app.domain.conversion.values import SAME, Conv


@dataclass(frozen=True, slots=True, eq=False)
class Refer:
    """The name of another resource; one without an image there is left out, the bag keeps it."""

    maps: tuple[NameMap, ...]
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """The names back."""
        return Refer(tuple(each.inverse for each in self.maps))

    def __call__(self, state: State) -> State:
        """Convert a name by the first map that knows it; text that is no name of them stays."""
        if not isinstance(state, str):
            return state
        known = False
        for each in self.maps:
            made = each.find(state)
            if made is not None:
                return made
            known = known or each.knows(state)
        return ABSENT if known else state


@dataclass(frozen=True, slots=True, eq=False)
class SplitReference:
    """One reference that becomes several, each by a conversion of its own.

    It is read back while all of them lead to one resource; what is not read back waits in the bag.
    """

    parts: tuple[Conv, ...]

    def split(self, states: tuple[State, ...]) -> tuple[State, ...]:
        """Convert the one name into the names of the parts; a part that has no such resource is absent."""
        return tuple(part(states[0]) for part in self.parts)

    def join(self, states: tuple[State, ...]) -> tuple[State, ...]:
        """Find the one name that becomes exactly these; absent when there is none."""
        for part, state in zip(self.parts, states, strict=True):
            whole: State = ABSENT if state is ABSENT else part.inverse(state)
            if whole is not ABSENT and all(map(same, self.split((whole,)), states)):
                return (whole,)
        return (ABSENT,)

    def images(self, name: str) -> tuple[str | None, ...] | None:
        """Tell what the parts are of documents that refer to a name; None where other names may have these images too."""
        found: list[str | None] = []
        for part in self.parts:
            made: State = part(name)
            if made is ABSENT:
                found.append(None)
            elif isinstance(made, str) and (part is SAME or (part.inverse(made) == name and made != name)):
                found.append(made)
            else:
                return None
        return tuple(found)

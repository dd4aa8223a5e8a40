"""References to resources, converted by the name maps of the types they refer to."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.naming.name_maps import NameMap
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.conversion.values import Conv


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

"""Value conversions that change the shape or the presence of a value."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.conversion.states import ABSENT, State, same
from migrations_app.domain.conversion.values import Conv
from migrations_app.kernel.json import Json


@dataclass(frozen=True, slots=True, eq=False)
class Wrap:
    """A value becomes a list of one."""

    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Take the first element."""
        return FirstElement(self.item.inverse)

    def __call__(self, state: State) -> State:
        """Wrap what is there; null and absent have no element."""
        if state is ABSENT or state is None:
            return ABSENT
        made = self.item(state)
        return ABSENT if made is ABSENT else [made]


@dataclass(frozen=True, slots=True, eq=False)
class FirstElement:
    """A list becomes its first element."""

    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Wrap it again."""
        return Wrap(self.item.inverse)

    def __call__(self, state: State) -> State:
        """Take the first element, if there is one."""
        if not isinstance(state, list) or not state:
            return ABSENT
        return self.item(state[0])


@dataclass(frozen=True, slots=True, eq=False)
class DropNull:
    """Null becomes absent, for a field that cannot be null."""

    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Values stay; what was null comes back from the bag."""
        return Keep(self)

    def __call__(self, state: State) -> State:
        """Take null away."""
        return ABSENT if state is None else state


@dataclass(frozen=True, slots=True, eq=False)
class Keep:
    """The value stays, while the inverse may drop some states."""

    back: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """The dropping way."""
        return self.back

    def __call__(self, state: State) -> State:
        """Return the state itself."""
        return state


@dataclass(frozen=True, slots=True, eq=False)
class DropEmpty:
    """An empty value becomes absent, for a field that cannot tell the two apart."""

    empty: tuple[Json, ...]
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Values stay; what was empty comes back from the bag."""
        return Keep(self)

    def __call__(self, state: State) -> State:
        """Take an empty value away."""
        return ABSENT if any(same(state, empty) for empty in self.empty) else state


@dataclass(frozen=True, slots=True, eq=False)
class Fill:
    """Absent becomes a value, on either way its own; no way removes what it did not fill in."""

    value: State
    back: State = ABSENT
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Fill with the other value; an absence that was filled comes back from the bag."""
        return Fill(self.back, self.value)

    def __call__(self, state: State) -> State:
        """Fill an absence."""
        return self.value if state is ABSENT else state


@dataclass(frozen=True, slots=True, eq=False)
class Entries:
    """A map becomes a list of entries, sorted by key."""

    key: str
    value: str
    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """Read the entries into a map."""
        return Indexed(self.key, self.value, self.item.inverse)

    def __call__(self, state: State) -> State:
        """List the entries; what is no map stays."""
        if not isinstance(state, dict):
            return state
        return [self._entry(key, state[key]) for key in sorted(state)]

    def _entry(self, key: str, value: Json) -> Json:
        made = self.item(value)
        return {self.key: key} if made is ABSENT else {self.key: key, self.value: made}


@dataclass(frozen=True, slots=True, eq=False)
class Indexed:
    """A list of entries becomes a map; of entries with one key the last one counts."""

    key: str
    value: str
    item: Conv
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """List the entries."""
        return Entries(self.key, self.value, self.item.inverse)

    def __call__(self, state: State) -> State:
        """Read the entries; those without a key cannot be in a map, the bag keeps the list for them."""
        if not isinstance(state, list):
            return state
        made: dict[str, Json] = {}
        for entry in state:
            if isinstance(entry, dict) and isinstance(key := entry.get(self.key), str):
                converted = self.item(entry.get(self.value, ABSENT))
                made[key] = None if converted is ABSENT else converted
        return made

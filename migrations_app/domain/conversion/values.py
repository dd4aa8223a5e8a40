"""Value conversions: what happens to one value between two types, and the inverse.

Each is a function of states with an `inverse`. `exact` promises `inverse(self(s)) == s` for every state,
so that a step has nothing to check and nothing to stash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message


class Conv(Protocol):
    """A conversion of one value."""

    @property
    def inverse(self) -> Conv:
        """The inverse."""
        ...

    @property
    def exact(self) -> bool:
        """Whether the inverse always finds the value again."""
        ...

    def __call__(self, state: State) -> State:
        """Convert a state."""
        ...


@dataclass(frozen=True, slots=True)
class Same:
    """The value stays as it is."""

    exact: bool = True

    @property
    def inverse(self) -> Conv:
        """The same."""
        return self

    def __call__(self, state: State) -> State:
        """Return the state itself."""
        return state


SAME = Same()


@dataclass(frozen=True, slots=True, eq=False)
class SymbolTable:
    """Symbols by a table; a symbol that the table does not know stays as it is."""

    there: Mapping[str, str]
    back: Mapping[str, str]
    symbols: frozenset[str] = frozenset()  # those the source type declares
    images: frozenset[str] = frozenset()  # those the target type declares

    @property
    def inverse(self) -> Conv:
        """The table read from the other side."""
        return SymbolTable(self.back, self.there, self.images, self.symbols)

    def preimage(self, wanted: frozenset[str]) -> tuple[frozenset[str], bool]:
        """Find the images that may stand for some symbols, and whether they stand for nothing else.

        The second holds for documents whose symbols their types declare.
        """
        found = {image for image, symbol in self.back.items() if symbol in wanted}
        found |= {self.there.get(symbol, symbol) for symbol in wanted} | (wanted - self.back.keys())
        others = self.symbols - wanted
        return frozenset(found), not any(self.there.get(other, other) in found for other in others)

    @property
    def clashes(self) -> Mapping[str, str]:
        """The symbols that the inverse does not find again, with their images."""
        known = {*self.there, *self.back.keys(), *self.there.values()}
        images = {symbol: self.there.get(symbol, symbol) for symbol in known}
        return {symbol: image for symbol, image in images.items() if self.back.get(image, image) != symbol}

    @property
    def exact(self) -> bool:
        """Whether no two symbols share an image."""
        return not self.clashes

    def __call__(self, state: State) -> State:
        """Look a symbol up."""
        return self.there.get(state, state) if isinstance(state, str) else state


class SymbolRefused(NoImage):
    """A symbol has no counterpart in the other version, and the edge says that it is refused."""

    default_code = "symbol-refused"


@dataclass(frozen=True, slots=True, eq=False)
class PartialSymbols:
    """Symbols by a table; one without a counterpart is absent on the other side, or is refused."""

    table: SymbolTable
    name: str  # of the field, for people
    other: str  # of the field on the other side
    refuses: bool = False
    exact: bool = False

    @property
    def inverse(self) -> Conv:
        """The table read from the other side."""
        return self.turned

    @property
    def turned(self) -> PartialSymbols:
        """The table read from the other side."""
        back = SymbolTable(self.table.back, self.table.there, self.table.images, self.table.symbols)
        return PartialSymbols(back, self.other, self.name, self.refuses)

    def image(self, symbol: str) -> str | None:
        """Find what a symbol is called on the other side; None when it has no counterpart."""
        table = self.table
        if symbol in table.there:
            return table.there[symbol]
        if table.images and symbol not in table.images:
            return None
        return symbol if not self.refuses or not table.symbols or symbol in table.symbols else None

    def preimage(self, wanted: frozenset[str]) -> tuple[frozenset[str], bool]:
        """Find the images that may stand for some symbols; none when one of them may wait in the bag."""
        if any(self.image(symbol) is None for symbol in wanted):
            return frozenset(), False
        found, whole = self.table.preimage(wanted)
        return found, whole and bool(self.table.symbols)

    def __call__(self, state: State) -> State:
        """Look a symbol up.

        Raises: SymbolRefused.
        """
        if not isinstance(state, str):
            return state
        image = self.image(state)
        if image is None and self.refuses:
            raise SymbolRefused(
                message(
                    "{name} is {state}, which has no counterpart in the other version.",
                    name=self.name,
                    state=repr(state[:60]),
                ),
                remedy=message("It has {mapped}.", mapped=", ".join(self.mapped()[:20]) or "no symbol"),
                field=self.name,
            )
        return ABSENT if image is None else image

    def mapped(self) -> list[str]:
        """List the symbols that have a counterpart."""
        known = {*self.table.there, *self.table.symbols, *self.table.images}
        return sorted(symbol for symbol in known if self.image(symbol) is not None)


class Ratio(NamedTuple):
    """A whole number times a fraction; where that is no whole number, it is rounded down or left to the codec."""

    up: int
    down: int
    rounds_down: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A value through a codec; what is outside its domain stays as it is."""

    name: str
    encode: Callable[[Json], State]
    decode: Callable[[Json], State]
    is_exact: bool = False
    inverse_is_exact: bool = False
    monotone: int = 0  # 1 keeps the order, -1 turns it, 0 neither
    ratio: Ratio | None = None  # for whole numbers: what the codec does to them, in plain arithmetic
    inverse_ratio: Ratio | None = None

    @property
    def inverse(self) -> Conv:
        """The codec read from the other side."""
        return Coded(
            _other(self.name),
            self.decode,
            self.encode,
            self.inverse_is_exact,
            self.is_exact,
            self.monotone,
            self.inverse_ratio,
            self.ratio,
        )

    @property
    def exact(self) -> bool:
        """Whether decoding always finds the value again."""
        return self.is_exact

    def __call__(self, state: State) -> State:
        """Convert a value that is there."""
        return state if state is ABSENT or state is None else self.encode(state)


def _other(name: str) -> str:
    return name.removesuffix("⁻¹") if name.endswith("⁻¹") else f"{name}⁻¹"


@dataclass(frozen=True, slots=True, eq=False)
class ListConversion:
    """Every element of a list."""

    item: Conv

    @property
    def inverse(self) -> Conv:
        """Every element back."""
        return ListConversion(self.item.inverse)

    @property
    def exact(self) -> bool:
        """As exact as the elements'."""
        return self.item.exact

    def __call__(self, state: State) -> State:
        """Convert the elements; what is no list stays."""
        if not isinstance(state, list):
            return state
        item = self.item
        if isinstance(item, PartialSymbols):
            return [made for value in state if (made := item(value)) is not ABSENT]
        return [_present(item(value), value) for value in state]


def _present(made: State, value: Json) -> Json:
    """Keep the place of an element: in a list nothing can be absent."""
    return value if made is ABSENT else made


@dataclass(frozen=True, slots=True, eq=False)
class EachValue:
    """Every value of a map."""

    item: Conv

    @property
    def inverse(self) -> Conv:
        """Every value back."""
        return EachValue(self.item.inverse)

    @property
    def exact(self) -> bool:
        """As exact as the values'."""
        return self.item.exact

    def __call__(self, state: State) -> State:
        """Convert the values; what is no map stays."""
        if not isinstance(state, dict):
            return state
        item = self.item
        if isinstance(item, PartialSymbols):
            return {key: made for key, value in state.items() if (made := item(value)) is not ABSENT}
        return {key: _present(item(value), value) for key, value in state.items()}


class ObjectRunner(Protocol):
    """Converts an object together with the bag inside it."""

    @property
    def inverse(self) -> ObjectRunner:
        """The inverse."""
        ...

    @property
    def name(self) -> str:
        """The pair of types, for people."""
        ...

    def run(self, source: JsonObject) -> JsonObject:
        """Convert an object."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Inner:
    """An object inside another one; what it loses stays in its own bag."""

    plan: ObjectRunner
    exact: bool = True

    @property
    def inverse(self) -> Conv:
        """The object back."""
        return Inner(self.plan.inverse)

    def __call__(self, state: State) -> State:
        """Convert an object; what is none stays."""
        return self.plan.run(state) if isinstance(state, dict) else state


@dataclass(frozen=True, slots=True, eq=False)
class ConversionChain:
    """One conversion after the other."""

    links: tuple[Conv, ...]

    @property
    def inverse(self) -> Conv:
        """The links back, the last one first."""
        return ConversionChain(tuple(link.inverse for link in reversed(self.links)))

    @property
    def exact(self) -> bool:
        """Whether every link is."""
        return all(link.exact for link in self.links)

    def __call__(self, state: State) -> State:
        """Convert through all links."""
        for link in self.links:
            state = link(state)
        return state


def chain(*links: Conv) -> Conv:
    """Put conversions one after the other, leaving out those that do nothing."""
    busy = tuple(link for link in links if link is not SAME)
    return SAME if not busy else busy[0] if len(busy) == 1 else ConversionChain(busy)

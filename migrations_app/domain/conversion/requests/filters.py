"""Filters of one version asked of documents stored in another: exact, with a residual, or by a full scan."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from msgspec.structs import replace

from migrations_app.domain.conversion.references import Refer
from migrations_app.domain.conversion.requests.pieces import trail_over
from migrations_app.domain.conversion.requests.split_references import filter_of_parts
from migrations_app.domain.conversion.requests.trails import PathConversion, Segments
from migrations_app.domain.conversion.resource import ResourcePlan
from migrations_app.domain.conversion.states import State
from migrations_app.domain.conversion.values import SAME, Conv, PartialSymbols, SymbolTable
from migrations_app.domain.filters.ast import (
    And,
    Atom,
    Compare,
    ComparisonOperator,
    Constant,
    Everything,
    Filter,
    In,
    MapValue,
    Not,
    Nothing,
    Or,
    Path,
    all_of,
    any_of,
    negation,
)
from migrations_app.domain.filters.evaluate import evaluate
from migrations_app.kernel.json import Json


class FilterFidelity(StrEnum):
    """How well a converted filter says what the original does."""

    EXACT = "exact"
    RESIDUAL = "residual"
    FULL_SCAN = "full-scan"


@dataclass(frozen=True, slots=True)
class ConvertedFilter:
    """A filter for the stored documents, and what is left to ask of the view.

    `pushed` never loses a document that the original takes; where it takes more, `residual` is the
    original, to be evaluated on the source version's view of the document.
    """

    pushed: Filter
    residual: Filter | None
    how: FilterFidelity


def convert_filter(hops: tuple[ResourcePlan, ...], given: Filter) -> ConvertedFilter:
    """Convert a bound filter of the source version to the stored version."""
    pushed, exact = given, True
    for hop in hops:
        pushed, here = _Rewriter(hop).rewrite(pushed, over=True)
        exact = exact and here
    if exact:
        return ConvertedFilter(pushed, None, FilterFidelity.EXACT)
    how = FilterFidelity.FULL_SCAN if isinstance(pushed, Everything) else FilterFidelity.RESIDUAL
    return ConvertedFilter(pushed, given, how)


@lru_cache(maxsize=8192)
def _trail(hop: ResourcePlan, path: Segments) -> PathConversion | None:
    """Follow a path once: the same few are asked for again and again."""
    return trail_over(hop, path)


class _Rewriter:
    def __init__(self, hop: ResourcePlan) -> None:
        self.hop = hop

    def rewrite(self, given: Filter, *, over: bool) -> tuple[Filter, bool]:
        """Rewrite a filter; where it cannot be exact, to one that takes more (`over`) or less."""
        if isinstance(given, And | Or):
            parts = [self.rewrite(part, over=over) for part in given.parts]
            joined = (all_of if isinstance(given, And) else any_of)([part for part, _ in parts])
            return joined, all(exact for _, exact in parts)
        if isinstance(given, Not):
            inner, exact = self.rewrite(given.inner, over=not over)
            return negation(inner), exact
        if isinstance(given, Everything | Nothing):
            return given, True
        made = self._atom(given)
        if made is not None:
            return made, True
        split = filter_of_parts(self.hop, given)
        if split is not None and (over or split[1]):
            return split
        return (self._more(given) if over else Nothing()), False

    def _trail(self, path: Path) -> PathConversion | None:
        return _trail(self.hop, path.segments)

    def _decided(self, atom: Atom) -> Filter | None:
        """Answer an atom about the field that tells parts apart, where all documents of this part agree."""
        guard = self.hop.guard
        if guard is None or guard.only is None or atom.path.segments != (guard.key,):
            return None
        return Everything() if evaluate(atom, {guard.key: guard.only}) else Nothing()

    def _overridden(self, atom: Atom) -> Filter | None:
        """Say an atom by registered code for its path or for the values beside it."""
        called, moved = self.hop.pieces.value(atom.path.segments), self.hop.pieces.path(atom.path.segments)
        if called is None:
            return replace(atom, path=Path(moved)) if moved else None
        trail = self._trail(atom.path)
        end = moved or (trail.path if trail else None)
        if isinstance(atom, Compare) and atom.op in (ComparisonOperator.EQ, ComparisonOperator.NE) and end:
            return _with_values(atom, Path(end), [called(_json(atom.value))])
        if isinstance(atom, In) and end:
            return _with_values(atom, Path(end), [called(_json(value)) for value in atom.values])
        return None

    def _atom(self, atom: Atom) -> Filter | None:
        """Say an atom exactly; None when it cannot be."""
        if (made := self._overridden(atom) or self._decided(atom)) is not None:
            return made
        trail = self._trail(atom.path)
        if trail is None or not trail.path:
            return None
        path = Path(trail.path)
        if trail.conv is SAME:
            return replace(atom, path=path)
        if isinstance(trail.conv, PartialSymbols):
            found, whole = trail.conv.preimage(_symbols(atom))
            return _among(path, found) if found and whole else None
        if isinstance(trail.conv, SymbolTable):
            found, whole = trail.conv.preimage(_symbols(atom))
            return _among(path, found) if found and whole and trail.conv.symbols else None
        if isinstance(atom, Compare) and atom.op is ComparisonOperator.EQ:
            value = _name(trail.conv, atom.value)
            return None if value is None else replace(atom, path=path, value=value)
        if isinstance(atom, In):
            values = [_name(trail.conv, value) for value in atom.values]
            known = tuple(value for value in values if value is not None)
            return None if len(known) < len(values) else replace(atom, path=path, values=known)
        return None

    def _more(self, atom: Atom) -> Filter:
        """Find a filter that takes at least what the atom does."""
        trail = self._trail(atom.path)
        if trail is None or not isinstance(trail.conv, SymbolTable | PartialSymbols) or not trail.path:
            return Everything()
        found, _ = trail.conv.preimage(_symbols(atom))
        return _among(Path(trail.path), found) if found else Everything()


def _json(value: Constant) -> Json:
    return value.plain() if isinstance(value, MapValue) else value


def _with_values(atom: Compare | In, path: Path, values: list[State]) -> Filter | None:
    """Put converted constants in the place of an atom's own; None when one is no constant."""
    known = [value for value in values if value is None or isinstance(value, str | int | float)]
    if len(known) < len(values):
        return None
    if isinstance(atom, In):
        return In(path, tuple(known))
    return Compare(path, atom.op, known[0])


def _among(path: Path, symbols: frozenset[str]) -> Filter:
    values = tuple(sorted(symbols))
    return Compare(path, ComparisonOperator.EQ, values[0]) if len(values) == 1 else In(path, values)


def _symbols(atom: Atom) -> frozenset[str]:
    if isinstance(atom, Compare) and atom.op is ComparisonOperator.EQ and isinstance(atom.value, str):
        return frozenset({atom.value})
    if isinstance(atom, In) and all(isinstance(value, str) for value in atom.values):
        return frozenset(value for value in atom.values if isinstance(value, str))
    return frozenset()


def _name(conv: Conv, value: object) -> str | None:
    """Convert a name, if exactly the documents with it there have its image here."""
    if not isinstance(value, str) or not isinstance(conv, Refer):
        return None
    made: State = conv(value)
    if not isinstance(made, str) or conv.inverse(made) != value or made == value:
        return None  # text that is no name of theirs stays as it is, and so may be the image of another
    return made

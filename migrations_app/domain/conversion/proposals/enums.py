"""Which symbol of an old enum is which of the new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.names.words import are_opposites, likeness
from migrations_app.domain.conversion.proposals.shapes import bare_symbols
from migrations_app.domain.schema.types import EnumType, EnumValue

_SURE = 2.2
_UNSET = frozenset({"unspecified", "unknown", "unset", "undefined", "invalid", "none", "default"})


@dataclass(frozen=True, slots=True)
class SymbolMap:
    """Symbols that go by another name; `likely` are not sure, `lost` have no counterpart."""

    sure: Mapping[str, str] = field(default_factory=dict)
    likely: Mapping[str, str] = field(default_factory=dict)
    lost: tuple[str, ...] = ()
    come: tuple[str, ...] = ()


def map_symbols(old: EnumType, new: EnumType) -> SymbolMap:
    """Match the symbols that only one side has; those of one name are the same."""
    known, there = {each.name for each in old.values}, {each.name for each in new.values}
    gone = [each for each in old.values if each.name not in there]
    come = [each for each in new.values if each.name not in known]
    mine, theirs = bare_symbols(old), bare_symbols(new)
    weights = {
        (left.name, right.name): weight + 1
        for left in gone
        for right in come
        if (weight := _weight(left, right, (mine[left.name], theirs[right.name]))) > 0
    }
    pairs = assign(weights)
    sure = {left: right for left, right in pairs if weights[left, right] - 1 >= _SURE}
    likely = {left: right for left, right in pairs if left not in sure}
    lost = tuple(each.name for each in gone if each.name not in sure)
    matched = set(sure.values())
    return SymbolMap(sure, likely, lost, tuple(each.name for each in come if each.name not in matched))


def _weight(old: EnumValue, new: EnumValue, bare: tuple[tuple[str, ...], tuple[str, ...]]) -> float:
    left, right = bare
    same_number = old.number is not None and old.number == new.number
    if is_unset(left) and is_unset(right) and (same_number or old.number is None):
        return 5.0
    if are_opposites(left, right):
        return -5.0
    weight = 0.9 if same_number else 0.0
    if left == right or "".join(left) == "".join(right):
        return weight + 4.0
    if sorted(left) == sorted(right):
        return weight + 3.0
    ends = _shared_end(left, right)
    if ends and ends == min(len(left), len(right)):
        weight += 2.0  # one symbol has the words of its enum in front, the other has not
    alike = likeness("_".join(left), "_".join(right))
    common = len(set(left) & set(right)) / len(set(left) | set(right))
    return weight + 1.6 * common + (1.2 if alike > 0.8 else 0.4 if alike > 0.65 else -1.0)


def is_unset(parts: tuple[str, ...]) -> bool:
    """Tell whether a symbol stands for none being set, by its words."""
    return bool(parts) and parts[-1] in _UNSET


def _shared_end(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[-1 - count] == right[-1 - count]:
        count += 1
    return count

"""Which symbol of an old enum is which of the new one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.names.spellings import is_misspelt
from migrations_app.domain.conversion.proposals.names.words import are_opposites, likeness, words
from migrations_app.domain.conversion.proposals.shapes import bare_symbols
from migrations_app.domain.schema.types import EnumType, EnumValue

_SURE, _AHEAD = 2.2, 1.0
_MISSPELT, _SAME_WORDS = 4.0, 2.0
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
    alike = _changed_alike([each.name for each in gone], [each.name for each in come])
    weights = {
        (left.name, right.name): weight + 1 + (_SAME_WORDS if (left.name, right.name) in alike else 0.0)
        for left in gone
        for right in come
        if (weight := _weight(left, right, (mine[left.name], theirs[right.name]))) > 0
    }
    pairs = assign(weights)
    sure = {
        left: right
        for left, right in pairs
        if weights[left, right] - 1 >= _SURE and _is_ahead(weights, left, right)
    }
    likely = {left: right for left, right in pairs if left not in sure}
    lost = tuple(each.name for each in gone if each.name not in sure)
    matched = set(sure.values())
    return SymbolMap(sure, likely, lost, tuple(each.name for each in come if each.name not in matched))


def _is_ahead(weights: Mapping[tuple[str, str], float], left: str, right: str) -> bool:
    """Tell whether no other pair of either symbol comes near: one may have been split, or two merged."""
    rivals = [each for pair, each in weights.items() if (pair[0] == left) != (pair[1] == right)]
    return weights[left, right] - max(rivals, default=0.0) >= _AHEAD


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
    if is_misspelt(left, right):
        return weight + _MISSPELT
    ends = _shared_end(left, right)
    if ends and ends == min(len(left), len(right)):
        weight += 2.0  # one symbol has the words of its enum in front, the other has not
    alike = likeness("_".join(left), "_".join(right))
    common = len(set(left) & set(right)) / len(set(left) | set(right))
    return weight + 1.6 * common + (1.2 if alike > 0.8 else 0.4 if alike > 0.65 else -1.0)


def _changed_alike(gone: Iterable[str], come: Iterable[str]) -> set[tuple[str, str]]:
    """Find symbols that get or lose the same words as another one does: `AverageLoad` and `AverageLoadTrigger`.

    One that several symbols of the other side could have become so is none: it may have been split.
    """
    come = list(come)
    found: dict[tuple[str, str], tuple[frozenset[str], frozenset[str]]] = {}
    for left in gone:
        for right in come:
            mine, theirs = frozenset(words(left)), frozenset(words(right))
            if mine < theirs or theirs < mine:
                found[left, right] = mine - theirs, theirs - mine
    lefts, rights = Counter(left for left, _ in found), Counter(right for _, right in found)
    single = {pair: by for pair, by in found.items() if lefts[pair[0]] == rights[pair[1]] == 1}
    often = Counter(single.values())
    return {pair for pair, by in single.items() if often[by] > 1}


def is_unset(parts: tuple[str, ...]) -> bool:
    """Tell whether a symbol stands for none being set, by its words."""
    return bool(parts) and parts[-1] in _UNSET


def _shared_end(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    count = 0
    while count < min(len(left), len(right)) and left[-1 - count] == right[-1 - count]:
        count += 1
    return count

"""Which fields are the same when no op says so: by name, by JSON name, by case folding."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from migrations_app.domain.schema.types import Field


@dataclass(frozen=True, slots=True)
class FieldMatch:
    """A field of each side taken for the same, and the rule that says so."""

    source: Field
    target: Field
    rule: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Fields that fold to one key, so that a match would be a guess."""

    names: tuple[str, ...]
    key: str


_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _snake(name: str) -> str:
    return _HUMPS.sub("_", name).lower()


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("exact", lambda name: name),
    ("jsonName", _snake),
    ("casefold", _folded),
)


def match_fields(source: Iterable[Field], target: Iterable[Field]) -> tuple[list[FieldMatch], list[Clash]]:
    """Match fields by name, by JSON name, then by Unicode case folding.

    Two free fields of one side under one key are a clash: neither is matched by that rule.
    """
    left, right = {field.name: field for field in source}, {field.name: field for field in target}
    matches: list[FieldMatch] = []
    clashes: list[Clash] = []
    for rule, key_of in RULES:
        mine, theirs = _by_key(left.values(), key_of), _by_key(right.values(), key_of)
        for key in [key for key in mine if key in theirs]:
            ours, others = mine[key], theirs[key]
            if len(ours) > 1 or len(others) > 1:
                clashes.append(Clash(tuple(sorted({each.name for each in (*ours, *others)})), key))
                continue
            matches.append(FieldMatch(ours[0], others[0], rule))
            del left[ours[0].name], right[others[0].name]
    return matches, clashes


def are_one_name(old: str, new: str) -> bool:
    """Tell whether a rule takes fields of these names for the same, where no others have such names."""
    return any(key_of(old) == key_of(new) for _, key_of in RULES)


def _by_key(fields: Iterable[Field], key_of: Callable[[str], str]) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for field in fields:
        found.setdefault(key_of(field.name), []).append(field)
    return found

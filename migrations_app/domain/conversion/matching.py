"""Which fields are the same when no op says so; what is only likely is proposed, never taken."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher

from migrations_app.domain.schema.types import Field


@dataclass(frozen=True, slots=True)
class Match:
    """A field of each side taken for the same, and the rule that says so."""

    source: Field
    target: Field
    rule: str


@dataclass(frozen=True, slots=True)
class Clash:
    """Fields that fold to one key, so that a match would be a guess."""

    names: tuple[str, ...]
    key: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """A pair that looks like the same field, why, and how sure that is (0 to 1)."""

    source: Field
    target: Field
    reason: str
    confidence: float

    @property
    def line(self) -> str:
        """The op to write when the proposal is right."""
        return f"- rename: {{from: {self.source.name}, to: {self.target.name}}}"


_HUMPS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _snake(field: Field) -> str:
    return _HUMPS.sub("_", field.name).lower()


def _folded(field: Field) -> str:
    return unicodedata.normalize("NFC", field.name).casefold()


RULES: tuple[tuple[str, Callable[[Field], str]], ...] = (
    ("exact", lambda field: field.name),
    ("jsonName", _snake),
    ("casefold", _folded),
)


def match_fields(source: Iterable[Field], target: Iterable[Field]) -> tuple[list[Match], list[Clash]]:
    """Match fields by name, by JSON name, then by Unicode case folding.

    Two free fields of one side under one key are a clash: neither is matched by that rule.
    """
    left, right = {field.name: field for field in source}, {field.name: field for field in target}
    matches: list[Match] = []
    clashes: list[Clash] = []
    for rule, key_of in RULES:
        mine, theirs = _by_key(left.values(), key_of), _by_key(right.values(), key_of)
        for key in [key for key in mine if key in theirs]:
            ours, others = mine[key], theirs[key]
            if len(ours) > 1 or len(others) > 1:
                clashes.append(Clash(tuple(sorted({each.name for each in (*ours, *others)})), key))
                continue
            matches.append(Match(ours[0], others[0], rule))
            del left[ours[0].name], right[others[0].name]
    return matches, clashes


def _by_key(fields: Iterable[Field], key_of: Callable[[Field], str]) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for field in fields:
        found.setdefault(key_of(field), []).append(field)
    return found


def propose(
    source: Iterable[Field], target: Iterable[Field], *, numbers_stable: bool = False
) -> list[Proposal]:
    """Propose pairs among the fields that nothing matched, the likeliest first; each field at most once."""
    left, right = list(source), list(target)
    found: list[Proposal] = []
    for old in left:
        for new in right:
            if type(old.type) is not type(new.type):
                continue
            likeness = _likeness(old, new)
            same_number = old.number is not None and old.number == new.number
            if likeness >= 0.6:
                found.append(Proposal(old, new, "the names are alike", round(min(likeness, 0.95), 2)))
            elif same_number:
                sure = 0.7 if numbers_stable else 0.35
                found.append(Proposal(old, new, f"both have wire number {old.number}", sure))
    found.sort(key=lambda each: (-each.confidence, each.source.name, each.target.name))
    used: set[tuple[str, str]] = set()
    kept: list[Proposal] = []
    for each in found:
        mine, theirs = ("old", each.source.name), ("new", each.target.name)
        if mine not in used and theirs not in used:
            used |= {mine, theirs}
            kept.append(each)
    return kept


def _likeness(old: Field, new: Field) -> float:
    names = SequenceMatcher(None, _snake(old), _snake(new)).ratio()
    mine, theirs = set(_snake(old).split("_")), set(_snake(new).split("_"))
    parts = len(mine & theirs) / len(mine | theirs)
    described = (
        SequenceMatcher(None, old.description[:200], new.description[:200]).ratio()
        if old.description and new.description
        else 0.0
    )
    return max(names, 0.5 * parts + 0.5 * names, 0.55 * names + 0.45 * described)

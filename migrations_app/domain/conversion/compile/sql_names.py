"""Names converted in SQL: patterns as regular expressions, segments by their place."""

from __future__ import annotations

import re
from collections.abc import Mapping

from migrations_app.domain.conversion.compile.sql_text import NotPushable, lit
from migrations_app.domain.conversion.naming.name_maps import Back, NameMap, NameSegment, Variant
from migrations_app.domain.resources.id_patterns import compile_id_pattern

_VARIABLE = re.compile(r"\{([a-zA-Z]\w*)\}")
_CLASS = r"\[\^?(?:[A-Za-z0-9_.~]|[A-Za-z0-9]-[A-Za-z0-9])+-?\]"
# What RE2 and PostgreSQL read alike: characters, classes of them, groups, alternatives and repetitions.
_PORTABLE = re.compile(rf"(?:[A-Za-z0-9_|-]|{_CLASS}|\(\?:|\(|\)|[?*+]|\{{\d+(?:,\d*)?\}})+")


def name_expression(names: NameMap) -> str:
    """Say the name in the other version over the column `name`.

    Only where the names alone decide and every name has an image that finds the inverse, so that a name
    never waits in a bag.
    """
    if names.is_identity:
        return "name"
    if type(names) is not NameMap or not all(map(_is_exact, names.variants)):
        raise NotPushable("names that need the document or the bag")
    cases = [
        f"WHEN name ~ {lit(_expression(each.source.text, _checks(each)))} THEN {_build(each)}"
        for each in names.variants
    ]
    return f"CASE {' '.join(cases)} END"


def _checks(variant: Variant) -> dict[str, str]:
    """Say, by variable of the old pattern, which ids the new one takes, where it does not take them all."""
    mine, theirs, checks = dict(variant.source.ids), dict(variant.target.ids), dict[str, str]()
    for name in variant.target.variables:
        segment = variant.sets.get(name)
        origin = segment.same if segment is not None else name
        body = theirs.get(name)
        if body is None or (origin and mine.get(origin) == body):
            continue
        if segment is not None and segment.const and compile_id_pattern(body).fullmatch(segment.const):
            continue
        if not origin or not _PORTABLE.fullmatch(body):
            raise NotPushable("an id pattern that PostgreSQL may read otherwise")
        checks[origin] = f"(?:{body})"
    return checks


def _is_exact(variant: Variant) -> bool:
    static = all(map(_is_constant, (*variant.sets.values(), *variant.unsets.values())))
    kept = [*variant.sets, *variant.unsets]
    whole = set(variant.source.variables) ^ set(variant.target.variables)
    hides = bool(variant.unsets) and variant.there is Back.HIDDEN and not _only_renames(variant)
    return static and set(kept) >= whole and not hides


def _is_constant(segment: NameSegment) -> bool:
    return bool(segment.const or segment.same) and not segment.field and not segment.table


def _only_renames(variant: Variant) -> bool:
    return all(segment.same for segment in variant.unsets.values())


def _expression(pattern: str, checks: Mapping[str, str]) -> str:
    if any("{" in part and not _VARIABLE.fullmatch(part) for part in pattern.split("/")):
        raise NotPushable("a segment with more than an id")
    parts = [
        checks.get(part[1:-1], "[^/]+") if "{" in part else re.sub(r"([.+*?()|])", r"[\1]", part)
        for part in pattern.split("/")
    ]
    return f"^{'/'.join(parts)}$"


def _build(variant: Variant) -> str:
    places = {
        part[1:-1]: index + 1 for index, part in enumerate(variant.source.text.split("/")) if "{" in part
    }
    made: list[str] = []
    for part in variant.target.text.split("/"):
        if not _VARIABLE.fullmatch(part):
            made.append(lit(part))
            continue
        name = part[1:-1]
        segment = variant.sets.get(name)
        if segment is not None and segment.const:
            made.append(lit(segment.const))
        else:
            origin = segment.same if segment is not None and segment.same else name
            made.append(f"split_part(name, '/', {places[origin]})")
    return " || '/' || ".join(made)

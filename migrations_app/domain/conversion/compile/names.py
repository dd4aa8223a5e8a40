"""Name maps as Python text: one match, one format; whatever is out of the ordinary is left to the map itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

from migrations_app.domain.conversion.compile.expressions import Words
from migrations_app.domain.conversion.namemap import Back, HookedNameMap, NameMap, Segment, Variant
from migrations_app.domain.resources.id_patterns import checked_id_pattern, may_hold_slash
from migrations_app.domain.resources.names import MAX_LENGTH, Pattern

_VARIABLE = re.compile(r"\{([a-zA-Z][a-zA-Z0-9_]*)(?:=(\*\*?))?\}")
# Ids of these characters are canonical, no wildcards, and hold no slash, whatever else they must be.
_PLAIN_ID = "[0-9A-Za-z_][0-9A-Za-z_.~-]*"


def name_function(words: Words, names: NameMap) -> str | None:
    """Write the expression function of a name map; None when its names need the document or the bag.

    What it gives is what `NameMap.find` gives, and the way back finds the name again; it gives None where
    that is not certain.
    """
    if isinstance(names, HookedNameMap) or not names.variants:
        return None
    for side in ("source", "target"):
        patterns: list[Pattern] = list(dict.fromkeys(getattr(each, side) for each in names.variants))
        if any(left.may_overlap(right) for left, right in combinations(patterns, 2)):
            return None
    if len({each.source for each in names.variants}) < len(names.variants):
        return None
    lines = ["def {name}(n):"]
    for variant in names.variants:
        part = _variant(words, variant)
        if part is None:
            return None
        lines += [f"    {line}" for line in part]
    lines.append("    return None")
    return "\n".join(lines) + "\n"


def _variant(words: Words, variant: Variant) -> list[str] | None:
    source, target = variant.source, variant.target
    if any(map(_is_wide, (source, target))):
        return None
    ids = {each: f"a{index}" for index, each in enumerate(source.variables)}
    made: dict[str, str] = {}
    for each in target.variables:
        segment = variant.sets.get(each)
        text = ids.get(each) if segment is None else _segment(words, segment, ids)
        if text is None:
            return None
        made[each] = text
    checks = []
    for each in source.variables:
        if each in target.variables and variant.unsets.get(each) is None:
            if variant.sets.get(each) is not None:
                return None
            continue
        segment = variant.unsets.get(each)
        if segment is None or variant.there is Back.BAG:
            return None
        back = _segment(words, segment, {name: f"({text})" for name, text in made.items()})
        if back is None:
            return None
        checks.append(f"{back} == {ids[each]}")
    checks += _id_checks(words, variant, made)
    expression = "".join(_id(source, each) for each in _VARIABLE.split(source.text)[::3][:0]) or None
    del expression
    grammar = words.keep(re.compile(_grammar(source)).fullmatch, "parse")
    parts = _VARIABLE.split(target.text)
    text = "".join(
        part.replace("{", "{{").replace("}", "}}") if index % 3 == 0 else f"{{{made[part]}}}" if index % 3 == 1 else ""
        for index, part in enumerate(parts)
        if part is not None
    )
    test = " and ".join([*checks, f"len(n := f{text!r}) <= {MAX_LENGTH}"])
    groups = "".join(f"{name}, " for name in ids.values())
    return [
        f"if m := {grammar}(n):",
        *([f"    {groups.rstrip(' ')} = m.groups()"] if groups else []),
        f"    return n if {test} else None",
    ]


def _is_wide(pattern: Pattern) -> bool:
    bodies = dict(pattern.ids)
    return any(
        match[2] == "**" or (match[1] in bodies and may_hold_slash(bodies[match[1]]))
        for match in _VARIABLE.finditer(pattern.text)
    )


def _id(pattern: Pattern, variable: str) -> str:
    body = dict(pattern.ids).get(variable)
    return _PLAIN_ID if body is None else f"(?={_PLAIN_ID}(?:/|\\Z))(?:{checked_id_pattern(body)})"


def _grammar(pattern: Pattern) -> str:
    parts = _VARIABLE.split(pattern.text)
    return "".join(
        re.escape(part) if index % 3 == 0 else f"({_id(pattern, part)})" if index % 3 == 1 else ""
        for index, part in enumerate(parts)
        if part is not None
    )


def _segment(words: Words, segment: Segment, ids: Mapping[str, str]) -> str | None:
    """Write the id that a rule gives; None when the document decides."""
    if segment.field:
        return None
    if segment.same:
        return ids.get(segment.same)
    if segment.by and segment.table:
        known = ids.get(segment.by)
        table = words.keep({key: value for key, value in segment.table.items() if value}, "table")
        return None if known is None else f"{table}.get({known}, {segment.const!r})"
    return repr(segment.const) if segment.const else None


def _id_checks(words: Words, variant: Variant, made: Mapping[str, str]) -> list[str]:
    """Check the ids of the other pattern, where they are not those of this one."""
    checks = []
    mine, theirs = dict(variant.source.ids), dict(variant.target.ids)
    for name, text in made.items():
        is_kept = name in variant.source.variables and name not in variant.sets
        if is_kept and mine.get(name) == theirs.get(name):
            continue
        if is_kept and name not in theirs:
            continue
        parse = words.keep(re.compile(_id(variant.target, name)).fullmatch, "id")
        checks.append(f"{parse}({text})")
    return checks

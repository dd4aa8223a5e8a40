"""Name maps as Python text: one match, one format; whatever is out of the ordinary is left to the map itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from itertools import combinations

from migrations_app.domain.conversion.compile.expressions import Words
from migrations_app.domain.conversion.naming.name_maps import (
    Back,
    ChainedNameMap,
    HookedNameMap,
    NameMap,
    NameSegment,
    Variant,
)
from migrations_app.domain.resources.id_patterns import compile_id_pattern, may_hold_slash
from migrations_app.domain.resources.names import MAX_LENGTH, Pattern

_VARIABLE = re.compile(r"\{([a-zA-Z][a-zA-Z0-9_]*)(?:=(\*\*?))?\}")
# Ids of these characters are canonical, no wildcards, and hold no slash, whatever else they must be.
_PLAIN_ID = "[0-9A-Za-z_][0-9A-Za-z_.~-]*"


def name_source(words: Words, names: NameMap, name: str) -> str | None:
    """Write the function of a name map; None when its names need the document or the bag.

    What it gives is what `NameMap.find` gives, and the inverse finds the name again; it gives None where
    that is not certain.
    """
    if isinstance(names, HookedNameMap | ChainedNameMap):
        return None
    for side in ("source", "target"):
        patterns: list[Pattern] = [getattr(each, side) for each in names.variants]
        if any(left.may_overlap(right) for left, right in combinations(patterns, 2)):
            return None
        if not all(map(_is_plain, patterns)):
            return None
    lines = [f"def {name}(n):"]
    for variant in names.variants:
        part = _variant(words, variant)
        if part is None:
            return None
        lines += [f"    {line}" for line in part]
    lines.append("    return None")
    return "\n".join(lines) + "\n"


def _is_plain(pattern: Pattern) -> bool:
    """Tell whether every variable is a segment of its own and no id may hold a slash."""
    bodies = dict(pattern.ids)
    for segment in pattern.text.split("/"):
        found = _VARIABLE.search(segment)
        if found is None:
            continue
        if found[0] != segment or found[2] == "**" or may_hold_slash(bodies.get(found[1], "a")):
            return False
    return True


def _variant(words: Words, variant: Variant) -> list[str] | None:
    source, target = variant.source, variant.target
    ids = {each: f"a{index}" for index, each in enumerate(source.variables)}
    lines, made = [], {}
    for index, each in enumerate(target.variables):
        segment = variant.sets.get(each)
        text = ids.get(each) if segment is None else _segment(words, segment, ids)
        if text is None:
            return None
        made[each] = text
        if text.startswith("table"):
            made[each] = f"c{index}"
            lines.append(f"c{index} = {text}")
    back = _ways_back(words, variant, ids, made)
    if back is None:
        return None
    own = [
        f"{words.keep(compile_id_pattern(body).fullmatch, 'id')}({ids[each]})" for each, body in source.ids
    ]
    tests = [*own, *back, *_id_checks(words, variant, made), f"len(n) <= {MAX_LENGTH}"]
    grammar = words.keep(re.compile(_grammar(source)).fullmatch, "parse")
    groups = f"{', '.join(ids.values())} = " + ("m[1]" if len(ids) == 1 else "m.groups()")
    text = _VARIABLE.sub(lambda match: _inserted(made[match[1]]), target.text)
    return [
        f"if m := {grammar}(n):",
        *([f"    {groups}"] if ids else []),
        *(f"    {line}" for line in lines),
        f"    n = f{text!r}",
        f"    return n if {' and '.join(tests)} else None",
    ]


def _inserted(text: str) -> str:
    return ast.literal_eval(text) if text[0] in "'\"" else f"{{{text}}}"


def _ways_back(
    words: Words, variant: Variant, ids: Mapping[str, str], made: Mapping[str, str]
) -> list[str] | None:
    """Test that the ids which the other name drops are those that the inverse gives; None if it cannot."""
    tests = []
    for each in variant.source.variables:
        segment = variant.unsets.get(each)
        if segment is None:
            if each not in made or each in variant.sets:
                return None
            continue
        text = None if variant.there is Back.BAG else _segment(words, segment, made)
        if text is None:
            return None
        tests.append(f"{text} == {ids[each]}")
    return tests


def _id_test(pattern: Pattern, variable: str) -> Callable[[str], bool]:
    """Make the test of an id: of plain characters, and of the pattern that its variable may have."""
    is_plain = re.compile(_PLAIN_ID).fullmatch
    body = dict(pattern.ids).get(variable)
    if body is None:
        return lambda text: is_plain(text) is not None
    is_allowed = compile_id_pattern(body).fullmatch
    return lambda text: is_plain(text) is not None and is_allowed(text)


def _grammar(pattern: Pattern) -> str:
    """Write a pattern as an expression with one group for each variable, in their order.

    It cannot backtrack; the patterns of ids are tested one by one, by RE2.
    """
    segments = []
    for segment in pattern.text.split("/"):
        found = _VARIABLE.fullmatch(segment)
        segments.append(f"({_PLAIN_ID})" if found else re.escape(segment))
    return "/".join(segments)


def _segment(words: Words, segment: NameSegment, ids: Mapping[str, str]) -> str | None:
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
        is_id = _id_test(variant.target, name)
        if text[0] not in "'\"":
            checks.append(f"{words.keep(is_id, 'id')}({text})")
        elif not is_id(ast.literal_eval(text)):
            checks.append("False")
    return checks

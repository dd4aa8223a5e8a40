"""Lists restructured in one walk that also sees whether the way back would find them: text of the functions.

The walk takes the documents that nearly all are; at the first element that is anything else it gives up, and
the conversion of the reference engine decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from migrations_app.domain.conversion.ops.explode import Explode, Group
from migrations_app.domain.conversion.shapes import Entries, Indexed
from migrations_app.domain.conversion.states import State, same
from migrations_app.domain.conversion.values import SAME, Conv


def whole(conv: Conv, state: State) -> tuple[State, bool]:
    """Convert a state by the reference engine, and tell whether the way back would not find it."""
    made = conv(state)
    back = conv.inverse(made)
    return made, back is not state and not same(back, state)


Element: TypeAlias = Callable[[Mapping[str, str]], str]
"""Writes an element from the expressions of its keys."""


def plain(parts: Mapping[str, str]) -> str:
    """Write an element as a dict."""
    return f"{{{', '.join(f'{key!r}: {value}' for key, value in parts.items())}}}"


def list_source(conv: Conv, name: str, slow: str, element: Element = plain) -> str | None:
    """Write the function of a conversion that restructures a list; None when there is no short form of it."""
    if isinstance(conv, Explode) and conv.item is SAME:
        lines = _explode(conv, slow, element)
    elif isinstance(conv, Group) and conv.item is SAME:
        lines = _group(conv, slow, element)
    elif isinstance(conv, Entries) and conv.item is SAME:
        lines = [
            "if v.__class__ is not dict:",
            f"    return {slow}(v)",
            f"return [{element({conv.key: 'k', conv.value: 'v[k]'})} for k in sorted(v)], False",
        ]
    elif isinstance(conv, Indexed) and conv.item is SAME:
        lines = _indexed(conv, slow)
    else:
        return None
    return "\n".join([f"def {name}(v):", *(f"    {line}" for line in lines)]) + "\n"


def _kept(keep: Mapping[str, str], element: str) -> tuple[list[str], str]:
    """Write the tests that read the kept fields, and the expression that tells elements apart."""
    tests = [f"(a{index} := {element}.get({key!r})).__class__ is str" for index, key in enumerate(keep)]
    names = [f"a{index}" for index in range(len(keep))]
    return tests, names[0] if len(names) == 1 else f"({', '.join(names)})"


def _explode(conv: Explode, slow: str, element: Element) -> list[str]:
    tests, mark = _kept(conv.keep, "e")
    kept = {new: f"a{index}" for index, new in enumerate(conv.keep.values())}
    test = " and ".join(
        [
            f"e.__class__ is dict and len(e) == {len(conv.keep) + 1}",
            f"(m := e.get({conv.map!r})).__class__ is dict and m",
            *tests,
            f"{mark} not in seen",
        ]
    )
    return [
        "if v.__class__ is not list:",
        f"    return {slow}(v)",
        "made, seen = [], set()",
        "for e in v:",
        f"    if not ({test}):",
        f"        return {slow}(v)",
        f"    seen.add({mark})",
        "    for k in sorted(m):",
        f"        made.append({element({**kept, conv.key: 'k', conv.value: 'm[k]'})})",
        "return made, False",
    ]


def _group(conv: Group, slow: str, element: Element) -> list[str]:
    tests, mark = _kept({new: old for old, new in conv.keep.items()}, "e")
    kept = {old: f"a{index}" for index, old in enumerate(conv.keep)}
    test = " and ".join(
        [
            f"e.__class__ is dict and len(e) == {len(conv.keep) + 2}",
            *tests,
            f"(k := e.get({conv.key!r})).__class__ is str and (x := e.get({conv.value!r}, A)) is not A",
        ]
    )
    return [
        "if v.__class__ is not list:",
        f"    return {slow}(v)",
        "made, seen, last, before = [], set(), A, ''",
        "for e in v:",
        f"    if not ({test}):",
        f"        return {slow}(v)",
        f"    if {mark} == last:",
        "        if k <= before:",
        f"            return {slow}(v)",
        "        m[k] = x",
        f"    elif {mark} in seen:",
        f"        return {slow}(v)",
        "    else:",
        f"        last, m = {mark}, {{k: x}}",
        "        seen.add(last)",
        f"        made.append({element({**kept, conv.map: 'm'})})",
        "    before = k",
        "return made, False",
    ]


def _indexed(conv: Indexed, slow: str) -> list[str]:
    test = (
        f"e.__class__ is dict and len(e) == 2 and (k := e.get({conv.key!r})).__class__ is str"
        f" and k > before and (x := e.get({conv.value!r}, A)) is not A"
    )
    return [
        "if v.__class__ is not list:",
        f"    return {slow}(v)",
        "made, before = {}, ''",
        "for e in v:",
        f"    if not ({test}):",
        f"        return {slow}(v)",
        "    made[k] = x",
        "    before = k",
        "return made, False",
    ]

"""Lists restructured in one walk that also sees whether the inverse would find them: text of the functions.

The walk takes the documents that nearly all are; at the first element that is anything else it gives up, and
the conversion of the reference engine decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from migrations_app.domain.conversion.ops.explode import Explode, Group
from migrations_app.domain.conversion.shapes import Entries, Indexed
from migrations_app.domain.conversion.states import State, same
from migrations_app.domain.conversion.values import SAME, Conv


def whole(conv: Conv, state: State) -> tuple[State, bool]:
    """Convert a state by the reference engine, and tell whether the inverse would not find it."""
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


def _walked(slow: str, start: str, walk: list[str]) -> list[str]:
    """Write a walk over the elements `e` of a list; one that is no object or lacks a key is out of the ordinary."""
    return [
        "if v.__class__ is not list:",
        f"    return {slow}(v)",
        start,
        "try:",
        "    for e in v:",
        *(f"        {line}" for line in walk),
        "except (KeyError, TypeError):",
        f"    return {slow}(v)",
        "return made, False",
    ]


def _kept(keep: Iterable[str]) -> tuple[list[str], list[str], str]:
    """Write how the kept fields are read, what is wrong with them, and the expression that tells elements apart."""
    reads = [f"a{index} = e[{key!r}]" for index, key in enumerate(keep)]
    names = [f"a{index}" for index in range(len(reads))]
    wrong = [f"{name}.__class__ is not str" for name in names]
    return reads, wrong, names[0] if len(names) == 1 else f"({', '.join(names)})"


def _explode(conv: Explode, slow: str, element: Element) -> list[str]:
    reads, wrong, mark = _kept(conv.keep)
    kept = {new: f"a{index}" for index, new in enumerate(conv.keep.values())}
    wrong = ["m.__class__ is not dict", *wrong, f"{mark} in seen", f"len(e) != {len(conv.keep) + 1}", "not m"]
    return _walked(
        slow,
        "made, seen = [], set()",
        [
            f"m = e[{conv.map!r}]",
            *reads,
            f"if {' or '.join(wrong)}:",
            f"    return {slow}(v)",
            f"seen.add({mark})",
            "keys = [*m]",
            "keys.sort()",
            "for k in keys:",
            f"    made.append({element({**kept, conv.key: 'k', conv.value: 'm[k]'})})",
        ],
    )


def _group(conv: Group, slow: str, element: Element) -> list[str]:
    reads, wrong, mark = _kept(conv.keep.values())
    kept = {old: f"a{index}" for index, old in enumerate(conv.keep)}
    wrong = [*wrong, "k.__class__ is not str", f"len(e) != {len(conv.keep) + 2}"]
    return _walked(
        slow,
        "made, seen, last, before = [], set(), A, ''",
        [
            *reads,
            f"k, x = e[{conv.key!r}], e[{conv.value!r}]",
            f"if {' or '.join(wrong)}:",
            f"    return {slow}(v)",
            f"if {mark} == last:",
            "    if k <= before:",
            f"        return {slow}(v)",
            "    m[k] = x",
            f"elif {mark} in seen:",
            f"    return {slow}(v)",
            "else:",
            f"    last, m = {mark}, {{k: x}}",
            "    seen.add(last)",
            f"    made.append({element({**kept, conv.map: 'm'})})",
            "before = k",
        ],
    )


def _indexed(conv: Indexed, slow: str) -> list[str]:
    return _walked(
        slow,
        "made, before = {}, ''",
        [
            f"k, x = e[{conv.key!r}], e[{conv.value!r}]",
            "if k.__class__ is not str or k <= before or len(e) != 2:",
            f"    return {slow}(v)",
            "made[k] = x",
            "before = k",
        ],
    )

"""Making a document that breaks a law as small as it can be while it still does."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from migrations_app.kernel.json import Json, JsonObject

_ROUNDS = 2000


def shrunk(document: JsonObject, still_fails: Callable[[JsonObject], bool], keep: str = "name") -> JsonObject:
    """Take away and simplify parts as long as the failure stays; the name is kept."""
    tries = 0
    smaller = True
    while smaller and tries < _ROUNDS:
        smaller = False
        for candidate in _smaller_object(document, keep):
            tries += 1
            if still_fails(candidate):
                document, smaller = candidate, True
                break
            if tries >= _ROUNDS:
                break
    return document


def _smaller_object(value: JsonObject, keep: str = "") -> Iterator[JsonObject]:
    for key in value:
        if key != keep:
            yield {name: below for name, below in value.items() if name != key}
    for key, below in value.items():
        if key != keep:
            for simpler in _smaller(below):
                yield {**value, key: simpler}


def _smaller(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        if value:
            yield {}
        yield from _smaller_object(value)
    elif isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, element in enumerate(value):
            for simpler in _smaller(element):
                yield [*value[:index], simpler, *value[index + 1 :]]
    elif isinstance(value, str) and len(value) > 1:
        yield value[:1]
    elif isinstance(value, int) and not isinstance(value, bool) and value not in (0, 1):
        yield 1


def first_difference(expected: Json, found: Json, path: str = "") -> str:
    """Tell the path where two documents first differ; empty when they do not."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted({*expected, *found}):
            here = f"{path}.{key}" if path else key
            if key not in expected or key not in found:
                return here
            below = first_difference(expected[key], found[key], here)
            if below:
                return below
        return ""
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for index, (left, right) in enumerate(zip(expected, found, strict=True)):
            below = first_difference(left, right, f"{path}[{index}]")
            if below:
                return below
        return ""
    return "" if type(expected) is type(found) and expected == found else path or "the document"

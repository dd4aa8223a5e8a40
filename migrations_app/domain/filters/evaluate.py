"""Filters evaluated on documents, with two truth values only."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from migrations_app.domain.filters.ast import (
    And,
    Compare,
    ComparisonOperator,
    Constant,
    Contains,
    Everything,
    Exists,
    Filter,
    In,
    IsNaN,
    IsNull,
    Like,
    Not,
    Nothing,
    Or,
    Path,
    Quantifier,
    ValueKind,
)
from migrations_app.domain.filters.values import Ordered, comparable, comparable_constant, same_family
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.linear_regex import LinearPattern
from migrations_app.kernel.messages import message

MAX_LIKE = 1024
Test: TypeAlias = "Callable[[Json], bool]"


def evaluate(given: Filter, document: Json) -> bool:
    """Tell whether a document fulfils a filter.

    An absent or null value fails every comparison, also `!=`; `NOT` turns that into true.
    """
    return compile_filter(given)(document)


def compile_filter(given: Filter) -> Test:
    """Turn a filter into a function that tests documents; for many documents do it once."""
    # No cache: filters on 1 and on TRUE are equal to Python, and mean different things.
    match given:
        case Everything():
            return lambda document: True
        case Nothing():
            return lambda document: False
        case And():
            tests = tuple(map(compile_filter, given.parts))
            return lambda document: all(test(document) for test in tests)
        case Or():
            tests = tuple(map(compile_filter, given.parts))
            return lambda document: any(test(document) for test in tests)
        case Not():
            inner = compile_filter(given.inner)
            return lambda document: not inner(document)
        case IsNull():
            segments = given.path.segments
            return lambda document: all(each is None for each in values_at(document, segments))
        case Exists():
            return _exists(given)
        case Compare():
            return _some(given.path, _compare(given))
        case In():
            return _some(given.path, _among(given))
        case IsNaN():
            return _some(given.path, _is_nan)
        case Contains():
            return _some(given.path, _contains(given))
        case Like():
            pattern = like_pattern(given.pattern)
            return _some(given.path, lambda value: isinstance(value, str) and pattern.fullmatch(value))


def values_at(document: Json, segments: tuple[str | int, ...]) -> list[Json]:
    """Find the values at a path: one for plain paths, one for each element where a list is in the way."""
    level = [document]
    for segment in segments:
        following: list[Json] = []
        for value in level:
            if isinstance(segment, int):
                if isinstance(value, list) and segment < len(value):
                    following.append(value[segment])
            elif isinstance(value, dict):
                if segment in value:
                    following.append(value[segment])
            elif isinstance(value, list):
                following += [each[segment] for each in value if isinstance(each, dict) and segment in each]
        level = following
        if not level:
            break
    return level


def _some(path: Path, test: Test) -> Test:
    """Test the value at a path, and each of them when a list is in the way."""
    segments = path.segments
    if len(segments) == 1 and isinstance(segments[0], str):
        key = segments[0]

        def _direct(document: Json) -> bool:
            value = document.get(key) if isinstance(document, dict) else None
            return value is not None and test(value)

        return _direct
    return lambda document: any(test(each) for each in values_at(document, segments) if each is not None)


def _exists(given: Exists) -> Test:
    segments, inner = given.path.segments, compile_filter(given.inner)

    def _any_element(document: Json) -> bool:
        return any(
            inner(element)
            for value in values_at(document, segments)
            if isinstance(value, list)
            for element in value
        )

    return _any_element


def _compare(given: Compare) -> Test:
    kind, wanted = given.kind, comparable_constant(given.value, given.kind)
    holds = HOLDS[given.op]
    if wanted is None:
        return lambda value: False

    def _holds(value: Json) -> bool:
        found = comparable(value, kind)
        if found is None:
            return False
        if not same_family(found, wanted):
            return given.op is ComparisonOperator.NE
        return holds(found, wanted)

    return _holds


HOLDS: dict[ComparisonOperator, Callable[[Ordered, Ordered], bool]] = {
    ComparisonOperator.EQ: operator.eq,
    ComparisonOperator.NE: operator.ne,
    ComparisonOperator.LT: operator.lt,
    ComparisonOperator.LE: operator.le,
    ComparisonOperator.GT: operator.gt,
    ComparisonOperator.GE: operator.ge,
}


def _operands(values: tuple[Constant, ...], kind: ValueKind) -> list[Ordered]:
    return [found for each in values if (found := comparable_constant(each, kind)) is not None]


def _among(given: In) -> Test:
    wanted, kind = _operands(given.values, given.kind), given.kind
    return lambda value: _is_one_of(comparable(value, kind), wanted)


def _is_one_of(found: Ordered | None, wanted: list[Ordered]) -> bool:
    return found is not None and any(found == each and same_family(found, each) for each in wanted)


def _contains(given: Contains) -> Test:
    kind, quantifier = given.kind, given.quantifier
    wanted = _operands(given.values, kind)

    def _has(value: Json) -> bool:
        if not isinstance(value, list | dict):
            return quantifier is Quantifier.HAS and _is_one_of(comparable(value, kind), wanted)
        present = [comparable(each, kind) for each in value]
        known = [each for each in present if each is not None]
        found = [_is_one_of(each, known) for each in wanted]
        return all(found) if quantifier is Quantifier.ALL else any(found)

    return _has


def _is_nan(value: Json) -> bool:
    return value == "NaN" or (isinstance(value, float) and math.isnan(value))


@lru_cache(maxsize=2048)
def like_pattern(pattern: str) -> LinearPattern:
    """Turn a LIKE pattern into an expression that is matched in linear time.

    Raises: Invalid (`filter-syntax`) when it is too long.
    """
    if len(pattern) > MAX_LIKE:
        raise Invalid(
            message(
                "A LIKE pattern has {count} characters, {max_like} are allowed.",
                count=len(pattern),
                max_like=MAX_LIKE,
            ),
            code="filter-syntax",
        )
    parts: list[str] = []
    for match in re.finditer(r"\\(.)|(%+)|(_)|([^\\%_]+|\\)", pattern, re.DOTALL):
        literal = match[1] if match[1] is not None else match[4]
        parts.append(".*" if match[2] else "." if match[3] else re.escape(literal))
    return LinearPattern("".join(parts), dot_all=True, bounded=False)

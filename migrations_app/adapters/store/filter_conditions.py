"""Conditions that leave out, in the database, documents which surely do not fulfil a filter."""

from __future__ import annotations

import json

from psycopg import sql

from migrations_app.domain.filters.ast import (
    And,
    Compare,
    ComparisonOperator,
    Constant,
    Everything,
    Filter,
    In,
    Nothing,
    Or,
    Path,
    ValueKind,
)
from migrations_app.ports.stored import Query


class Bound:
    """Values of a statement that stand beside its text."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def __call__(self, value: object) -> sql.Placeholder:
        """Keep a value, and give what stands for it in the text."""
        name = f"p{len(self.values)}"
        self.values[name] = value
        return sql.Placeholder(name)


def narrowing_conditions(query: Query, bound: Bound) -> list[sql.Composable]:
    """Write conditions that every document fulfilling a query's filter meets; the rest of it is left to the caller.

    JSON path in its lax mode looks into lists by itself, as paths of filters do.
    """
    condition = None if query.narrowing is None else _condition(query.narrowing, bound)
    return [] if condition is None else [condition]


def _condition(given: Filter, bound: Bound) -> sql.Composable | None:
    match given:
        case Nothing():
            return sql.SQL("false")
        case And():
            parts = [part for each in given.parts if (part := _condition(each, bound)) is not None]
            return _joined(" AND ", parts) if parts else None
        case Or():
            found = [_condition(part, bound) for part in given.parts]
            parts = [part for part in found if part is not None]
            return _joined(" OR ", parts) if len(parts) == len(found) else None
        case Compare(path, ComparisonOperator.EQ, value, kind):
            return _one_of(path, (value,), kind, bound)
        case In(path, values, kind):
            return _one_of(path, values, kind, bound)
        case Everything() | _:
            return None


def _one_of(path: Path, values: tuple[Constant, ...], kind: ValueKind, bound: Bound) -> sql.Composable | None:
    # Only text is compared as it is written; numbers, times and enums have several spellings of one value.
    if (
        kind not in (ValueKind.JSON, ValueKind.TEXT)
        or not values
        or not all(isinstance(each, str) for each in values)
    ):
        return None
    if not all(isinstance(segment, str) for segment in path.segments):
        return None
    way = "".join(f".{_quoted(str(segment))}" for segment in path.segments)
    test = " || ".join(f"@ == {_quoted(str(value))}" for value in values)
    return sql.SQL("body @? {}::jsonpath").format(bound(f"${way} ? ({test})"))


def _quoted(text: str) -> str:
    return json.dumps(text)


def _joined(word: str, parts: list[sql.Composable]) -> sql.Composable:
    return sql.SQL("({})").format(sql.SQL(word).join(parts))

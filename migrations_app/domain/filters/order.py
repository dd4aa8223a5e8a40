"""orderBy: the order of a list, such as `a.b asc, c desc`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from migrations_app.domain.filters.ast import Path, ValueKind
from migrations_app.domain.filters.bind import bind_path, start_type
from migrations_app.domain.filters.constants import kind_of
from migrations_app.domain.filters.evaluate import values_at
from migrations_app.domain.filters.tokens import TokenCursor
from migrations_app.domain.filters.values import Ordered, comparable
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import EnumType, ReferenceType, ScalarType
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message

MAX_TERMS = 16


@dataclass(frozen=True, slots=True)
class OrderTerm:
    """One path to order by; an absent value is greater than any other, as in SQL."""

    path: Path
    descending: bool = False
    kind: ValueKind = ValueKind.JSON

    def __str__(self) -> str:
        return f"{self.path} {'desc' if self.descending else 'asc'}"


def parse_order(text: str) -> tuple[OrderTerm, ...]:
    """Read an orderBy; empty when the text is.

    Raises: Invalid (`order-syntax`).
    """
    if not text.strip():
        return ()
    cursor = TokenCursor(text)
    terms: list[OrderTerm] = []
    while True:
        if not cursor.word:
            raise Invalid(
                message("{text} is no order.", text=repr(text[:80])),
                code="order-syntax",
                remedy=message("Write a.b asc, c desc."),
            )
        path = cursor.path()
        descending = cursor.took_word("DESC")
        if not descending:
            cursor.took_word("ASC")
        terms.append(OrderTerm(path, descending))
        if not cursor.took(","):
            break
    repeated = len({term.path for term in terms}) < len(terms)
    if cursor.here or repeated or len(terms) > MAX_TERMS:
        raise Invalid(
            message("{text} is no order.", text=repr(text[:80])),
            code="order-syntax",
            remedy=message("Write a.b asc, c desc."),
        )
    return tuple(terms)


def bind_order(terms: tuple[OrderTerm, ...], schema: Schema, resource_type: str) -> tuple[OrderTerm, ...]:
    """Turn the paths into document keys, and see that they lead to values that have an order.

    Raises: Invalid (`filter-path`, `order-type`).
    """
    bound: list[OrderTerm] = []
    for term in terms:
        path, found = bind_path(schema, start_type(schema, resource_type), term.path)
        if not isinstance(found, ScalarType | EnumType | ReferenceType):
            raise Invalid(
                message("The field {path} has no order.", path=str(term.path)),
                code="order-type",
                path=str(term.path),
            )
        bound.append(OrderTerm(path, term.descending, kind_of(found)))
    return tuple(bound)


def sort_key(terms: tuple[OrderTerm, ...]) -> Callable[[Json], object]:
    """Build the key for `sorted`; documents equal in all terms keep their order."""

    def _compare(left: Json, right: Json) -> int:
        for term in terms:
            found = _compared(_value(left, term), _value(right, term))
            if found:
                return -found if term.descending else found
        return 0

    return functools.cmp_to_key(_compare)


def _value(document: Json, term: OrderTerm) -> Ordered | None:
    found = values_at(document, term.path.segments)
    return comparable(found[0], term.kind) if found else None


def _compared(left: Ordered | None, right: Ordered | None) -> int:
    if left is None or right is None:
        return (left is None) - (right is None)
    try:
        return (left > right) - (left < right)  # type: ignore[operator]
    except TypeError:
        return (str(left) > str(right)) - (str(left) < str(right))

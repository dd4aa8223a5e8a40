"""Filters written as text, fully parenthesised, so that no dialect's precedence can be mistaken."""

from __future__ import annotations

from migrations_app.domain.filters.ast import (
    And,
    Compare,
    Constant,
    Contains,
    Everything,
    Exists,
    Filter,
    In,
    IsNaN,
    IsNull,
    Like,
    MapValue,
    Not,
    Nothing,
    Or,
    Quantifier,
)
from migrations_app.kernel.json import encode


def write(given: Filter) -> str:
    """Write a filter in the goten dialect; parsed again it is the same filter."""
    match given:
        case Everything():
            return "()"
        case Nothing():
            return "(NOT ())"
        case And():
            return "(" + " AND ".join(map(write, given.parts)) + ")"
        case Or():
            return "(" + " OR ".join(map(write, given.parts)) + ")"
        case Not(inner=In() as inner):
            return f"({inner.path} NOT IN {_tuple(inner.values)})"
        case Not(inner=IsNull() as inner):
            return f"({inner.path} IS NOT NULL)"
        case Not():
            return f"(NOT {write(given.inner)})"
        case Compare():
            return f"({given.path} {given.op} {write_constant(given.value)})"
        case In():
            return f"({given.path} IN {_tuple(given.values)})"
        case IsNull():
            return f"({given.path} IS NULL)"
        case IsNaN():
            return f"({given.path} IS NAN)"
        case Contains(quantifier=Quantifier.VALUE):
            return f"({given.path} CONTAINS {write_constant(given.values[0])})"
        case Contains(quantifier=Quantifier.HAS):
            return f"({given.path} : {write_constant(given.values[0])})"
        case Contains():
            return f"({given.path} CONTAINS {given.quantifier} {_tuple(given.values)})"
        case Like():
            return f"({given.path} LIKE {write_constant(given.pattern)})"
        case Exists():
            return f"({given.path} EXISTS {write(given.inner)})"


def write_constant(value: Constant) -> str:
    """Write a constant."""
    if isinstance(value, MapValue):
        inner = ", ".join(f"{write_constant(key)}: {write_constant(each)}" for key, each in value.items)
        return "{" + inner + "}"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.1f}"
    return encode(value).decode()


def _tuple(values: tuple[Constant, ...]) -> str:
    return "(" + ", ".join(map(write_constant, values)) + ")"

"""Filters, orders and field masks: parsed, bound to a schema, evaluated and written."""

from migrations_app.domain.filters.ast import Filter
from migrations_app.domain.filters.bind import bind
from migrations_app.domain.filters.evaluate import compile_filter, evaluate
from migrations_app.domain.filters.masks import Mask, parse_mask
from migrations_app.domain.filters.order import parse_order
from migrations_app.domain.filters.parse import parse
from migrations_app.domain.filters.writing import write

__all__ = [
    "Filter",
    "Mask",
    "bind",
    "compile_filter",
    "evaluate",
    "parse",
    "parse_mask",
    "parse_order",
    "write",
]

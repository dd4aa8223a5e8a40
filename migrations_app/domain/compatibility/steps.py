"""The steps of a plan as sentences: what servers and clients do, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrations_app.domain.compatibility.changes import Order, Side, Step
from migrations_app.domain.compatibility.statuses import Status

_WHO: Mapping[str, Mapping[Side, str]] = {
    "request": {Side.READER: "Servers", Side.WRITER: "Clients"},
    "response": {Side.READER: "Clients", Side.WRITER: "Servers"},
}
_KEY: Mapping[Side, Mapping[Status, str]] = {
    Side.READER: {
        Status.UNKNOWN: "no longer know the key",
        Status.OPTIONAL: "accept the key, present or not",
        Status.REQUIRED: "need the key",
        Status.DEPRECATED: "accept the key with a warning",
    },
    Side.WRITER: {
        Status.UNKNOWN: "stop sending the key",
        Status.OPTIONAL: "may send the key",
        Status.REQUIRED: "always send the key",
        Status.DEPRECATED: "may still send the key, and are told to stop",
    },
}
_VALUES: Mapping[Order, tuple[tuple[Side, str], ...]] = {
    Order.READER_FIRST: ((Side.READER, "accept the new values"), (Side.WRITER, "send the new values")),
    Order.WRITER_FIRST: (
        (Side.WRITER, "stop sending the old values"),
        (Side.READER, "refuse the old values"),
    ),
    Order.STAGED: (
        (Side.READER, "accept both forms"),
        (Side.WRITER, "send the new form"),
        (Side.READER, "drop the old form"),
    ),
}


def of_key(plan: Iterable[Step], where: str) -> tuple[str, ...]:
    """Tell the steps of a key's change in requests or in responses."""
    return tuple(f"{_WHO[where][each.side]} {_KEY[each.side][each.after]}." for each in plan)


def of_values(order: Order, where: str) -> tuple[str, ...]:
    """Tell the steps of a type's change: the three-phase theorem, for requests or for responses."""
    return tuple(f"{_WHO[where][side]} {what}." for side, what in _VALUES.get(order, ()))

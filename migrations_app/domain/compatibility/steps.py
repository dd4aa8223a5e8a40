"""The steps of a plan as sentences: what servers and clients do, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrations_app.domain.compatibility.changes import ChangeOrder, MessageSide, StatusStep
from migrations_app.domain.compatibility.statuses import Status

_WHO: Mapping[str, Mapping[MessageSide, str]] = {
    "request": {MessageSide.READER: "Servers", MessageSide.WRITER: "Clients"},
    "response": {MessageSide.READER: "Clients", MessageSide.WRITER: "Servers"},
}
_KEY: Mapping[MessageSide, Mapping[Status, str]] = {
    MessageSide.READER: {
        Status.UNKNOWN: "no longer know the key",
        Status.OPTIONAL: "accept the key, present or not",
        Status.REQUIRED: "need the key",
        Status.DEPRECATED: "accept the key with a warning",
    },
    MessageSide.WRITER: {
        Status.UNKNOWN: "stop sending the key",
        Status.OPTIONAL: "may send the key",
        Status.REQUIRED: "always send the key",
        Status.DEPRECATED: "may still send the key, and are told to stop",
    },
}
_VALUES: Mapping[ChangeOrder, tuple[tuple[MessageSide, str], ...]] = {
    ChangeOrder.READER_FIRST: (
        (MessageSide.READER, "accept the new values"),
        (MessageSide.WRITER, "send the new values"),
    ),
    ChangeOrder.WRITER_FIRST: (
        (MessageSide.WRITER, "stop sending the old values"),
        (MessageSide.READER, "refuse the old values"),
    ),
    ChangeOrder.STAGED: (
        (MessageSide.READER, "accept both forms"),
        (MessageSide.WRITER, "send the new form"),
        (MessageSide.READER, "drop the old form"),
    ),
}


def of_key(plan: Iterable[StatusStep], where: str) -> tuple[str, ...]:
    """Tell the steps of a key's change in requests or in responses."""
    return tuple(f"{_WHO[where][each.side]} {_KEY[each.side][each.after]}." for each in plan)


def of_values(order: ChangeOrder, where: str) -> tuple[str, ...]:
    """Tell the steps of a type's change: the three-phase theorem, for requests or for responses."""
    return tuple(f"{_WHO[where][side]} {what}." for side, what in _VALUES.get(order, ()))

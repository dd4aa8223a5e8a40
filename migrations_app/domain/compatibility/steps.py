"""The steps of a plan as sentences: what servers and clients do, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from migrations_app.domain.compatibility.changes import ChangeOrder, MessageSide, StatusStep
from migrations_app.domain.compatibility.statuses import Status
from migrations_app.kernel.messages import catalogued

_WHO: Mapping[str, Mapping[MessageSide, str]] = {
    "request": {MessageSide.READER: "servers", MessageSide.WRITER: "clients"},
    "response": {MessageSide.READER: "clients", MessageSide.WRITER: "servers"},
}
_KEY: Mapping[tuple[str, MessageSide, Status], str] = {
    ("servers", MessageSide.READER, Status.UNKNOWN): catalogued("Servers no longer know the key."),
    ("servers", MessageSide.READER, Status.OPTIONAL): catalogued("Servers accept the key, present or not."),
    ("servers", MessageSide.READER, Status.REQUIRED): catalogued("Servers need the key."),
    ("servers", MessageSide.READER, Status.DEPRECATED): catalogued("Servers accept the key with a warning."),
    ("servers", MessageSide.WRITER, Status.UNKNOWN): catalogued("Servers stop sending the key."),
    ("servers", MessageSide.WRITER, Status.OPTIONAL): catalogued("Servers may send the key."),
    ("servers", MessageSide.WRITER, Status.REQUIRED): catalogued("Servers always send the key."),
    ("servers", MessageSide.WRITER, Status.DEPRECATED): catalogued(
        "Servers may still send the key, and are asked to stop."
    ),
    ("clients", MessageSide.READER, Status.UNKNOWN): catalogued("Clients no longer know the key."),
    ("clients", MessageSide.READER, Status.OPTIONAL): catalogued("Clients accept the key, present or not."),
    ("clients", MessageSide.READER, Status.REQUIRED): catalogued("Clients need the key."),
    ("clients", MessageSide.READER, Status.DEPRECATED): catalogued("Clients accept the key with a warning."),
    ("clients", MessageSide.WRITER, Status.UNKNOWN): catalogued("Clients stop sending the key."),
    ("clients", MessageSide.WRITER, Status.OPTIONAL): catalogued("Clients may send the key."),
    ("clients", MessageSide.WRITER, Status.REQUIRED): catalogued("Clients always send the key."),
    ("clients", MessageSide.WRITER, Status.DEPRECATED): catalogued(
        "Clients may still send the key, and are asked to stop."
    ),
}
_VALUES: Mapping[tuple[str, ChangeOrder], tuple[str, ...]] = {
    ("request", ChangeOrder.READER_FIRST): (
        catalogued("Servers accept the new values."),
        catalogued("Clients send the new values."),
    ),
    ("request", ChangeOrder.WRITER_FIRST): (
        catalogued("Clients stop sending the old values."),
        catalogued("Servers refuse the old values."),
    ),
    ("request", ChangeOrder.STAGED): (
        catalogued("Servers accept both forms."),
        catalogued("Clients send the new form."),
        catalogued("Servers drop the old form."),
    ),
    ("response", ChangeOrder.READER_FIRST): (
        catalogued("Clients accept the new values."),
        catalogued("Servers send the new values."),
    ),
    ("response", ChangeOrder.WRITER_FIRST): (
        catalogued("Servers stop sending the old values."),
        catalogued("Clients refuse the old values."),
    ),
    ("response", ChangeOrder.STAGED): (
        catalogued("Clients accept both forms."),
        catalogued("Servers send the new form."),
        catalogued("Clients drop the old form."),
    ),
}


def of_key(plan: Iterable[StatusStep], where: str) -> tuple[str, ...]:
    """Tell the steps of a key's change in requests or in responses."""
    return tuple(_KEY[_WHO[where][each.side], each.side, each.after] for each in plan)


def of_values(order: ChangeOrder, where: str) -> tuple[str, ...]:
    """Tell the steps of a type's change: the three-phase theorem, for requests or for responses."""
    return _VALUES.get((where, order), ())

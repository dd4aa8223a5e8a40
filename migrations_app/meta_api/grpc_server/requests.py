"""A gRPC request as the HTTP request of its binding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from migrations_app.domain.registry.published_methods import Binding, PublishedMethod
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message as worded

MASK = "google.protobuf.FieldMask"
PACKAGE = "goten.meta.v1."


@dataclass(frozen=True, slots=True)
class HttpCall:
    """What is sent to a view: the method, the decoded path, the query, the JSON body."""

    verb: str
    path: str
    query: str
    body: JsonObject | None


def http_call(method: PublishedMethod, request: Message, *, dry_run: bool = False) -> HttpCall:
    """Write a request as HTTP: reads by their query, everything else by a body that holds the whole request.

    Raises: Invalid (`name-pattern`, `message-shape`).
    """
    check_known(request)
    binding = method.binding
    fields = _plain(request)
    path = _path(binding, request)
    query: list[tuple[str, str]] = [("dryRun", "true")] if dry_run else []
    if not binding.body:
        fields.pop(binding.field, None)
    if binding.verb in ("GET", "DELETE"):
        return HttpCall(binding.verb, path, urlencode(query + _pairs(fields)), None)
    if binding.body:
        fields.setdefault(binding.body, {})
        fields.pop("parent", None)
    return HttpCall(binding.verb, path, urlencode(query), fields)


def check_known(message: Message, place: str = "") -> None:
    """Refuse fields that the published messages do not have.

    Raises: Invalid (`message-shape`) naming the message and the number.
    """
    unknown = UnknownFieldSet(message)
    if len(unknown):
        number = unknown[0].field_number
        where = f"{place or message.DESCRIPTOR.name}"
        raise Invalid(
            worded("{where}: there is no field number {number}.", where=where, number=number),
            code="message-shape",
            remedy=worded("Compile the client from the definitions of goten-sdk v1.11.22."),
        )
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        inner = [value] if isinstance(value, Message) else value
        for each in inner:
            check_known(each, f"{place}.{field.name}".lstrip("."))


def _path(binding: Binding, request: Message) -> str:
    if not binding.pattern:
        return binding.before
    value: Any = request
    for key in binding.field.split("."):
        value = getattr(value, key)
    if not _fits(value, binding.pattern):
        raise Invalid(
            worded("{field} is {value}.", field=binding.field, value=repr(value[:80])),
            code="name-pattern",
            remedy=worded("Send it in the form {pattern}.", pattern=binding.pattern),
        )
    return f"{binding.before}{value}{binding.after}"


def _fits(name: str, pattern: str) -> bool:
    """Tell whether a name has the segments of a pattern, in which `*` is any one segment."""
    parts, wanted = name.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(
        bool(part) and ":" not in part if want == "*" else part == want
        for part, want in zip(parts, wanted, strict=True)
    )


def _plain(message: Message) -> dict[str, Any]:
    """Write a request as JSON; masks as lists of paths, whose map keys no change of case may touch."""
    written: dict[str, Any] = {}
    for field, value in message.ListFields():
        kind = field.message_type.full_name if field.message_type is not None else ""
        if kind == MASK:
            written[field.json_name] = {"paths": list(value.paths)}
        elif kind.startswith(PACKAGE) and kind.endswith(("Request", ".CAS", ".ResponseMask")):
            written[field.json_name] = _plain(value)
        elif isinstance(value, Message):
            written[field.json_name] = MessageToDict(value)
    held = {field.name for field, value in message.ListFields() if isinstance(value, Message)}
    rest = type(message)()
    rest.CopyFrom(message)
    for name in held:
        rest.ClearField(name)
    return {**MessageToDict(rest), **written}


def _pairs(fields: dict[str, Json]) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    for key, value in fields.items():
        if isinstance(value, dict):
            paths = value.get("paths")
            pairs.append((key, ",".join(map(str, paths)) if isinstance(paths, list) else ""))
        elif isinstance(value, list):
            pairs += [(key, str(each)) for each in value]
        else:
            pairs.append((key, str(value).lower() if isinstance(value, bool) else str(value)))
    return pairs

"""A request of the Meta API as the gRPC call that is bound to it, and its answer as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from google.protobuf.message import Message

from migrations_app.domain.registry.published_methods import PublishedMethod, methods
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

ROOT = "/meta/v1/"
DRY_RUN = ("dryRun", "dry_run", "validateOnly", "validate_only")
MASK = "google.protobuf.FieldMask"
_MAPS = ("labels", "annotations", "shards")
"""Fields whose keys are names, which no change of case may touch."""
_WHOLE = (
    FieldDescriptor.TYPE_INT64,
    FieldDescriptor.TYPE_UINT64,
    FieldDescriptor.TYPE_SINT64,
    FieldDescriptor.TYPE_FIXED64,
    FieldDescriptor.TYPE_SFIXED64,
)


@dataclass(frozen=True, slots=True)
class PublishedCall:
    """A method, what is sent to it, and whether it is a rehearsal: the word for it as it was given."""

    method: PublishedMethod
    request: Message
    dry_run: str = ""

    @property
    def path(self) -> str:
        """The gRPC path of the method."""
        return f"/{self.method.service}/{self.method.name}"


def published_call(verb: str, path: str, body: JsonObject | None) -> PublishedCall:
    """Find the method that an address below `/meta/v1/`, with its query, is bound to, and make its request.

    Raises: Missing (`not-found`) for an address that no method has; Invalid (`message-shape`).
    """
    place, _, query = path.partition("?")
    options = dict(parse_qsl(query, keep_blank_values=True))
    said = [options.pop(word) for word in DRY_RUN if word in options]
    method, name = _bound(verb, unquote(place))
    request = method.request()
    sent: dict[str, Any] = {**options, **(body or {})}
    if method.binding.body:
        sent = {**options, **_envelope(method, body or {})}
    _fill(request, _named(sent), method.name)
    if name:
        *outer, last = method.binding.field.split(".")
        holder: Any = request
        for field in outer:
            holder = getattr(holder, field)
        setattr(holder, last, name)
    return PublishedCall(method, request, said[0] if said else "")


def document_of(message: Message) -> JsonObject:
    """Write an answer as JSON, with whole numbers as numbers, as the Meta API writes them over HTTP."""
    written: JsonObject = MessageToDict(message)
    _unquote(written, message.DESCRIPTOR)
    return written


def _bound(verb: str, place: str) -> tuple[PublishedMethod, str]:
    for method in methods().values():
        binding = method.binding
        if binding.verb != verb:
            continue
        pattern = re.escape(binding.pattern).replace(r"\*", "[^/:]+")
        whole = f"{re.escape(binding.before)}({pattern}){re.escape(binding.after)}"
        if found := re.fullmatch(whole, f"{ROOT}{place}"):
            return method, found[1]
    raise Missing(
        message(
            "No method of the published services is bound to {verb} {root}{place}.",
            verb=verb,
            root=ROOT,
            place=place,
        ),
        code="not-found",
    )


def _envelope(method: PublishedMethod, body: JsonObject) -> dict[str, Any]:
    """Read the body of a change: the resource itself, or an envelope around it with options."""
    field = method.binding.body
    held = next((key for key in (field, "resource") if isinstance(body.get(key), dict)), None)
    if held is None and "cas" not in body:
        return {field: body}
    rest = {key: value for key, value in body.items() if key != held}
    return {field: body[held] if held else {}, **rest}


def _named(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Put options whose names have a dot, such as `cas.fieldMask`, into their message."""
    found: dict[str, Any] = {}
    for key, value in sent.items():
        inner = found
        *outer, last = key.split(".")
        for each in outer:
            inner = inner.setdefault(each, {})
        inner[last] = value
    return found


def _fill(request: Message, sent: Mapping[str, Any], where: str) -> None:
    """Read JSON into a message; masks by their paths, whose map keys no change of case may touch.

    Raises: Invalid (`message-shape`).
    """
    fields = {name: field for field in request.DESCRIPTOR.fields for name in (field.name, field.json_name)}
    rest: dict[str, Any] = {}
    for key, value in sent.items():
        field = fields.get(key)
        kind = field.message_type.full_name if field is not None and field.message_type else ""
        if field is not None and kind == MASK:
            getattr(request, field.name).paths.extend(_paths(value))
        elif field is not None and isinstance(value, Mapping) and _has_mask(field.message_type):
            inner = getattr(request, field.name)
            inner.SetInParent()
            _fill(inner, value, f"{where}.{key}")
        elif isinstance(value, str) and field is not None and field.type == FieldDescriptor.TYPE_BOOL:
            rest[key] = value.lower() in ("true", "1")
        else:
            rest[key] = value
    try:
        ParseDict(rest, request)
    except ParseError as error:
        raise Invalid(
            message("{where}: {error}", where=where, error=str(error)), code="message-shape"
        ) from error


def _has_mask(kind: Any) -> bool:
    """Tell whether a message is one of a request's own, such as `CAS`, that holds a mask."""
    return kind is not None and any(
        each.message_type is not None and each.message_type.full_name == MASK for each in kind.fields
    )


def _paths(value: Any) -> Iterator[str]:
    paths = value.get("paths", ()) if isinstance(value, Mapping) else str(value).split(",")
    for path in paths:
        keys = str(path).strip().split(".")
        if keys != [""]:
            yield ".".join(
                key
                if at and keys[at - 1] in _MAPS
                else re.sub("([A-Z])", lambda each: f"_{each[0].lower()}", key)
                for at, key in enumerate(keys)
            )


def _unquote(written: Any, kind: Any) -> None:
    """Write the whole numbers of a message as numbers; protobuf's JSON quotes those of 64 bits."""
    if not isinstance(written, dict):
        return
    for field in kind.fields:
        value = written.get(field.json_name)
        if value is None:
            continue
        if field.type in _WHOLE:
            written[field.json_name] = (
                [int(each) for each in value] if isinstance(value, list) else int(value)
            )
        elif field.message_type is not None and not field.message_type.full_name.startswith(
            "google.protobuf."
        ):
            for inner in _messages(field, value):
                _unquote(inner, field.message_type)


def _messages(field: Any, value: Any) -> list[Any]:
    if field.message_type.GetOptions().map_entry:
        return []
    return value if isinstance(value, list) else [value]

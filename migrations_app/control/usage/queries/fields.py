"""Who still uses what of a version: the version, its resource types, their custom methods and fields, each with what a
removal waits for."""

from __future__ import annotations

from collections.abc import Iterator

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.definition_changes.repository.usage import VersionUsage
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.client_usage import ClientRelease, ClientUsage
from migrations_app.domain.compatibility.evidence import confidence, day_of, removal_day, share_error
from migrations_app.domain.compatibility.places import FieldOccurrence
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.methods import custom_methods
from migrations_app.domain.schema.types import (
    Deprecation,
    ListType,
    MapType,
    ObjectType,
    RefType,
    Type,
    UnionType,
)
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.wordings import all_phrases_as_json

Walked = tuple[tuple[str, ...], Deprecation | None]


def used_places(actor: Actor, service: str, version: str, client: str = "") -> list[Json]:
    """Tell of a version, its types, methods and fields who uses them and when they may go; with a client, what it uses.

    Raises: Denied, Missing (`definition-missing`, `version`).
    """
    require(actor, "registry.read", Target("service", service=service))
    schema = compiled_service(service).schema(version)
    usage = VersionUsage(service, version)
    rows = [_row("version", version, usage.of_types(()), None)]
    for type_ in schema.resources:
        rows.append(_row("type", type_, usage.of_types([type_]), None))
        for method in (each for each in custom_methods(schema) if each.resource == type_):
            rows.append(_row("method", f"{type_}.{method.name}", usage.of_method(method.name), None))
        for segments, deprecated in fields_of(schema, type_):
            place = FieldOccurrence(type_, segments)
            rows.append(_row("field", f"{type_}.{place.path}", usage.of_places([place]), deprecated))
    return [each for each in rows if not client or client in _names(each)]


def fields_of(schema: Schema, type_: str) -> Iterator[Walked]:
    """List the fields of a resource type with their keys from the outside; a type inside itself is entered once."""
    yield from _below(schema, schema.document_type(type_), (), frozenset())


def _below(schema: Schema, given: Type, at: tuple[str, ...], seen: frozenset[str]) -> Iterator[Walked]:
    match given:
        case RefType() if given.name not in seen:
            yield from _below(schema, schema.type(given.name), at, seen | {given.name})
        case ObjectType():
            for each in given.fields:
                yield (*at, each.key), each.deprecated
                yield from _below(schema, each.type, (*at, each.key), seen)
        case ListType():
            yield from _below(schema, given.item, (*at, "[]"), seen)
        case MapType():
            yield from _below(schema, given.value, (*at, "{}"), seen)
        case UnionType():
            for branch in given.branches:
                yield from _below(schema, branch, at, seen)


def _row(kind: str, place: str, seen: ClientUsage, deprecated: Deprecation | None) -> JsonObject:
    sunset = day_of(deprecated.sunset) if deprecated else None
    senders, receivers = _sides(kind, seen)
    returned = sum(each.count for each in seen.receivers)
    reasons = seen.not_unused(sunset.isoformat() if sunset else None)
    day = removal_day(seen.usage, seen.last_used, sunset, seen.today)
    return {
        "kind": kind,
        "place": place,
        "deprecated_since": (deprecated.since or None) if deprecated else None,
        "sunset": sunset.isoformat() if sunset else None,
        "replaced_by": deprecated.replaced_by if deprecated else "",
        "senders": [_client(each) for each in senders],
        "readers": [_client(each) for each in receivers],
        "last_used_on": seen.last_used.isoformat() if seen.last_used else None,
        "answers_looked_into": seen.looked,
        "answers_with_it": returned,
        "share_error": round(share_error(returned, seen.looked), 4),
        "messages": int(seen.usage.effective),
        "observed_days": seen.usage.window_days,
        "period_days": seen.usage.longest_period_days,
        "proved_unused": not reasons,
        "confidence": round(confidence(seen.usage), 4),
        "reasons": [*map(str, reasons)],
        "reason_phrases": all_phrases_as_json(reasons),
        "removable_on": day.isoformat() if day else None,
    }


def _sides(kind: str, seen: ClientUsage) -> tuple[tuple[ClientRelease, ...], tuple[ClientRelease, ...]]:
    """Give who sends it, and to whom answers return it: who writes a type and reads it, and who calls a method."""
    if kind == "field":
        return seen.senders, seen.receivers
    return (seen.callers, ()) if kind == "method" else (seen.writers, seen.readers)


def _client(given: ClientRelease) -> JsonObject:
    return {
        "client": given.name,
        "release": given.release,
        "messages": given.count,
        "last_seen_on": given.last.isoformat(),
    }


def _names(row: JsonObject) -> set[str]:
    lists = [row["senders"], row["readers"]]
    return {
        str(each["client"])
        for clients in lists
        if isinstance(clients, list)
        for each in clients
        if isinstance(each, dict)
    }

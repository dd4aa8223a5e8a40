"""Notes of answered requests for the activity log: all writes, all failures of the server, and a share of the reads."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from migrations_app import wiring
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.methods import find_method
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json
from migrations_app.ports.logs.activity import ActivityEntry
from migrations_app.resource_api.addresses import RequestAddress, ResourceLocation, address_of, place_of
from migrations_app.resource_api.exchange import ResourceRequest, Response, Watched

LONGEST_NAME, LONGEST_TEXT = 2048, 200
_STANDARD = {"GET": "get", "HEAD": "get", "PUT": "update", "PATCH": "update", "DELETE": "delete"}
_OF_COLLECTIONS = {"GET": "list", "HEAD": "list", "POST": "create"}


def note_activity(
    request: ResourceRequest, caller: str, via: str, found: Response | Watched, seconds: float
) -> None:
    """Note an answered request; one for a deployment that does not exist has no log."""
    status = found.status if isinstance(found, Response) else 200
    try:
        address = address_of(request.path)
        served = wiring.resource_servers().directory.served(address.region, address.service)
    except SwitchyardError:
        return
    notes, share = wiring.activity_notes(), 1.0
    if request.reads and status < 500:
        share = notes.read_sampling(served.deployment)
        if random.random() >= share:  # noqa: S311
            return
    document = found.document if isinstance(found, Response) else None
    try:
        schema = served.compiled.schema(address.version)
    except SwitchyardError:
        schema = None
    place = _place(schema, address)
    entry = ActivityEntry(
        deployment=served.deployment,
        at=datetime.now(UTC),
        version=address.version[:LONGEST_TEXT],
        method=_method(schema, place, address, request)[:LONGEST_TEXT],
        type=place.type,
        name=_name(place, document, status)[:LONGEST_NAME],
        caller=caller,
        client=request.headers.get("user-agent", "").partition(" ")[0][:LONGEST_TEXT],
        status=status,
        error=_error(document, status),
        milliseconds=round(seconds * 1000, 3),
        request_id=request.request_id,
        served=found.headers.get("Switchyard-Served", ""),
        via=via,
        weight=1.0 / share,
        reads=request.reads,
    )
    notes.note(served.namespaces[served.current_version].database, entry)


def _place(schema: Schema | None, address: RequestAddress) -> ResourceLocation:
    try:
        return place_of(schema, address.rest) if schema is not None else ResourceLocation("")
    except SwitchyardError:
        return ResourceLocation("")


def _method(
    schema: Schema | None, place: ResourceLocation, address: RequestAddress, request: ResourceRequest
) -> str:
    """Name the method in the words of the version; by the HTTP method where it has none."""
    if address.verb:
        method = None
        if schema is not None:
            method = find_method(schema, place.type, address.verb, is_collection=place.is_collection)
        return method.name if method else address.verb
    if not place.type:
        return request.method
    known = _OF_COLLECTIONS if place.is_collection else _STANDARD
    return known.get(request.method, request.method)


def _name(place: ResourceLocation, document: Json, status: int) -> str:
    """Name the resource: that of the address, or the one that was created; of a collection its parent."""
    if place.is_collection and status < 300 and isinstance(document, dict):
        created = document.get("name")
        if isinstance(created, str):
            return created
    return place.name or place.parent


def _error(document: Json, status: int) -> str:
    code = document.get("code") if status >= 400 and isinstance(document, dict) else None
    return code if isinstance(code, str) else ""

"""Details of deprecated fields in the metadata of resources, for clients that ask for them by a header.

Source: RFC 7240 (`Prefer`, `Preference-Applied`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from migrations_app.domain.resources.metadata import DEPRECATIONS
from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.serving.deprecations.field_details import details_of
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.kernel.json import JsonObject
from migrations_app.resource_api import methods
from migrations_app.resource_api.actions import method_of
from migrations_app.resource_api.addresses import RequestAddress, place_of
from migrations_app.resource_api.exchange import ResourceRequest, Response, Watched
from migrations_app.resource_api.responses import has_no_type
from migrations_app.resource_api.returned import ChangedMessages, changed

PREFERENCE = "deprecation-details"
APPLIED = {"Preference-Applied": PREFERENCE}


def is_asked(headers: Mapping[str, str]) -> bool:
    """Tell whether a client prefers to have the details; other preferences are for others to read."""
    preferences = headers.get("prefer", "").split(",")
    return any(each.partition(";")[0].strip().lower() == PREFERENCE for each in preferences)


def with_details(
    schema: Schema, address: RequestAddress, request: ResourceRequest, response: Response
) -> Response:
    """Add the details to the resources of an answer, if they are asked for and the type has metadata."""
    if response.status >= 400 or not is_asked(request.headers):
        return response
    if has_no_type(address.rest) or methods.is_call(address):
        return response
    place = place_of(schema, address.rest)
    type_, method = place.type, method_of(place, request.method, address.verb)
    if not presenter_of(schema, type_).metadata_key:
        return response
    detailed = changed(schema, type_, method, response, lambda each: _detailed(schema, type_, each))
    return replace(detailed, headers={**detailed.headers, **APPLIED})


def watched_with_details(schema: Schema, type_: str, headers: Mapping[str, str], watched: Watched) -> Watched:
    """Add the details to the resources of a watch, if they are asked for and the type has metadata."""
    if not is_asked(headers) or not presenter_of(schema, type_).metadata_key:
        return watched
    messages = ChangedMessages(watched.watch, type_, lambda each: _detailed(schema, type_, each))
    return replace(watched, watch=messages, headers={**watched.headers, **APPLIED})


def _detailed(schema: Schema, type_: str, resource: JsonObject) -> JsonObject:
    details = details_of(schema, type_, resource)
    if not details:
        return resource
    key = presenter_of(schema, type_).metadata_key
    metadata = resource.get(key)
    return {**resource, key: {**(metadata if isinstance(metadata, dict) else {}), DEPRECATIONS: details}}

"""What a resource tells of the deprecated fields that it holds, for its metadata."""

from __future__ import annotations

from migrations_app.domain.compatibility.usage import KeyState, key_states
from migrations_app.domain.schema.ir import Schema
from migrations_app.domain.schema.types import Deprecation
from migrations_app.engine.serving.deprecated import deprecated_fields
from migrations_app.kernel.json import Json, JsonObject


def details_of(schema: Schema, type_: str, resource: JsonObject) -> list[Json]:
    """List the deprecated fields that a resource holds, each with its days, its replacement and a sentence."""
    known = deprecated_fields(schema, type_)
    if not known:
        return []
    unset = (KeyState.ABSENT, KeyState.NULL)
    held = {path for path, state in key_states(schema, type_, resource) if state not in unset}
    return [_detail(type_, path, known[path]) for path in sorted(held & known.keys())]


def _detail(type_: str, path: str, given: Deprecation) -> JsonObject:
    since = f" since {given.since}" if given.since else ""
    sunset = f" and will be removed on {given.sunset}" if given.sunset else ""
    instead = f" Use {given.replaced_by} instead." if given.replaced_by else ""
    detail: JsonObject = {
        "path": path,
        "since": given.since,
        "sunset": given.sunset,
        "replacedBy": given.replaced_by,
        "detail": f"{type_}.{path} is deprecated{since}{sunset}.{instead}",
    }
    return {key: value for key, value in detail.items() if value}

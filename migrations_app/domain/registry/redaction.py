"""Documents of the registry as an account may see them: without the names of regions and services beyond its reach."""

from __future__ import annotations

from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.names import last_id
from migrations_app.kernel.json import Json, JsonObject

_REGIONS = frozenset(
    {"regions", "enabledRegions", "defaultControlRegion", "owningRegion", "source", "destination", "region"}
)
_LISTS = ("importedServices", "usedServices", "importedVersions")


def redact(document: JsonObject, reach: Reach) -> JsonObject:
    """Leave out of a document what names a region or a service that a reach does not cover; its own name stays."""
    if reach.everywhere:
        return document
    name = str(document.get("name", ""))
    service = name.split("/")[1] if name.startswith("services/") else ""
    return {**_redact_object(document, reach, service), **({"name": name} if name else {})}


def restore(changed: JsonObject, current: JsonObject, reach: Reach) -> JsonObject:
    """Put back into a changed document what its author was not shown of the current one."""
    restored = dict(changed)
    for key in _LISTS:
        kept = current.get(key)
        hidden = [each for each in kept if _is_hidden("", each, reach, "")] if isinstance(kept, list) else []
        if hidden and not reach.everywhere:
            sent = changed.get(key)
            restored[key] = [
                *(each for each in (sent if isinstance(sent, list) else []) if each not in hidden)
            ]
            restored[key] = [*restored[key], *hidden]  # type: ignore[misc]
    return restored


def _redact_object(value: JsonObject, reach: Reach, service: str) -> JsonObject:
    return {
        key: _redact(key, each, reach, service)
        for key, each in value.items()
        if isinstance(each, list) or not _is_hidden(key, each, reach, service)
    }


def _redact(key: str, value: Json, reach: Reach, service: str) -> Json:
    if isinstance(value, dict):
        return _redact_object(value, reach, service)
    if isinstance(value, list):
        return [
            _redact(key, each, reach, service) for each in value if not _is_hidden(key, each, reach, service)
        ]
    return value


def _is_hidden(key: str, value: Json, reach: Reach, service: str) -> bool:
    """Tell whether a value names what is out of reach; an entry does whose service is."""
    if isinstance(value, dict):
        return _is_hidden("", value.get("targetService"), reach, service)
    if not isinstance(value, str) or not value:
        return False
    parts = value.split("/")
    if parts[0] == "services" and len(parts) > 1:
        region = parts[3] if parts[2:3] == ["deployments"] and len(parts) > 3 else ""
        return not reach.covers(parts[1], region)
    if parts[0] == "regions" or key in _REGIONS:
        return not reach.covers(service, last_id(value))
    return False

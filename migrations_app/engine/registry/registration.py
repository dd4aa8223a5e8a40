"""Registering a deployment: its service by compare-and-set, then itself; races converge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.documents import convert
from migrations_app.domain.registry.names import (
    RegistryKind,
    deployment_name,
    newest_first,
    region_name,
    service_name,
)
from migrations_app.kernel.errors import AlreadyExists, Conflict, Stale
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.registry import RegistryClient

ATTEMPTS = 200
LOOKED_AT = "multiRegionPolicy,allVersions,envRegistryGeneration"


@dataclass(frozen=True, slots=True)
class Registration:
    """What a deployment says of itself and its service, in the registry's words.

    `generation` grows with the program: an older one leaves alone what a newer one registered. `resources` are
    the resource types it knows, with their names, `versions` and `versionedInfos`.
    """

    service: str
    region: str
    versions: tuple[str, ...]
    generation: int = 1
    service_fields: JsonObject = field(default_factory=dict)
    deployment_fields: JsonObject = field(default_factory=dict)
    resources: tuple[JsonObject, ...] = ()
    makes_region: bool = False


def register(client: RegistryClient, wanted: Registration, pause: Callable[[int], None]) -> None:
    """Register the region (the registry's own service only), the service, its types and the deployment.

    Once: doing it again changes nothing; twenty at once end with all of them registered.
    Raises: Conflict with the rule that forbids it, Denied, Invalid, Busy.
    """
    if wanted.makes_region and client.read(RegistryKind.REGION, region_name(wanted.region)) is None:
        _created(lambda: client.create(RegistryKind.REGION, {"name": region_name(wanted.region)}))
    _until_done(lambda: _service(client, wanted), pause)
    owner = client.read(RegistryKind.SERVICE, service_name(wanted.service)) or {}
    if _generation(owner) <= wanted.generation:
        for body in wanted.resources:
            _until_done(partial(_resource, client, body), pause)
    _until_done(lambda: _deployment(client, wanted), pause)


def _until_done(attempt: Callable[[], bool], pause: Callable[[int], None]) -> None:
    for count in range(ATTEMPTS):
        try:
            if attempt():
                return
        except Stale:
            pass
        pause(count)
    raise Conflict(
        message("Too many others register at once."),
        code="registration-contended",
        remedy=message("Start again."),
    )


def _created(create: Callable[[], None]) -> bool:
    try:
        create()
    except AlreadyExists:
        return False
    return True


def _service(client: RegistryClient, wanted: Registration) -> bool:
    name = service_name(wanted.service)
    known = client.read(RegistryKind.SERVICE, name)
    if known is None:
        policy: JsonObject = {"enabledRegions": [wanted.region], "defaultControlRegion": wanted.region}
        body: JsonObject = {
            **wanted.service_fields,
            "name": name,
            "allVersions": [*wanted.versions],
            "multiRegionPolicy": policy,
            "envRegistryGeneration": wanted.generation,
        }
        return _created(lambda: client.create(RegistryKind.SERVICE, body))
    changes = _service_changes(known, wanted)
    if changes:
        client.update(RegistryKind.SERVICE, name, changes, tuple(changes), known, LOOKED_AT)
    return True


def _service_changes(known: JsonObject, wanted: Registration) -> JsonObject:
    """Join the policy; a program of a newer or the same generation also writes what it knows."""
    changes: JsonObject = {}
    policy = convert(known.get("multiRegionPolicy", {}), MultiRegionPolicy)
    if wanted.region not in policy.enabled_regions:
        joined = policy.joined_by(wanted.region)
        written: Json = known.get("multiRegionPolicy", {})
        changes["multiRegionPolicy"] = {
            **(written if isinstance(written, dict) else {}),
            "enabledRegions": [*joined.enabled_regions],
            "defaultControlRegion": joined.default_control_region,
        }
    if _generation(known) <= wanted.generation:
        fields: JsonObject = {
            **wanted.service_fields,
            "allVersions": [*newest_first((*_texts(known.get("allVersions")), *wanted.versions))],
            "envRegistryGeneration": wanted.generation,
        }
        changes |= {key: value for key, value in fields.items() if (known.get(key) or 0) != (value or 0)}
    return changes


def _resource(client: RegistryClient, body: JsonObject) -> bool:
    """Make a resource type, or add the versions that it does not list yet."""
    name = str(body["name"])
    known = client.read(RegistryKind.RESOURCE, name)
    if known is None:
        return _created(lambda: client.create(RegistryKind.RESOURCE, body))
    versions = newest_first((*_texts(known.get("versions")), *_texts(body.get("versions"))))
    infos = {**_by_version(known), **_by_version(body)}
    fields: JsonObject = {
        **body,
        "versions": [*versions],
        "versionedInfos": [infos[each] for each in versions if each in infos],
    }
    changes = {key: value for key, value in fields.items() if known.get(key) != value}
    if changes:
        client.update(RegistryKind.RESOURCE, name, changes, tuple(changes), known, "versions,versionedInfos")
    return True


def _by_version(body: JsonObject) -> JsonObject:
    infos = body.get("versionedInfos")
    given = infos if isinstance(infos, list) else []
    return {str(each["version"]): each for each in given if isinstance(each, dict)}


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(each) for each in value) if isinstance(value, list) else ()


def _generation(known: JsonObject) -> int:
    found = known.get("envRegistryGeneration", 0)
    return found if isinstance(found, int) else 0


def _deployment(client: RegistryClient, wanted: Registration) -> bool:
    name = deployment_name(wanted.service, wanted.region)
    known = client.read(RegistryKind.DEPLOYMENT, name)
    newest = newest_first(wanted.versions)[0] if wanted.versions else ""
    if known is None:
        body: JsonObject = {
            "currentVersion": newest,
            **wanted.deployment_fields,
            "name": name,
            "envRegistryGeneration": wanted.generation,
        }
        return _created(lambda: client.create(RegistryKind.DEPLOYMENT, body))
    if _generation(known) > wanted.generation:
        return True
    # Which version runs is the upgrades' business once it is there.
    fields = {key: value for key, value in wanted.deployment_fields.items() if key != "currentVersion"}
    fields["envRegistryGeneration"] = wanted.generation
    if newest and newest != known.get("currentVersion") and "availableUpgrade" not in fields:
        fields["availableUpgrade"] = {"apiVersion": newest}
    changes = {key: value for key, value in fields.items() if known.get(key) != value}
    if changes:
        client.update(RegistryKind.DEPLOYMENT, name, changes, tuple(changes), known, "envRegistryGeneration")
    return True

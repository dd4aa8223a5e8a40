"""Registering a deployment: its service by compare-and-set, then itself; races converge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.documents import convert
from migrations_app.domain.registry.names import (
    Kind,
    deployment_name,
    newest_first,
    region_name,
    service_name,
)
from migrations_app.kernel.errors import Conflict, Stale
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.registry import RegistryDoor

ATTEMPTS = 200
LOOKED_AT = "multiRegionPolicy,allVersions,envRegistryGeneration"


@dataclass(frozen=True, slots=True)
class Registration:
    """What a deployment says of itself and its service, in the registry's words.

    `generation` grows with the program: an older one leaves alone what a newer one registered.
    """

    service: str
    region: str
    versions: tuple[str, ...]
    generation: int = 1
    service_fields: JsonObject = field(default_factory=dict)
    deployment_fields: JsonObject = field(default_factory=dict)
    makes_region: bool = False


def register(door: RegistryDoor, wanted: Registration, pause: Callable[[int], None]) -> None:
    """Register the region (the registry's own service only), the service and the deployment.

    Once: doing it again changes nothing; twenty at once end with all of them registered.
    Raises: Conflict with the rule that forbids it, Denied, Invalid, Busy.
    """
    if wanted.makes_region and door.read(Kind.REGION, region_name(wanted.region)) is None:
        _created(lambda: door.create(Kind.REGION, {"name": region_name(wanted.region)}))
    _until_done(lambda: _service(door, wanted), pause)
    _until_done(lambda: _deployment(door, wanted), pause)


def _until_done(attempt: Callable[[], bool], pause: Callable[[int], None]) -> None:
    for count in range(ATTEMPTS):
        try:
            if attempt():
                return
        except Stale:
            pass
        pause(count)
    raise Conflict("Too many others register at once.", code="registration-contended", remedy="Start again.")


def _created(create: Callable[[], None]) -> bool:
    try:
        create()
    except Conflict as error:
        if error.code != "already-exists":
            raise
        return False
    return True


def _service(door: RegistryDoor, wanted: Registration) -> bool:
    name = service_name(wanted.service)
    known = door.read(Kind.SERVICE, name)
    if known is None:
        policy: JsonObject = {"enabledRegions": [wanted.region], "defaultControlRegion": wanted.region}
        body: JsonObject = {
            **wanted.service_fields,
            "name": name,
            "allVersions": [*wanted.versions],
            "multiRegionPolicy": policy,
            "envRegistryGeneration": wanted.generation,
        }
        return _created(lambda: door.create(Kind.SERVICE, body))
    changes = _service_changes(known, wanted)
    if changes:
        door.update(Kind.SERVICE, name, changes, tuple(changes), known, LOOKED_AT)
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
    generation = known.get("envRegistryGeneration", 0)
    if isinstance(generation, int) and generation <= wanted.generation:
        versions = known.get("allVersions", [])
        there = tuple(str(each) for each in versions) if isinstance(versions, list) else ()
        fields: JsonObject = {
            **wanted.service_fields,
            "allVersions": [*newest_first((*there, *wanted.versions))],
            "envRegistryGeneration": wanted.generation,
        }
        changes |= {key: value for key, value in fields.items() if (known.get(key) or 0) != (value or 0)}
    return changes


def _deployment(door: RegistryDoor, wanted: Registration) -> bool:
    name = deployment_name(wanted.service, wanted.region)
    known = door.read(Kind.DEPLOYMENT, name)
    newest = newest_first(wanted.versions)[0] if wanted.versions else ""
    if known is None:
        body: JsonObject = {
            "currentVersion": newest,
            **wanted.deployment_fields,
            "name": name,
            "envRegistryGeneration": wanted.generation,
        }
        return _created(lambda: door.create(Kind.DEPLOYMENT, body))
    generation = known.get("envRegistryGeneration", 0)
    if isinstance(generation, int) and generation > wanted.generation:
        return True
    # Which version runs is the upgrades' business once it is there.
    fields = {key: value for key, value in wanted.deployment_fields.items() if key != "currentVersion"}
    fields["envRegistryGeneration"] = wanted.generation
    if newest and newest != known.get("currentVersion") and "availableUpgrade" not in fields:
        fields["availableUpgrade"] = {"apiVersion": newest, "totalShardsCount": 16}
    changes = {key: value for key, value in fields.items() if known.get(key) != value}
    if changes:
        door.update(Kind.DEPLOYMENT, name, changes, tuple(changes), known, "envRegistryGeneration")
    return True

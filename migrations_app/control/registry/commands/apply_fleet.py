"""Apply a fleet folder: its regions, its services in the order of their imports, its deployments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import yaml

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository import settling as registry_settling
from migrations_app.control.registry.repository.declarations import declared_by
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.declared import Declared
from migrations_app.domain.registry.documents import convert, tidy
from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.names import RegistryKind, deployment_name
from migrations_app.domain.schema.files.local_files import find_subfolder, read_local_files
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

FLEET_FILE = "fleet.yaml"


class FleetRegion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A region of a fleet."""

    region: str
    title: str = ""
    zone: str = ""


class FleetDeployment(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A service of a fleet and the regions it runs in; `deployment` is what they have in common."""

    service: str
    regions: tuple[str, ...]
    deployment: dict[str, str | bool] = {}


class Fleet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fleet file: regions, folders of services, deployments."""

    regions: tuple[FleetRegion, ...] = ()
    services: tuple[str, ...] = ()
    deployments: tuple[FleetDeployment, ...] = ()


@dataclass(frozen=True, slots=True)
class FleetApplied:
    """What applying a fleet came to."""

    regions: tuple[str, ...]
    services: tuple[str, ...]
    deployments: tuple[str, ...]
    changed: int


def apply_fleet(actor: Actor, folder: Path | str) -> FleetApplied:
    """Apply `fleet.yaml` of a folder and the service folders it names.

    Once: applying the same again changes nothing, so a start may always do it.
    Raises: Invalid (`fleet-file`), and what the rules refuse.
    """
    root = Path(folder).resolve()
    fleet = _read(root)
    changed = 0
    for region in fleet.regions:
        changed += apply_region(actor, region.region, region.title, region.zone).created
    services = [read_local_files(find_subfolder(root, path)) for path in fleet.services]
    declared = [declared_by(read_files(files).refuse_errors()) for files in services]
    for position in _in_order(declared):
        changed += apply_service(actor, services[position]).changed
    names = []
    ranks = _graph(declared).ranks()
    for one in sorted(fleet.deployments, key=lambda each: (ranks.get(each.service, 0), each.service)):
        for region_id in one.regions:
            name = deployment_name(one.service, region_id)
            changed += apply_deployment(actor, name, _body(name, one)).created
            names.append(name)
    while registry_settling.settle(limit=1000):
        pass
    return FleetApplied(
        tuple(one.region for one in fleet.regions),
        tuple(one.service for one in declared),
        tuple(names),
        changed,
    )


def _body(name: str, one: FleetDeployment) -> JsonObject:
    """A fleet says where a deployment starts; once it is there, its upgrades say where it is."""
    there = registry.find(RegistryKind.DEPLOYMENT, name) is not None
    return {key: value for key, value in one.deployment.items() if not (there and key == "currentVersion")}


def _read(root: Path) -> Fleet:
    try:
        raw = yaml.safe_load((root / FLEET_FILE).read_text())
    except (OSError, yaml.YAMLError) as error:
        raise Invalid(
            message("{root} cannot be read: {error}.", root=str(root / FLEET_FILE), error=str(error)),
            code="fleet-file",
        ) from error
    return convert(tidy(raw), Fleet)


def _graph(declared: list[Declared]) -> ImportGraph:
    return ImportGraph(
        {
            one.service: frozenset(target for versions in one.imports.values() for target in versions)
            for one in declared
        }
    )


def _in_order(declared: list[Declared]) -> list[int]:
    ranks = _graph(declared).ranks()
    return sorted(range(len(declared)), key=lambda at: (ranks[declared[at].service], declared[at].service))

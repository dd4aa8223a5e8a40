"""A client of the old version creates what the new one names after a field: it is placed by the name it gets."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.regions.placement import Placement, region_of
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import KeyRange, Layout
from tests.unit.conversion.services import SERVICE, folder

HERE, THERE = "north", "south"
DEPLOYMENT = f"services/{SERVICE}/deployments/{HERE}"
HOME = Namespace(DEPLOYMENT, "v2", "memory", "things_v2")
OLD, NEW = "projects/{project}/things/{thing}", "projects/{project}/regions/{region}/things/{thing}"


def things() -> CompiledService:
    """Compile a service whose new version names things after the place that the old one has in a field."""
    made = folder(
        "Thing: {fields: {name: string, place: {type: string, required: true}}}",
        "Thing: {fields: {name: string, place: {type: string, required: true}}}",
        f"""
        - resourceName:
            variants:
              - from: "{OLD}"
                to: "{NEW}"
                set: {{region: {{field: place}}}}
        """,
    )
    files = dict(made.files)
    for path, pattern in zip(("old.yaml", "new.yaml"), (OLD, NEW), strict=True):
        files[path] = files[path].replace(b"things/{thing}", pattern.encode())
    return compile_service(read_files(files))


class OneDeployment:
    """A directory of the deployment here, which serves v2."""

    def __init__(self) -> None:
        self._served = Served(DEPLOYMENT, SERVICE, HERE, "v2", things(), {"v2": HOME})

    def served(self, region: str, service: str) -> Served:
        """Give it."""
        return self._served

    def forget(self, region: str, service: str) -> None:
        """Know no better."""


@dataclass
class ByName:
    """Places everything in the region its name tells, with copies in both."""

    asked: list[str] = field(default_factory=list)

    def place(self, region: str, service: str, name: str, resource_type: str, *_: object) -> Placement:
        """Place a resource."""
        self.asked.append(name)
        return Placement(region_of(name) or HERE, (HERE, THERE))

    def service_policy(self, service: str) -> MultiRegionPolicy:
        """Give a policy of both regions."""
        return MultiRegionPolicy((HERE, THERE), HERE)


@dataclass
class World:
    """A deployment that stores v2 and is written in v1."""

    placing: ByName = field(default_factory=ByName)

    def __post_init__(self) -> None:
        databases = MemoryDatabases()
        self.store, fence = MemoryStore(databases), MemoryFence(databases)
        self.store.prepare(HOME, [Layout("Thing")])
        fence.open_first(FenceLocation.of(HOME), "v2")
        self.writing = WritingServer(Router(OneDeployment(), self.store, fence), placing=self.placing)

    def write(self, verb: str, name: str, body: Json, *, allow_missing: bool = False) -> None:
        """Write a thing as a client of v1."""
        request = WriteRequest(verb, "Thing", name, body=body, allow_missing=allow_missing)
        self.writing.write(HERE, SERVICE, "v1", [request])

    @property
    def names(self) -> list[str]:
        """What is stored."""
        return [each.name for shard in range(16) for each in self.store.page(HOME, KeyRange("Thing", shard))]


@pytest.mark.parametrize("verb", ["create", "update"])
def test_what_a_field_names_is_placed_by_the_name_it_gets(verb: str) -> None:
    world = World()
    world.write(verb, "projects/p/things/a", {"place": HERE}, allow_missing=verb == "update")

    stored = world.store.read(HOME).get("Thing", f"projects/p/regions/{HERE}/things/a")
    assert stored is not None
    assert stored.metadata["syncing"] == {"owningRegion": HERE, "regions": [HERE, THERE]}
    assert world.placing.asked == [stored.name]


@pytest.mark.parametrize("verb", ["create", "update"])
def test_what_a_field_names_after_another_region_is_not_written_here(verb: str) -> None:
    world = World()
    with pytest.raises(OwnedElsewhere) as refused:
        world.write(verb, "projects/p/things/a", {"place": THERE}, allow_missing=verb == "update")

    assert refused.value.region == THERE
    assert world.names == []


def test_what_is_not_valid_is_refused_as_such_wherever_it_would_live() -> None:
    world = World()
    with pytest.raises(Invalid) as refused:
        world.write("create", "projects/p/things/a", {"place": 7})

    assert refused.value.code == "document"
    assert world.names == []

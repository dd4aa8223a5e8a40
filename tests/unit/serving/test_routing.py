"""What a router remembers of versions is a hint: answers come from the version that is active."""

from __future__ import annotations

from uuid import uuid4

import pytest

from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.routing import Router, ServingMode, ServingRoute
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Frozen, Missing
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import Transaction
from migrations_app.ports.stored import Draft, Layout

REGION, SERVICE = "north", "base.example.com"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
HOMES = {version: Namespace(DEPLOYMENT, version, "data", version) for version in ("v1", "v2")}
TOP = b"""
service: base.example.com
versions:
  - {version: v1, ordinal: 10, nextVersion: v2, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: ir, path: v1.yaml}]}
edges: [edge.yaml]
"""
EDGE = b"edge: {service: base.example.com, from: v1, to: v2}\ntypes: {Thing: {ops: []}}\n"
THING = (
    b"schema: {types: {Thing: {fields: {name: string}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
)
COMPILED = compile_service(read_files({"service.yaml": TOP, "v1.yaml": THING, "edge.yaml": EDGE}))


class Late:
    """A directory that has not heard of a switch yet."""

    def __init__(self, believed: str) -> None:
        self._believed = believed

    def served(self, region: str, service: str) -> Served:
        return Served(DEPLOYMENT, service, region, self._believed, COMPILED, HOMES)

    def forget(self, region: str, service: str) -> None:
        """Keep believing."""


@pytest.mark.parametrize(("active", "believed"), [("v1", "v2"), ("v2", "v1"), ("v1", "v1")])
def test_a_request_for_the_active_version_is_answered_from_it_whatever_is_believed(
    active: str, believed: str
) -> None:
    databases = MemoryDatabases(HeldClock())
    store, fence = MemoryStore(databases), MemoryFence(databases)
    fence.open_first(FenceLocation.of(HOMES[active]), active)
    for home in HOMES.values():
        store.prepare(home, [Layout("Thing")])
    router = Router(Late(believed), store, fence, hold_seconds=0.0, sleep=lambda _: None)
    route, told = router.read_active(REGION, SERVICE, lambda route, _: route.namespace.version)
    assert (route.stored_version, told, route.how is ServingMode.PREVIEW) == (active, active, False)


class Heard(Late):
    """A directory that believes in v1 until it is told to ask again, and then hears of v2."""

    def forget(self, region: str, service: str) -> None:
        """Ask again."""
        self._believed = "v2"


def test_a_version_that_was_dropped_is_forgotten_by_who_writes_it() -> None:
    databases = MemoryDatabases(HeldClock())
    store, fence = MemoryStore(databases), MemoryFence(databases)
    store.prepare(HOMES["v2"], [Layout("Thing")])
    fence.open_first(FenceLocation.of(HOMES["v2"]), "v2")
    router = Router(Heard("v1"), store, fence, hold_seconds=0.0, sleep=lambda _: None)
    tried: list[str] = []

    def put(route: ServingRoute, transaction: Transaction) -> int:
        tried.append(route.stored_version)
        return transaction.put(Draft("Thing", "things/a", uuid4(), {})).revision

    route, revision = router.write(REGION, SERVICE, "v1", put)
    assert (tried, route.how, revision) == (["v1", "v2"], ServingMode.TRANSLATED, 1)
    store.drop(HOMES["v2"])
    with pytest.raises(Missing) as refused:
        router.write(REGION, SERVICE, "v1", put)
    assert (tried, refused.value.code) == (["v1", "v2", "v2", "v2"], "namespace-missing")


def test_a_writer_waits_for_the_end_of_a_freeze_by_the_clock_that_it_is_given() -> None:
    clock = HeldClock()
    databases = MemoryDatabases(clock)
    store, fence = MemoryStore(databases), MemoryFence(databases)
    store.prepare(HOMES["v1"], [Layout("Thing")])
    fence.freeze(HOMES["v1"], fence.open_first(FenceLocation.of(HOMES["v1"]), "v1"), deadline_seconds=60.0)
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        clock.advance(seconds)

    router = Router(Late("v1"), store, fence, hold_seconds=0.5, sleep=sleep, monotonic=clock.monotonic)
    with pytest.raises(Frozen):
        router.write(
            REGION,
            SERVICE,
            "v1",
            lambda route, transaction: transaction.put(Draft("Thing", "things/a", uuid4(), {})),
        )
    assert pauses == pytest.approx([0.02, 0.04, 0.08, 0.16, 0.2])
    assert clock.monotonic() == pytest.approx(0.5)

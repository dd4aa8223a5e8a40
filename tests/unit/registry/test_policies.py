"""The policy store: loads a holder's policy once, and again after it was written."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID, uuid4

import pytest

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.regions.placement import Placement
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.schema.folder import read_folder
from migrations_app.engine.registry.policies import PolicyStore
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.stored import Draft, Layout

FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
IAM = "services/iam.example.com/deployments/eu"
HOME = Namespace(IAM, "v1", "memory", "iam")


class Everywhere:
    """Finds iam in every region."""

    def __init__(self) -> None:
        self.compiled = compile_service(read_folder(FLEET / "iam"))

    def served(self, region: str, service: str) -> Served:
        """Find it."""
        return Served(IAM, service, region, "v1", self.compiled, {"v1": HOME})

    def forget(self, region: str, service: str) -> None:
        """Keep nothing."""


class World:
    """A policy store over iam's projects, in memory."""

    def __init__(self) -> None:
        databases = MemoryDatabases()
        self.store, feed, fence = MemoryStore(databases), MemoryFeed(databases), MemoryFence(databases)
        self.store.prepare(HOME, [Layout("Project")])
        fence.open_first(FenceLocation.of(HOME), "v1")
        self.clock = HeldClock()
        self.uid: UUID = uuid4()
        self.policies = PolicyStore(
            Everywhere(),
            self.store,
            feed,
            region="eu",
            holder_services=["iam.example.com"],
            service_policy=lambda: MultiRegionPolicy(("eu", "jp", "us"), "us"),
            clock=self.clock,
        )

    def write(self, *regions: str, control: str) -> None:
        """Write the policy of the project."""
        policy = {"enabledRegions": [*regions], "defaultControlRegion": control}
        with self.store.transaction(HOME) as transaction:
            transaction.put(Draft("Project", "projects/p0", self.uid, {"multiRegionPolicy": policy}))  # type: ignore[dict-item]


def test_a_holders_policy_is_found_by_the_name_alone() -> None:
    world = World()
    world.write("eu", "us", control="eu")
    assert world.policies.place("projects/p0/secrets/s0", "Secret") == Placement(
        "eu", ("eu", "us"), "projects/p0"
    )
    assert world.policies.place("projects/p0/regions/us/secrets/s0", "Secret").owning_region == "us"
    assert world.policies.place("users/u0", "User") == Placement("us", ("eu", "jp", "us"))


def test_a_written_policy_is_read_again_and_a_kept_one_is_not() -> None:
    world = World()
    world.write("eu", control="eu")
    assert world.policies.place("projects/p0/secrets/s0", "Secret").regions == ("eu",)
    world.write("eu", "us", control="us")
    assert world.policies.place("projects/p0/secrets/s0", "Secret").owning_region == "eu"
    world.clock.advance(1.0)
    assert world.policies.place("projects/p0/secrets/s0", "Secret") == Placement(
        "us", ("eu", "us"), "projects/p0"
    )


def test_an_unknown_holder_places_nothing_until_it_is_there() -> None:
    world = World()
    with pytest.raises(Conflict) as refused:
        world.policies.place("projects/p0/secrets/s0", "Secret")
    assert refused.value.code == "policy-unknown"
    world.write("eu", control="eu")
    assert world.policies.place("projects/p0/secrets/s0", "Secret").owning_region == "eu"


def test_a_holder_that_set_no_policy_leaves_it_to_the_service() -> None:
    world = World()
    with world.store.transaction(HOME) as transaction:
        transaction.put(Draft("Project", "projects/p0", world.uid, {"title": "Plain"}))
    assert world.policies.place("projects/p0/secrets/s0", "Secret") == Placement("us", ("eu", "jp", "us"))
    world.clock.advance(1.0)
    world.write("eu", control="eu")
    assert world.policies.place("projects/p0/secrets/s0", "Secret").owning_region == "eu"


def test_a_holder_that_the_same_write_makes_counts_already() -> None:
    world = World()
    made = {"multiRegionPolicy": {"enabledRegions": ["eu", "jp"], "defaultControlRegion": "jp"}}
    making = {"projects/p0": made}
    placed = world.policies.place("projects/p0", "Project", making=making)  # type: ignore[arg-type]
    assert placed == Placement("jp", ("eu", "jp"), "projects/p0")
    assert world.policies.place("projects/p0/x/y", "X", making={"projects/p0": {}}).owning_region == "us"
    with pytest.raises(Invalid) as refused:
        world.policies.place("projects/p0", "Project", making={"projects/p0": {"multiRegionPolicy": "eu"}})
    assert refused.value.code == "policy-broken"

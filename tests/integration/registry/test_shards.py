"""Shard states: one row per deployment, ring and shard, from the system that moves the data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrations_app.control.fleet.queries.deployments import deployment
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.offer_upgrade import offer_upgrade
from migrations_app.control.registry.commands.report_shards import report_shards
from migrations_app.control.registry.commands.save_registered import create_registered
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.begin_upgrade import begin_upgrade
from migrations_app.control.upgrades.commands.open_upgrade import open_upgrade
from migrations_app.domain.access import SYSTEM, actor_with
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import AvailableUpgrade
from migrations_app.models.registry import ShardState as Row
from migrations_app.models.sync import SyncCheckpoint
from migrations_app.ports.upgrades import ShardReport, ShardState
from migrations_app.wiring import leases
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
SECRETS = "services/secrets.example.com/deployments/eu-west1"
SHOWN = ("ring", "shard", "state", "stage", "copied", "total", "position", "lag_seconds", "lease_holder")


@pytest.fixture(autouse=True)
def fleet() -> None:
    """Apply the example fleet."""
    remembered("example fleet", [], lambda: apply_fleet(SYSTEM, FLEET))


def test_a_shard_that_moves_here_is_told_with_its_place_and_its_lease() -> None:
    upgrade = begin_upgrade(SYSTEM, SECRETS)
    upgrades = DjangoUpgrades()
    upgrades.report_shard(upgrade, ShardReport(3, ShardState.SYNCING, "backfill", copied=5, total=9))
    row = Row.objects.get()
    assert (row.deployment_id, row.upgrade, row.lease_holder, row.leased_until) == (
        SECRETS,
        upgrade,
        "",
        None,
    )
    SyncCheckpoint.objects.create(
        upgrade=upgrade,
        direction="forward",
        shard=3,
        stage="backfill",
        type="Secret",
        name="projects/p/secrets/s",
    )
    held = leases().take("sync", f"{upgrade}/forward/3", holder="worker-1", lease_seconds=60.0)
    assert held is not None
    upgrades.report_shard(
        upgrade, ShardReport(3, ShardState.READY, "follow", copied=9, total=9, lag_seconds=0.5)
    )
    place = "Secret/projects/p/secrets/s"
    assert Row.objects.values_list(*SHOWN).get() == (16, 3, "ready", "follow", 9, 9, place, 0.5, "worker-1")
    row = Row.objects.get()
    assert (row.lease_epoch, row.leased_until is not None) == (held.epoch, True)
    upgrades.report_shard(upgrade, ShardReport(4, ShardState.PENDING, ""))
    assert list(Row.objects.values_list("shard", flat=True)) == [3, 4]


def test_a_shard_that_moves_elsewhere_is_told_by_its_reports() -> None:
    name = "services/mail/deployments/eu-west1"
    policy: Any = {"enabledRegions": ["eu-west1"], "defaultControlRegion": "eu-west1"}
    service: Any = {"allVersions": ["v1", "v2"], "multiRegionPolicy": policy}
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/mail", service)
    create_registered(SYSTEM, RegistryKind.DEPLOYMENT, name, {"currentVersion": "v1"})
    offer_upgrade(SYSTEM, name, AvailableUpgrade("v2", "", "", 4))
    open_upgrade(SYSTEM, name)
    report_shards(SYSTEM, name, 0, 2, ready=True, total=4)
    report_shards(SYSTEM, name, 1, 1, ready=False, total=4)
    assert list(Row.objects.values_list("ring", "shard", "state", "stage")) == [
        (4, 0, "ready", "INITIAL_SYNCING"),
        (4, 1, "pending", "INITIAL_SYNCING"),
        (4, 2, "ready", "INITIAL_SYNCING"),
    ]
    report_shards(SYSTEM, name, 0, 0, ready=True, total=2)
    assert list(Row.objects.values_list("ring", "shard", "stage")) == [
        (2, 0, "INITIAL_SYNCING"),
        (4, 0, "RESHARDED"),
    ]


def test_a_changed_number_of_shards_is_told_until_the_upgrade_is_over() -> None:
    name = "services/mail/deployments/eu-west1"
    policy: Any = {"enabledRegions": ["eu-west1"], "defaultControlRegion": "eu-west1"}
    service: Any = {"allVersions": ["v1", "v2"], "multiRegionPolicy": policy}
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/mail", service)
    create_registered(
        SYSTEM, RegistryKind.DEPLOYMENT, name, {"currentVersion": "v1", "automaticVersionSwitch": True}
    )
    offer_upgrade(SYSTEM, name, AvailableUpgrade("v2", "", "", 4))
    open_upgrade(SYSTEM, name)
    viewer = actor_with("vera", "viewer")

    def told() -> Any:
        return deployment(viewer, "mail", "eu-west1")["resharded"]

    report_shards(SYSTEM, name, 0, 3, ready=False, total=4)
    assert told() is None
    report_shards(SYSTEM, name, 0, 0, ready=True, total=2)
    first = told()
    assert (first["before"], first["after"]) == (4, 2)
    # Later reports of the new shards leave the moment as it was.
    report_shards(SYSTEM, name, 0, 0, ready=True, total=2)
    assert told() == first
    report_shards(SYSTEM, name, 0, 0, ready=True, total=4)
    assert (told()["before"], told()["after"]) == (2, 4)
    report_shards(SYSTEM, name, 0, 3, ready=True, total=4)
    report_shards(SYSTEM, name, 0, 3, ready=True, total=4)
    assert (told(), Row.objects.count()) == (None, 0)

"""A halted upgrade is settled by a person, and only as the fence has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app import wiring
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.settle_upgrade import settle_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.kernel.errors import Conflict, Denied, Invalid
from migrations_app.models.registry import Deployment
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.stored import Layout
from migrations_app.ports.upgrades import TimelineEntry, UpgradeRecord
from tests.integration.upgrades.conftest import EU, OLGA, VERA

UPGRADES = DjangoUpgrades()


@pytest.fixture
def halted(fleet: None, data_database: str) -> Iterator[UpgradeRecord]:
    """An upgrade that is halted in the middle of its switch, with its fence at the old version."""
    Deployment.objects.update(database=data_database)
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(EU, "v1")).upgrade_id)
    record = UPGRADES.load(upgrade)
    wiring.fence().open_first(FenceLocation.of(record.source), "v1alpha2")
    for event in (UpgradeEvent.CATCH_UP, UpgradeEvent.FREEZE, UpgradeEvent.LOSE_TRACK):
        record = UPGRADES.transition(record, event, TimelineEntry(event.value, ""))
    yield record
    wiring.databases().close(data_database)


def test_it_ends_on_the_old_version_when_the_fence_is_open_there(halted: UpgradeRecord) -> None:
    with pytest.raises(Denied):
        settle_upgrade(VERA, halted.id, "looks fine")
    with pytest.raises(Invalid):
        settle_upgrade(OLGA, halted.id, "  ")
    settle_upgrade(OLGA, halted.id, "nothing was written to v1")
    assert UPGRADES.load(halted.id).state is State.ABORTED


def test_it_is_not_settled_while_no_version_may_be_written(halted: UpgradeRecord) -> None:
    site = FenceLocation.of(halted.source)
    wiring.store().prepare(halted.source, [Layout("Secret")])
    wiring.fence().freeze(halted.source, wiring.fence().state(site), deadline_seconds=30)
    with pytest.raises(Conflict) as caught:
        settle_upgrade(OLGA, halted.id, "it hangs")
    assert caught.value.code == "fence-not-open"
    assert UPGRADES.load(halted.id).state is State.HALTED

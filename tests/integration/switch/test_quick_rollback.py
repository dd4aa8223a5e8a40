"""Rolling back quickly, with the old database disabled: nothing follows back, and the old data are those of the switch."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.control.upgrade_state.repository.evidence import facts_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.switch.guards import judge
from migrations_app.domain.switch.states import State
from migrations_app.engine.sync.shard_pipeline import follower_name
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade, UpgradeStep, UpgradeTimelineEntry
from migrations_app.ports.upgrades import Direction
from tests.factories.access import client_of
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "projects/p/secrets", "projects/p/regions/eu-west1/secrets"
PRICE = "Rolling back brings v1alpha2's data as of the switch: what was written since is lost."


def test_what_was_written_after_the_switch_is_the_stated_price_of_going_back(started: str) -> None:
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    plan = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1", downgrade_sync=False))
    upgrade = start_upgrade(OLGA, plan.upgrade_id)
    source = work_until(upgrade, State.READY).source
    # Written before the switch it comes along, and back.
    write(source, f"{OLD}/before", title="Before")
    record = work_until(upgrade, State.REVERSIBLE, request_switch)
    write(record.target, f"{NEW}/secret-1", displayName="Changed")
    write(record.target, f"{NEW}/after", displayName="After")
    assert list(wiring.controllers()["sync"].due()) == []
    feed, reading = wiring.ports().feed, wiring.store().read(record.source)
    assert feed.cursors(record.target, follower_name(upgrade, Direction.REVERSE)) == ()
    assert "to its data as of the switch" in str(known.upgrade(OLGA, upgrade)["sentence"])
    row = Upgrade.objects.get(pk=upgrade)
    checks = {each.check: each for each in judge("rollback", facts_of(row, "rollback"))}
    assert checks["downgrade-loss"].sentence == PRICE

    work_until(upgrade, State.REVERTED, request_rollback)
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v1alpha2"
    parity = UpgradeStep.objects.filter(upgrade=upgrade, step="parity").latest("pk")
    assert parity.text == "Nothing was compared: the old data stand as of the switch."
    titles = {
        name: None if (found := reading.get("Secret", f"{OLD}/{name}")) is None else found.body["title"]
        for name in ("secret-1", "before", "after")
    }
    assert titles == {"secret-1": "Secret 1", "before": "Before", "after": None}
    # The old version is written again at once, and an upgrade brings it along again.
    write(record.source, f"{OLD}/secret-1", title="Again")
    again = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    there = work_until(again, State.READY).target
    brought = wiring.store().read(there).get("Secret", f"{NEW}/secret-1")
    assert brought is not None
    assert brought.body["displayName"] == "Again"
    assert wiring.store().read(there).get("Secret", f"{NEW}/after") is None


def test_reverse_replication_that_is_switched_on_later_brings_all_back_before_a_rollback(
    started: str,
) -> None:
    olga = client_of("olga", "operator")
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    plan = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1", downgrade_sync=False))
    upgrade = start_upgrade(OLGA, plan.upgrade_id)
    record = work_until(upgrade, State.REVERSIBLE, request_switch)
    write(record.target, f"{NEW}/secret-1", displayName="Changed")
    write(record.target, f"{NEW}/after", displayName="After")
    for name in ("secret-2", "secret-3"):
        with wiring.store().transaction(record.target) as transaction:
            transaction.delete("Secret", f"{NEW}/{name}")
    write(record.target, f"{NEW}/secret-3", displayName="Created again")

    address = f"/api/v1/upgrades/{upgrade}"
    enabled = olga.post(f"{address}/enable-reverse-replication", headers={"If-Match": "*"})
    assert enabled.status_code == 200, enabled.content
    assert enabled.json()["sentence"].endswith(
        "Resources are copied back to v1alpha2 for a rollback: 0 of 4 shards caught up."
    )
    refused = olga.post(f"{address}/rollback", headers={"If-Match": "*"})
    assert (refused.status_code, refused.json()["code"]) == (409, "guard-shards-caught-up")
    again = olga.post(f"{address}/enable-reverse-replication", headers={"If-Match": "*"})
    assert (again.status_code, again.json()["code"]) == (409, "upgrade-state")

    # Asked for as often as it takes: it is refused until every shard is copied back and compared. The work is cut off
    # once when its followers are half registered.
    failpoints.arm("late-reverse.registered:raise")
    try:
        with pytest.raises(Busy, match=r"late-reverse\.registered"):
            work_until(upgrade, State.REVERTED, request_rollback)
    finally:
        failpoints.arm("")
    work_until(upgrade, State.REVERTED, request_rollback)
    reading = wiring.store().read(record.source)
    titles = {
        name: None if (found := reading.get("Secret", f"{OLD}/{name}")) is None else found.body["title"]
        for name in ("secret-0", "secret-1", "secret-2", "secret-3", "after")
    }
    expected = {"secret-0": "Secret 0", "secret-1": "Changed", "secret-2": None, "secret-3": "Created again"}
    assert titles == {**expected, "after": "After"}
    assert sum(wiring.store().counts(record.source, "Secret").values()) == 60
    kinds = [line.kind for line in UpgradeTimelineEntry.objects.filter(upgrade=upgrade)]
    assert kinds.index("reverse-replication-asked") < kinds.index("reverse-replication")

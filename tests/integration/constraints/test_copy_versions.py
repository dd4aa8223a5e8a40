"""Read copies while regions are in different versions: the owner converts for the regions that keep them."""

from __future__ import annotations

import pytest

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.conversion.bag import strip_object
from migrations_app.domain.switch.states import State
from migrations_app.engine.constraints.auditing import ConstraintFinding
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.regions.auditing import CopyAuditing
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.switch import preflight
from migrations_app.engine.switch.switchover import switchover_of
from migrations_app.kernel.json import Json
from migrations_app.models.registry import Deployment
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.stored import StoredResource
from migrations_app.ports.upgrades import Direction, UpgradeKind, UpgradeRecord
from tests.conftest import empty_database
from tests.integration.constraints.conftest import EU, IAM, SECRETS, US, Fleet
from tests.integration.switch.secrets_upgrade import OLGA, ROOT
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)  # feeds tell nothing newer than the oldest transaction
AP = "ap-south3"


@pytest.fixture
def mixed(placing_fleet: Fleet) -> Fleet:
    """The fleet with a third region, where secrets are in their newer version already."""
    apply_region(SYSTEM, AP, AP)
    database = wiring.directory().served(US, IAM).namespaces["v1"].database
    for service in (IAM, SECRETS):
        name = f"services/{service}/deployments/{AP}"
        apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=database)
    for project, control in (("projects/e", EU), ("projects/a", AP)):
        regions: list[Json] = [AP, EU]
        policy: Json = {"enabledRegions": regions, "defaultControlRegion": control}
        placing_fleet.create(IAM, control, "Project", project, multiRegionPolicy=policy)
    return placing_fleet


def _copy(here: str, there: str) -> None:
    controller = wiring.controllers()["read-copies"]
    for service in (IAM, SECRETS):
        for _ in range(4):
            key = f"services/{service}/deployments/{here}<{there}"
            controller.reconcile(key, Budget(2.0, wiring.clock()), Lease(key, 1))


def _find(region: str, version: str, name: str) -> StoredResource | None:
    served = wiring.directory().served(region, SECRETS)
    return wiring.store().read(served.namespaces[version]).get("Secret", name)


def _audit(region: str) -> list[ConstraintFinding]:
    ports = (wiring.store(), wiring.copies(), wiring.directory(), wiring.peers())
    return list(CopyAuditing(ports, lambda _: [AP, EU]).audit(Peer(SECRETS, region)))


def test_each_region_keeps_the_others_resources_in_its_own_version(mixed: Fleet) -> None:
    mixed.write(SECRETS, EU, WriteRequest("create", "Secret", "projects/e/secrets/s", body={"title": "Door"}))
    newer = WriteRequest("create", "Secret", "projects/a/secrets/s", body={"displayName": "Gate"})
    mixed.write(SECRETS, AP, newer, version="v1")
    _copy(AP, EU)
    _copy(EU, AP)

    forward, own = _find(AP, "v1", "projects/e/secrets/s"), _find(EU, "v1alpha2", "projects/e/secrets/s")
    assert forward is not None
    assert own is not None
    assert strip_object(forward.body)["displayName"] == "Door"
    assert (forward.uid, forward.revision, forward.owning_region) == (own.uid, own.revision, EU)
    back = _find(EU, "v1alpha2", "projects/a/secrets/s")
    assert back is not None
    assert (strip_object(back.body)["title"], back.owning_region) == ("Gate", AP)
    assert (_audit(AP), _audit(EU)) == ([], [])

    mixed.write(SECRETS, EU, WriteRequest("delete", "Secret", "projects/e/secrets/s"))
    assert [(each.what, each.target) for each in _audit(AP)] == [
        ("extra", f"//{SECRETS}/{EU}/projects/e/secrets/s")
    ]
    _copy(AP, EU)
    assert _find(AP, "v1", "projects/e/secrets/s") is None
    assert _audit(AP) == []


def test_a_lost_and_a_surplus_copy_are_found_and_mended_by_comparing(mixed: Fleet) -> None:
    for number in range(3):
        name = f"projects/e/secrets/s{number}"
        mixed.write(SECRETS, EU, WriteRequest("create", "Secret", name, body={"title": "Door"}))
    _copy(AP, EU)
    home = wiring.directory().served(AP, SECRETS).namespaces["v1"]
    with wiring.databases().connection(home.database) as connection:
        table = f'"{home.schema}"."r_Secret"'
        connection.execute("SELECT set_config('switchyard.capture', 'off', false)")
        connection.execute(f"DELETE FROM {table} WHERE name LIKE '%s0'".encode())
        connection.execute(f"UPDATE {table} SET revision = 0 WHERE name LIKE '%s1'".encode())
        connection.execute(
            f"INSERT INTO {table} SELECT 'projects/e/secrets/x', shard, origin_shard, gen_random_uuid(), revision,"
            f" body, metadata, owning_region, create_time, update_time FROM {table} WHERE name LIKE '%s2'".encode()
        )
        connection.execute(f"UPDATE \"{home.schema}\".copy_source SET position = 'lost'".encode())
        connection.execute("RESET switchyard.capture")
    found = {each.target.rpartition("/")[2]: each.what for each in _audit(AP)}
    assert found == {"s0": "lacking", "s1": "stale", "x": "extra"}
    _copy(AP, EU)
    assert _audit(AP) == []


def test_a_move_to_another_database_waits_for_the_copies_and_finds_them_there(
    mixed: Fleet, postgres: Postgres
) -> None:
    for number in range(3):
        request = WriteRequest(
            "create", "Secret", f"projects/a/secrets/s{number}", body={"displayName": "Gate"}
        )
        mixed.write(SECRETS, AP, request, version="v1")
    _copy(EU, AP)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    deployment = f"services/{SECRETS}/deployments/{EU}"
    with empty_database(postgres) as elsewhere:
        wish = UpgradeSpec(deployment, kind=UpgradeKind.LOCATION, target_location=elsewhere)
        upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
        record = work_until(upgrade, State.READY)
        assert _left(record) == f"The read copies of {AP} are not caught up in v1alpha2 yet."
        _copy(EU, AP)
        assert _left(record) is None
        work_until(upgrade, State.REVERSIBLE, request_switch)
        assert (Deployment.objects.get(pk=deployment).database, _audit(EU)) == (elsewhere, [])
        wiring.directory().forget(EU, SECRETS)
        assert wiring.directory().served(EU, SECRETS).namespaces["v1alpha2"] == record.target

        # What is left is followed as well, for the rollback.
        mixed.write(SECRETS, AP, WriteRequest("delete", "Secret", "projects/a/secrets/s0"), version="v1")
        _copy(EU, AP)
        for place in (record.source, record.target):
            kept = wiring.copies().held(place, AP, "Secret", "", 10)
            assert [each.name.rpartition("/")[2] for each in kept] == ["s1", "s2"]
        wiring.databases().close(elsewhere)


def _left(record: UpgradeRecord) -> str | None:
    switchover = switchover_of(wiring.ports(), record, Direction.FORWARD)
    found = preflight.checks(preflight.measure(wiring.ports(), switchover), Direction.FORWARD)
    reason = preflight.first_blocker([each for each in found if each.check == "read-copies"])
    return None if reason is None else str(reason)

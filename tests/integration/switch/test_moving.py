"""A deployment moves to another data database by the same machine, and back, with its real definitions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.adapters.repositories.places import DjangoPlaces, ends_of
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.states import State
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Busy
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import Upgrade, UpgradeStep
from migrations_app.ports.constraints import AttemptOutcome
from tests.conftest import empty_database
from tests.factories.access import client_of
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)


def delete(name: str) -> None:
    """Delete a secret as a client of its API does."""
    request = WriteRequest("delete", "Secret", name)
    wiring.resource_servers().writing.write("eu-west1", "secrets.example.com", "v1alpha2", [request])


def test_the_data_move_and_what_was_written_there_comes_back(started: str, postgres: Postgres) -> None:
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    home = Deployment.objects.get(pk=DEPLOYMENT).database
    with empty_database(postgres) as elsewhere:
        wish = UpgradeSpec(
            DEPLOYMENT, kind=UpgradeKind.LOCATION, target_location=elsewhere, target_shard_count=6
        )
        upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
        assert f"copying data for v1alpha2 in {elsewhere}" in str(known.upgrade(OLGA, upgrade)["sentence"])
        work_until(upgrade, State.READY)
        # What is written in either place wakes who follows it, though the registry shows one of them only.
        ends = ends_of(Upgrade.objects.get(pk=upgrade))
        assert [DjangoPlaces().in_use_at(each.database, each.schema) for each in ends] == [
            [each] for each in ends
        ]
        record = work_until(upgrade, State.REVERSIBLE, request_switch)
        moved = Deployment.objects.get(pk=DEPLOYMENT)
        assert (moved.database, moved.db_location_tag, moved.current_version, moved.ring) == (
            elsewhere,
            elsewhere,
            "v1alpha2",
            6,
        )
        shards = known.upgrade(OLGA, upgrade)["shards"]
        assert isinstance(shards, dict)
        assert shards["total"] == 6
        assert sum(wiring.store().counts(record.target, "Secret").values()) == 60
        steps = UpgradeStep.objects.filter(upgrade=upgrade)
        assert steps.get(step="flip").text.startswith(f"v1alpha2 in {elsewhere} is open at epoch ")

        write(record.target, "projects/p/secrets/moved", title="Moved")
        work_until(upgrade, State.REVERTED, request_rollback)
        back = Deployment.objects.get(pk=DEPLOYMENT)
        assert (back.database, back.ring) == (home, 4)
        kept = wiring.store().read(record.source).get("Secret", "projects/p/secrets/moved")
        assert kept is not None
        assert kept.body["title"] == "Moved"
        wiring.databases().close(elsewhere)


def test_its_dealings_with_others_move_along_even_when_the_mover_dies_in_between(
    started: str, postgres: Postgres
) -> None:
    """One database is shut, the other not yet open: the process that goes on brings the blockades there."""
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    home = wiring.ports().upgrades.load(started).source
    south, blocked = "services/apps.example.com/deployments/south", "projects/p/secrets/secret-1"
    found = wiring.store().read(home).get("Secret", blocked)
    assert found is not None
    with wiring.store().transaction(home) as transaction:
        token = transaction.constraints.draw()
        transaction.constraints.commit_attempt(token)
        transaction.constraints.block("1-attempt", south, {found.uid: "BLOCK"}, 300)
        shadow = transaction.lock("Secret", blocked)
        assert shadow is not None
        transaction.put_shadow(replace(shadow, ref_epoch=1, sources=(south,)))
    with empty_database(postgres) as elsewhere:
        wish = UpgradeSpec(DEPLOYMENT, kind=UpgradeKind.LOCATION, target_location=elsewhere)
        upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
        work_until(upgrade, State.READY)
        failpoints.arm("close.after:raise")
        try:
            record = work_until(upgrade, State.REVERSIBLE, request_switch)
        finally:
            failpoints.arm("")
        reading = wiring.store().read(record.target)
        assert [each.token for each in reading.constraints.blockades(found.uid)] == ["1-attempt"]
        assert reading.constraints.outcome(token) is AttemptOutcome.COMMITTED
        kept = reading.shadow("Secret", blocked)
        assert kept is not None
        assert kept.sources == (south,)
        # Who may refer to it is still asked, and does not answer: nothing is deleted on silence.
        with pytest.raises(Busy, match=f"whether {south} refers to it"):
            delete(blocked)
        wiring.databases().close(elsewhere)


def test_an_offer_of_another_location_is_begun_through_the_registry(started: str, postgres: Postgres) -> None:
    abort_upgrade(OLGA, started)
    work_until(started, State.ABORTED)
    meta = client_of("rita", "admin")
    with empty_database(postgres) as elsewhere:
        offer = {"targetDbLocationTag": elsewhere, "targetApiVersion": "v1alpha2"}
        offered = meta.post(f"/meta/v1/{DEPLOYMENT}:setAvailableUpgrade", offer, format="json")
        assert offered.status_code == 200, offered.json()
        begun = meta.post(f"/meta/v1/{DEPLOYMENT}:beginUpgrade", {}, format="json")
        assert begun.status_code == 200, begun.json()
        upgrade = Upgrade.objects.get(deployment=DEPLOYMENT, finished_at__isnull=True)
        assert (upgrade.kind, upgrade.target_database) == ("location", elsewhere)
        work_until(upgrade.id, State.READY)
        work_until(upgrade.id, State.REVERSIBLE, request_switch)
        assert Deployment.objects.get(pk=DEPLOYMENT).db_location_tag == elsewhere

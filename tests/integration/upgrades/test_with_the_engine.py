"""The whole main job: people over HTTP, the engine on PostgreSQL, clients that never stop writing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from migrations_app.adapters.repositories.places import DjangoPlaces
from migrations_app.adapters.repositories.sync import DjangoCheckpoints
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.upgrade_contexts import keep_place
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Region, Service
from migrations_app.engine.sync.shard_pipeline import PipelinePorts
from migrations_app.models.registry import Deployment as DeploymentRow
from migrations_app.models.registry import Service as ServiceRow
from migrations_app.models.registry import ServiceDefinition
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.stored import Draft, Layout
from migrations_app.ports.upgrades import UpgradeRecord
from tests.factories.access import client_of
from tests.factories.definitions import stored_definition
from tests.integration.sync.real_world import RealWorld, expected, found, let_write, revisions, writing
from tests.simulation.world import DEPLOYMENT
from tests.waiting import attempts

# Real transactions: one held open by the test would hold the change feed of the whole server back.
pytestmark = pytest.mark.django_db(transaction=True)


class OfficeWorld(RealWorld):
    """The real world whose upgrades are rows that people act on."""

    upgrade_id = ""

    def furnish(self, ports: PipelinePorts) -> None:
        self.upgrades = DjangoUpgrades()  # type: ignore[assignment]
        self.ports = PipelinePorts(
            store=ports.store,
            feed=ports.feed,
            fence=ports.fence,
            checkpoints=DjangoCheckpoints(),
            upgrades=self.upgrades,
            places=DjangoPlaces(),
            conversions=ports.conversions,
            throttle=ports.throttle,
            clock=ports.clock,
            comparing=ports.comparing,
        )
        self.ports.fence.open_first(FenceLocation.of(self.v1), "v1")
        self.ports.store.prepare(self.v1, [Layout("Queue"), Layout("Note", by_uid=True), Layout("Gone")])
        self.engage(self.ports)

    @property
    def record(self) -> UpgradeRecord:
        return self.upgrades.load(self.upgrade_id)


@pytest.fixture
def office(transactional_db: None, data_database: str) -> Iterator[OfficeWorld]:
    """The toy service, registered, with its namespaces where the world has them."""
    with registry.writing() as writer:
        writer.save(Service(name="services/toy.example.com", all_versions=("v2", "v1")))
        writer.save(Region(name="regions/here"))
        offer = AvailableUpgrade(api_version="v2")
        writer.save(Deployment(name=DEPLOYMENT, current_version="v1", available_upgrade=offer))
    definition = ServiceDefinition.objects.create(
        service="toy.example.com",
        fingerprint="f1",
        files=stored_definition("toy.example.com", ("v1", "v2"), ("Queue", "Note", "Gone")),
        created_at=timezone.now(),
    )
    ServiceRow.objects.update(definition=definition)
    DeploymentRow.objects.update(database=data_database, ring=4)
    made = OfficeWorld(aliases=(data_database,))
    keep_place(made.v1)
    keep_place(made.v2)
    yield made
    made.pools.close()


class Office:
    """Three people at their screens."""

    def __init__(self, world: OfficeWorld) -> None:
        self.world = world
        self.olga = client_of("olga", "operator")
        self.approvers = [client_of("ann", "approver"), client_of("bob", "approver")]

    def act(self, action: str, *status: int, body: object = None) -> dict[str, Any]:
        path = f"/api/v1/upgrades/{self.world.upgrade_id}/{action}"
        # Under live writes a shard may fall behind and catch up while a person looks.
        answer = self.olga.post(path, body or {}, format="json", headers={"If-Match": "*"})
        assert answer.status_code in status, answer.content
        told: dict[str, Any] = answer.json()
        return told

    def begin(self, **more: object) -> None:
        wish = {"deployment": DEPLOYMENT, "target_version": "v2", "start": True, **more}
        answer = self.olga.post("/api/v1/upgrades", wish, format="json")
        assert answer.status_code == 201, answer.content
        self.world.upgrade_id = answer.json()["id"]
        # Each upgrade copies to a place of its own.
        self.world.v2 = self.world.record.target

    def see(self) -> dict[str, Any]:
        body: dict[str, Any] = self.olga.get(f"/api/v1/upgrades/{self.world.upgrade_id}").json()
        return body

    def approve(self) -> None:
        request_id = self.act("request-approval", 200)["readiness"]["approvals"]["request_id"]
        for client in self.approvers:
            tag = client.get(f"/api/v1/approvals/{request_id}")["ETag"]
            voted = client.post(
                f"/api/v1/approvals/{request_id}/approve", {}, format="json", headers={"If-Match": tag}
            )
            assert voted.status_code == 200, voted.content

    def insist(self, action: str, state: str) -> dict[str, Any]:
        """Ask until it is done: under load a check may refuse for a moment."""
        for _ in attempts():
            seen = self.see()
            if seen["state"] == state:
                return seen
            offered = next(each for each in seen["actions"] if each["action"] == action)
            if offered["allowed"] and not seen["request"]:
                self.act(action, 202, 409)
            self.world.turn()
        raise AssertionError((seen["sentence"], offered, seen["readiness"]))

    def until(self, state: str) -> dict[str, Any]:
        for _ in attempts():
            if self.world.record.state == state:
                return self.see()
            self.world.turn()
        raise AssertionError(self.see())


def test_plan_sync_approve_switch_go_back_and_switch_again_under_writes(office: OfficeWorld) -> None:
    people = Office(office)
    with writing(office) as writers:
        people.begin()
        assert people.until("READY")["shards"]["ready"] == 4
        people.approve()
        switched = people.insist("switch", "REVERSIBLE")
        assert 0 < switched["freeze_ms"] < people.world.record.freeze_seconds * 1000
        assert DeploymentRow.objects.get(pk=DEPLOYMENT).current_version == "v2"
        let_write(writers)
        back = people.insist("rollback", "REVERTED")
        assert back["freeze_ms"] == switched["freeze_ms"]
        assert 0 < back["rollback_freeze_ms"] < people.world.record.freeze_seconds * 1000
        assert f"writes were paused for {back['rollback_freeze_ms']:.0f} ms" in back["sentence"]
        assert DeploymentRow.objects.get(pk=DEPLOYMENT).current_version == "v1"
        let_write(writers)
        people.begin()
        people.until("READY")
        people.approve()
        people.insist("switch", "REVERSIBLE")
        let_write(writers)
    office.settle()
    assert found(office, office.v2) == expected(office, writers, office.v2)
    assert revisions(office, office.v1) == revisions(office, office.v2)
    done = people.insist("complete", "COMPLETED")
    assert done["sentence"] == "toy @ here moved from v1 to v2; the rollback window is closed."
    report = people.olga.get(f"/api/v1/upgrades/{office.upgrade_id}/report").json()
    # On a loaded machine a shard may fall behind (D), or a switch be tried twice (I).
    rows = [move["row"] for move in report["moves"] if move["row"] not in ("C", "D", "I")]
    assert list(dict.fromkeys(rows)) == ["", "A", "G", "H", "M"]


def test_the_way_back_closes_by_itself_when_its_time_is_over(office: OfficeWorld) -> None:
    people = Office(office)
    people.begin(rollback_hours=36)
    people.until("READY")
    people.approve()
    switched = people.insist("switch", "REVERSIBLE")
    row = Upgrade.objects.get(pk=office.upgrade_id)
    assert row.reversible_until is not None
    assert timedelta(hours=35) < row.reversible_until - timezone.now() < timedelta(hours=37)
    longer = people.act("extend", 200, body={"hours": 48})
    assert longer["reversible_until"] > switched["reversible_until"]
    for _ in range(3):
        office.turn()
    assert people.see()["state"] == "REVERSIBLE"

    Upgrade.objects.filter(pk=office.upgrade_id).update(reversible_until=timezone.now())
    assert people.until("COMPLETED")["finished_at"]
    told = [(line.kind, line.who) for line in row.lines.filter(kind__startswith="complete")]
    assert told == [("complete-asked", "switchyard"), ("complete", "switchyard")]
    assert not office.ports.feed.cursors(office.v2)
    assert people.act("rollback", 409)["code"] == "upgrade-state"


def test_a_rollback_that_is_being_closed_is_not_promised(office: OfficeWorld) -> None:
    people = Office(office)
    people.begin()
    people.until("READY")
    people.approve()
    people.insist("switch", "REVERSIBLE")
    people.act("complete", 202)
    for action, body in (("rollback", {}), ("extend", {"hours": 5})):
        assert people.act(action, 409, body=body)["code"] == "already-asked"
    people.until("COMPLETED")


def test_a_quarantined_resource_holds_the_switch_until_a_person_decides(office: OfficeWorld) -> None:
    with office.ports.store.transaction(office.v1) as transaction:
        transaction.put(Draft("Queue", "queues/poison", uuid4(), {"value": "poison"}))
        transaction.put(Draft("Queue", "queues/well", uuid4(), {"value": 1}))
    people = Office(office)
    people.begin()
    people.until("READY")
    people.approve()
    for _ in range(5):
        office.turn()
    refused = people.act("switch", 409)
    assert (refused["code"], refused["detail"]) == (
        "guard-quarantined",
        "1 resource could not be carried over. Fix each of them and try it again, or exclude it.",
    )
    shown = people.olga.get(f"/api/v1/upgrades/{office.upgrade_id}").json()["sentence"]
    assert shown.endswith("but 1 resource could not be carried over: fix it, or exclude it.")
    needs = people.olga.get("/api/v1/overview").json()["needs_you"]
    assert [(each["kind"], each["link"]) for each in needs] == [
        ("quarantined", f"/upgrades/{office.upgrade_id}")
    ]
    assert needs[0]["sentence"].endswith(": 1 resource could not be carried over.")
    path = f"/api/v1/upgrades/{office.upgrade_id}/quarantine"
    (quarantined,) = people.olga.get(path).json()["items"]
    assert (quarantined["name"], quarantined["error"], quarantined["code"]) == (
        "queues/poison",
        "queues/poison is poison.",
        "poison",
    )
    decision = {"type": "Queue", "name": "queues/poison", "verdict": "waive"}
    assert people.olga.post(path, decision, format="json").json()["code"] == "waive-reason"
    body = decision | {"comment": "a leftover of a test"}
    assert people.olga.post(path, body, format="json").json()["items"][0]["state"] == "waived"
    people.insist("switch", "REVERSIBLE")
    assert found(office, office.v2) == {"lists/well": 1}


def test_an_abort_at_the_gate_leaves_the_old_version_serving(office: OfficeWorld) -> None:
    people = Office(office)
    people.begin()
    people.until("READY")
    people.act("abort", 202)
    assert people.until("ABORTED")["sentence"] == "toy @ here stays at v1; the upgrade to v2 was aborted."
    assert office.fence.writable("v1")


def test_an_automatic_upgrade_goes_through_with_the_last_vote(office: OfficeWorld) -> None:
    people = Office(office)
    wish = {"deployment": DEPLOYMENT, "target_version": "v2", "start": True, "automatic": True}
    office.upgrade_id = people.olga.post("/api/v1/upgrades", wish, format="json").json()["id"]
    people.until("READY")
    for _ in range(3):
        office.turn()
    assert people.see()["state"] == "READY"
    people.approve()
    office.director._measure_at.discard(office.upgrade_id)  # type: ignore[attr-defined]
    assert people.until("REVERSIBLE")["freeze_ms"] is not None

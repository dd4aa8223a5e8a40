"""A deployment that does not come back is evicted by three administrators, and no peer waits for it any more."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from psycopg import sql

from migrations_app import wiring
from migrations_app.control.regions.controller import LOOK_AT_EVICTIONS_SECONDS
from migrations_app.control.regions.repository.eviction_rounds import VOID
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.domain.access import actor_with
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome
from migrations_app.kernel.errors import Busy, Conflict, Denied
from migrations_app.kernel.json import Json
from migrations_app.models import registry as rows
from migrations_app.models.evictions import Eviction, EvictionVote
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.work import Work
from migrations_app.ports.regions.peers import Peer
from tests.factories.access import client_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, Fleet

BASE = f"/api/v1/constraints/{SECRETS}/{EU}/evictions"
REASON = "Its region burnt down, and no copy of it is left."
LOST = f"services/{SECRETS}/deployments/{EU}"


def _lose(fleet: Fleet) -> None:
    """Let the secrets of a region refer to a project, be about to refer to another, and then be lost."""
    for name in ("p", "q"):
        fleet.create(IAM, EU, "Project", f"projects/{name}")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    fleet.work(1)
    reference: Json = {"type": "Project", "name": "projects/q", "kind": "BLOCK", "path": "project"}
    asked: dict[str, Json] = {"token": "1700000000-lost", "version": "v1", "references": [reference]}
    wiring.mixin().answer(fleet.peer(SECRETS, EU), fleet.peer(IAM, EU), "establishReferences", asked)
    served = wiring.directory().served(EU, SECRETS)
    home = served.namespaces["v1alpha2"]
    with wiring.databases().connection(home.database) as connection:
        burnt = sql.SQL("ALTER SCHEMA {} RENAME TO burnt").format(sql.Identifier(home.schema))
        connection.execute(burnt)


def _work() -> None:
    """Let the controllers of who is left work; those of the lost deployment find nothing to work on."""
    key = Peer(IAM, EU).deployment
    for name in ("pending", "deleting"):
        wiring.controllers()[name].reconcile(key, Budget(2.0, wiring.clock()), Lease(key, 1))


def _evict(fleet: Fleet, capture: object) -> None:
    """Lose a deployment that refers to what stays, too, and evict it with all votes."""
    fleet.create(IAM, EU, "Project", "projects/r")
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(SECRETS, EU, "Secret", "projects/r/secrets/s", project="projects/r")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/r/cryptoKeys/k", owner="users/ada")
    _lose(fleet)
    anna, *voters = (client_of(name, "admin") for name in ("anna", "ben", "carl"))
    asked = anna.post(BASE, {"reason": REASON}, format="json").json()
    for client in voters:
        with capture(execute=True):  # type: ignore[operator]
            client.post(
                f"/api/v1/evictions/{asked['id']}/approve",
                {},
                format="json",
                headers={"If-Match": f'"{asked["digest"]}"'},
            )
    wiring.directory().forget(EU, SECRETS)
    _work()


def _find_again() -> None:
    """Bring the lost data back, as they were."""
    home = rows.Namespace.objects.get(deployment_id=LOST, version="v1alpha2")
    with wiring.databases().connection(home.database) as connection:
        connection.execute(sql.SQL("ALTER SCHEMA burnt RENAME TO {}").format(sql.Identifier(home.schema)))


def test_after_an_eviction_no_peer_waits_for_the_evicted_deployment(
    fleet: Fleet, django_capture_on_commit_callbacks: object
) -> None:
    _lose(fleet)
    anna, ben, carl = (client_of(name, "admin") for name in ("anna", "ben", "carl"))
    for name, code in (("p", "peer-unavailable"), ("q", "deletion-blocked")):
        with pytest.raises((Busy, Conflict)) as held:
            fleet.delete(IAM, EU, "Project", f"projects/{name}")
        assert held.value.code == code

    asked = anna.post(BASE, {"reason": REASON}, format="json").json()
    assert (asked["state"], asked["votes_given"], asked["needed"], asked["asked_by"]) == (
        "OPEN",
        0,
        2,
        "anna",
    )
    assert anna.post(BASE, {"reason": REASON}, format="json").json()["code"] == "eviction-open"
    address, tag = f"/api/v1/evictions/{asked['id']}", f'"{asked["digest"]}"'
    first = ben.post(f"{address}/approve", {}, format="json", headers={"If-Match": tag})
    assert (first.status_code, first.json()["state"], first.json()["votes_given"]) == (200, "OPEN", 1)
    _work()
    assert fleet.reading(IAM, EU).constraints.tally().blockades == 1, "one vote changes nothing"
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        second = carl.post(f"{address}/approve", {}, format="json", headers={"If-Match": tag})
    assert (second.status_code, second.json()["state"]) == (200, "USED")

    _work()
    tally = fleet.reading(IAM, EU).constraints.tally()
    assert (tally.blockades, tally.owed) == (0, 0)
    for name in ("p", "q"):
        fleet.delete(IAM, EU, "Project", f"projects/{name}")
        assert fleet.find(IAM, EU, "Project", f"projects/{name}") is None
    assert fleet.reading(IAM, EU).constraints.moving() == ()
    told = LedgerEntry.objects.filter(action__startswith="deployment.evict", target=LOST).order_by("id")
    assert [(each.actor, each.action, each.outcome) for each in told if each.actor != "switchyard"] == [
        ("anna", "deployment.evict.request", "done"),
        ("ben", "deployment.evict.approve", "done"),
        ("carl", "deployment.evict.approve", "done"),
        ("carl", "deployment.evict", "done"),
    ]

    body: dict[str, Json] = {"token": "1700000001-late", "version": "v1", "references": []}
    with pytest.raises(Denied) as late:
        wiring.mixin().answer(fleet.peer(SECRETS, EU), fleet.peer(IAM, EU), "establishReferences", body)
    assert late.value.code == "evicted"
    assert anna.post(BASE, {"reason": REASON}, format="json").json()["code"] == "already-evicted"


def test_an_evicted_deployment_serves_only_under_a_newer_registration_and_then_announces_its_references(
    fleet: Fleet, django_capture_on_commit_callbacks: object
) -> None:
    _evict(fleet, django_capture_on_commit_callbacks)
    for name in ("p", "q"):
        fleet.delete(IAM, EU, "Project", f"projects/{name}")
    fleet.delete(IAM, EU, "User", "users/ada")
    _find_again()
    with pytest.raises(Conflict) as away:
        fleet.find(SECRETS, EU, "Secret", "projects/r/secrets/s")
    assert away.value.code == "deployment-evicted"
    assert rows.Deployment.objects.get(pk=LOST).is_disabled
    assert Peer(SECRETS, EU) not in wiring.hosted_here()
    viewer = client_of("vera", "viewer")
    shown = viewer.get("/api/v1/constraints").json()["items"]
    assert [each["state"] for each in shown if each["deployment"] == LOST] == ["evicted"]

    admin, operator = actor_with("anna", "admin"), actor_with("otto", "operator")
    at = rows.Deployment.objects.get(pk=LOST).database
    with pytest.raises(Conflict) as same:
        apply_deployment(admin, LOST, {"isDisabled": False}, database=at)
    assert same.value.code == "deployment-evicted"
    anew: dict[str, Json] = {"isDisabled": False, "envRegistryGeneration": "1"}
    with pytest.raises(Denied):
        apply_deployment(operator, LOST, anew, database=at)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        apply_deployment(admin, LOST, anew, database=at)
    assert LedgerEntry.objects.filter(action="deployment.return", target=LOST, actor="anna").count() == 1

    wiring.directory().forget(EU, SECRETS)
    fleet.work(2)
    with pytest.raises(Conflict) as held:
        fleet.delete(IAM, EU, "Project", "projects/r")
    assert held.value.code == "deletion-blocked"
    cleared = fleet.find(SECRETS, EU, "CryptoKey", "projects/r/cryptoKeys/k")
    assert cleared is not None
    assert "owner" not in cleared.body
    found = viewer.get(f"/api/v1/constraints/{SECRETS}/{EU}/audit").json()["findings"]
    assert [(each["source"].rpartition("/")[2], each["path"], each["what"]) for each in found] == [
        ("s", "project", "gone")
    ]
    assert Eviction.objects.get().settled_at is None, "a process may still take it for evicted"
    Eviction.objects.update(returned_at=timezone.now() - timedelta(minutes=1))
    wiring.returns().forget()
    fleet.work(1)
    assert Eviction.objects.get().settled_at is not None


def test_the_asker_does_not_vote_and_no_account_votes_twice(fleet: Fleet) -> None:
    _lose(fleet)
    anna, ben = (client_of(name, "admin") for name in ("anna", "ben"))
    asked = anna.post(BASE, {"reason": REASON}, format="json").json()
    address, tag = f"/api/v1/evictions/{asked['id']}/approve", f'"{asked["digest"]}"'
    own = anna.post(address, {}, format="json", headers={"If-Match": tag})
    assert (own.status_code, own.json()["detail"].startswith("You asked for this")) == (403, True)
    assert not anna.get(BASE).json()["items"][0]["vote"]["allowed"]
    assert ben.post(address, {}, format="json", headers={"If-Match": tag}).status_code == 200
    twice = ben.post(address, {}, format="json", headers={"If-Match": tag})
    assert (twice.status_code, twice.json()["code"]) == (409, "voted-already")
    assert EvictionVote.objects.count() == 1


def test_only_administrators_ask_and_vote(fleet: Fleet) -> None:
    _lose(fleet)
    asked = client_of("anna", "admin").post(BASE, {"reason": REASON}, format="json").json()
    for name, role in (("otto", "operator"), ("ada", "approver"), ("vera", "viewer")):
        client = client_of(name, role)
        assert client.post(BASE, {"reason": REASON}, format="json").status_code == 403
        vote = client.post(
            f"/api/v1/evictions/{asked['id']}/approve",
            {},
            format="json",
            headers={"If-Match": f'"{asked["digest"]}"'},
        )
        assert vote.status_code == 403
        shown = client.get(BASE).json()
        assert (shown["evict"]["allowed"], shown["evict"]["who_can"]) == (False, ["admin"])
    assert (Eviction.objects.count(), EvictionVote.objects.count()) == (1, 0)


def test_who_answers_is_not_evicted(fleet: Fleet) -> None:
    anna = client_of("anna", "admin")
    refused = anna.post(BASE, {"reason": REASON}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "deployment-answers")
    evict = anna.get(BASE).json()["evict"]
    assert evict["reason"] == "Its server answers. Only a deployment that does not answer can be evicted."
    # No other person could do it either.
    assert evict["who_can"] == []
    short = anna.post(BASE, {"reason": "gone"}, format="json")
    assert (short.status_code, short.json()["code"]) == (400, "eviction-reason")
    assert Eviction.objects.count() == 0


def test_votes_are_void_once_it_answers_again(fleet: Fleet) -> None:
    _lose(fleet)
    anna, ben, carl = (client_of(name, "admin") for name in ("anna", "ben", "carl"))
    asked = anna.post(BASE, {"reason": REASON}, format="json").json()
    address, tag = f"/api/v1/evictions/{asked['id']}", f'"{asked["digest"]}"'
    ben.post(f"{address}/approve", {}, format="json", headers={"If-Match": tag})
    _find_again()
    late = carl.post(f"{address}/approve", {}, format="json", headers={"If-Match": tag})
    assert (late.status_code, late.json()["code"]) == (412, "evidence-changed")
    assert (late.json()["current"]["votes_given"], late.json()["changed"]["what"]) == (0, str(VOID))
    shown = carl.get(address).json()
    assert (shown["state"], shown["votes_given"], shown["votes"][0]["void_reason"]) == ("OPEN", 0, str(VOID))
    assert shown["votes"][0]["void_phrases"] == [{"key": str(VOID), "values": {}}]


def _look(eviction_id: str) -> Outcome:
    """Let the controller of requests to evict look once, under a lease it took."""
    Work.objects.get_or_create(controller="evictions", key=eviction_id)
    lease = wiring.leases().take("evictions", eviction_id, holder="test", lease_seconds=30)
    assert lease is not None
    outcome = wiring.controllers()["evictions"].reconcile(eviction_id, Budget(2.0, wiring.clock()), lease)
    assert wiring.leases().settle(lease, Again(0.0))
    return outcome


def test_votes_to_evict_are_void_by_themselves_once_it_answers_and_the_request_ends_with_its_time(
    fleet: Fleet,
) -> None:
    fleet.create(IAM, EU, "Project", "projects/r")
    _lose(fleet)
    anna, ben = client_of("anna", "admin"), client_of("ben", "admin")
    asked = anna.post(BASE, {"reason": REASON}, format="json").json()
    tag = f'"{asked["digest"]}"'
    ben.post(f"/api/v1/evictions/{asked['id']}/approve", {}, format="json", headers={"If-Match": tag})
    assert list(wiring.controllers()["evictions"].due()) == [asked["id"]]
    assert _look(asked["id"]) == Again(LOOK_AT_EVICTIONS_SECONDS)
    assert (Eviction.objects.get().round, EvictionVote.objects.get().void_reason) == (1, "")

    _find_again()
    wiring.directory().forget(EU, SECRETS)
    assert _look(asked["id"]) == Again(LOOK_AT_EVICTIONS_SECONDS)
    assert (Eviction.objects.get().round, EvictionVote.objects.get().void_reason) == (2, str(VOID))

    past = timezone.now() - timedelta(hours=25)
    Eviction.objects.update(created_at=past)
    assert _look(asked["id"]) == Done()
    assert Eviction.objects.get().closed_as == "EXPIRED"
    told = LedgerEntry.objects.get(action="deployment.evict.expire")
    assert (told.actor, told.target, told.reason) == (
        "switchyard",
        LOST,
        "Its time ran out: 0 of 2 approvals were given.",
    )
    assert list(wiring.controllers()["evictions"].due()) == []

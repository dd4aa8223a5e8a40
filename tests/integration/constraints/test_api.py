"""What operators see of the dealings between deployments, and the audit of their references."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from migrations_app import wiring
from migrations_app.adapters.databases import Databases
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.controller import Terms, reconcile
from migrations_app.kernel.errors import PeerUnavailable
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.work import Work
from migrations_app.ports.regions.peers import Peer
from tests.factories.access import client_of
from tests.integration.constraints.conftest import EU, IAM, SECRETS, US, Fleet

BASE, TERMS = "/api/v1/constraints", Terms()


def test_operators_see_what_is_owed_blocked_and_being_deleted(fleet: Fleet) -> None:
    client = client_of("vera", "viewer")
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    fleet.delete(IAM, EU, "User", "users/ada")

    items = {each["deployment"]: each for each in client.get(BASE).json()["items"]}
    assert {each["state"] for each in items.values()} == {"known"}
    secrets, iam = (f"services/{service}/deployments/{EU}" for service in (SECRETS, IAM))
    assert (items[secrets]["tally"]["owed"], items[iam]["tally"]["deleting"]) == (1, 1)
    assert {key for key, value in items[iam]["tally"].items() if isinstance(value, int)} == {
        "owed",
        "blockades",
        "overdue_blockades",
        "pending_deletes",
        "deleting",
    }
    told = client.get("/metrics").content.decode()
    (age,) = [line for line in told.splitlines() if line.startswith("switchyard_deleting_oldest_seconds ")]
    assert float(age.split()[1]) > 0
    (moving,) = client.get(f"{BASE}/{IAM}/{EU}").json()["moving"]
    assert (moving["name"], moving["state"], moving["sources"]) == ("users/ada", "DELETING", [secrets])

    fleet.work(2)
    assert client.get(f"{BASE}/{IAM}/{EU}").json()["moving"] == []
    assert client.get(f"{BASE}/{SECRETS}/{EU}/audit").json() == {"findings": [], "more": False}


def test_the_audit_names_references_whose_target_is_gone(fleet: Fleet) -> None:
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    _lose(fleet)
    (found,) = client_of("vera", "viewer").get(f"{BASE}/{SECRETS}/{EU}/audit").json()["findings"]
    assert found == {
        "source": f"//{SECRETS}/{EU}/projects/p/secrets/s",
        "target": f"//{IAM}/{EU}/projects/p",
        "path": "project",
        "what": "gone",
        "reason": "",
    }


def test_who_does_not_answer_is_unknown(fleet: Fleet) -> None:
    missing = client_of("vera", "viewer").get(f"{BASE}/{IAM}/nowhere").json()
    assert (missing["state"], missing["tally"]) == ("unknown", None)
    assert "no deployment" in missing["reason"]


def test_people_see_how_far_deletions_are_followed_and_whom_work_waits_for(fleet: Fleet) -> None:
    here, client = f"services/{SECRETS}/deployments/{EU}", client_of("vera", "viewer")

    def _shown() -> dict[str, Any]:
        found: dict[str, Any] = client.get(f"{BASE}/{SECRETS}/{EU}").json()
        return found

    followed = {(IAM, EU), (IAM, US), (SECRETS, US)}
    assert {(each["service"], each["region"]) for each in _shown()["subscriptions"]} == followed
    assert {each["state"] for each in _shown()["subscriptions"]} == {"unknown"}, "no peer was asked yet"

    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    fleet.delete(IAM, EU, "User", "users/ada")
    with _cut_off(US, IAM):
        # The second time a peer that answers comes before one that did not.
        for region in (EU, US, US):
            _reconcile("subscribed-deletions", f"{here}<{region}")
        told = {(each["service"], each["region"]): each for each in _shown()["subscriptions"]}
    assert {key: each["state"] for key, each in told.items()} == {
        (IAM, EU): "following",
        (IAM, US): "unknown",
        (SECRETS, US): "following",
    }
    assert (told[IAM, EU]["waiting"], told[IAM, EU]["position"]) == (1, "")
    assert 0 <= told[IAM, EU]["behind_seconds"] < 60
    assert told[IAM, US]["problem"].startswith(f"{IAM} @ {US}: ")
    assert told[IAM, US]["problem_phrases"][0] == {"key": "{place}:", "values": {"place": f"{IAM} @ {US}"}}
    assert told[IAM, US]["behind_seconds"] is None

    with _cut_off(EU, IAM):
        for _ in range(TERMS.attempts + 2):
            _reconcile("pending", here)
        (wait,) = _shown()["waits"]
    assert (wait["work"], wait["quarantined"]) == ("pending", False), "who is away is no poison"
    assert wait["waits_for"].startswith(f"services/{IAM}/deployments/{EU}: ")
    assert wait["waits_for_phrases"] == [
        {"key": "{place}:", "values": {"place": f"services/{IAM}/deployments/{EU}"}},
        {"key": "Region {region} does not answer.", "values": {"region": EU}},
    ]
    _reconcile("pending", here)
    assert _shown()["waits"] == []


def test_people_see_why_read_copies_are_not_followed(fleet: Fleet) -> None:
    key, client = f"services/{SECRETS}/deployments/{EU}<{US}", client_of("vera", "viewer")

    def _shown() -> dict[str, Any]:
        (found,) = client.get(f"{BASE}/{SECRETS}/{EU}").json()["read_copies"]
        return dict(found)

    with _cut_off(US, SECRETS):
        _reconcile("read-copies", key)
    told = _shown()
    assert (told["region"], told["state"]) == (US, "unknown")
    assert told["problem"] == f"Region {US} does not answer."
    assert told["problem_phrases"] == [{"key": "Region {region} does not answer.", "values": {"region": US}}]
    _reconcile("read-copies", key)
    assert _shown()["problem"] == ""
    assert "problem_phrases" not in _shown()


def _reconcile(name: str, key: str) -> None:
    """Let a worker take a key now, and settle it."""
    Work.objects.filter(controller=name, key=key).update(due_at=None)
    controller = wiring.controllers()[name]
    ran = reconcile(controller, key, leases=wiring.leases(), clock=wiring.clock(), holder="test", terms=TERMS)
    assert ran.settled


@contextmanager
def _cut_off(region: str, service: str) -> Iterator[None]:
    """Let a deployment give no answer for a while."""
    answer = MixinServer.answer

    def _silent(self: MixinServer, sender: Peer, here: Peer, action: str, body: JsonObject) -> JsonObject:
        if here == Peer(service, region):
            raise PeerUnavailable(message("Region {region} does not answer.", region=region))
        return answer(self, sender, here, action, body)

    with patch.object(MixinServer, "answer", _silent):
        yield


def _lose(fleet: Fleet) -> None:
    """Delete behind everybody's back."""
    databases: Databases = wiring.databases()
    served = wiring.directory().served(EU, IAM)
    home = served.namespaces["v1"]
    with databases.connection(home.database) as connection:
        connection.execute(f'DELETE FROM "{home.schema}"."r_Project"'.encode())

"""Deletions before they are done: rehearsed, checked in bulk, and waited for until a notification is sent."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.control.events import outbox
from migrations_app.control.notifications.messages import body_of, is_within, name_of, place_of
from migrations_app.control.references.controller import LOOK_SECONDS
from migrations_app.control.references.queries.references import deletion_check
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget, Done, Outcome
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.watches import DeletionWatch
from migrations_app.models.work import Work
from tests.factories.access import client_of
from tests.integration.resource_api.conftest import DOOR, GRANT, SERVICE, Yard

REHEARSALS, WATCHES = "/api/v1/deletion-check/rehearsals", "/api/v1/deletion-watches"


def test_a_rehearsal_is_refused_as_the_deletion_would_be_and_leaves_only_its_note(granted: Yard) -> None:
    client = client_of("olga", "operator")
    refused = client.post(REHEARSALS, {"name": DOOR}, format="json").json()
    assert (refused["outcome"], refused["deleted"]) == ("refuse", 0)
    assert [phrase["key"] for phrase in refused["phrases"]] == [
        "It was refused:",
        "{name} is referred to by {source} and {count} more.|{name} is referred to by {source} and {count} more.",
    ]
    assert refused["violations"][0] == {
        "path": "projects/p/secretGrants/g1#secret",
        "message": "refers to projects/p/secrets/door",
        "phrases": [{"key": "refers to {name}", "values": {"name": "projects/p/secrets/door"}}],
    }

    done = client.post(REHEARSALS, {"name": GRANT}, format="json").json()
    assert done == {
        "outcome": "delete",
        "sentence": "It was deleted; then all of it was taken back.",
        "phrases": [{"key": "It was deleted; then all of it was taken back.", "values": {}}],
        "deleted": 1,
        "asks": [],
        "violations": [],
    }
    assert granted.call("GET", "projects/p/secretGrants/g1").document["member"] == "ada"
    notes = LedgerEntry.objects.filter(action="resource.delete").values_list("outcome", "target")
    assert sorted(notes) == sorted([("dry_run", DOOR), ("dry_run", GRANT)])


def test_only_who_may_write_may_rehearse_and_only_what_is_there(granted: Yard) -> None:
    assert client_of("vera", "viewer").post(REHEARSALS, {"name": GRANT}, format="json").status_code == 403
    gone = GRANT.replace("g1", "none")
    assert client_of("olga", "operator").post(REHEARSALS, {"name": gone}, format="json").status_code == 404


def test_the_check_tells_whose_a_blocker_is_and_since_when_it_is_there(granted: Yard) -> None:
    blockers = deletion_check(SYSTEM, DOOR)["blockers"]
    created = granted.call("GET", "projects/p/secretGrants/g1").document["metadata"]["createTime"]
    assert isinstance(blockers, list)
    for each in blockers:
        assert isinstance(each, dict)
        assert (each["type"], each["owner"]) == ("SecretGrant", "projects/p")
        assert str(each["since"])[:19] == created[:19]


def test_many_are_checked_at_once_and_who_is_not_found_is_unknown(granted: Yard) -> None:
    client, names = client_of("vera", "viewer"), [DOOR, "projects/p/secretGrants/g1", "projects/p/secrets/no"]
    found = client.post("/api/v1/deletion-checks", {"names": names}, format="json").json()["items"]
    assert [(each["name"], each["verdict"], each["blockers"]) for each in found] == [
        (DOOR, "blocked", 2),
        ("projects/p/secretGrants/g1", "safe", 0),
        ("projects/p/secrets/no", "unknown", 0),
    ]
    assert found[1]["id"] == GRANT
    assert [phrase["key"] for phrase in found[1]["phrases"]] == ["Safe now."]
    many = [f"projects/p/secrets/{n}" for n in range(101)]
    assert client.post("/api/v1/deletion-checks", {"names": many}, format="json").status_code == 400


def _look(key: str) -> Outcome:
    """Let the controller look once, under a lease it took."""
    Work.objects.get_or_create(controller="deletion-watches", key=key)
    lease = wiring.leases().take("deletion-watches", key, holder="test", lease_seconds=30)
    assert lease is not None
    outcome = wiring.controllers()["deletion-watches"].reconcile(key, Budget(1.0, wiring.clock()), lease)
    assert wiring.leases().settle(lease, Again(0.0))
    return outcome


def test_who_waits_for_a_deletion_is_told_once_when_nothing_blocks_it_any_more(granted: Yard) -> None:
    client = client_of("vera", "viewer")
    made = client.post(WATCHES, {"name": DOOR}, format="json")
    again = client.post(WATCHES, {"name": DOOR}, format="json")
    assert (made.status_code, made.json()["verdict"], again.json()["id"]) == (
        201,
        "blocked",
        made.json()["id"],
    )
    key = made.json()["id"]
    assert list(wiring.controllers()["deletion-watches"].due()) == [key]
    assert _look(key) == Again(LOOK_SECONDS)
    assert _needs(client) == []

    granted.call("DELETE", "projects/p/secretGrants/g1")
    since = outbox.number().seq
    assert _look(key) == Done()
    assert list(wiring.controllers()["deletion-watches"].due()) == []
    (need,) = _needs(client)
    assert need["sentence"] == "projects/p/secrets/door: Safe now."
    assert need["phrases"] == [
        {"key": "{name}:", "values": {"name": "projects/p/secrets/door"}},
        {"key": "Safe now.", "values": {}},
    ]
    assert need["link"].startswith("/refs/deletion?name=%2F%2Fsecrets")
    (event,) = [each for each in outbox.read(since, outbox.number().seq, 100) if each.kind == "deletion"]
    assert (name_of(event), is_within(place_of(event), SERVICE, "eu-*")) == ("deletion.clear", True)
    assert body_of(event, "deletion.clear")["text"] == f"{DOOR}: Safe now."

    assert client_of("ivan", "viewer").delete(f"{WATCHES}/{key}").status_code == 404
    assert client.delete(f"{WATCHES}/{key}").status_code == 204
    assert _needs(client) == []


def test_what_a_process_of_an_older_version_wrote_of_a_watch_is_not_worded_by_older_phrases(
    granted: Yard,
) -> None:
    client = client_of("vera", "viewer")
    shown = client.post(WATCHES, {"name": DOOR}, format="json").json()
    assert [phrase["values"] for phrase in shown["phrases"]] == [{"count": 2}, {"count": 1}]
    DeletionWatch.objects.filter(pk=shown["id"]).update(sentence="Blocked by 1 reference in 1 deployment.")
    (watch,) = client.get(WATCHES).json()["items"]
    assert watch["phrases"] == [
        {"key": "{text}", "values": {"text": "Blocked by 1 reference in 1 deployment."}}
    ]


def test_what_is_gone_ends_a_watch_and_what_is_not_there_cannot_be_watched(granted: Yard) -> None:
    client = client_of("vera", "viewer")
    key = client.post(WATCHES, {"name": GRANT}, format="json").json()["id"]
    granted.call("DELETE", "projects/p/secretGrants/g1")
    assert _look(key) == Done()
    assert DeletionWatch.objects.get(pk=key).verdict == "gone"
    assert client.post(WATCHES, {"name": GRANT}, format="json").status_code == 404


def _needs(client: APIClient) -> list[dict[str, Any]]:
    return [each for each in client.get("/api/v1/overview").json()["needs_you"] if each["kind"] == "deletion"]

"""A definition that neither servers nor clients can change alone goes in phases, started at once and taken on by evidence."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.adapters import definitions
from migrations_app.engine.controller import Terms, reconcile
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.rollouts import DefinitionRollout
from migrations_app.models.work import Work
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, STORED, folder
from tests.integration.compatibility.test_changes_of_definitions import (
    ADDED,
    NEEDED,
    REMOVED,
    box,
    files,
    observed_for,
    olga,
    shelves,
    stored,
    without_evidence,
)
from tests.integration.resource_api.conftest import REGION, Yard
from tests.swy import Swy

__all__ = ["box", "olga", "shelves"]
pytestmark = pytest.mark.django_db
ROLLOUTS = f"/api/v1/services/{SHELVES}/definition-rollouts"


def planned(client: APIClient, *, start: bool = True, **given: str) -> dict[str, Any]:
    """Plan a rollout, and start it."""
    answer = client.post(ROLLOUTS, {"files": files(**given), "start": start}, format="json")
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def turn(yard: Yard, client: APIClient, rollout: str) -> dict[str, Any]:
    """Let the controller look, as if every process had served the phase before for a while."""
    row = DefinitionRollout.objects.get(pk=rollout)
    for phase in row.phases:
        if phase["settled_at"]:
            phase["settled_at"] = (timezone.now() - timedelta(minutes=1)).isoformat()
    row.save()
    Work.objects.filter(key=rollout).delete()
    ran = reconcile(
        wiring.controllers()["definition-rollouts"],
        rollout,
        leases=wiring.leases(),
        clock=wiring.clock(),
        holder="test",
        terms=Terms(),
    )
    assert ran.error is None
    yard.servers.directory.forget(REGION, SHELVES)
    shown: list[dict[str, Any]] = client.get(ROLLOUTS).json()["items"]
    return next(each for each in shown if each["id"] == rollout)


def states(rollout: dict[str, Any]) -> tuple[str, list[str]]:
    """Tell where it and its phases are."""
    return rollout["state"], [each["state"] for each in rollout["phases"]]


def test_a_field_goes_in_phases_each_when_nothing_stands_against_it(box: Yard, olga: APIClient) -> None:
    dry = olga.post(f"{ROLLOUTS}?dry_run=true", {"files": files(v1=REMOVED), "start": True}, format="json")
    assert [each["action"] for each in dry.json()["phases"]] == [
        "Box.title: Servers stop sending it.",
        "Box.title: Clients stop sending it. Clients no longer know it.",
        "Box.title: Servers no longer know it.",
    ]
    assert not DefinitionRollout.objects.exists()

    made = planned(olga, v1=REMOVED)
    assert states(made) == ("RUNNING", ["done", "current", "waiting"])
    box.servers.directory.forget(REGION, SHELVES)
    assert definitions.current_fingerprint(SHELVES) == made["phases"][0]["fingerprint"]
    # Servers stop sending it and still accept it, and a client that writes back what it read takes nothing away.
    read = box.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    assert "title" not in read
    box.call("PUT", BOX, {**read, "sealed": False}, version="v1")
    assert stored(box) == {**STORED, "sealed": False}
    second = olga.post(ROLLOUTS, {"files": files(v1=REMOVED)}, format="json")
    assert (second.status_code, second.json()["code"]) == (409, "definition-rollout-exists")

    waiting = turn(box, olga, made["id"])
    assert states(waiting) == ("RUNNING", ["done", "current", "waiting"])
    lacking = waiting["phases"][1]["lacking"]
    assert lacking[0] == "v1/Box.title: 1 of 1 stored resources hold it"
    assert lacking[1].startswith(
        "v1/Box.title: still sent or asked for by stock (says it is stock/1.4), 1 times"
    )

    # Its client stops sending it, and no box holds it: after the window that is the proof.
    box.call("PATCH", BOX, {}, version="v1", updateMask="title")
    without_evidence()
    observed_for(35, count=3000)
    over = turn(box, olga, made["id"])
    assert states(over) == ("DONE", ["done", "done", "done"])
    assert (over["phase"], over["started_by"]) == (None, "olga")
    assert definitions.current_fingerprint(SHELVES) == definitions.fingerprint(folder(v1=REMOVED))
    entries = LedgerEntry.objects.filter(action__startswith="definition-rollout.", outcome="done").order_by(
        "pk"
    )
    assert [(each.action, each.actor) for each in entries] == [
        ("definition-rollout.plan", "olga"),
        ("definition-rollout.start", "olga"),
        ("definition-rollout.done", "switchyard"),
    ]


def test_a_field_is_required_once_all_send_it_and_a_rollout_pauses_stops_and_sees_other_definitions(
    box: Yard, olga: APIClient
) -> None:
    made = planned(olga, v1=NEEDED, start=False)
    assert states(made) == ("PLANNED", ["current", "waiting", "waiting"])
    act = f"/api/v1/definition-rollouts/{made['id']}"
    assert client_of("vera", "viewer").post(f"{act}/start").status_code == 403
    refused = olga.post(f"{act}/pause").json()
    assert refused["code"] == "rollout-state"
    assert "Pausing is possible only while it runs." in refused["detail"]
    assert states(olga.post(f"{act}/start").json()) == ("RUNNING", ["done", "current", "waiting"])
    box.servers.directory.forget(REGION, SHELVES)
    # A client may send it now, and need not.
    assert box.call("PATCH", BOX, {"keeper": "ada"}, version="v1").status == 200
    assert box.call("POST", "boxes", {"weight": 1}, version="v1", id="b2").status == 201
    assert states(olga.post(f"{act}/pause").json())[0] == "PAUSED"
    assert states(turn(box, olga, made["id"]))[0] == "PAUSED"
    assert states(olga.post(f"{act}/start").json())[0] == "RUNNING"
    lacking = turn(box, olga, made["id"])["phases"][1]["lacking"]
    assert "v1/Box.keeper: 1 of 2 stored resources lack it" in lacking

    # What another person applies meanwhile is not overwritten.
    definitions.keep(SHELVES, folder(v1=ADDED))
    paused = turn(box, olga, made["id"])
    assert (paused["state"], paused["reason"]) == ("PAUSED", "Another definition was applied meanwhile.")
    assert definitions.current_fingerprint(SHELVES) == definitions.fingerprint(folder(v1=ADDED))
    stopped = olga.post(f"{act}/stop", {"reason": "Not now."}, format="json").json()
    assert (stopped["state"], stopped["reason"]) == ("STOPPED", "Not now.")
    assert olga.post(f"{act}/start").status_code == 409

    nothing = olga.post(ROLLOUTS, {"files": files(v1=ADDED)}, format="json")
    assert (nothing.status_code, nothing.json()["code"]) == (409, "phases-none")


@pytest.mark.django_db(transaction=True)
def test_the_command_line_starts_lists_and_stops_one(
    live_server: Any, box: Yard, olga: APIClient, tmp_path: Path
) -> None:
    for path, text in folder(v1=REMOVED).items():
        (tmp_path / path).write_bytes(text)
    swy = Swy(live_server.url, token_of("olga"))
    dry = swy("service", "rollout", "start", str(tmp_path), "--dry-run")
    assert "1. Box.title: Servers stop sending it." in dry
    assert not DefinitionRollout.objects.exists()
    made = json.loads(swy("service", "rollout", "start", str(tmp_path), "-o", "json").splitlines()[0])
    assert made["state"] == "RUNNING"
    assert made["id"] in swy("service", "rollout", "list", SHELVES, "-o", "table")
    assert "PAUSED" in swy("service", "rollout", "pause", made["id"])
    assert "RUNNING" in swy("service", "rollout", "resume", made["id"])
    assert "STOPPED" in swy("service", "rollout", "stop", made["id"], "-m", "Not now.")

"""References, deletions and resources of deployments are answered as docs/reference/openapi.yaml declares."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.ports.logs.activity import ActivityBatch, ActivityEntry
from migrations_app.ports.logs.conversion_records import ConversionRecord
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.factories.access import client_of
from tests.integration.conformance.operations import DATA
from tests.integration.conformance.recorder import Recorder
from tests.integration.conformance.rehearsals import rehearse
from tests.integration.constraints.conftest import EU, FLEET, IAM, SECRETS, Fleet, fleet
from tests.integration.resource_api.conftest import files_of

__all__ = ["fleet"]
DELIVERY = "delivery.example.com"
SECRET = f"//{SECRETS}/{EU}/projects/p/secrets/s"
PROJECT = f"//{IAM}/{EU}/projects/p"
AT: dict[str, object] = {"service": SECRETS, "region": EU}
LOGS = "GET /api/v1/deployments/{service}/{region}"


@pytest.fixture
def recorder(fleet: Fleet) -> Recorder:
    """Two services that refer to each other, a deletion under way, a lost target, and an upgrade that copies."""
    fleet.create(IAM, EU, "User", "users/ada", email="ada@example.com")
    fleet.create(IAM, EU, "Project", "projects/p")
    fleet.create(SECRETS, EU, "CryptoKey", "projects/p/cryptoKeys/k", owner="users/ada")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/s", project="projects/p")
    fleet.create(SECRETS, EU, "Secret", "projects/p/secrets/t", project="projects/p")
    fleet.delete(IAM, EU, "User", "users/ada")
    client = client_of("rita", "admin")
    wish = {"deployment": f"services/{SECRETS}/deployments/{EU}", "target_version": "v1", "start": True}
    planned = client.post("/api/v1/upgrades", wish, format="json").json()
    for shard in range(16):
        report = ShardReport(shard, ShardState.SYNCING, "backfill", copied=1, total=2)
        DjangoUpgrades().report_shard(planned["id"], report)
    return Recorder(client)


def _removing(recorder: Recorder, fleet: Fleet) -> None:
    """Ask about what an upgrade leaves: a service whose next version has no receipts."""
    apply_service(SYSTEM, files_of(FLEET.parent / "delivery"))
    home = wiring.directory().served(EU, SECRETS).namespaces["v1alpha2"]
    name = f"services/{DELIVERY}/deployments/{EU}"
    apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=home.database)
    receipt = WriteRequest("create", "Receipt", "projects/p/receipts/r", body={"text": "t"})
    fleet.write(DELIVERY, EU, receipt, version="v1")
    wish = {"deployment": name, "target_version": "v2"}
    upgrade = recorder.client.post("/api/v1/upgrades", wish, format="json").json()["id"]
    at: dict[str, object] = {"service": DELIVERY, "region": EU}
    kept = "GET /api/v1/deployments/{service}/{region}/kept-types"
    recorder.send(f"{kept}/{{type}}/{{version}}/export", type="Receipt", version="v1", **at)
    listed = {each["type"]: each["stored"] for each in recorder.send(kept, **at)["items"]}
    assert listed == {"Receipt": 1, "Schedule": 0}
    shown = recorder.send("GET /api/v1/upgrades/{id}/removals", id=upgrade)["items"]
    assert [(each["path"], each["stored"]) for each in shown] == [("Receipt", 1)]


def _lose_projects() -> None:
    home = wiring.directory().served(EU, IAM).namespaces["v1"]
    with wiring.databases().connection(home.database) as connection:
        connection.execute(f'DELETE FROM "{home.schema}"."r_Project"'.encode())


def _members(recorder: Recorder) -> list[Any]:
    """Open the first group of what refers to a project."""
    groups = recorder.send("GET /api/v1/references/groups", query=f"?name={PROJECT}")["groups"]
    named = {key: value for key, value in groups[0].items() if key not in ("count", "is_exact")}
    asked = urlencode({"name": PROJECT, **named})
    items: list[Any] = recorder.send("GET /api/v1/references/groups/members", query=f"?{asked}")["items"]
    return items


def _read(recorder: Recorder) -> dict[str, Any]:
    recorder.send("GET /api/v1/constraints")
    return {
        "moving": recorder.send("GET /api/v1/constraints/{service}/{region}", service=IAM, region=EU)[
            "moving"
        ],
        "found": recorder.send("GET /api/v1/references/search", query="?text=projects/p/secrets/s")["items"],
        "building": recorder.send("GET /api/v1/references/building")["items"],
        "blockers": recorder.send("GET /api/v1/deletion-check", query=f"?name={PROJECT}")["blockers"],
        "graph": recorder.send("GET /api/v1/references", query=f"?name={PROJECT}&direction=in"),
        "members": _members(recorder),
        "resource": recorder.send(
            "GET /api/v1/deployments/{service}/{region}/resource", query="?name=projects/p/secrets/s", **AT
        ),
        "resources": recorder.send(
            "GET /api/v1/deployments/{service}/{region}/resources", query="?type=Secret", **AT
        )["items"],
        "changes": recorder.send(f"{LOGS}/resource-changes", **AT)["items"],
        "activity": recorder.send(f"{LOGS}/activity", **AT)["items"],
    }


def _log(session: str) -> None:
    """Put a request and a converted resource into the logs, as serving does."""
    home, now = wiring.directory().served(EU, SECRETS).namespaces["v1alpha2"], timezone.now()
    place = (home.deployment, now)
    entry = ActivityEntry(
        *place, "v1alpha2", "get", "Secret", "projects/p/secrets/s", "rita", "", 200, "", 1.5, "r", "native", "",
        100.0, True,
    )  # fmt: skip
    wiring.activity().append(home.database, {home.deployment: ActivityBatch("p", [entry], 0, False)})
    record = ConversionRecord(
        session, *place, "rita", "r", "write", "v1alpha2", "v1", "Secret", "projects/p/secrets/s", {"title": "t"},
        {"displayName": "s"}, "converted", "projects/p/secrets/s", {"displayName": "t"}, 0.1,
    )  # fmt: skip
    wiring.conversion_records().append(home.database, [record], 10)


def _observe(recorder: Recorder) -> None:
    """Open a session, look at what it recorded, and end it."""
    wish = {"client": "rita", "reason": "A title is lost."}
    session = recorder.send("POST /api/v1/deployments/{service}/{region}/conversion-sessions", wish, **AT)[
        "id"
    ]
    _log(session)
    sessions = f"{LOGS}/conversion-sessions"
    assert [each["recorded"] for each in recorder.send(sessions, **AT)["items"]] == [1]
    recorder.send(f"{sessions}/{{id}}", id=session, **AT)
    assert len(recorder.send(f"{sessions}/{{id}}/records", id=session, **AT)["items"]) == 1
    recorder.send(f"{sessions.replace('GET', 'DELETE')}/{{id}}", id=session, **AT)
    kept = {"read_sampling": 0.5, "activity_days": 7, "change_days": 7}
    recorder.send(f"{LOGS.replace('GET', 'PUT')}/logs", kept, **AT)
    recorder.send(f"{LOGS}/logs", **AT)


def test_what_reads_and_changes_resources_is_answered_as_declared(recorder: Recorder, fleet: Fleet) -> None:
    _observe(recorder)
    _removing(recorder, fleet)
    shown = _read(recorder)
    assert [name for name, value in shown.items() if not value] == []
    recorder.send("POST /api/v1/deletion-checks", {"names": [PROJECT, SECRET, f"{SECRET}-no"]})
    recorder.send("POST /api/v1/deletion-check/rehearsals", {"name": SECRET})
    watch = recorder.send("POST /api/v1/deletion-watches", {"name": PROJECT})["id"]
    recorder.send("GET /api/v1/deletion-watches")
    recorder.send("DELETE /api/v1/deletion-watches/{id}", id=watch)
    _lose_projects()
    audit = recorder.send("GET /api/v1/constraints/{service}/{region}/audit", **AT)
    assert [each["what"] for each in audit["findings"]] == ["gone", "gone"]

    refused = {each: found for each, found in recorder.statuses.items() if max(found) >= 300}
    assert refused == {}
    assert recorder.statuses.keys() == DATA
    assert recorder.empty == set()
    assert recorder.differing() == {}


def test_what_is_missing_and_invalid_bodies_are_answered_as_declared(recorder: Recorder) -> None:
    accepted = {}
    for operation in sorted(DATA):
        statuses = recorder.send_invalid(operation, **AT)
        if any(not 400 <= each < 500 for each in statuses):
            accepted[operation] = statuses
    for path in ("deletion-check", "references", "references/groups"):
        recorder.send(f"GET /api/v1/{path}")
        recorder.send(f"GET /api/v1/{path}", query=f"?name={SECRET}-no")
    for path in ("resource", "resources"):
        operation = f"GET /api/v1/deployments/{{service}}/{{region}}/{path}"
        recorder.send(operation, query="?name=projects/p/secrets/no&type=No", **AT)
        recorder.send(operation, service=SECRETS, region="nowhere")
    recorder.send("GET /api/v1/constraints/{service}/{region}", service=SECRETS, region="nowhere")
    assert accepted == {}
    assert recorder.differing() == {}


def test_a_dry_run_changes_nothing_of_what_is_watched(recorder: Recorder) -> None:
    watch = recorder.send("POST /api/v1/deletion-watches", {"name": PROJECT})["id"]
    made = rehearse(recorder.client, "POST /api/v1/deletion-watches", {"name": SECRET})
    removed = rehearse(recorder.client, "DELETE /api/v1/deletion-watches/{id}", id=watch)
    assert (made, removed) == (({201}, []), ({204}, []))


def test_a_dry_run_changes_nothing_of_the_logs(recorder: Recorder) -> None:
    wish = {"client": "rita", "reason": "A title is lost."}
    address = f"{LOGS.partition(' ')[2]}/conversion-sessions"
    session = recorder.send(f"POST {address}", wish, **AT)["id"]
    opened = rehearse(recorder.client, f"POST {address}", wish, **AT)
    ended = rehearse(recorder.client, f"DELETE {address}/{{id}}", id=session, **AT)
    kept = {"read_sampling": 0.5, "activity_days": 7, "change_days": 7}
    set_ = rehearse(recorder.client, LOGS.replace("GET", "PUT") + "/logs", kept, **AT)
    assert (opened, ended, set_) == (({201}, []), ({204}, []), ({200}, []))

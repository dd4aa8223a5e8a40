"""The activity log: writes complete, reads sampled, in the caller's version, and nothing lost unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from migrations_app import wiring
from migrations_app.adapters.logs.activity import PostgresActivity
from migrations_app.adapters.logs.activity_buffer import BufferedActivity
from migrations_app.control.resource_logs.controller import LOGS as CHORE
from migrations_app.control.resource_logs.controller import LogRetention
from migrations_app.engine.controller import Budget, Lease
from migrations_app.kernel.clock import HeldClock
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment, Region
from tests.factories.access import client_of, token_of
from tests.integration.resource_api.conftest import DEPLOYMENT, REGION, SERVICE, Yard
from tests.integration.resource_api.logged_requests import ENC_DATA, LOGS, LoggedRequests, logged_requests
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
ALL_READS = {"read_sampling": 1, "activity_days": 7, "change_days": 7}


@pytest.fixture
def requests(transactional_db: None, ports: Yard) -> Iterator[LoggedRequests]:
    """The secrets service, and clients of it."""
    with logged_requests(ports) as made:
        yield made


def sampled(requests: LoggedRequests, **settings: float) -> None:
    """Set what the logs keep, as a process that serves sees it after a moment."""
    answer = requests.console.put(f"{LOGS}/logs", {**ALL_READS, **settings}, format="json")
    assert answer.status_code == 200, answer.json()
    wiring.activity_notes().read_settings()


def test_writes_and_reads_are_logged_in_the_version_of_the_caller(requests: LoggedRequests) -> None:
    sampled(requests)
    secret = "projects/p/secrets/door"
    requests.send(
        "POST", "projects/p/secrets?id=door", {"title": "Door", "encData": ENC_DATA}, x_request_id="r-1"
    )
    requests.send("PATCH", secret, {"colour": "red"}, account="billing")
    requests.send("GET", secret, user_agent="billing/4.2 (linux)")
    requests.ports.switch()
    requests.send("DELETE", secret)
    requests.send("GET", "projects/p/regions/eu-west1/secrets", version="v1")
    wiring.activity_notes().flush()

    entries = requests.listed("activity")

    facts = ("version", "method", "type", "name", "caller", "status", "error", "served", "kind")
    assert [tuple(entry[key] for key in facts) for entry in reversed(entries)] == [
        ("v1alpha2", "create", "Secret", secret, "olga", 201, "", "native", "write"),
        ("v1alpha2", "update", "Secret", secret, "billing", 400, "document", "", "write"),
        ("v1alpha2", "get", "Secret", secret, "olga", 200, "", "native", "read"),
        ("v1alpha2", "delete", "Secret", secret, "olga", 200, "", "", "write"),
        ("v1", "list", "Secret", "projects/p/regions/eu-west1", "olga", 200, "", "native", "read"),
    ]
    assert entries[-1]["request_id"] == "r-1"
    assert entries[2]["client"] == "billing/4.2"
    assert all(entry["milliseconds"] > 0 for entry in entries)
    with wiring.databases().connection(requests.ports.database) as connection:
        rows = connection.execute(b"SELECT * FROM switchyard.activity").fetchall()
    assert (len(rows), ENC_DATA in str(rows)) == (5, False)


def test_reads_are_sampled_and_writes_are_not(requests: LoggedRequests) -> None:
    sampled(requests, read_sampling=0)
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"})
    requests.send("GET", "projects/p/secrets/door")
    wiring.activity_notes().flush()
    assert [entry["method"] for entry in requests.listed("activity")] == ["create"]

    sampled(requests, read_sampling=0.5)
    for _ in range(60):
        requests.send("GET", "projects/p/secrets/door")
    wiring.activity_notes().flush()
    reads = requests.listed("activity", kind="read", limit=100)
    assert 10 <= len(reads) <= 50
    assert {entry["weight"] for entry in reads} == {2.0}


def test_filters_restrict_and_what_is_unknown_or_foreign_is_refused(requests: LoggedRequests) -> None:
    for name in ("box-a", "box-b", "box-a"):
        requests.send("POST", f"projects/p/secrets?id={name}", {"title": name}, x_request_id=f"r-{name}")
    requests.send("DELETE", "projects/p/secrets/box-b", account="billing")
    wiring.activity_notes().flush()

    def seen(**filters: str) -> list[tuple[str, int]]:
        return [(entry["method"], entry["status"]) for entry in requests.listed("activity", **filters)]

    assert seen() == [("delete", 200), ("create", 409), ("create", 201), ("create", 201)]
    assert seen(status="4xx") == [("create", 409)]
    assert seen(status="409", request_id="r-box-a") == [("create", 409)]
    assert seen(caller="billing", kind="write", version="v1alpha2", type="Secret") == [("delete", 200)]
    assert seen(name="projects/p/secrets/box-b") == [("delete", 200), ("create", 201)]
    assert seen(kind="read") == []
    first = requests.console.get(f"{LOGS}/activity", {"limit": 3}).json()
    rest = requests.console.get(f"{LOGS}/activity", {"limit": 3, "cursor": first["next_cursor"]}).json()
    assert [len(first["items"]), len(rest["items"]), rest["next_cursor"]] == [3, 1, None]
    for wrong, code in (
        ({"colour": "red"}, "parameter"),
        ({"status": "odd"}, "invalid"),
        ({"kind": "odd"}, "invalid"),
        ({"since": "yesterday"}, "invalid"),
        ({"cursor": first["next_cursor"], "caller": "billing"}, "cursor"),
    ):
        refused = requests.console.get(f"{LOGS}/activity", wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, code), wrong
    assert client_of("victor", "viewer").get(f"{LOGS}/activity").status_code == 403


def test_what_finds_no_room_is_counted_and_what_cannot_be_written_waits(requests: LoggedRequests) -> None:
    log = _Interrupted(wiring.databases())
    notes = BufferedActivity(log, dict, default_sampling=1.0, most_waiting=2, background=False)
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"})
    wiring.activity_notes().flush()
    (entry,) = wiring.activity().entries([requests.ports.database], _query())
    log.interrupted = True
    for _ in range(5):
        notes.note(requests.ports.database, entry)
    assert notes.flush() is False
    log.interrupted = False
    assert notes.flush() is True

    status = requests.console.get(f"{LOGS}/logs").json()
    assert (status["logged"], status["dropped"], status["unfinished"]) == (3, 3, [])


def test_entries_keep_their_order_where_the_clock_is_set_back_a_little(requests: LoggedRequests) -> None:
    notes = BufferedActivity(wiring.activity(), dict, default_sampling=1.0, background=False)
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"})
    wiring.activity_notes().flush()
    (entry,) = wiring.activity().entries([requests.ports.database], _query())
    began = entry.at + timedelta(minutes=1)
    for number, seconds in enumerate((0.0, 0.02, -0.1, -30.0)):
        noted = replace(entry, at=began + timedelta(seconds=seconds), request_id=f"r-{number}")
        notes.note(requests.ports.database, noted)
    notes.flush()

    listed = requests.listed("activity")

    assert [item["request_id"] for item in listed] == ["r-2", "r-1", "r-0", "r-3", entry.request_id]
    assert listed[0]["at"] == listed[1]["at"]


def test_a_process_that_ended_before_its_last_flush_is_shown(requests: LoggedRequests) -> None:
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"})
    wiring.activity_notes().flush()
    with wiring.databases().connection(requests.ports.database) as connection:
        connection.execute(
            b"UPDATE switchyard.activity_writer SET settled = false, flushed_at = clock_timestamp() - interval '1 minute'"
        )

    (process,) = requests.console.get(f"{LOGS}/logs").json()["unfinished"]

    assert (process["process"], process["entries"]) == (wiring.activity_notes().process, 1)


def test_settings_need_their_revision_and_are_in_the_audit_log(requests: LoggedRequests) -> None:
    shown = requests.console.get(f"{LOGS}/logs")
    assert (shown.headers["ETag"], shown.json()["read_sampling"]) == ('"0"', 0.01)
    changed = requests.console.put(f"{LOGS}/logs", ALL_READS, format="json", HTTP_IF_MATCH='"0"')
    assert (changed.status_code, changed.json()["rev"], changed.json()["set_by"]) == (200, 1, "vera")
    stale = requests.console.put(f"{LOGS}/logs", ALL_READS, format="json", HTTP_IF_MATCH='"0"')
    assert (stale.status_code, stale.json()["code"]) == (412, "changed")
    for wrong in ({"read_sampling": 2}, {"activity_days": 0}, {"colour": "red"}):
        refused = requests.console.put(f"{LOGS}/logs", {**ALL_READS, **wrong}, format="json")
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    entry = LedgerEntry.objects.get(action="logs.set")
    assert (entry.actor, entry.target, entry.after["read_sampling"]) == ("vera", DEPLOYMENT, 1)
    assert client_of("victor", "viewer").put(f"{LOGS}/logs", ALL_READS, format="json").status_code == 403


def test_entries_older_than_their_retention_are_deleted(requests: LoggedRequests) -> None:
    sampled(requests)
    ports = requests.ports
    for name in ("old", "new"):
        requests.send("POST", f"projects/p/secrets?id=box-{name}", {"title": name})
    wiring.activity_notes().flush()
    assert ports.feed.trim(ports.namespace("v1alpha2"), retain_seconds=-5.0) == 2
    with wiring.databases().connection(ports.database) as connection:
        for table in (b"activity", b"resource_change"):
            connection.execute(
                b"UPDATE switchyard." + table + b" SET at = at - interval '8 days' WHERE name LIKE '%old'"
            )

    LogRetention(wiring.resource_changes(), wiring.activity(), wiring.conversion_records()).reconcile(
        CHORE, Budget(2.0, HeldClock()), Lease(CHORE, 1, "log-retention")
    )

    for log in ("activity", "resource-changes"):
        assert [entry["name"] for entry in requests.listed(log)] == ["projects/p/secrets/box-new"]


def test_retention_asks_no_more_for_more_deployments(requests: LoggedRequests) -> None:
    def asked() -> int:
        retention = LogRetention(wiring.resource_changes(), wiring.activity(), wiring.conversion_records())
        with CaptureQueriesContext(connection) as statements:
            retention.reconcile(CHORE, Budget(2.0, HeldClock()), Lease(CHORE, 1, "log-retention"))
        return len(statements)

    before = asked()
    row = Deployment.objects.get(pk=DEPLOYMENT)
    for region in ("asia-east1", "us-east2"):
        home = Region.objects.get(pk=REGION)
        home.pk, home.uid = region, uuid4()
        home.save(force_insert=True)
        row.pk, row.region_id, row.uid = DEPLOYMENT.replace(REGION, region), region, uuid4()
        row.save(force_insert=True)

    assert (before, asked()) == (6, 6)


def test_the_commands_list_requests_and_set_what_is_kept(requests: LoggedRequests, live_web: str) -> None:
    requests.send("POST", "projects/p/secrets?id=door", {"title": "Door"})
    requests.send("DELETE", "projects/p/secrets/gate", account="billing")
    wiring.activity_notes().flush()
    swy = Swy(live_web, token_of("vera"))

    (refused,) = swy.lines("activity", "list", SERVICE, REGION, "--status", "4xx")
    assert (refused["caller"], refused["error"], refused["status"]) == ("billing", "not-found", 404)
    swy("activity", "set", SERVICE, REGION, "--read-sampling", "0.25", "--change-days", "90")
    (status,) = swy.lines("activity", "status", SERVICE, REGION)
    assert (status["read_sampling"], status["change_days"], status["activity_days"]) == (0.25, 90, 30)
    assert (status["logged"], status["dropped"]) == (2, 0)


class _Interrupted(PostgresActivity):
    """The log of a data database that does not answer for a while."""

    interrupted = False

    def append(self, database: str, batches: object) -> None:
        """Write, or fail as a connection that is cut does."""
        if self.interrupted:
            raise ConnectionResetError
        super().append(database, batches)  # type: ignore[arg-type]


def _query() -> object:
    from migrations_app.ports.logs.activity import ActivityQuery

    return ActivityQuery(DEPLOYMENT)

"""Debug sessions: each conversion of a client or of a resource is recorded, within bounds and without secrets."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from migrations_app import wiring
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.logs import ConversionSession
from tests.factories.access import client_of, token_of
from tests.integration.resource_api.conftest import DEPLOYMENT, REGION, SERVICE, Yard
from tests.integration.resource_api.logged_requests import ENC_DATA, LOGS, LoggedRequests, logged_requests
from tests.swy import Swy

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "projects/p/secrets/door", "projects/p/regions/eu-west1/secrets/door"


@pytest.fixture
def requests(transactional_db: None, ports: Yard) -> Iterator[LoggedRequests]:
    """The secrets service after its switch to v1, and clients of it."""
    with logged_requests(ports) as made:
        made.send("POST", "projects/p/secrets?id=door", {"title": "Door", "encData": ENC_DATA})
        ports.switch()
        yield made


def observe(requests: LoggedRequests, **wanted: Any) -> str:
    """Open a session."""
    answer = requests.console.post(
        f"{LOGS}/conversion-sessions", {"reason": "A title is lost.", **wanted}, format="json"
    )
    assert (answer.status_code, answer.json().get("state")) == (201, "OPEN"), answer.json()
    wiring.open_sessions().refresh()
    return str(answer.json()["id"])


def recorded(requests: LoggedRequests, session: str) -> list[dict[str, Any]]:
    """List what a session recorded."""
    return requests.listed(f"conversion-sessions/{session}/records")


def test_input_output_and_outcome_of_each_conversion_of_a_client_are_recorded(
    requests: LoggedRequests,
) -> None:
    session = observe(requests, client="billing")
    requests.send("GET", OLD, account="billing", x_request_id="r-1")
    requests.send("PATCH", OLD, {"title": "Gate"}, account="billing", x_request_id="r-2")
    requests.send("GET", OLD, account="olga")
    requests.send("GET", NEW, version="v1", account="billing")

    records = recorded(requests, session)

    assert {record["caller"] for record in records} == {"billing"}
    read = records[0]
    facts = ("request_id", "direction", "source_version", "target_version", "type", "outcome")
    assert [read[key] for key in facts] == ["r-1", "read", "v1", "v1alpha2", "Secret", "converted"]
    assert (read["name"], read["output_name"]) == (NEW, OLD)
    assert (read["document"]["displayName"], read["output"]["title"]) == ("Door", "Door")
    (write,) = [record for record in records if record["direction"] == "write"]
    assert (write["request_id"], write["document"]["title"], write["before"]["displayName"]) == (
        "r-2",
        "Gate",
        "Door",
    )
    assert (write["output"]["displayName"], write["output_name"]) == ("Gate", NEW)
    assert [record["request_id"] for record in records].count("r-1") == 1
    assert read["output"]["encData"] == write["output"]["encData"] == "[redacted]"
    with wiring.databases().connection(requests.ports.database) as connection:
        rows = connection.execute(b"SELECT * FROM switchyard.conversion_record").fetchall()
    assert (len(rows) == len(records), ENC_DATA in str(rows), "$sy" in str(rows)) == (True, False, False)


def test_a_session_of_a_resource_records_its_readers_and_nothing_else(requests: LoggedRequests) -> None:
    requests.send("POST", "projects/p/secrets?id=gate", {"title": "Gate"})
    for name in (OLD, NEW):
        session = observe(requests, resource=name)
        requests.send("GET", OLD, account="billing")
        requests.send("GET", "projects/p/secrets")
        assert {(record["output_name"], record["caller"]) for record in recorded(requests, session)} == {
            (OLD, "billing"),
            (OLD, "olga"),
        }


def test_a_session_is_bounded_in_count_and_time_and_may_be_ended(requests: LoggedRequests) -> None:
    def state(session: str) -> tuple[str, int]:
        shown = requests.console.get(f"{LOGS}/conversion-sessions/{session}").json()
        return shown["state"], shown["recorded"]

    full = observe(requests, client="billing", records=2)
    for _ in range(4):
        requests.send("GET", OLD, account="billing")
    assert state(full) == ("FULL", 2)

    expired = observe(requests, client="billing", minutes=1)
    ConversionSession.objects.filter(pk=expired).update(expires_at=timezone.now() - timedelta(seconds=1))
    wiring.open_sessions().refresh()
    requests.send("GET", OLD, account="billing")
    assert state(expired) == ("EXPIRED", 0)

    ended = observe(requests, client="billing")
    requests.send("GET", OLD, account="billing")
    assert requests.console.delete(f"{LOGS}/conversion-sessions/{ended}").status_code == 204
    wiring.open_sessions().refresh()
    requests.send("GET", OLD, account="billing")
    assert state(ended) == ("ENDED", 1)

    first = requests.console.get(f"{LOGS}/conversion-sessions/{full}/records", {"limit": 1}).json()
    rest = requests.console.get(
        f"{LOGS}/conversion-sessions/{full}/records", {"limit": 1, "cursor": first["next_cursor"]}
    ).json()
    assert (len(rest["items"]), rest["next_cursor"]) == (1, None)


def test_a_session_needs_a_permission_a_subject_and_bounds_and_is_in_the_audit_log(
    requests: LoggedRequests,
) -> None:
    address = f"{LOGS}/conversion-sessions"
    for wrong, code in (
        ({"reason": "x"}, "session-of-nothing"),
        ({"client": "billing"}, "invalid"),
        ({"client": "billing", "reason": "x", "minutes": 61}, "invalid"),
        ({"client": "billing", "reason": "x", "records": 1001}, "invalid"),
        ({"client": "billing", "reason": "x", "colour": "red"}, "invalid"),
    ):
        refused = requests.console.post(address, wrong, format="json")
        assert (refused.status_code, refused.json()["code"]) == (400, code), wrong
    for role in ("viewer", "auditor", "automation"):
        other = client_of(f"a-{role}", role)
        assert other.get(address).status_code == 403
        assert other.post(address, {"client": "x", "reason": "x"}, format="json").status_code == 403
    assert ConversionSession.objects.count() == 0

    session = observe(requests, client="billing")
    entry = LedgerEntry.objects.get(action="conversions.observe", outcome="done")
    assert (entry.actor, entry.target, entry.reason) == ("vera", DEPLOYMENT, "A title is lost.")
    assert entry.after["session"] == session
    for _ in range(4):
        observe(requests, client="billing")
    crowded = requests.console.post(address, {"client": "billing", "reason": "x"}, format="json")
    assert (crowded.status_code, crowded.json()["code"]) == (409, "sessions-open")
    assert requests.console.get(f"{address}/none").status_code == 404


def test_the_commands_open_show_and_end_a_session(requests: LoggedRequests, live_web: str) -> None:
    swy = Swy(live_web, token_of("vera"))
    (opened,) = swy.lines(
        "conversions", "observe", SERVICE, REGION, "--client", "billing", "--reason", "A title is lost."
    )
    wiring.open_sessions().refresh()
    requests.send("GET", OLD, account="billing")
    (record,) = swy.lines("conversions", "records", SERVICE, REGION, str(opened["id"]))
    assert (record["outcome"], record["output_name"]) == ("converted", OLD)
    assert ENC_DATA not in str(record)
    swy("conversions", "end", SERVICE, REGION, str(opened["id"]))
    (session,) = swy.lines("conversions", "sessions", SERVICE, REGION)
    assert (session["state"], session["recorded"]) == ("ENDED", 1)

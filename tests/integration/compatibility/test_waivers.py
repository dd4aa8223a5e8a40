"""Places of reports that are accepted: asked for by one, approved by another, counted until a day, and audited."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent
from tests.factories.access import FOUNDER, client_of, make_account, token_of
from tests.swy import Swy

pytestmark = pytest.mark.django_db
SECRETS = Path(__file__).resolve().parents[3] / "examples" / "secrets"
SERVICE = "secrets.example.com"
REPORT = f"/api/v1/services/{SERVICE}/compatibility"
WAIVERS = f"/api/v1/services/{SERVICE}/waivers"
PAIR = {"before": "v1alpha2", "after": "v1"}


@pytest.fixture(autouse=True)
def _service() -> None:
    """Secrets, whose v1alpha2 does not show what lies in a project's folders."""
    apply_region(SYSTEM, "eu-west1")
    files = {
        each.relative_to(SECRETS).as_posix(): each.read_bytes()
        for each in SECRETS.rglob("*")
        if each.is_file()
    }
    apply_service(SYSTEM, files)


def hidden(client: Any) -> dict[str, Any]:
    """The one place that waits for acceptance."""
    report = client.get(REPORT, PAIR).json()
    (found,) = [each for each in report["losses"] if each["kept"] == "hidden"]
    return {**found, "to_accept": report["to_accept"]}


def wish(place: dict[str, Any], **more: str) -> dict[str, str]:
    until = (timezone.now() + timedelta(days=30)).isoformat()
    given = {"rule": "loss-hidden", "path": place["path"], "where": place["way"]}
    return {**PAIR, **given, "reason": "No client reads it.", "until": until, **more}


def test_a_place_counts_as_accepted_only_once_another_person_approved() -> None:
    olga, ann = client_of("olga", "operator", "approver"), client_of("ann", "approver")
    place = hidden(olga)
    assert (place["waiver"], place["to_accept"]) == (None, 1)
    made = olga.post(WAIVERS, wish(place), format="json")
    assert (made.status_code, made.json()["state"]) == (201, "asked"), made.content
    waiver = made.json()["id"]
    own = olga.post(f"/api/v1/waivers/{waiver}/approve")
    assert (own.status_code, own.json()["detail"]) == (
        403,
        "You asked for this; another person must decide.",
    )
    assert hidden(olga)["to_accept"] == 1

    assert ann.post(f"/api/v1/waivers/{waiver}/approve").json()["state"] == "in-force"
    accepted = hidden(olga)
    assert accepted["to_accept"] == 0
    assert (accepted["waiver"]["asked_by"], accepted["waiver"]["approved_by"]) == ("olga", "ann")
    again = ann.post(f"/api/v1/waivers/{waiver}/approve").json()
    assert again["code"] == "waiver-state"
    assert again["detail"].startswith("The waiver is approved and in force. ")

    assert ann.post(f"/api/v1/waivers/{waiver}/end").json()["state"] == "ended"
    assert hidden(olga)["to_accept"] == 1
    kept = LedgerEntry.objects.filter(action__startswith="waiver.", outcome="done").order_by("pk")
    assert list(kept.values_list("action", "actor")) == [
        ("waiver.ask", "olga"),
        ("waiver.approve", "ann"),
        ("waiver.end", "ann"),
    ]


def tasks(client: Any) -> tuple[list[tuple[str, str]], int, int]:
    """The waivers among the pending tasks of one person, and how many decisions await them and others."""
    overview = client.get("/api/v1/overview").json()
    named = [(each["id"], each["link"]) for each in overview["needs_you"] if each["kind"] == "waiver"]
    return named, overview["now"]["waiting_mine"], overview["now"]["waiting_others"]


def in_tab(client: Any, tab: str) -> list[str]:
    return [each["id"] for each in client.get("/api/v1/waivers", {"tab": tab}).json()["items"]]


def test_a_waiver_awaits_who_may_approve_it_until_it_is_decided() -> None:
    olga, ann, vera = (
        client_of("olga", "operator", "approver"),
        client_of("ann", "approver"),
        client_of("vera", "viewer"),
    )
    assert tasks(ann) == ([], 0, 0)
    waiver = olga.post(WAIVERS, wish(hidden(olga)), format="json").json()["id"]
    assert tasks(ann) == ([(waiver, "/approvals?tab=mine")], 1, 0)
    assert tasks(olga) == ([], 0, 1)
    assert [in_tab(ann, tab) for tab in ("mine", "asked", "open", "decided")] == [[waiver], [], [waiver], []]
    assert [in_tab(olga, tab) for tab in ("mine", "asked", "open", "decided")] == [[], [waiver], [waiver], []]
    assert (in_tab(vera, "open"), in_tab(vera, "mine"), tasks(vera)) == ([waiver], [], ([], 0, 1))
    assert ann.get("/api/v1/waivers", {"tab": "all"}).json()["code"] == "tab"
    seen = OutboxEvent.objects.filter(topic="approvals", kind="waiver", key=waiver).order_by("pk")
    assert [each.patch for each in seen] == [{"state": "asked"}]

    ann.post(f"/api/v1/waivers/{waiver}/approve")
    assert (tasks(ann), tasks(olga)) == (([], 0, 0), ([], 0, 0))
    assert [in_tab(ann, tab) for tab in ("mine", "open", "decided")] == [[], [], [waiver]]
    assert [each.patch for each in seen.all()] == [{"state": "asked"}, {"state": "in-force"}]


def test_a_waiver_of_another_service_is_in_no_inbox_of_a_narrow_approver() -> None:
    olga, ann = client_of("olga", "operator"), client_of("ann", "approver")
    near = client_of("nina")
    bind_role(FOUNDER, NewBinding("account", "nina", "approver", service="devices.*"))
    olga.post(WAIVERS, wish(hidden(olga)), format="json")
    assert (in_tab(near, "open"), tasks(near)[0]) == ([], [])
    assert len(in_tab(ann, "mine")) == 1
    Waiver.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert (in_tab(ann, "mine"), len(in_tab(ann, "decided"))) == ([], 1)


def test_a_waiver_ends_by_itself_and_may_then_be_asked_for_again() -> None:
    olga, ann = client_of("olga", "operator"), client_of("ann", "approver")
    place = hidden(olga)
    waiver = olga.post(WAIVERS, wish(place), format="json").json()["id"]
    assert ann.post(f"/api/v1/waivers/{waiver}/approve").json()["state"] == "in-force"
    again = olga.post(WAIVERS, wish(place), format="json")
    assert (again.status_code, again.json()["code"]) == (409, "waiver-exists")
    Waiver.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert (hidden(olga)["waiver"], hidden(olga)["to_accept"]) == (None, 1)
    assert olga.get(WAIVERS).json()["items"][0]["state"] == "expired"
    assert olga.post(WAIVERS, wish(place), format="json").status_code == 201


def test_what_cannot_be_waived_is_refused_and_nothing_is_kept() -> None:
    olga, vera = client_of("olga", "operator"), client_of("vera", "viewer")
    place = hidden(olga)
    late = (timezone.now() + timedelta(days=400)).isoformat()
    past = (timezone.now() - timedelta(days=1)).isoformat()
    for more, status, code in (
        ({"path": "Secret.nowhere"}, 404, "finding-missing"),
        ({"rule": "key-removed"}, 404, "finding-missing"),
        ({"until": late}, 400, "waiver"),
        ({"until": past}, 400, "waiver"),
        ({"after": "v7"}, 404, "version"),
    ):
        answer = olga.post(WAIVERS, wish(place, **more), format="json")
        assert (answer.status_code, answer.json()["code"]) == (status, code), more
    assert vera.post(WAIVERS, wish(place), format="json").status_code == 403
    assert olga.post(f"{WAIVERS}?dry_run=true", wish(place), format="json").status_code == 201
    assert Waiver.objects.count() == 0


def test_the_database_keeps_four_eyes_as_well() -> None:
    olga = client_of("olga", "operator")
    olga.post(WAIVERS, wish(hidden(olga)), format="json")
    with pytest.raises(IntegrityError, match="waiver_approved_by_another"), transaction.atomic():
        Waiver.objects.update(approved_by="olga")


def test_a_schema_is_shown_as_the_document_it_could_be_applied_from() -> None:
    vera = client_of("vera", "viewer")
    shown = vera.get(f"/api/v1/services/{SERVICE}/schemas/v1").json()["schema"]
    assert (shown["service"], shown["version"]) == (SERVICE, "v1")
    assert "Secret" in shown["resources"]
    assert vera.get(f"/api/v1/services/{SERVICE}/schemas/v9").json()["code"] == "version"


@pytest.mark.django_db(transaction=True)
def test_what_a_report_gives_up_is_accepted_from_the_command_line(live_web: str) -> None:
    make_account("olga", "operator", "approver")
    make_account("ann", "approver")
    olga, ann = (Swy(live_web, token_of(name)) for name in ("olga", "ann"))
    place = hidden(client_of("vera", "viewer"))
    until = (timezone.now() + timedelta(days=30)).isoformat()
    ask = (
        "waivers", "ask", SERVICE, "v1alpha2", "v1", "--rule", "loss-hidden", "--path", place["path"],
        "--where", place["way"], "--until", until, "-m", "No client reads it.",
    )  # fmt: skip
    assert olga.run(*ask, "--dry-run").returncode == 0
    assert olga.run("waivers", "list", SERVICE, "-o", "name").stdout == ""
    waiver = olga.told(*ask)
    assert waiver["state"] == "asked"
    assert ann.told("waivers", "list", "--tab", "mine")["id"] == waiver["id"]
    own = olga.run("waivers", "approve", waiver["id"])
    assert (own.returncode, "another person must decide" in own.stderr) == (3, True)
    assert ann.told("waivers", "approve", waiver["id"])["state"] == "in-force"
    assert olga.told("waivers", "list", SERVICE)["approved_by"] == "ann"
    assert ann.told("waivers", "end", waiver["id"])["state"] == "ended"

"""Applying a definition is a decision: what is stored and what clients send stand against a change, or a waiver does not."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.adapters import definitions
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.domain.access import Actor, ActorKind, Grant
from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.ledger import LedgerEntry
from migrations_app.resource_api.requests import ResourceApi
from tests.factories.access import client_of, token_of
from tests.factories.shelves import BOX, SHELVES, STORED, V1, folder
from tests.integration.resource_api.conftest import REGION, Yard, deployed
from tests.swy import Swy

SERVICES = "/api/v1/services"
WAIVERS = f"{SERVICES}/{SHELVES}/changeWaivers"
REMOVED = V1.replace("        title: string\n", "")
RETYPED = V1.replace("weight: i32", "weight: string")
RENAMED = V1.replace("title:", "caption:")
NEEDED = V1.replace("weight: i32", "weight: i32\n        keeper: {type: string, required: true}")
ADDED = V1.replace("weight: i32", "weight: i32\n        keeper: string")


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """The shelves service, deployed in v1; `stock` is the client whose use is counted."""
    with deployed(data_database, SHELVES, "v1", files=folder()) as made:
        made.usage = BufferedUsage(UsageRows().add, background=False)
        made.api = ResourceApi(made.servers, made.usage)
        made.actor = Actor(ActorKind.SERVICE, "stock", grants=(Grant("admin"),))
        # The deployment prepares its data when it is first asked.
        made.call("GET", "boxes", version="v1")
        made.usage.flush()
        UsageCount.objects.all().delete()
        yield made
    wiring.databases().close(data_database)


@pytest.fixture
def box(shelves: Yard) -> Yard:
    """A box, which a client stored in v1 minutes ago."""
    shelves.call("POST", "boxes", STORED, version="v1", id="b1", headers={"user-agent": "stock/1.4 (linux)"})
    assert isinstance(shelves.usage, BufferedUsage)
    shelves.usage.flush()
    return shelves


@pytest.fixture
def olga(db: None) -> APIClient:
    """An operator."""
    return client_of("olga", "operator")


def files(**given: str) -> dict[str, str]:
    """Write a folder as the API takes it."""
    return {path: base64.b64encode(text).decode() for path, text in folder(**given).items()}


def stored(ports: Yard) -> JsonObject:
    """Read what the database keeps of the box."""
    with ports.store.snapshot(ports.namespace("v1")) as reading:
        found = reading.get("Box", BOX)
    assert found is not None
    return dict(found.body)


def decided(client: APIClient, **given: str) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Ask with a dry run what would be decided."""
    answer = client.post(f"{SERVICES}?dry_run=true", {"files": files(**given)}, format="json")
    assert answer.status_code == 200, answer.content
    return {(each["version"], each["rule"], each["path"]): each for each in answer.json()["decisions"]}


def refused(client: APIClient, **given: str) -> dict[str, Any]:
    """Apply, and be refused."""
    before = definitions.current_fingerprint(SHELVES)
    answer = client.post(SERVICES, {"files": files(**given)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "change-in-place"), answer.content
    assert definitions.current_fingerprint(SHELVES) == before
    found: dict[str, Any] = answer.json()
    return found


PHASES = [
    ("server", "Servers stop sending it.", "until every deployment serves that definition"),
    ("client", "Clients stop sending it. Clients no longer know it.", "until it is proved unused"),
    ("server", "Servers no longer know it.", ""),
]
SHORT = "use was observed for 1 day, and the longest period of a client is 35 days"


def observed_for(days: int, client: str = "stock", **more: Any) -> None:
    """Let a client have been seen first so many days ago."""
    at = timezone.now() - timedelta(days=days - 1)
    UsageCount.objects.create(
        service=SHELVES, version="v1", day=at.date(), region=REGION, path="", state="value",
        client=client, release="", first_seen=at, last_seen=at, **{"method": "Box.create", "count": 1, **more},
    )  # fmt: skip


def without_evidence() -> None:
    """Forget what clients did."""
    UsageCount.objects.all().delete()


def test_a_field_that_was_sent_minutes_before_is_not_removed(box: Yard, olga: APIClient) -> None:
    problem = refused(olga, v1=REMOVED)
    [about] = problem["errors"]
    today = timezone.now().date().isoformat()
    assert (about["path"], about["code"]) == ("v1/Box.title", "key-removed")
    assert about["message"] == (
        "refused: key-removed: 1 of 1 stored resources hold it; "
        f"still sent or asked for by stock (says it is stock/1.4), 1 times, last {today}"
    )
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert one["verdict"] == "refused"
    assert one["stored"] == [
        {"kind": "holding", "resources": 1, "of": 1, "looked_at": 1, "by": "count", "at_most": 1}
    ]
    assert one["senders"] == [
        {"client": "stock", "release": "stock/1.4", "messages": 1, "last_seen_on": today}
    ]
    assert stored(box) == STORED


def test_a_type_is_not_replaced_over_values_that_it_cannot_read(box: Yard, olga: APIClient) -> None:
    without_evidence()
    ops = "{rename: {from: title, to: label}}"
    one = decided(olga, v1=RETYPED, ops=ops)["v1", "type-replaced", "Box.weight"]
    assert one["verdict"] == "refused"
    assert one["reasons"] == ["1 of 1 stored resources hold a value that is none of the new type"]
    refused(olga, v1=RETYPED, ops=ops)
    assert stored(box) == STORED


def test_a_rename_needs_a_task_that_moves_what_is_stored(box: Yard, olga: APIClient) -> None:
    without_evidence()
    found = decided(olga, v1=RENAMED)
    assert found["v1", "key-removed", "Box.title"]["verdict"] == "needs-data-task"
    assert found["v1", "key-added", "Box.caption"]["verdict"] == "allowed"
    refused(olga, v1=RENAMED)


def test_a_key_is_not_required_of_those_who_do_not_send_it_nor_where_it_is_not_stored(
    box: Yard, olga: APIClient
) -> None:
    one = decided(olga, v1=NEEDED)["v1", "key-added-required", "Box.keeper"]
    assert one["verdict"] == "needs-data-task"
    assert one["reasons"] == [
        "1 of 1 stored resources lack it",
        "not proved to be sent always: stock left it out 1 times",
        "not proved to be sent always: stock: only 1 message was seen, 3000 are needed",
        f"not proved to be sent always: stock: {SHORT}",
    ]
    refused(olga, v1=NEEDED)
    without_evidence()
    assert decided(olga, v1=NEEDED)["v1", "key-added-required", "Box.keeper"]["reasons"] == [
        "1 of 1 stored resources lack it"
    ]


def test_a_change_as_a_whole_is_weighed_against_a_new_version(box: Yard, olga: APIClient) -> None:
    def advised(**given: str) -> dict[str, Any]:
        answer = olga.post(f"{SERVICES}?dry_run=true", {"files": files(**given)}, format="json")
        advice: dict[str, Any] = answer.json()["advice"]
        return advice

    # Stored values and their senders forbid it in place: a new version converts them.
    retyped = advised(v1=RETYPED, ops="{rename: {from: title, to: label}}")
    assert (retyped["recommended"], retyped["sentence"]) == (
        "new-version",
        "Make a new version: the other way is not possible.",
    )
    in_place, new = retyped["ways"]
    assert (in_place["way"], in_place["possible"], in_place["cons"]) == (
        "in-place",
        False,
        [
            "Box.weight cannot change in place: stored values or clients would be misread.",
            "Clients must be deployed before it ends: stock.",
        ],
    )
    assert (new["possible"], new["conversions"], new["client_deployments"]) == (True, 1, 1)
    assert new["cons"][0] == "An edge converts between both versions: 1 line."
    # A field that is newly required takes a task, and clients that send it always.
    needed = advised(v1=NEEDED)
    assert needed["recommended"] == "in-place"
    assert needed["sentence"] == (
        "Change it in place, in the steps of each decision: it costs 17, the other way 21 (a server deployment is 1)."
    )
    in_place, new = needed["ways"]
    assert in_place["cons"][0] == "1 task on stored data must be written, tested and run first."
    assert (new["conversions"], new["open_conversions"]) == (1, 1)
    harmless = advised(v1=ADDED)
    assert harmless["sentence"] == "Apply it in place: nothing that is stored or seen stands against it."
    assert (harmless["recommended"], [each["cost"] for each in harmless["ways"]]) == ("in-place", [1, 9])
    assert advised() is None


def test_a_change_that_breaks_no_client_is_applied(box: Yard, olga: APIClient) -> None:
    answer = olga.post(SERVICES, {"files": files(v1=ADDED)}, format="json")
    assert answer.status_code == 200, answer.content
    assert {(each["path"], each["verdict"]) for each in answer.json()["decisions"]} == {
        ("Box.keeper", "allowed")
    }
    assert answer.json()["may_apply"] is True


def test_without_stored_data_and_clients_everything_is_applied(shelves: Yard, olga: APIClient) -> None:
    for given in ({"v1": RETYPED}, {"v1": RENAMED}, {"v1": NEEDED}, {}):
        answer = olga.post(SERVICES, {"files": files(**given)}, format="json")
        assert (answer.status_code, answer.json()["changed"]) == (200, True), answer.content


def test_a_removal_without_senders_waits_for_the_proof(box: Yard, olga: APIClient) -> None:
    box.call("PUT", BOX, {"weight": 7}, version="v1")
    UsageCount.objects.filter(path="title").exclude(state="absent").delete()
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert one["verdict"] == "needs-steps"
    assert one["reasons"] == [
        "not proved unused: only 1 message was seen, 3000 are needed",
        f"not proved unused: {SHORT}",
    ]

    old = timezone.now().date() - timedelta(days=60)
    UsageCount.objects.update(day=old)
    aged = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert aged["evidence_is_old"] is True
    assert aged["reasons"] == [
        f"the newest evidence is of {old.isoformat()}; the limit is 35 days",
        "not proved unused: only 0 messages were seen, 3000 are needed",
        "not proved unused: not seen in the window: stock",
    ]

    UsageCount.objects.update(day=timezone.now().date())
    UsageCount.objects.filter(path="").update(count=3000)
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert one["reasons"] == [f"not proved unused: {SHORT}"]
    observed_for(35)
    assert decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]["verdict"] == "allowed"


def test_a_field_that_answers_return_waits_for_those_who_may_read_it(box: Yard, olga: APIClient) -> None:
    without_evidence()
    box.call("GET", BOX, version="v1", headers={"user-agent": "stock/1.4"})
    assert isinstance(box.usage, BufferedUsage)
    box.usage.flush()
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    today = timezone.now().date().isoformat()
    assert one["reasons"][1] == (
        f"clients may read it: it is returned to stock (says it is stock/1.4), 1 times, last {today}"
    )
    assert "not proved unused: it was seen 1 time" in one["reasons"]
    assert [each["client"] for each in one["receivers"]] == ["stock"]
    # A read that was not looked into proves nothing, however many there were.
    UsageCount.objects.filter(state="shown").delete()
    observed_for(35)
    UsageCount.objects.filter(method="Box.get").update(count=9000, looked=2)
    assert (
        "not proved unused: only 3 messages were seen, 3000 are needed"
        in decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]["reasons"]
    )
    UsageCount.objects.filter(method="Box.get").update(looked=3000)
    last = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert last["reasons"] == ["1 of 1 stored resources hold it"]


def test_the_window_is_as_long_as_the_longest_pause_of_a_client(box: Yard, olga: APIClient) -> None:
    without_evidence()
    observed_for(90, "quarterly")
    observed_for(1, "quarterly", count=3000)
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    # Ninety days lie between both days on which it was seen: all of them are looked at.
    assert one["reasons"] == ["1 of 1 stored resources hold it"]
    UsageCount.objects.filter(count=1).delete()
    observed_for(120, "quarterly")
    observed_for(31, "quarterly")
    sent = UsageCount.objects.get(count=1, day=timezone.now().date() - timedelta(days=30))
    UsageCount.objects.filter(pk=sent.pk).update(path="title")
    observed_for(31, "quarterly")
    still = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert still["verdict"] == "refused"


def test_a_type_goes_only_with_the_proof_that_no_client_uses_it(box: Yard, olga: APIClient) -> None:
    bays = V1.replace("    Lid:", "    Bay: {fields: {name: string}}\n    Lid:").replace(
        'resources: {Box: {patterns: ["boxes/{box}"]}}',
        'resources: {Box: {patterns: ["boxes/{box}"]}, Bay: {patterns: ["bays/{bay}"]}}',
    )
    without_evidence()
    answer = olga.post(SERVICES, {"files": files(v1=bays)}, format="json")
    assert answer.status_code == 200, answer.content
    removed = ("v1", "resource-removed", "Bay")
    assert decided(olga)[removed]["verdict"] == "allowed"

    observed_for(100, "planner", method="Bay.get")
    observed_for(60, count=5000)
    one, newest = decided(olga)[removed], timezone.now().date() - timedelta(days=59)
    assert (one["verdict"], one["reasons"]) == (
        "needs-steps",
        [
            f"the newest evidence is of {newest.isoformat()}; the limit is 35 days",
            "not proved unused: only 0 messages were seen, 3000 are needed",
            "not proved unused: not seen in the window: planner",
        ],
    )
    # Seen again, without the type, in enough messages: that is the proof.
    observed_for(2, "planner", count=4000)
    assert decided(olga)[removed]["verdict"] == "allowed"
    observed_for(2, "planner", method="Bay.get")
    assert decided(olga)[removed]["verdict"] == "refused"


def test_a_change_of_both_sides_is_offered_as_phases_with_waits(box: Yard, olga: APIClient) -> None:
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert [(each["side"], each["action"], each["wait"]) for each in one["phases"]] == PHASES
    assert one["phases"][1]["lacking"][0] == "not proved unused: it was seen 1 time"
    assert one["phases"][1]["lacking_phrases"][0] == [
        {"key": "not proved unused:", "values": {}},
        {"key": "it was seen {count} time|it was seen {count} times", "values": {"count": 1}},
    ]
    added = decided(olga, v1=ADDED)["v1", "key-added", "Box.keeper"]
    assert (added["verdict"], added["phases"]) == ("allowed", [])


def test_a_sunset_is_not_brought_forward_while_the_field_is_in_use(box: Yard, olga: APIClient) -> None:
    def deprecated(sunset: str) -> str:
        mark = f"{{type: string, deprecated: {{since: 2026-01-01, sunset: {sunset}}}}}"
        return V1.replace("title: string", f"title: {mark}")

    applied = olga.post(SERVICES, {"files": files(v1=deprecated("2027-06-01"))}, format="json")
    assert applied.status_code == 200, applied.content
    one = decided(olga, v1=deprecated("2027-01-01"))["v1", "sunset-moved", "Box.title"]
    assert one["verdict"] == "needs-steps"
    assert one["reasons"][:2] == [
        "a sunset moves later only, it is 2027-06-01",
        "not proved unused: it was seen 1 time",
    ]
    assert one["change"].startswith("2027-06-01 → 2027-01-01")
    refused(olga, v1=deprecated("2027-01-01"))
    later = decided(olga, v1=deprecated("2028-01-01"))
    assert ("v1", "sunset-moved", "Box.title") not in later


def test_a_waiver_of_two_people_lets_a_change_through_once(box: Yard, olga: APIClient) -> None:
    ann = client_of("ann", "approver")
    without_evidence()
    wish = {
        "files": files(v1=REMOVED),
        "version": "v1",
        "rule": "key-removed",
        "path": "Box.title",
        "reason": "Titles were never shown.",
        "until": (timezone.now() + timedelta(days=7)).isoformat(),
    }
    past = {**wish, "until": (timezone.now() - timedelta(seconds=1)).isoformat()}
    answer = olga.post(WAIVERS, past, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "waiver")
    assert [(each["path"], each["message"]) for each in answer.json()["errors"]] == [
        ("until", "The time is not in the future.")
    ]
    nothing = olga.post(WAIVERS, {**wish, "path": "Box.weight"}, format="json")
    assert (nothing.status_code, nothing.json()["code"]) == (404, "finding-missing")

    made = olga.post(WAIVERS, wish, format="json")
    assert (made.status_code, made.json()["state"]) == (201, "asked"), made.content
    waiver = made.json()["id"]
    assert made.json()["decision"]["reasons"] == ["1 of 1 stored resources hold it"]
    assert olga.post(f"/api/v1/waivers/{waiver}/approve").status_code == 403
    refused(olga, v1=REMOVED)

    assert ann.post(f"/api/v1/waivers/{waiver}/approve").json()["state"] == "in-force"
    one = decided(olga, v1=REMOVED)["v1", "key-removed", "Box.title"]
    assert (one["verdict"], one["waiver"]["state"]) == ("needs-data-task", "in-force")
    assert Waiver.objects.get().used_for == ""
    applied = olga.post(SERVICES, {"files": files(v1=REMOVED)}, format="json")
    assert applied.status_code == 200, applied.content

    listed = olga.get(f"{SERVICES}/{SHELVES}/waivers").json()["items"]
    assert [(each["state"], each["used_for"]) for each in listed] == [("used", applied.json()["fingerprint"])]
    actions = LedgerEntry.objects.filter(action__startswith="waiver.", outcome="done").order_by("pk")
    assert list(actions.values_list("action", "actor")) == [
        ("waiver.ask", "olga"),
        ("waiver.approve", "ann"),
        ("waiver.use", "olga"),
    ]
    # What is stored stayed, and an update leaves it alone.
    box.servers.directory.forget(REGION, SHELVES)
    box.call("PATCH", BOX, {"sealed": False}, version="v1")
    assert stored(box) == {**STORED, "sealed": False}

    # It let that change through once: with the field back, and then removed again, it does not count.
    definitions.keep(SHELVES, folder())
    refused(olga, v1=REMOVED)


def test_what_was_decided_is_kept_of_a_definition_that_is_refused_or_applied(
    box: Yard, olga: APIClient
) -> None:
    refused(olga, v1=REMOVED)
    refused(olga, v1=REMOVED)
    without_evidence()
    olga.post(SERVICES, {"files": files(v1=ADDED)}, format="json")
    answer = olga.get(f"{SERVICES}/{SHELVES}/definitionReviews")
    assert answer.status_code == 200
    applied, against, first = answer.json()["items"]
    assert (first["outcome"], first["against"], first["decisions"]) == ("applied", "", [])
    assert (applied["outcome"], applied["by"], against["outcome"]) == ("applied", "olga", "refused")
    assert applied["fingerprint"] == definitions.current_fingerprint(SHELVES)
    assert applied["against"] == against["against"]
    assert [(each["path"], each["verdict"]) for each in against["decisions"]] == [("Box.title", "refused")]
    assert against["decisions"][0]["senders"][0]["client"] == "stock"
    assert client_of("vera").get(f"{SERVICES}/{SHELVES}/definitionReviews").status_code == 403


def test_a_waiver_counts_until_its_end_and_for_what_it_was_asked_for(box: Yard, olga: APIClient) -> None:
    without_evidence()
    ops = "{rename: {from: title, to: label}}"
    wish = {
        "files": files(v1=RETYPED, ops=ops),
        "version": "v1",
        "rule": "type-replaced",
        "path": "Box.weight",
        "reason": "Weights are rewritten tonight.",
        "until": (timezone.now() + timedelta(days=7)).isoformat(),
    }
    assert olga.post(WAIVERS, wish, format="json").status_code == 201
    Waiver.objects.update(approved_by="ann", approved_at=timezone.now())
    other = V1.replace("weight: i32", "weight: bool")
    refused(olga, v1=other, ops=ops)
    Waiver.objects.update(until=timezone.now() - timedelta(seconds=1))
    refused(olga, v1=RETYPED, ops=ops)


def test_a_version_that_holds_data_or_is_called_is_not_taken_away(box: Yard, olga: APIClient) -> None:
    only = folder()
    top = only["service.yaml"].decode().split("edges:")[0]
    kept = "\n".join(line for line in top.splitlines() if "version: v1," not in line)
    given = {"service.yaml": kept.encode(), "v2.yaml": only["v2.yaml"]}
    sent = {path: base64.b64encode(text).decode() for path, text in given.items()}
    answer = olga.post(f"{SERVICES}?dry_run=true", {"files": sent}, format="json")
    if answer.status_code == 200:
        [one] = [each for each in answer.json()["decisions"] if each["rule"] == "version-removed"]
        assert one["verdict"] == "refused"
        assert one["reasons"][0] == "1 resources are stored"
    else:
        assert answer.status_code == 409, answer.content


@pytest.mark.django_db(transaction=True)
def test_the_command_line_tells_the_decisions_and_exits_with_6(
    live_server: Any, box: Yard, olga: APIClient, tmp_path: Path
) -> None:
    ann = client_of("ann", "approver")
    without_evidence()
    for path, text in folder(v1=REMOVED).items():
        (tmp_path / path).write_bytes(text)
    swy = Swy(live_server.url, token_of("olga"))
    told = swy("service", "apply", str(tmp_path), "--dry-run", expect=6)
    assert "needs-data-task key-removed v1/Box.title" in told
    assert "1 of 1 stored resources hold it" in told
    assert f"{SHELVES}: 1 needs-data-task. It may not be applied." in told
    swy("service", "apply", str(tmp_path), expect=6)

    table = swy("service", "apply", str(tmp_path), "--dry-run", "--format", "markdown", expect=6)
    assert "| needs-data-task | v1 | `Box.title` key-removed |" in table
    report = json.loads(swy("service", "apply", str(tmp_path), "--dry-run", "--format", "sarif", expect=6))
    [result] = report["runs"][0]["results"]
    assert (result["ruleId"], result["level"], result["suppressions"]) == ("key-removed", "error", [])

    until = (timezone.now() + timedelta(days=7)).isoformat()
    place = ("--version", "v1", "--rule", "key-removed", "--path", "Box.title", "--until", until)
    swy("service", "waive", str(tmp_path), *place, "-m", "Titles were never shown.")
    waiver = Waiver.objects.get().id
    assert ann.post(f"/api/v1/waivers/{waiver}/approve").status_code == 200
    waived = json.loads(swy("service", "apply", str(tmp_path), "--dry-run", "--format", "sarif"))
    assert waived["runs"][0]["results"][0]["suppressions"] == [
        {"kind": "external", "justification": "Titles were never shown."}
    ]
    applied = json.loads(swy("service", "apply", str(tmp_path), "-o", "json"))
    assert (applied["changed"], applied["may_apply"]) == (True, True)

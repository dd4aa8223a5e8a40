"""Health over HTTP: its parts, their runbooks, who takes turns, and work that waits for a person."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from console.env import ROOT
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.events.outbox import publish
from migrations_app.control.live_stream.queries import report
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.work import Pulse, Work
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db
EU = "services/secrets/deployments/eu-1"


def test_a_data_database_that_does_not_answer_is_down_and_named(settings: LazySettings) -> None:
    viewer = client_of("vera", "viewer")
    settings.SWITCHYARD.data_urls["mars"] = "postgresql://nobody@127.0.0.1:1/nothing"
    try:
        found = viewer.get("/api/v1/health").json()["components"]
    finally:
        del settings.SWITCHYARD.data_urls["mars"]
    states = {part["name"]: part["status"] for part in found if part["name"].startswith("data ")}
    assert (states["data mars"], states["data default"]) == ("down", "ok")


def test_health_tells_of_messages_that_are_late_and_of_clocks_that_differ(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    viewer = client_of("vera", "viewer")

    def parts() -> dict[str, tuple[str, str]]:
        found = viewer.get("/api/v1/health").json()["components"]
        return {part["name"]: (part["status"], part["detail"]) for part in found}

    assert parts()["channels"] == ("ok", "No message waits to be sent.")
    assert parts()["clock"][0] == "ok"
    hook = Webhook.objects.create(id="w1", name="siem", created_by="vera")
    due = timezone.now() - timedelta(minutes=6)
    WebhookDelivery.objects.create(webhook=hook, seq=1, event="audit.entry", body={}, next_at=due, attempts=2)
    late = "1 message waits to be sent. 1 was refused before. 1 is more than 5 minutes late."
    assert parts()["channels"] == ("degraded", late)
    ahead = datetime.now(UTC) + timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    assert parts()["clock"][0] == "degraded"


def test_health_says_how_many_events_wait_to_be_sent() -> None:
    viewer = client_of("vera", "viewer")

    def detail() -> str:
        found = viewer.get("/api/v1/health").json()["components"]
        return next(str(part["detail"]) for part in found if part["name"] == "outbox")

    OutboxEvent.objects.all().delete()
    assert detail() == "The newest event is number 0. No event waits to be sent."
    publish("health", "component", "broker", full={"status": "ok"})
    assert detail() == "The newest event is number 0. 1 event waits to be sent."


def test_controllers_are_told_by_region_with_who_leads() -> None:
    moment = timezone.now()
    held = {"leased_until": moment + timedelta(minutes=5)}
    rows = (
        ("sync", f"{EU}<us-1", {"epoch": 1, "holder": "w1", "settled_at": moment}),
        ("sync", EU, {"epoch": 2, "holder": "w2", **held}),
        ("pending", "services/secrets/deployments/us-1", {"epoch": 3, "holder": "w1", "settled_at": moment}),
        ("courier", "all", {"epoch": 4, "holder": "w3", "due_at": moment - timedelta(minutes=5)}),
        ("courier", "never", {}),
    )
    for controller, key, more in rows:
        Work.objects.create(controller=controller, key=key, **more)
    found = client_of("vera", "viewer").get("/api/v1/health/controllers").json()["items"]
    assert [
        (each["region"], each["controller"], each["keys"], each["held"], each["late"], each["leader"])
        for each in found
    ] == [
        ("", "courier", 1, 0, 1, "w3"),
        ("eu-1", "sync", 2, 1, 0, "w2"),
        ("us-1", "pending", 1, 0, 0, "w1"),
    ]
    assert datetime.fromisoformat(found[1]["last_turn_at"]) == moment
    assert APIClient().get("/api/v1/health/controllers").status_code == 401


def test_health_and_metrics_tell_how_late_each_class_of_work_is() -> None:
    due = timezone.now() - timedelta(seconds=90)
    for number in range(2):
        Work.objects.create(controller="sync", key=f"u/{number}", work_class="catch-up", due_at=due)
    viewer = client_of("vera", "viewer")
    found = viewer.get("/api/v1/health").json()
    classes = {each.pop("work_class"): each for each in found["work_classes"]}
    assert (classes["catch-up"]["share"], classes["catch-up"]["due"]) == (40.0, 2)
    assert 90 <= classes["catch-up"]["late_seconds"] < 150
    assert classes["switch"] == {"share": None, "due": 0, "late_seconds": 0.0, "used_seconds": 0.0}
    work = next(part for part in found["components"] if part["name"] == "work")
    assert work["status"] == "degraded"
    assert re.fullmatch(r"Catch-up is \d+ s late \(2 due\)\.", work["detail"])
    lines = viewer.get("/metrics").content.decode().splitlines()
    assert 'switchyard_work_class_due{work_class="catch-up"} 2.0' in lines
    assert 'switchyard_work_class_late_seconds{work_class="backfill"} 0.0' in lines


def test_every_component_has_a_runbook() -> None:
    found = client_of("vera", "viewer").get("/api/v1/health").json()["components"]
    headings = re.findall(r"^## (.+)$", (ROOT / "docs/how-to/runbooks.md").read_text(), re.MULTILINE)
    # The component `mirror` is there where another registry is followed (`test_mirror.py`).
    assert {part["runbook"] for part in found} | {"/runbooks#mirror"} == {
        f"/runbooks#{heading}" for heading in headings
    }


def test_the_stream_says_how_old_a_change_was_when_it_was_sent() -> None:
    viewer = client_of("vera", "viewer")

    def stream() -> tuple[str, str]:
        found = viewer.get("/api/v1/health").json()["components"]
        return next((part["status"], part["detail"]) for part in found if part["name"] == "stream")

    assert stream() == ("ok", "No connection is open.")
    report("stream:a:1", 2, 300)
    report("stream:b:1", 1, 40)
    said = "3 connections are open. In the last seconds, updates were sent after at most {} ms."
    assert stream() == ("ok", said.format(300))
    report("stream:b:1", 1, 9_000)
    assert stream() == ("degraded", said.format(9_000))


def test_a_late_tick_is_degraded_while_workers_work_and_down_after_two_minutes() -> None:
    viewer = client_of("vera", "viewer")

    def sweep(age: float) -> tuple[str, str]:
        Pulse.objects.filter(name="sweep").update(at=timezone.now() - timedelta(seconds=age))
        parts = viewer.get("/api/v1/health").json()["components"]
        return next((part["status"], part["detail"]) for part in parts if part["name"] == "sweep")

    assert sweep(0) == ("down", "No tick was ever seen: lost wake-ups are not sent again.")
    PulseRows().beat("sweep", "sweep", {"due": 0})
    assert sweep(60)[0] == "down"
    # Workers are heard from: at a time to come, so that a slow test does not make them silent.
    PulseRows().beat("worker:test", "worker", {"queues": ["housekeeping"]})
    Pulse.objects.filter(kind="worker").update(at=timezone.now() + timedelta(hours=1))
    status, detail = sweep(60)
    assert status == "degraded"
    assert re.match(r"The tick is late: the last one was \d+ s ago\. Workers go on;", detail)
    status, detail = sweep(600)
    assert status == "down"
    assert re.match(r"No tick in 6\d\d s: wake-ups that were lost are not sent again\.", detail)


def test_metrics_are_for_accounts_that_may_see_health() -> None:
    told = client_of("vera", "viewer").get("/metrics")
    assert told.status_code == 200
    lines = told.content.decode().splitlines()
    assert "switchyard_workers_alive 0.0" in lines
    assert "switchyard_sweep_age_seconds -1.0" in lines
    assert any(line.startswith("django_http_requests_total_by_method_total") for line in lines)
    assert APIClient().get("/metrics").status_code == 401
    assert client_of("nora").get("/metrics").status_code == 403


def test_health_names_what_is_down_and_quarantined_work_can_be_retried() -> None:
    operator = client_of("ann", "operator")
    found = operator.get("/api/v1/health").json()
    states = {part["name"]: part["status"] for part in found["components"]}
    assert states["database"] == states["broker"] == "ok"
    assert (states["workers"], found["status"]) == ("down", "down")
    Work.objects.create(
        controller="housekeeping",
        key="outbox",
        quarantined_at=datetime.now(UTC),
        quarantined_code="work-abandoned",
        quarantined_reason="It ended 8 times.",
        quarantined_reason_phrases=[{"key": "It ended {times} times.", "values": {"times": 8}}],
    )
    (shown,) = operator.get("/api/v1/health/quarantined-work").json()["items"]
    assert (shown["reason"], shown["phrases"]) == (
        "It ended 8 times.",
        [{"key": "It ended {times} times.", "values": {"times": 8}}],
    )
    assert "remedy_phrases" not in shown
    # A process of an older version writes the text alone.
    Work.objects.update(quarantined_reason="It broke.")
    (shown,) = operator.get("/api/v1/health/quarantined-work").json()["items"]
    assert shown["phrases"] == [{"key": "{text}", "values": {"text": "It broke."}}]
    body = {"controller": "housekeeping", "key": "outbox"}
    assert operator.post("/api/v1/health/quarantined-work", body, format="json").status_code == 204
    assert Work.objects.get().quarantined_at is None
    again = operator.post("/api/v1/health/quarantined-work", body, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "not-quarantined")


# So long that seconds of a slow machine do not change the first two digits.
LATE = timedelta(seconds=10_000)


def work(controller: str, **more: object) -> None:
    Work.objects.create(
        **{"controller": controller, "key": "all", "epoch": 1, "due_at": timezone.now() - LATE, **more}
    )


def test_readiness_looks_at_the_turns_of_every_controller(client: Client) -> None:
    PulseRows().beat("worker-1", "worker", {"queues": ["housekeeping"]})
    now = timezone.now()

    def ready() -> tuple[int, dict[str, str]]:
        answer = client.get("/readyz")
        body = answer.json()
        parts = body.get("failing") or body.get("degraded") or {}
        # Seconds pass between what is written and what is read.
        ages = {name: re.sub(r"\((\d\d)\d* s\)", r"(\1… s)", text) for name, text in parts.items()}
        return answer.status_code, {name: text for name, text in ages.items() if name == "controllers"}

    assert ready() == (200, {})
    work("moving", due_at=now, settled_at=now)
    work("slow", settled_at=now)
    work("held", leased_until=now + LATE)
    work("quarantined", quarantined_at=now)
    work("idle", due_at=None, settled_at=now - LATE)
    work("soon", due_at=now + LATE)
    assert ready() == (200, {}), "a backlog that moves is only slow"
    work("mirror", settled_at=now - LATE)
    work("never", epoch=0, due_at=now - LATE * 2)
    said = "Not run for 60 s or more: never (20… s), mirror (10… s)."
    assert ready() == (200, {"controllers": said})
    Work.objects.filter(controller__in=["moving", "slow"]).delete()
    work("webhooks", settled_at=now)
    assert ready() == (503, {"controllers": said}), "that notifications move says nothing about the others"

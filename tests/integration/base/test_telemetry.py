"""Traces of real processes: from a request over its action to the worker's slices and their statements."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator

import httpx
import pytest
from django.db import connection

from migrations_app.domain.switch.states import State
from migrations_app.models.registry import Deployment
from tests.factories.access import make_account, token_of
from tests.integration.base.collector import Received, ReceivedSpan, below, receiver
from tests.integration.switch.secrets_upgrade import reach
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
TRACE, CALLER = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
SENT = {"traceparent": f"00-{TRACE}-{CALLER}-01"}
SECRET = "c2VzYW1lLW9wZW4="


@pytest.fixture
def collector() -> Iterator[Received]:
    """A collector of traces."""
    with receiver() as received:
        yield received


def wait_for(received: Received, wanted: Callable[[list[ReceivedSpan]], bool]) -> list[ReceivedSpan]:
    """Wait until spans have arrived."""
    until = time.monotonic() + 60
    while not wanted(received.spans()):
        assert time.monotonic() < until, sorted({(span.service, span.name) for span in received.spans()})
        time.sleep(0.2)
    return received.spans()


def of_caller(spans: list[ReceivedSpan], status: str) -> list[ReceivedSpan]:
    """Give the spans of the caller's own requests that were answered with a status."""
    ours = [span for span in spans if (span.trace, span.parent) == (TRACE, CALLER)]
    return [span for span in ours if span.attributes["http.response.status_code"] == status]


def test_an_upgrade_is_traced_from_the_request_to_the_statements(
    started: str, children: Children, collector: Received
) -> None:
    children.start_worker(
        SWITCHYARD_OTLP_URL=collector.url, SWITCHYARD_OTLP_HEADERS="x-key=k-1", SWITCHYARD_REGIONS="eu-west1"
    )
    children.start_beat()
    web = children.start_web(
        SWITCHYARD_OTLP_URL=collector.url, SWITCHYARD_LOG_FORMAT="json", SWITCHYARD_LOG_LEVEL="INFO"
    )
    reach(started, State.READY, lambda: children.log("worker"))
    # The worker has registered itself in its region before it took any work.
    own = Deployment.objects.get(pk="services/switchyard/deployments/eu-west1")
    assert (own.current_version, own.database, own.generation) == ("v1", "", 1)
    make_account("vera", "admin")
    headers = {"authorization": f"Bearer {token_of('vera')}"}
    address = f"{web}/api/v1/upgrades/{started}"
    until = time.monotonic() + 60
    while True:
        tag = {"if-match": httpx.get(address, headers=headers).headers["etag"]}
        asked = httpx.post(f"{address}/switch", headers=headers | SENT | tag, json={})
        if asked.status_code == 202:
            break
        # Before the first full comparison it is refused.
        assert time.monotonic() < until, asked.text
        time.sleep(0.3)

    spans = wait_for(
        collector,
        lambda spans: (
            bool(of_caller(spans, "202"))
            and any(span.name == "reconcile sync" for span in spans)
            and any(span.name == "reconcile switch" for span in spans)
        ),
    )
    (request,) = of_caller(spans, "202")
    assert request.service == "switchyard-web"
    assert request.attributes["http.route"].endswith("/switch")
    (action,) = [span for span in below(spans, request) if span.name == "action switch"]
    of_upgrade = hashlib.sha256(f"upgrade:{started}".encode()).digest()[:16].hex()
    assert action.links == (of_upgrade,)
    assert {span.attributes.get("db.operation.name") for span in below(spans, action)} >= {"SELECT", "UPDATE"}
    slices = [span for span in spans if span.name in ("reconcile sync", "reconcile switch")]
    assert {(span.service, span.trace) for span in slices} == {("switchyard-worker", of_upgrade)}
    databases = {span.attributes.get("db.namespace") for one in slices for span in below(spans, one)}
    assert "control" in databases
    assert len(databases - {None, "control"}) == 1
    assert any(sent.get("x-key") == "k-1" for sent, _ in collector.bodies)
    lines = [json.loads(line) for line in children.log("web").splitlines() if line.startswith("{")]
    assert (TRACE, action.id) in {(line.get("trace_id"), line.get("span_id")) for line in lines}
    # The collector has what the process wrote within that span.
    until = time.monotonic() + 60
    while not (sent := [line for line in collector.lines() if line.span == action.id]):
        assert time.monotonic() < until, collector.lines()
        time.sleep(0.2)
    assert {(line.service, line.trace) for line in sent} == {("switchyard-web", TRACE)}
    assert json.loads(sent[0].text)["event"] in [line["event"] for line in lines]


def test_a_request_of_a_resource_is_traced_without_what_it_carries(
    started: str, children: Children, collector: Received
) -> None:
    web = children.start_web(SWITCHYARD_OTLP_URL=collector.url)
    make_account("olga", "operator")
    headers = {"authorization": f"Bearer {token_of('olga')}", "x-request-id": "r-17"}

    created = httpx.post(
        f"{web}/apis/eu-west1/secrets.example.com/v1alpha2/projects/p/secrets?id=door",
        headers=headers | SENT,
        json={"title": "Door", "encData": SECRET},
    )
    assert created.status_code == 201, created.text

    spans = wait_for(collector, lambda spans: any(span.parent == CALLER for span in spans))
    (request,) = [span for span in spans if span.parent == CALLER]
    assert request.attributes["switchyard.service"] == "secrets.example.com"
    assert request.attributes["switchyard.request_id"] == "r-17"
    assert "INSERT" in {span.attributes.get("db.operation.name") for span in below(spans, request)}
    assert all(SECRET.encode() not in body and b"Door" not in body for _, body in collector.bodies)


def test_a_collector_that_is_away_changes_no_answer(children: Children) -> None:
    web = children.start_web(SWITCHYARD_OTLP_URL="http://127.0.0.1:9")

    answers = [httpx.get(f"{web}/api/v1/session").status_code for _ in range(5)]

    assert answers == [200] * 5


def test_an_unexpected_error_is_reported_without_what_the_request_carried(
    started: str, children: Children, collector: Received
) -> None:
    web = children.start_web(SWITCHYARD_SENTRY_DSN=collector.url.replace("http://", "http://key@") + "/1")
    make_account("olga", "operator")
    token = token_of("olga")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE switchyard_savedview RENAME TO moved_away")
    try:
        failed = httpx.get(f"{web}/api/v1/views/{SECRET}", headers={"authorization": f"Bearer {token}"})
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE moved_away RENAME TO switchyard_savedview")
    assert failed.status_code == 500, failed.text

    until = time.monotonic() + 60
    while not collector.bodies:
        assert time.monotonic() < until, children.log("web")
        time.sleep(0.2)
    (event,) = [body for _, body in collector.bodies if b"exception" in body]
    assert b'"process":"web"' in event.replace(b" ", b"")
    assert SECRET.encode() not in event
    assert token.encode() not in event

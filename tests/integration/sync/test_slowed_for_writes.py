"""A real worker slows its copy down while a real web process reports slow writes, and says so as long as it is so."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from psycopg import sql

from migrations_app import wiring
from migrations_app.adapters.store.rows import table_of
from migrations_app.control.upgrades.commands.pause_upgrade import throttle_upgrade
from migrations_app.domain.switch.states import State
from migrations_app.domain.sync.write_pace import FULL
from migrations_app.engine.sync.write_pacing import CALM_SECONDS, SLOWED_CALM_EVERY_SECONDS
from migrations_app.models.work import Pulse
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Draft
from tests.factories.access import client_of, token_of
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, reach
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
BASE = "/apis/eu-west1/secrets.example.com/v1alpha2/projects/p/secrets"
WRITERS, SECRETS = 16, 3000


@contextmanager
def clients(url: str, token: str) -> Iterator[list[int]]:
    """Write over HTTP with some threads, each some times a second; gives the answers' status."""
    ended, answers = threading.Event(), list[int]()
    host = urlsplit(url)

    def run(number: int) -> None:
        connection = http.client.HTTPConnection(host.hostname or "", host.port, timeout=PATIENCE_SECONDS)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        for turn in itertools.count():
            if ended.is_set():
                break
            body = json.dumps({"title": f"Title {turn}"})
            connection.request("PUT", f"{BASE}/client-{number}?allowMissing=true", body, headers)
            answer = connection.getresponse()
            answer.read()
            answers.append(answer.status)
            # Of all of them more than are enough for a step of the pace: without a pause this is most of the test's work.
            time.sleep(0.25)
        connection.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@contextmanager
def slow_writes(namespace: Namespace, held_seconds: float) -> Iterator[None]:
    """Let every write wait, for a lock that is held most of the time, as pages would: not in the times of calm."""
    last = SLOWED_CALM_EVERY_SECONDS - 0.5 - held_seconds
    ended = threading.Event()
    lock = sql.SQL("LOCK TABLE {} IN SHARE MODE").format(sql.Identifier(namespace.schema, table_of("Secret")))

    def run() -> None:
        while not ended.is_set():
            if not CALM_SECONDS < time.time() % SLOWED_CALM_EVERY_SECONDS < last:
                time.sleep(0.05)
                continue
            with wiring.databases().transaction(namespace.database) as connection:
                connection.execute(lock)
                time.sleep(held_seconds)
            time.sleep(0.01)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def wait_for(found: Callable[[], object], children: Children) -> None:
    def log() -> str:
        known = [*Pulse.objects.filter(kind__in=("writes", "pace")).values("at", "details")]
        return f"{known} {children.log('worker')[-2000:]}"

    wait_until(found, log, pause_seconds=0.3)


def is_slowed(told: dict[str, Any]) -> bool:
    """Tell whether a worker measured writes far slower than in calm, and slowed to an eighth."""
    is_slow: bool = told["p95_seconds"] > 5 * told["calm_seconds"]
    return told["slowed_since"] is not None and told["pace"] <= FULL / 8 and is_slow


def pace() -> dict[str, Any]:
    """Give what the worker told of its pace last."""
    rows = Pulse.objects.filter(kind="pace", details__deployment=DEPLOYMENT).order_by("-at")
    return next(iter(rows.values_list("details", flat=True)), {})


def test_a_copy_is_slowed_while_writes_are_slow_and_goes_on(started: str, children: Children) -> None:
    nora, source = client_of("nora", "operator", "admin"), wiring.ports().upgrades.load(started).source
    with wiring.store().transaction(source) as transaction:
        for number in range(SECRETS):
            name = f"projects/p/secrets/more-{number}"
            transaction.put(Draft("Secret", name, uuid4(), {"name": name, "title": "More"}))
    # So slowly that a slow machine, too, finds it copying in the end.
    throttle_upgrade(OLGA, started, 10)

    def page() -> dict[str, Any]:
        found: dict[str, Any] = nora.get(f"/api/v1/upgrades/{started}").json()
        return found

    with clients(children.start_web(), token_of("nora")) as answers:
        wait_for(lambda: len(answers) > 300, children)
        # What is written now, before a worker copies, is what writes take in calm.
        children.start_worker(SWITCHYARD_WRITE_P95_PERCENT="500")
        children.start_beat()
        wait_for(lambda: pace().get("calm_seconds") is not None, children)
        # Slow is what takes several times as long as in calm, which is long where the machine is short of processor.
        with slow_writes(source, held_seconds=min(max(0.3, 12 * pace()["calm_seconds"]), 5.0)):
            measured: dict[str, Any] = {}
            wait_for(lambda: is_slowed(measured.update(pace()) or measured), children)
            slowed: dict[str, Any] = {"paced": None}
            wait_for(lambda: slowed.update(page()) or slowed["paced"], children)
            assert "Copying and comparing are slowed since " in slowed["paced"]["sentence"]
            assert slowed["blockages"] == []
            copied = slowed["progress"]["copied"]
            wait_for(lambda: page()["progress"]["copied"] > copied, children)
        wait_for(lambda: page()["paced"] is None and pace()["pace"] == FULL, children)
        # What clients waited is kept beside the shards, for the time scale of the page.
        kept = nora.get(f"/api/v1/upgrades/{started}/samples").json()["write_p95"]
        # The worker measured the same writes, over other seconds of the time in which they were slow.
        assert max(seconds for seconds in kept if seconds is not None) > measured["p95_seconds"] / 2
        throttle_upgrade(OLGA, started, None)
        reach(started, State.READY, lambda: children.log("worker"))
    assert {200} <= set(answers) <= {200, 201}


def test_many_writes_are_one_row_and_no_writes_are_none(started: str, children: Children) -> None:
    client_of("nora", "operator", "admin")
    url = children.start_web()
    assert not Pulse.objects.filter(kind="writes").exists()
    with clients(url, token_of("nora")) as answers:
        wait_for(lambda: len(answers) > 100, children)
    wait_for(lambda: Pulse.objects.filter(kind="writes").exists(), children)
    pacing = wiring.ports().pacing
    assert pacing is not None
    # What is not reported again is forgotten, however late the last report came.
    wait_for(lambda: pacing._latencies.read(DEPLOYMENT).seconds == {}, children)
    (row,) = Pulse.objects.filter(kind="writes")
    assert [*row.details["deployments"]] == [DEPLOYMENT]
    time.sleep(2.5)
    assert [each.at for each in Pulse.objects.filter(kind="writes")] == [row.at]

"""The rehearsal of docs/how-to/run-in-production.md: both databases dumped, and restored on another server."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from django.conf import settings

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.domain.switch.states import State
from tests.factories.access import make_account, token_of
from tests.integration.base.copied_databases import control_url, copy_database
from tests.integration.switch.secrets_upgrade import reach, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.mourner import entrust, release
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
TRANSACTIONS = """DO $$ BEGIN
    CREATE TEMP TABLE counted (number integer) ON COMMIT DROP;
    FOR i IN 1 .. 20000 LOOP
        -- A block that writes takes a transaction number of its own.
        BEGIN INSERT INTO counted VALUES (i); EXCEPTION WHEN division_by_zero THEN NULL; END;
    END LOOP;
END $$"""


@pytest.fixture
def other_server(tmp_path: Path) -> Iterator[Postgres]:
    """Another PostgreSQL, whose transactions have small numbers."""
    server = Postgres(tmp_path / "other", fast_and_loose=True)
    server.create()
    process = server.start(tmp_path / "other.log")
    entrust(process.pid)
    server.wait_ready(process)
    try:
        yield server
    finally:
        process.send_signal(signal.SIGQUIT)
        process.wait()
        release(process.pid)


def state_of(address: str, headers: dict[str, str]) -> tuple[str, str]:
    """Give the state of an upgrade, and its ETag."""
    shown = httpx.get(address, headers=headers)
    return str(shown.json()["state"]), shown.headers["etag"]


def reach_by_web(
    address: str, headers: dict[str, str], state: State, log: Path, action: str = "", seconds: float = 120.0
) -> None:
    """Wait for a state, and ask for an action until it is there."""
    until, answer = time.monotonic() + seconds, ""
    while (found := state_of(address, headers))[0] != state.value:
        if time.monotonic() > until:
            upgrade = httpx.get(address, headers=headers).text
            pytest.fail(f"state, tag: {found}\nlast answer: {answer}\n{upgrade}\n{log.read_text()[-3000:]}")
        if action:
            answer = httpx.post(f"{address}/{action}", headers=headers | {"if-match": found[1]}, json={}).text
        time.sleep(0.3)


def test_an_upgrade_goes_on_after_both_databases_were_restored_on_another_server(
    started: str, children: Children, other_server: Postgres, tmp_path: Path
) -> None:
    make_account("vera", "admin")
    headers = {"authorization": f"Bearer {token_of('vera')}"}
    children.start_worker()
    children.start_beat()
    source = reach(started, State.READY, lambda: children.log("worker")).source
    (alias, data_url), control = (
        (source.database, settings.SWITCHYARD.data_url(source.database)),
        control_url(),
    )
    with psycopg.connect(data_url, autocommit=True) as database:
        database.execute(TRANSACTIONS)
    write(source, "projects/p/secrets/late", title="Late")
    # Beyond every number that a new server gives: what is written there comes before these positions.
    until = time.monotonic() + 60
    while min(int(each.position.partition(".")[0]) for each in wiring.feed().cursors(source)) < 20_000:
        assert time.monotonic() < until, wiring.feed().cursors(source)
        time.sleep(0.2)
    children.stop()
    wiring.databases().close()

    extra = {
        "DATABASE_URL": copy_database(control, "control", other_server, tmp_path),
        "SWITCHYARD_DATA_URLS": f"{alias}={copy_database(data_url, 'data', other_server, tmp_path)}",
    }
    children.start_worker(**extra)
    children.start_beat(**extra)
    web = children.start_web(**extra)
    old, new = (f"{web}/apis/eu-west1/secrets.example.com/{version}" for version in ("v1alpha2", "v1"))
    for number in range(20):
        wanted: dict[str, Any] = {"id": f"after-{number}"}
        made = httpx.post(
            f"{old}/projects/p/secrets", params=wanted, headers=headers, json={"title": f"T{number}"}
        )
        assert made.status_code == 201, made.text
    changed = httpx.patch(f"{old}/projects/p/secrets/secret-7", headers=headers, json={"title": "Changed"})
    assert changed.status_code == 200, changed.text

    address = f"{web}/api/v1/upgrades/{started}"
    reach_by_web(address, headers, State.REVERSIBLE, children.folder / "worker.log", "switch")

    expected = {f"after-{number}": f"T{number}" for number in range(20)} | {
        "secret-7": "Changed",
        "late": "Late",
    }
    there = f"{new}/projects/p/regions/eu-west1/secrets"
    titles = {
        name: httpx.get(f"{there}/{name}", headers=headers).json().get("displayName") for name in expected
    }
    assert titles == expected
    story = httpx.get(f"{address}/events", headers=headers, params={"limit": 500}).json()["items"]
    again = {entry["details"]["shard"] for entry in story if entry["kind"] == "shard-copied-again"}
    assert again == {0, 1, 2, 3}

"""The console's page, its policy, and the health addresses."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from celery_worker.queues import QUEUES
from migrations_app.adapters.pulses import PulseRows


@pytest.mark.django_db
def test_it_is_not_ready_while_no_worker_is_heard_from(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {
        "status": "unready",
        "failing": {"workers": "No worker was heard from in 20 s."},
    }


@pytest.mark.django_db
def test_it_is_ready_while_database_and_broker_answer_and_a_worker_is_heard_from(client: Client) -> None:
    PulseRows().beat("worker-1", "worker", {"queues": [*QUEUES]})
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_alive_asks_no_database(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


def test_every_inner_address_is_the_console_and_carries_its_nonce(client: Client) -> None:
    answer = client.get("/upgrades/42?tab=events")
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    (nonce,) = set(re.findall(r"'nonce-([^']+)'", policy))
    assert f'content="{nonce}"' in answer.content.decode()
    assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("path", ["/api/v1/nothing", "/meta/v1/nothing", "/assets/nothing.js"])
def test_an_unknown_address_of_a_door_is_not_the_console(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_the_documentation_serves_its_folder_and_lets_in_only_the_scripts_of_a_page(
    client: Client, settings: LazySettings, tmp_path: Path
) -> None:
    settings.DOCUMENTATION = tmp_path / "site"
    assert client.get("/docs/").status_code == 404
    (tmp_path / "secret.txt").write_text("not for readers")
    for version in ("2.0", "1.0"):
        folder = tmp_path / "site" / version
        (folder / "how-to").mkdir(parents=True)
        (folder / "index.html").write_text(f"<h1>Documentation {version}</h1><script>start()</script>")
        (folder / "how-to" / "index.html").write_text("<h1>How to</h1>")
        (folder / "site.css").write_text("h1 {}")
    versions = [{"version": "2.0", "aliases": ["latest"]}, {"version": "1.0", "aliases": []}]
    (tmp_path / "site" / "versions.json").write_text(json.dumps(versions))
    for path, place in (("", "2.0/"), ("how-to/", "2.0/how-to/"), ("1.0", "1.0/"), ("how-to", "2.0/how-to/")):
        assert client.get(f"/docs/{path}").headers["Location"] == f"/docs/{place}"
    assert client.get("/docs/versions.json").json() == versions
    assert b"Documentation 1.0" in client.get("/docs/1.0/").content
    page = client.get("/docs/2.0/")
    digest = base64.b64encode(hashlib.sha256(b"start()").digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}'" in page.headers["Content-Security-Policy"]
    assert "sha256" not in client.get("/docs/2.0/how-to/").headers["Content-Security-Policy"]
    assert client.get("/docs/2.0/site.css").headers["Content-Type"] == "text/css"
    for path in (
        "no-such-page/",
        "../secret.txt",
        "%2e%2e/secret.txt",
        "2.0/../../secret.txt",
        "2.0/no-such-page/",
    ):
        answer = client.get(f"/docs/{path}")
        assert (answer.status_code, b"not for readers" in answer.content) == (404, False), path

"""The console's page, its policy, and the health addresses."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from celery_worker.queues import QUEUES
from migrations_app.adapters.pulses import beat


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
    beat("worker-1", "worker", {"queues": [*QUEUES]})
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ready"})


def test_alive_asks_nobody(client: Client) -> None:
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

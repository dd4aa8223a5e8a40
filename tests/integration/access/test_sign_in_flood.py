"""Two hundred sign-ins at once against a real process: all are answered, memory stays bounded, and health answers."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from pathlib import Path

import httpx

from migrations_app.control.access.sign_in.password_hashing import WAITING_PER_SLOT
from tests.factories.access import PASSWORD, make_account
from tests.processes import Children

AT_ONCE = 200
# One slot and four that wait: a slow machine, too, sends more at once than find room.
HASHES = 1
ROUNDS = 20
MOST_BYTES = 600 * 1_000_000


def peak_bytes(pid: int) -> int:
    """The most memory that a process has had."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) * 1024


async def _attempt(http: httpx.AsyncClient, token: str, attempt_round: int, number: int) -> httpx.Response:
    # Names and addresses differ, so that nothing but the bound on hashing holds them back. The failures of an account
    # are limited, too: only the first round tries a name that exists, four times.
    headers = {"X-CSRFToken": token, "X-Forwarded-For": f"10.{attempt_round}.0.{number}"}
    existing = attempt_round == 0 and number % 50 == 0
    body = {"username": "ann" if existing else f"name-{attempt_round}-{number}", "password": "wrong"}
    return await http.post("/api/v1/session", json=body, headers=headers)


async def _flood(base: str, attempt_round: int) -> tuple[list[httpx.Response], list[float]]:
    limits = httpx.Limits(max_connections=AT_ONCE + 10)
    async with httpx.AsyncClient(base_url=base, timeout=120, limits=limits) as http:
        token = (await http.get("/api/v1/session")).json()["csrf_token"]
        attempts = [
            asyncio.create_task(_attempt(http, token, attempt_round, number)) for number in range(AT_ONCE)
        ]
        took = []
        while not all(each.done() for each in attempts):
            began = time.monotonic()
            assert (await http.get("/healthz")).status_code == 200
            took.append(time.monotonic() - began)
            await asyncio.sleep(0.05)
        return [each.result() for each in attempts], took


def test_two_hundred_sign_ins_at_once_are_answered_within_bounded_memory(children: Children) -> None:
    make_account("ann", "viewer", password=PASSWORD)
    base = children.start_web(
        SWITCHYARD_PASSWORD_HASHES=str(HASHES),
        SWITCHYARD_SIGN_INS_PER_MINUTE="100000",
        SWITCHYARD_TRUSTED_PROXIES="127.0.0.1/32",
    )
    pid = children.running["web"].pid
    httpx.get(f"{base}/api/v1/session")
    before = peak_bytes(pid)
    for attempt_round in range(ROUNDS):
        answers, health = asyncio.run(_flood(base, attempt_round))
        if any(answer.status_code == 503 for answer in answers):
            break
    peak = peak_bytes(pid)
    statuses = Counter(each.status_code for each in answers)
    print(
        f"\n{AT_ONCE} sign-ins at once: {dict(statuses)}; peak memory {before / 1e6:.0f} -> {peak / 1e6:.0f} MB; "
        f"health answered {len(health)} times, slowest {max(health):.2f} s"
    )
    assert (set(statuses), sum(statuses.values())) == ({403, 503}, AT_ONCE)
    assert statuses[403] >= HASHES * (1 + WAITING_PER_SLOT)
    busy = {each.json()["code"] for each in answers if each.status_code == 503}
    assert (busy, {each.headers.get("Retry-After") for each in answers if each.status_code == 503}) == (
        {"password-hashing-busy"},
        {"2"},
    )
    assert peak < MOST_BYTES
    assert health
    with httpx.Client(base_url=base) as http:
        token = http.get("/api/v1/session").json()["csrf_token"]
        body = {"username": "ann", "password": PASSWORD}
        assert http.post("/api/v1/session", json=body, headers={"X-CSRFToken": token}).status_code == 200

"""The live stream: 1,000 sockets at 10 messages a second, and what folding saves when twenty times as much is said.

Run as `python -m benchmarks.live [clients] [seconds]`; starts its own servers and prints JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from console.embedded import commands
from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from console.env import ROOT
from migrations_app.kernel.json import JsonObject

KEYS, MOST_SOCKETS = 10, 5_000
TICKS = os.sysconf("SC_CLK_TCK")
SETUP = """
from migrations_app.control.access.commands.make_first_accounts import make_first_accounts
print(make_first_accounts()["viewer"].token)
"""


@contextmanager
def installation(folder: Path) -> Iterator[tuple[str, str, int]]:
    """Run PostgreSQL, Valkey and one web process; gives its address, a token and its process id."""
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    postgres.create()
    children = [postgres.start(folder / "postgres.log"), valkey.start(folder / "valkey.log")]
    try:
        postgres.wait_ready(children[0])
        valkey.wait_ready(children[1])
        postgres.ensure_database("switchyard")
        os.environ |= {
            "DATABASE_URL": postgres.url("switchyard"),
            "REDIS_URL": valkey.url(0),
            "SWITCHYARD_HOME": str(folder / "home"),
            "SWITCHYARD_SECRET_KEY": secrets.token_urlsafe(48),
            "SWITCHYARD_LOG_LEVEL": "WARNING",
            "SWITCHYARD_SOCKETS": str(MOST_SOCKETS),
            "SWITCHYARD_CONNECTIONS": str(MOST_SOCKETS),
            "DJANGO_SETTINGS_MODULE": "console.settings",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, check=True)
        made = subprocess.run(
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", SETUP],
            cwd=ROOT, check=True, capture_output=True, text=True,
        )  # fmt: skip
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        web = subprocess.Popen(commands.web("127.0.0.1", port), cwd=ROOT)
        children.append(web)
        _wait(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}", made.stdout.strip().splitlines()[-1], web.pid
    finally:
        for child in reversed(children):
            # SIGINT: PostgreSQL would otherwise wait for the last client to go.
            child.send_signal(signal.SIGINT)
            child.wait()


def _wait(url: str) -> None:
    for _ in range(900):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the web process does not answer")


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def _listen(url: str, token: str, ready: asyncio.Semaphore, heard: list[float]) -> None:
    from websockets.asyncio.client import connect

    headers = {"Authorization": f"Bearer {token}"}
    async with connect(url, additional_headers=headers, open_timeout=60, compression=None) as stream:
        await stream.send('{"op":"subscribe","topics":["fleet"],"since":null}')
        is_ready = False
        async for text in stream:
            if not str(text).startswith('{"op":"event"'):
                continue
            if not is_ready:
                is_ready = True
                ready.release()
            elif at := json.loads(text)["full"]["at"]:
                heard.append(time.time() - at)


async def _warm(began: float) -> None:
    """Publish an event a second, by which a client knows that its subscription counts."""
    from migrations_app.control.events.outbox import publish

    while True:
        full: JsonObject = {"at": 0.0}
        await asyncio.to_thread(
            publish, "fleet", "cell", "warm", full=full, rev=int(time.monotonic() - began)
        )
        await asyncio.sleep(1.0)


def _publish(rate: int, seconds: float) -> int:
    from migrations_app.control.events.outbox import publish

    began, said = time.monotonic(), 0
    while (passed := time.monotonic() - began) < seconds:
        while said < passed * rate:
            publish("fleet", "cell", str(said % KEYS), full={"at": time.time(), "ready": said}, rev=said + 1)
            said += 1
        time.sleep(0.005)
    return said


async def _one(web: str, token: str, pid: int, clients: int, rate: int, seconds: float) -> dict[str, Any]:
    heard: list[float] = []
    ready = asyncio.Semaphore(0)
    url = web.replace("http", "ws") + "/ws"
    listeners = [asyncio.create_task(_listen(url, token, ready, heard)) for _ in range(clients)]
    began = time.monotonic()
    warming = asyncio.create_task(_warm(began))
    for _ in range(clients):
        await ready.acquire()
    warming.cancel()
    connected_seconds = time.monotonic() - began
    await asyncio.sleep(1.0)
    before, began = _cpu_seconds(pid), time.monotonic()
    said = await asyncio.to_thread(_publish, rate, seconds)
    for _ in range(15):
        before_pause = len(heard)
        await asyncio.sleep(1.0)
        if len(heard) == before_pause:
            break
    share = (_cpu_seconds(pid) - before) / (time.monotonic() - began)
    for listener in listeners:
        listener.cancel()
    await asyncio.gather(*listeners, return_exceptions=True)
    quantiles = statistics.quantiles(heard, n=100, method="inclusive")
    return {
        "clients": clients,
        "connected_seconds": round(connected_seconds, 1),
        "said_per_second": round(said / seconds, 1),
        "delivered": len(heard),
        "delivered_of_said": round(len(heard) / (said * clients), 3),
        "latency_ms": {
            "p50": round(quantiles[49] * 1000),
            "p95": round(quantiles[94] * 1000),
            "max": round(max(heard) * 1000),
        },
        "web_cores": round(share, 3),
    }


def measure(clients: int = 1000, seconds: float = 15.0) -> dict[str, Any]:
    """Measure both loads on one installation."""
    with (
        tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder,
        installation(Path(folder)) as found,
    ):
        import django

        django.setup()
        web, token, pid = found
        return {
            "ten_a_second": asyncio.run(_one(web, token, pid, clients, 10, seconds)),
            "two_hundred_a_second_folded": asyncio.run(_one(web, token, pid, clients, 200, seconds)),
        }


if __name__ == "__main__":
    asked = [float(each) for each in sys.argv[1:3]]
    print(
        json.dumps(measure(int(asked[0]) if asked else 1000, asked[1] if len(asked) > 1 else 15.0), indent=2)
    )

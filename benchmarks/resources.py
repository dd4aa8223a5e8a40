"""The resource API beside a plain DRF ModelViewSet: the same PostgreSQL, the same web process, in turns in one run.

Run as `python -m benchmarks.resources [seconds]`; starts its own servers and prints JSON. `ratio` is how many times
as fast as the plain one; `translated_over_native` how much longer a read in the old version takes than a native one.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

from console.embedded import commands
from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from console.env import ROOT

STORED = 1000
SERVICE = "secrets.example.com"
SETUP = """
from pathlib import Path
from benchmarks.plain_drf import make_tables
from migrations_app.actions.apply_deployment import apply_deployment
from migrations_app.actions.apply_region import apply_region
from migrations_app.actions.apply_service import apply_service
from migrations_app.actions.make_first_accounts import make_first_accounts
from migrations_app.domain.access import SYSTEM
make_tables()
folder = Path("examples/secrets")
files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
for region in ("eu-west1", "eu-west2"):
    apply_region(SYSTEM, region, region)
apply_service(SYSTEM, files)
for region, version in (("eu-west1", "v1alpha2"), ("eu-west2", "v1")):
    name = f"services/secrets.example.com/deployments/{region}"
    apply_deployment(SYSTEM, name, {"currentVersion": version}, database="data")
print(make_first_accounts()["admin"].token)
"""


class Client:
    """One kept connection, with as little work as possible between question and answer."""

    def __init__(self, port: int, token: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._token = token

    def ask(self, method: str, path: str, body: object = None) -> bytes:
        """Make one request; anything but success ends the benchmark."""
        sent = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        )
        self._socket.sendall(head.encode() + sent)
        found = b""
        while b"\r\n\r\n" not in found:
            found += self._more()
        head_bytes, _, rest = found.partition(b"\r\n\r\n")
        length = int(head_bytes.lower().split(b"content-length:")[1].split(b"\r\n")[0])
        while len(rest) < length:
            rest += self._more()
        if not head_bytes.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise SystemExit(f"{method} {path}: {head_bytes[:80]!r} {rest[:400]!r}")
        return rest

    def _more(self) -> bytes:
        part = self._socket.recv(1 << 16)
        if not part:
            raise SystemExit("the web process hung up")
        return part


@contextmanager
def installation(folder: Path) -> Iterator[tuple[int, str]]:
    """Run PostgreSQL, Valkey and one web process with both; gives its port and a token."""
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    postgres.create()
    children = [postgres.start(folder / "postgres.log"), valkey.start(folder / "valkey.log")]
    try:
        postgres.wait_ready(children[0])
        valkey.wait_ready(children[1])
        for name in ("switchyard", "data"):
            postgres.ensure_database(name)
        os.environ |= {
            "DATABASE_URL": postgres.url("switchyard"),
            "SWITCHYARD_DATA_URLS": f"data={postgres.url('data')}",
            "REDIS_URL": valkey.url(0),
            "SWITCHYARD_HOME": str(folder / "home"),
            "SWITCHYARD_LOG_LEVEL": "WARNING",
            "SWITCHYARD_SECRET_KEY": "x" * 40,
            "SWITCHYARD_ALLOWED_HOSTS": "localhost,127.0.0.1",
            "DJANGO_SETTINGS_MODULE": "benchmarks.plain_settings",
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
        _wait(f"http://127.0.0.1:{port}/plain/secrets/")
        yield port, made.stdout.strip().splitlines()[-1]
    finally:
        for child in reversed(children):
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


def _secret(number: int) -> dict[str, Any]:
    return {
        "title": f"Secret number {number}",
        "keyRing": "projects/p/keyRings/main",
        "rotation": "MANUAL",
        "rotationPeriod": "3600s",
        "owner": f"user{number % 50}@example.com",
        "labels": {"team": "payments", "number": str(number)},
    }


def _plain_secret(number: int) -> dict[str, Any]:
    made = _secret(number)
    return {
        "name": f"s{number:06}",
        "key_ring": made.pop("keyRing"),
        "rotation_period": made.pop("rotationPeriod"),
        **made,
    }


class Sides:
    """The same work on each side, each call with a number of its own."""

    def __init__(self, client: Client) -> None:
        self.client, self.fresh = client, count(STORED)

    def fill(self) -> None:
        """Store the same secrets everywhere."""
        for region in ("eu-west1", "eu-west2"):
            self.client.ask("POST", self._at(region, "projects?id=p"), {})
            for begin in range(0, STORED, 100):
                batch = [
                    {"create": {"name": f"projects/p/secrets/s{number:06}", "resource": _secret(number)}}
                    for number in range(begin, begin + 100)
                ]
                self.client.ask("POST", self._at(region, ":batchWrite"), {"requests": batch})
        for number in range(STORED):
            self.client.ask("POST", "/plain/secrets/", _plain_secret(number))

    def works(self) -> dict[str, dict[str, Callable[[int], object]]]:
        """List what is measured: by operation, by side."""
        ask, native, translated = self.client.ask, "eu-west1", "eu-west2"

        def _name(number: int) -> str:
            return f"projects/p/secrets/s{number % STORED:06}"

        def _reads(region: str) -> dict[str, Callable[[int], object]]:
            return {
                "get": lambda number: ask("GET", self._at(region, _name(number))),
                "list of 100": lambda number: ask("GET", self._at(region, "projects/p/secrets?pageSize=100")),
            }

        plain: dict[str, Callable[[int], object]] = {
            "get": lambda number: ask("GET", f"/plain/secrets/s{number % STORED:06}/"),
            "list of 100": lambda number: ask("GET", "/plain/secrets/?limit=100"),
            "create": lambda number: ask("POST", "/plain/secrets/", _plain_secret(next(self.fresh))),
            "update": lambda number: ask(
                "PUT", f"/plain/secrets/s{number % STORED:06}/",
                {**_plain_secret(number % STORED), "title": f"again {number}"},
            ),
            "create with two references": lambda number: ask(
                "POST", "/plain/grants/",
                {"name": f"g{next(self.fresh)}", "member": "ada", "secret": f"s{number % STORED:06}", "other": "s000007"},
            ),
        }  # fmt: skip
        ours = {
            **_reads(native),
            "create": lambda number: ask(
                "POST", self._at(native, f"projects/p/secrets?id=s{next(self.fresh):06}"), _secret(number)
            ),
            "update": lambda number: ask(
                "PUT", self._at(native, _name(number)), {**_secret(number), "title": f"again {number}"}
            ),
            "create with two references": lambda number: ask(
                "POST", self._at(native, f"projects/p/secretGrants?id=g{next(self.fresh)}"),
                {"secret": _name(number), "member": "ada", "secrets": [_name(7)]},
            ),
        }  # fmt: skip
        sides = {"plain": plain, "native": ours, "translated": _reads(translated)}
        return {
            operation: {side: works[operation] for side, works in sides.items() if operation in works}
            for operation in plain
        }

    @staticmethod
    def _at(region: str, rest: str) -> str:
        return f"/apis/{region}/{SERVICE}/v1alpha2/{quote(rest, safe='/:?=&')}"


def _measured(sides: dict[str, Callable[[int], object]], seconds: float) -> dict[str, Any]:
    """Time each side in short turns, so that what else happens on the machine meets all alike."""
    took: dict[str, list[float]] = {side: [] for side in sides}
    for work in sides.values():
        for number in range(30):
            work(number)
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        for side, work in sides.items():
            for _ in range(10):
                number += 1
                began = time.perf_counter()
                work(number)
                took[side].append(time.perf_counter() - began)
    middle = {side: statistics.median(values) for side, values in took.items()}
    found: dict[str, Any] = {f"{side}_ms": round(value * 1000, 3) for side, value in middle.items()}
    found["ratio"] = round(middle["plain"] / middle["native"], 2)
    if "translated" in middle:
        found["translated_over_native"] = round(middle["translated"] / middle["native"], 3)
    return found


def measure(seconds: float = 8.0) -> dict[str, Any]:
    """Measure every operation on one installation."""
    with (
        tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder,
        installation(Path(folder)) as found,
    ):
        sides = Sides(Client(*found))
        sides.fill()
        return {operation: _measured(each, seconds) for operation, each in sides.works().items()}


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0), indent=2))

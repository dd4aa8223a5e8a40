"""The resource API beside a plain DRF ModelViewSet: one PostgreSQL, one web process each, in turns in one run.

Run as `python -m benchmarks.resources [seconds]`; starts its own servers and prints JSON. The plain one runs twice:
`plain` with the middleware that Django starts a project with, `lean` with none. What must hold is held against
`lean`: `ratio` says how many times as fast as it we are. `_ms` is the middle of what a client waits, `_cpu_ms` what
a request costs the processors, in the web process and in PostgreSQL together; `translated_over_native` how much
longer a read in the old version takes than a native one.
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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.access.commands.make_first_accounts import make_first_accounts
from migrations_app.domain.access import SYSTEM
folder = Path("examples/secrets")
files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
# What has no region in its name is the first one's; what v1alpha2 names is stored in eu-west1 by v1.
for region in ("eu-west2", "eu-west1"):
    apply_region(SYSTEM, region, region)
apply_service(SYSTEM, files)
for region, version in (("eu-west2", "v1alpha2"), ("eu-west1", "v1")):
    name = f"services/secrets.example.com/deployments/{region}"
    apply_deployment(SYSTEM, name, {"currentVersion": version}, database="data")
print(make_first_accounts()["admin"].token)
"""
PLAIN_SETUP = """
import os
os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.plain_settings"
import django
django.setup()
from benchmarks.plain_drf import make_tables
make_tables()
"""
SIDES = (
    ("ours", "console.settings", "console.asgi:application"),
    ("plain", "benchmarks.plain_settings", "benchmarks.plain_asgi:application"),
    ("lean", "benchmarks.lean_settings", "benchmarks.plain_asgi:application"),
)
GOALS = {"get": 1.0, "list of 100": 1.5, "create with two references": 0.5}
DEAREST_TRANSLATION = 1.15


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
        length = head_bytes.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        # Django tells no length without its common middleware; then the answer comes in chunks, the last one empty.
        while len(rest) < int(length) if length else not rest.endswith(b"\r\n0\r\n\r\n"):
            rest += self._more()
        if not head_bytes.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")):
            raise SystemExit(f"{method} {path}: {head_bytes[:80]!r} {rest[:400]!r}")
        return rest

    def _more(self) -> bytes:
        part = self._socket.recv(1 << 16)
        if not part:
            raise SystemExit("the web process hung up")
        return part


@dataclass(frozen=True, slots=True)
class Server:
    """A web process: where it listens, and the token it takes."""

    process: subprocess.Popen[bytes]
    port: int
    token: str = ""

    @property
    def cpu_seconds(self) -> float:
        """Tell how long the processors have worked for it."""
        return _cpu_seconds(self.process.pid)


@dataclass(frozen=True, slots=True)
class Stand:
    """Everything that runs: the resource API (`ours`), both plain ones, and PostgreSQL."""

    servers: Mapping[str, Server]
    postgres: int

    def cpu_seconds(self, server: str) -> float:
        """Tell how long the processors have worked for a server and for PostgreSQL."""
        return self.servers[server].cpu_seconds + sum(map(_cpu_seconds, _children(self.postgres)))


def _cpu_seconds(pid: int) -> float:
    # What the C library's clock_getcpuclockid gives for a process.
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@contextmanager
def installation(folder: Path) -> Iterator[Stand]:
    """Run PostgreSQL, Valkey, and the web processes of all sides."""
    postgres, valkey = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    postgres.create()
    children = [postgres.start(folder / "postgres.log"), valkey.start(folder / "valkey.log")]
    try:
        postgres.wait_ready(children[0])
        valkey.wait_ready(children[1])
        for name in ("switchyard", "data", "plain"):
            postgres.ensure_database(name)
        os.environ |= {
            "DATABASE_URL": postgres.url("switchyard"),
            "SWITCHYARD_DATA_URLS": f"data={postgres.url('data')}",
            "PLAIN_URL": postgres.url("plain"),
            "REDIS_URL": valkey.url(0),
            "SWITCHYARD_HOME": str(folder / "home"),
            "SWITCHYARD_LOG_LEVEL": "WARNING",
            "SWITCHYARD_SECRET_KEY": "x" * 40,
            "SWITCHYARD_ALLOWED_HOSTS": "localhost,127.0.0.1",
        }
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, check=True)
        token = _run(["manage.py", "shell", "--no-imports", "-c", SETUP]).splitlines()[-1]
        _run(["-c", PLAIN_SETUP])
        servers = {}
        for side, settings, application in SIDES:
            command = _web_command(side, application, port := _free_port())
            web = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "DJANGO_SETTINGS_MODULE": settings})
            children.append(web)
            servers[side] = Server(web, port, token)
        for side, server in servers.items():
            _wait(f"http://127.0.0.1:{server.port}{'/healthz' if side == 'ours' else '/plain/secrets/'}")
        yield Stand(servers, children[0].pid)
    finally:
        for child in reversed(children):
            child.send_signal(signal.SIGINT)
            child.wait()


def _web_command(side: str, application: str, port: int) -> list[str]:
    if side == "ours":
        return commands.web("127.0.0.1", port)
    # One side rests while another is measured.
    return [
        sys.executable, "-m", "uvicorn", application, "--host", "127.0.0.1", "--port", str(port),
        "--log-level", "warning", "--timeout-keep-alive", "600",
    ]  # fmt: skip


def _run(arguments: list[str]) -> str:
    made = subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return made.stdout.strip()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(url: str) -> None:
    for _ in range(900):
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("a web process does not answer")


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

    def __init__(self, stand: Stand) -> None:
        clients = {side: Client(server.port, server.token) for side, server in stand.servers.items()}
        self.ours, self._plain = clients.pop("ours"), clients
        self.fresh = count(STORED)

    def fill(self) -> None:
        """Store the same secrets everywhere."""
        self.ours.ask("POST", self._at("eu-west2", "projects?id=p"), {})
        for region in ("eu-west2", "eu-west1"):
            for begin in range(0, STORED, 100):
                self._write_batch(region, range(begin, begin + 100))
        for number in range(STORED):
            self._plain["lean"].ask("POST", "/plain/secrets/", _plain_secret(number))

    def works(self) -> dict[str, dict[str, Callable[[int], object]]]:
        """List what is measured: by operation, by side."""
        sides = {side: self._plainly(client) for side, client in self._plain.items()}
        sides |= {"native": self._natively(), "translated": self._reads("eu-west1")}
        return {
            operation: {side: works[operation] for side, works in sides.items() if operation in works}
            for operation in sides["native"]
        }

    def _plainly(self, client: Client) -> dict[str, Callable[[int], object]]:
        ask = client.ask
        return {
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

    def _natively(self) -> dict[str, Callable[[int], object]]:
        ask, here = self.ours.ask, "eu-west2"
        return {
            **self._reads(here),
            "create": lambda number: ask(
                "POST", self._at(here, f"projects/p/secrets?id=s{next(self.fresh):06}"), _secret(number)
            ),
            "update": lambda number: ask(
                "PUT", self._at(here, _name(number)), {**_secret(number), "title": f"again {number}"}
            ),
            "create with two references": lambda number: ask(
                "POST", self._at(here, f"projects/p/secretGrants?id=g{next(self.fresh)}"),
                {"secret": _name(number), "member": "ada", "secrets": [_name(7)]},
            ),
            "write 20 at once": lambda number: self._write_batch(here, [next(self.fresh) for _ in range(20)]),
        }  # fmt: skip

    def _reads(self, region: str) -> dict[str, Callable[[int], object]]:
        ask = self.ours.ask
        return {
            "get": lambda number: ask("GET", self._at(region, _name(number))),
            "list of 100": lambda number: ask("GET", self._at(region, "projects/p/secrets?pageSize=100")),
        }

    def _write_batch(self, region: str, numbers: Iterable[int]) -> None:
        batch = [
            {"create": {"name": f"projects/p/secrets/s{number:06}", "resource": _secret(number)}}
            for number in numbers
        ]
        self.ours.ask("POST", self._at(region, ":batchWrite"), {"requests": batch})

    @staticmethod
    def _at(region: str, rest: str) -> str:
        return f"/apis/{region}/{SERVICE}/v1alpha2/{quote(rest, safe='/:?=&')}"


def _name(number: int) -> str:
    return f"projects/p/secrets/s{number % STORED:06}"


def _measured(stand: Stand, sides: dict[str, Callable[[int], object]], seconds: float) -> dict[str, Any]:
    """Time each side in short turns, so that what else happens on the machine meets all alike."""
    took: dict[str, list[float]] = {side: [] for side in sides}
    worked = dict.fromkeys(sides, 0.0)
    for work in sides.values():
        for number in range(30):
            work(number)
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        for side, work in sides.items():
            server = side if side in stand.servers else "ours"
            before = stand.cpu_seconds(server)
            for _ in range(10):
                number += 1
                began = time.perf_counter()
                work(number)
                took[side].append(time.perf_counter() - began)
            worked[side] += stand.cpu_seconds(server) - before
    middle = {side: statistics.median(values) for side, values in took.items()}
    found: dict[str, Any] = {f"{side}_ms": round(value * 1000, 2) for side, value in middle.items()}
    found |= {f"{side}_cpu_ms": round(worked[side] / len(took[side]) * 1000, 2) for side in sides}
    for side in ("plain", "lean"):
        if side in middle:
            found["ratio" if side == "lean" else f"ratio_to_{side}"] = round(
                middle[side] / middle["native"], 2
            )
    if "translated" in middle:
        found["translated_over_native"] = round(middle["translated"] / middle["native"], 3)
    return found


def missed(found: Mapping[str, Mapping[str, float]]) -> list[str]:
    """List the goals that the figures do not reach."""
    slow = [
        f"{operation}: {found[operation]['ratio']} times as fast as lean, not {goal}"
        for operation, goal in GOALS.items()
        if found[operation]["ratio"] < goal
    ]
    dear = [
        f"{operation}: the old version takes {each['translated_over_native']} times as long, not {DEAREST_TRANSLATION}"
        for operation, each in found.items()
        if each.get("translated_over_native", 0) > DEAREST_TRANSLATION
    ]
    return slow + dear


def measure(seconds: float = 8.0) -> dict[str, Any]:
    """Measure every operation on one installation."""
    with (
        tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder,
        installation(Path(folder)) as stand,
    ):
        sides = Sides(stand)
        sides.fill()
        found = {operation: _measured(stand, each, seconds) for operation, each in sides.works().items()}
    return {**found, "missed": missed(found)}


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0), indent=2))

"""Custom methods in process beside gets, natively and through translation, in turns in one run.

Run as `python -m benchmarks.methods [seconds]`; starts its own servers and prints JSON. The method answers what a get
answers. `method_over_get` says how much longer it takes, `translated_over_native` how much longer a call of the old version
takes that is converted, there and back, than the same call where that version is active.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.method_handlers import SERVICE
from benchmarks.resources import Client, _free_port, _run, _wait
from console.embedded import commands
from console.embedded.postgres import Postgres
from console.embedded.valkey import Valkey
from console.env import ROOT

STORED = 200
MOST_OVER_GET, MOST_OVER_NATIVE = 1.3, 1.15
_SERVICE = """
service: meters.example.com
versions:
  - {version: v1, ordinal: 10, nextVersion: v2, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}
edges: [edge.yaml]
"""
_SCHEMA = """
schema:
  jsonNames: camel
  types:
    Meter: {fields: {name: string, %s: i32, unit: string, place: string, labels: {type: {map: string}}}}
    ReadMeterRequest: {fields: {name: string, detail: string}}
  resources: {Meter: {patterns: ["regions/{region}/meters/{meter}"], plural: meters}}
  methods:
    ReadMeter: {request: ReadMeterRequest, response: Meter, verb: read, resource: Meter, nameField: name, http: GET, reads: true}
"""
_EDGE = """
edge: {service: meters.example.com, from: v1, to: v2}
types:
  Meter: {ops: [{rename: {from: value, to: reading}}]}
"""
SETUP = f"""
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.access.commands.make_first_accounts import make_first_accounts
from migrations_app.domain.access import SYSTEM
files = {{"service.yaml": {_SERVICE!r}, "v1.yaml": {_SCHEMA % "value"!r}, "v2.yaml": {_SCHEMA % "reading"!r}, "edge.yaml": {_EDGE!r}}}
for region in ("old", "new"):
    apply_region(SYSTEM, region, region)
apply_service(SYSTEM, {{path: text.encode() for path, text in files.items()}})
for region, version in (("old", "v1"), ("new", "v2")):
    name = f"services/{SERVICE}/deployments/{{region}}"
    apply_deployment(SYSTEM, name, {{"currentVersion": version}}, database="data")
print(make_first_accounts()["admin"].token)
"""


@contextmanager
def installation(folder: Path) -> Iterator[Client]:
    """Run PostgreSQL, Valkey and a web process with the handler; give a client of it."""
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
            "SWITCHYARD_RESOURCE_RATE": "999999",
            "SWITCHYARD_EXTENSIONS": "benchmarks.method_handlers",
        }
        _run(["manage.py", "migrate", "--verbosity", "0"])
        token = _run(["manage.py", "shell", "--no-imports", "-c", SETUP]).splitlines()[-1]
        port = _free_port()
        children.append(
            subprocess.Popen(
                commands.web("127.0.0.1", port),
                cwd=ROOT,
                env={**os.environ, "DJANGO_SETTINGS_MODULE": "console.settings"},
            )
        )
        _wait(f"http://127.0.0.1:{port}/healthz")
        yield Client(port, token)
    finally:
        for child in reversed(children):
            child.send_signal(signal.SIGINT)
            child.wait()


def works(client: Client) -> dict[str, Callable[[int], object]]:
    """List what is measured: v1 where it is active, and v1 where v2 is."""

    def at(region: str, rest: str) -> str:
        return f"/apis/{region}/{SERVICE}/v1/{rest}"

    def get(region: str) -> Callable[[int], object]:
        return lambda number: client.ask("GET", at(region, f"regions/{region}/meters/m{number % STORED}"))

    def method(region: str) -> Callable[[int], object]:
        return lambda number: client.ask(
            "GET", at(region, f"regions/{region}/meters/m{number % STORED}:read")
        )

    for region in ("old", "new"):
        for number in range(STORED):
            body = {"value": number, "unit": "kWh", "place": "hall", "labels": {"team": "grid"}}
            client.ask("POST", at(region, f"regions/{region}/meters?id=m{number}"), body)
    return {
        "get": get("old"),
        "method": method("old"),
        "translated get": get("new"),
        "translated method": method("new"),
    }


def measure(seconds: float = 16.0) -> dict[str, Any]:
    """Time each in short turns, so that what else happens on the machine meets all alike."""
    with (
        tempfile.TemporaryDirectory(prefix="switchyard-bench-") as folder,
        installation(Path(folder)) as client,
    ):
        measured = works(client)
        took: dict[str, list[float]] = {name: [] for name in measured}
        for work in measured.values():
            for number in range(50):
                work(number)
        ends, number = time.monotonic() + seconds, 0
        while time.monotonic() < ends:
            for name, work in measured.items():
                for _ in range(10):
                    number += 1
                    began = time.perf_counter()
                    work(number)
                    took[name].append(time.perf_counter() - began)
    middle = {name: statistics.median(values) for name, values in took.items()}
    figures = {
        "method_over_get": round(middle["method"] / middle["get"], 3),
        "translated_over_native": round(middle["translated method"] / middle["method"], 3),
    }
    return {
        **{f"{name} ms": round(value * 1000, 3) for name, value in middle.items()},
        **figures,
        "missed": [
            f"{name} is {figures[name]}, not {most}"
            for name, most in (
                ("method_over_get", MOST_OVER_GET),
                ("translated_over_native", MOST_OVER_NATIVE),
            )
            if figures[name] > most
        ],
    }


if __name__ == "__main__":
    print(json.dumps(measure(float(sys.argv[1]) if len(sys.argv) > 1 else 16.0), indent=2))

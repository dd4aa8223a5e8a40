"""What counting costs a get: the same requests in turns, with and without the notes of use, in one run.

Run as `python -m benchmarks.usage --url URL [--requests N]`; prints JSON. Both sides are the resource server of one process on
one PostgreSQL, without HTTP, which would only hide the difference. `cost` is the share by which the middle of what a get takes
grows, and must be at most `COST_GOAL`; answers are looked into as in production, and counted by their own thread. The sums are not
written to a database: that is one statement in five seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from console.env import ROOT
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.kernel import json as kernel_json
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.services.usage import Use
from migrations_app.ports.store import Layout

COST_GOAL = 0.03
SERVICE, REGION, VERSION = "secrets.example.com", "eu-west1", "v1alpha2"
WARM_UP = 500


def measure(sides: dict[str, Callable[[], object]], requests: int) -> dict[str, list[float]]:
    """Time the calls of each side, one by one in turns, so that whatever else the machine does meets all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in sides}
    orders = (list(sides.items()), list(reversed(sides.items())))
    for turn in range(requests):
        for name, call in orders[turn % 2]:
            began = time.perf_counter()
            call()
            seconds[name].append(time.perf_counter() - began)
    return seconds


class OneDeployment:
    """The directory of the one deployment that is measured."""

    def __init__(self) -> None:
        folder = ROOT / "examples" / "secrets"
        files = {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        self.compiled = compile_service(read_files(files))
        self.home = Namespace(f"services/{SERVICE}/deployments/{REGION}", VERSION, "bench", "bench_usage", 16)

    def served(self, region: str, service: str) -> Served:
        """Find it."""
        return Served(self.home.deployment, service, region, VERSION, self.compiled, {VERSION: self.home})

    def forget(self, region: str, service: str) -> None:
        """Keep nothing."""


def main(url: str, requests: int) -> dict[str, object]:
    """Make a deployment with one resource, and get it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    # Not above: these read the settings when they are imported.
    from migrations_app.resource_api.exchange import ResourceRequest
    from migrations_app.resource_api.requests import ResourceApi

    databases = Databases(lambda alias: url)
    store, fence, directory = PostgresStore(databases), PostgresFence(databases), OneDeployment()
    fence.open_first(FenceLocation.of(directory.home), VERSION)
    store.prepare(directory.home, [Layout("Secret"), Layout("SecretGrant")])
    servers = ResourceServers(directory, Router(directory, store, fence), PostgresFeed(databases))
    kept: list[int] = []
    counted = BufferedUsage(lambda tally: kept.append(len(tally.sums)))

    apis = {name: ResourceApi(servers, counted) for name in ("without", "counted")}
    schema = servers.schema(REGION, SERVICE, VERSION)
    use = Use(schema, REGION, "Secret", "get", "billing", "", datetime.now(UTC))
    # Both sides are of one class: the interpreter adapts its code to the classes that it meets.
    vars(apis["without"])["_note"] = lambda *parts, **more: use
    at = f"/apis/{REGION}/{SERVICE}/{VERSION}"
    body = kernel_json.encode(
        {"title": "Door", "owner": "ada", "labels": {"a": "b"}, "description": "x" * 200}
    )
    apis["without"].answer(ResourceRequest("POST", f"{at}/projects/p/secrets", "id=door", {}, body), SYSTEM)
    get = ResourceRequest("GET", f"{at}/projects/p/secrets/door", "", {"user-agent": "billing/4.2"})
    sides: dict[str, Callable[[], object]] = {
        name: partial(api.answer, get, SYSTEM) for name, api in apis.items()
    }
    measure(sides, WARM_UP)
    gc.collect()
    gc.freeze()
    middle = {name: statistics.median(times) for name, times in measure(sides, requests).items()}
    cost = middle["counted"] / middle["without"] - 1
    counted.close()
    databases.close()
    return {
        "requests": requests,
        "p50_us": {name: round(value * 1e6, 1) for name, value in middle.items()},
        "cost": round(cost, 4),
        "goal": COST_GOAL,
        "holds": cost <= COST_GOAL,
        "sums_written": sum(kept),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--requests", type=int, default=20_000)
    given = parser.parse_args()
    found = main(given.url, given.requests)
    print(json.dumps(found, indent=2))
    sys.exit(0 if found["holds"] else 1)

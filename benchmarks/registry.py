"""The registry at size: pages of lists, filters, one document and the fleet, and how soon watchers are told.

Run as `python -m benchmarks.registry [services] [regions] [watchers]`, 170 x 60 and 200 when left out, with ten upgrades of
each deployment; starts its own servers and prints JSON. `healthz` is what any answer costs in this process.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

from benchmarks.live import installation
from console.env import ROOT

ROUNDS = 30
CHANGES = 10
SEED = """
import sys
from itertools import product
from django.utils import timezone
from migrations_app.models.upgrades import Upgrade, UpgradeShard
from migrations_app.models.registry import Deployment, Region, RegistryHead, Service
from migrations_app.control.access.commands.make_first_accounts import make_first_accounts
services, regions = int(sys.argv[1]), int(sys.argv[2])
times = dict(created_at=timezone.now(), updated_at=timezone.now())
where = [f"region-{number:02}" for number in range(regions)]
policy = {"enabledRegions": where, "defaultControlRegion": where[0]}
Region.objects.bulk_create([Region(id=each, title=each, **times) for each in where])
names = [f"service-{number:03}.example.com" for number in range(services)]
Service.objects.bulk_create([Service(id=each, versions=["v2", "v1"], policy=policy, **times) for each in names])
Deployment.objects.bulk_create(
    [Deployment(name=f"services/{service}/deployments/{region}", service_id=service, region_id=region,
                current_version="v1" if number % 2 else "v2", revision=number, **times)
     for service in names for number, region in enumerate(where)], batch_size=1000)
RegistryHead.objects.get_or_create(id=1)
rows = [
    Upgrade(id=f"u{number:010}", deployment=f"services/{service}/deployments/{region}", service=service, region=region,
            from_version="v1", to_version="v2", state="COMPLETED", created_by="bench", plan={}, plan_digest="0" * 64,
            source_database="default", source_schema="s", target_database="default", target_schema="t")
    for number, (service, region, _) in enumerate(product(names, where, range(10)))
]
Upgrade.objects.bulk_create(rows, batch_size=1000)
UpgradeShard.objects.bulk_create(
    [UpgradeShard(upgrade=row, shard=shard, state="switched", reported_at=timezone.now(), changed_at=timezone.now())
     for row in rows[-500:] for shard in range(16)], batch_size=1000)
"""
ADMIN = """
from django.utils import timezone
from migrations_app.control.access.commands.issue_token import issue_token
from migrations_app.domain.access import Actor, ActorKind, Grant
founder = Actor(ActorKind.USER, "founder", grants=(Grant("admin"),), proved_at=timezone.now())
print(issue_token(founder, "admin", "benchmark").secret)
"""
READS = {
    "healthz": "/healthz",
    "get": "/meta/v1/services/service-000.example.com/deployments/region-00",
    "list of 100": "/meta/v1/services/-/deployments?pageSize=100&includePagingInfo=true",
    "filtered": '/meta/v1/services/-/deployments?filter=currentVersion%3D"v1"&pageSize=100',
    "ordered": "/meta/v1/services/-/deployments?orderBy=region%20desc&pageSize=100",
    "console list": "/api/v1/deployments?limit=50",
    "console upgrades": "/api/v1/upgrades?limit=50",
    "console upgrades of a service": "/api/v1/upgrades?service=service-007.example.com&state=COMPLETED&limit=50",
    "fleet": "/api/v1/fleet",
}


def milliseconds(seconds: list[float]) -> dict[str, float]:
    """Sum up a series."""
    ordered = sorted(seconds)
    return {
        "p50_ms": round(statistics.median(ordered) * 1000, 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))] * 1000, 1),
    }


def shell(code: str, *arguments: str) -> str:
    """Run code inside the installation and give what it printed last."""
    program = f"import django; django.setup()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return done.stdout.split()[-1] if done.stdout.split() else ""


def read_times(client: httpx.Client) -> dict[str, Any]:
    """Time each read, after one to warm up."""
    found: dict[str, Any] = {}
    for name, path in READS.items():
        client.get(path).raise_for_status()
        taken = []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            client.get(path).raise_for_status()
            taken.append(time.perf_counter() - began)
        found[name] = milliseconds(taken)
    return found


async def watch_times(url: str, token: str, watchers: int) -> dict[str, Any]:
    """Time how long after a change is asked for each watcher is told of it."""
    headers = {"Authorization": f"Bearer {token}"}
    told: list[float] = []
    answered: dict[str, float] = {}
    ready = asyncio.Semaphore(0)
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60.0, limits=limits) as client:

        async def watch() -> None:
            async with client.stream("POST", "/meta/v1/regions:watch", json={"fieldMask": "title"}) as lines:
                async for line in lines.aiter_lines():
                    now = time.perf_counter()
                    if not answered:
                        ready.release()
                    for change in json.loads(line).get("regionChanges", []):
                        title = change.get("modified", {}).get("region", {}).get("title", "")
                        if title in answered:
                            told.append(max(0.0, now - answered[title]))

        tasks = [asyncio.create_task(watch()) for _ in range(watchers)]
        for _ in range(watchers):
            await ready.acquire()
        for number in range(CHANGES):
            title = f"title {number}"
            answered[title] = time.perf_counter()
            path = "/meta/v1/regions/region-00?updateMask=title"
            (await client.put(path, json={"title": title})).raise_for_status()
            await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {"watchers": watchers, "told": len(told), "of": watchers * CHANGES, **milliseconds(told or [0.0])}


def main() -> None:
    """Measure and print."""
    given = [int(text) for text in sys.argv[1:4]]
    services, regions, watchers = [*given, *(170, 60, 200)[len(given) :]]
    with tempfile.TemporaryDirectory() as folder, installation(Path(folder)) as (url, _, _):
        shell(SEED, str(services), str(regions))
        token = shell(ADMIN)
        with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60.0) as client:
            reads = read_times(client)
        watched = asyncio.run(watch_times(url, token, watchers))
    print(json.dumps({"deployments": services * regions, "reads": reads, "watch": watched}, indent=2))


if __name__ == "__main__":
    main()

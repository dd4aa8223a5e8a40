"""How long evidence takes to decide: the questions to stored data of a definition with many types, and a rollout proposal.

Run as `python -m benchmarks.evidence --url URL [--types N] [--resources N] [--services N] [--regions N]`; prints JSON. `apply` are
the questions that an apply asks when a field of every type changes its type and another is removed: `exact` and `sampled` say of how
many of them every resource was counted, and of how many a sample was looked at. `proposal` orders the upgrades of all services in all
regions. What counting costs a get is `benchmarks.usage`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator

from migrations_app.adapters.databases import Databases
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.questioning import StoredQuestions
from migrations_app.adapters.store.rows import table_of
from migrations_app.domain.compatibility.decisions import differences
from migrations_app.domain.compatibility.stored import CountRequest
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.switch.rollout_proposal import (
    FleetFacts,
    ProposalKind,
    ProposedDeployment,
    propose,
)
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Layout

APPLY_GOAL_SECONDS, PROPOSAL_GOAL_SECONDS = 10.0, 5.0
SERVICE = "bench.example.com"
PLACE = Namespace(f"services/{SERVICE}/deployments/here", "v1", "bench", "bench_evidence", 16)
SEED = """
INSERT INTO bench_evidence."{table}"
SELECT name, switchyard.shard_of(name, 16), switchyard.shard_of(name, 16), gen_random_uuid(), 1,
    jsonb_build_object('title', 'thing ' || number, 'weight', number, 'text', repeat('lorem ipsum ', 10)),
    '{{"generation": "1"}}', 'here', now(), now()
FROM (SELECT number, '{plural}/t' || number AS name FROM generate_series(1, {count}) number) made
"""


def definition(types: int, *, changed: bool) -> dict[str, bytes]:
    """Write a service of many types; changed, one field of each has another type and one is gone."""
    fields = "weight: string" if changed else "weight: i64, title: string"
    kinds = "".join(
        f"    Thing{number}: {{fields: {{name: string, text: string, {fields}}}}}\n"
        for number in range(types)
    )
    resources = "".join(
        f"    Thing{number}: {{patterns: ['thing{number}s/{{thing}}']}}\n" for number in range(types)
    )
    top = f"service: {SERVICE}\nversions:\n  - {{version: v1, stage: stable, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}]}}\n"
    return {
        "service.yaml": top.encode(),
        "v1.yaml": f"schema:\n  types:\n{kinds}  resources:\n{resources}".encode(),
    }


def measure_apply(url: str, types: int, resources: int) -> dict[str, object]:
    """Fill the types, the first with half of all resources, and ask what an apply asks."""
    old, new = (read_files(definition(types, changed=changed)).schemas["v1"] for changed in (False, True))
    databases = Databases(lambda alias: url)
    store = PostgresStore(databases)
    PostgresFence(databases).open_first(FenceLocation.of(PLACE), "v1")
    store.prepare(PLACE, [Layout(f"Thing{number}") for number in range(types)])
    try:
        for number, count in enumerate(_sizes(types, resources)):
            with databases.connection("bench") as connection:
                seed = SEED.format(table=table_of(f"Thing{number}"), plural=f"thing{number}s", count=count)
                connection.run(b"SET switchyard.capture = 'off'")
                connection.run(seed.encode())
                connection.run(b"RESET switchyard.capture")
                connection.run(f'ANALYZE bench_evidence."{table_of(f"Thing{number}")}"'.encode())
        began = time.monotonic()
        asked: dict[str, list[CountRequest]] = {}
        for difference in differences(old, new, None):
            for request in difference.asked:
                asked.setdefault(request.at.resource, []).append(request)
        compared = time.monotonic() - began
        questions = StoredQuestions(databases)
        answers = [
            answer for type_, of in asked.items() for answer in questions.ask(PLACE, type_, of).values()
        ]
        seconds = time.monotonic() - began
    finally:
        store.drop(PLACE)
        databases.close()
    return {
        "types": types,
        "resources": resources,
        "seconds": round(seconds, 2),
        "of_these_comparing": round(compared, 2),
        "exact": sum(not each.is_sample for each in answers),
        "sampled": sum(each.is_sample for each in answers),
        "goal_seconds": APPLY_GOAL_SECONDS,
        "holds": seconds <= APPLY_GOAL_SECONDS,
    }


def _sizes(types: int, resources: int) -> Iterator[int]:
    yield resources // 2
    yield from [resources // 2 // max(types - 1, 1)] * (types - 1)


def measure_proposal(services: int, regions: int) -> dict[str, object]:
    """Propose the waves of a whole fleet in which each service imports five others."""
    rand = random.Random(5)
    names = [f"s{number}.example.com" for number in range(services)]
    imports: dict[tuple[str, str], dict[str, str]] = {}
    for at, name in enumerate(names):
        others = rand.sample(names[:at], min(at, 5))
        for version in ("v1", "v2"):
            imports[name, version] = dict.fromkeys(others, version)
    deployments = {
        f"services/{name}/deployments/r{region}": ProposedDeployment(
            f"services/{name}/deployments/r{region}", name, f"r{region}", "v1", rand.randint(0, 10_000)
        )
        for name in names
        for region in range(regions)
    }
    facts = FleetFacts(deployments, {name: frozenset({"v1", "v2"}) for name in names}, imports)
    seconds: dict[str, float] = {}
    for kind in ProposalKind:
        began = time.monotonic()
        propose(facts, deployments, "v2", kind)
        seconds[kind.value] = round(time.monotonic() - began, 2)
    return {
        "services": services,
        "regions": regions,
        "seconds": seconds,
        "goal_seconds": PROPOSAL_GOAL_SECONDS,
        "holds": max(seconds.values()) <= PROPOSAL_GOAL_SECONDS,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--types", type=int, default=300)
    parser.add_argument("--resources", type=int, default=1_000_000)
    parser.add_argument("--services", type=int, default=300)
    parser.add_argument("--regions", type=int, default=60)
    options = parser.parse_args()
    measured = {
        "apply": measure_apply(options.url, options.types, options.resources),
        "proposal": measure_proposal(options.services, options.regions),
    }
    print(json.dumps(measured, indent=2))
    sys.exit(0 if all(each["holds"] for each in measured.values()) else 1)

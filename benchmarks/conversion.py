"""Conversions of one document: the engines beside msgspec's decode and encode of the same bytes, and Cadwyn.

Run as `python -m benchmarks.conversion`; prints JSON. A document of about 1 kB crosses an edge of ten ops; the large
one carries another 12 kB that the edge does not touch. Cadwyn migrates the same body to the old version, without
keeping what that cannot show. Times are of the processor, the best of several rounds.

The goals were set on another machine. How much slower this one is, `machine` tells: what the JSON libraries take here
for the small document against what they took there for one of its size. `goals` judges by both.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import orjson

from benchmarks.conversion_cadwyn import migration
from migrations_app.domain.conversion.compile.python import generate
from migrations_app.domain.conversion.compile.resources import ResourceProgram
from migrations_app.domain.conversion.laws.exemplars import Exemplars
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.filters import bind, parse
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.kernel.json import JsonObject

CALLS = 40
EXAMPLES = Path(__file__).parents[1] / "examples"
OLD = """
schema:
  types:
    Plan:
      fields:
        name: string
        title: string
        level: {type: {enum: [LOW, SYSTEM]}}
        timeout_ms: i32
        owner: string
        host: string
        port: i32
        first: string
        last: string
        legacy: string
        limits: {list: Many}
        payload: struct
        labels: {map: string}
    Many: {fields: {resource: string, by_region: {map: i32}}}
  resources:
    Plan: {patterns: ["plans/{plan}"]}
"""
NEW = """
schema:
  types:
    Plan:
      fields:
        name: string
        display_name: string
        level: {type: {enum: [LOW, SERVICE]}}
        timeout_s: i32
        owners: {list: string}
        endpoint: Endpoint
        legal_name: string
        generation: i32
        allowances: {list: One}
        payload: struct
        labels: {map: string}
    Endpoint: {fields: {host: string, port: i32}}
    One: {fields: {resource: string, region: string, value: i32}}
  resources:
    Plan: {patterns: ["services/{service}/plans/{plan}"]}
"""
EDGE = """
edge: {service: plans.example.com, from: v1, to: v2}
types:
  Plan:
    ops:
      - resourceName:
          variants: [{from: "plans/{plan}", to: "services/{service}/plans/{plan}", set: {service: {const: s}}}]
      - rename: {from: title, to: display_name}
      - enum: {path: level, map: {SYSTEM: SERVICE}}
      - unit: {from: timeout_ms, to: timeout_s, factor: "1/1000", round: down}
      - wrap: {from: owner, to: owners}
      - nest: {fields: [host, port], under: endpoint}
      - merge: {from: [first, last], to: legal_name, template: "{first} {last}"}
      - removed: legacy
      - added: generation
      - explode: {from: limits, to: allowances, map: by_region, mapKey: region, mapValue: value, keep: {resource: resource}}
"""
SERVICE = """
service: plans.example.com
versions:
  - {version: v1, ordinal: 1, sources: [{kind: ir, path: old.yaml}]}
  - {version: v2, ordinal: 2, sources: [{kind: ir, path: new.yaml}]}
edges: [edge.yaml]
"""
# What the machine took on which the goals were set, in microseconds, for a document of 990 bytes.
THERE = {"json_loads": 7.0, "json_dumps": 9.2, "orjson_loads": 2.5, "orjson_dumps": 0.7}
GOALS_US = {
    "document": 5.0,
    "bytes_to_bytes": 6.0,
    "large_bytes_to_bytes": 12.0,
    "compile_edge": 50_000.0,
    "filter_parse": 30.0,
}
FILES = {"service.yaml": SERVICE, "old.yaml": OLD, "new.yaml": NEW, "edge.yaml": EDGE}


def document(padding: int) -> JsonObject:
    """Make the old document, with as much untouched payload as asked."""
    return {
        "name": "plans/gold",
        "title": "Gold",
        "level": "SYSTEM",
        "timeout_ms": 30000,
        "owner": "ann",
        "host": "db.internal",
        "port": 5432,
        "first": "Ada",
        "last": "Lovelace",
        "legacy": "x",
        "limits": [{"resource": f"r{i}", "by_region": {"eu": i, "us": 2, "ap": 3}} for i in range(3)],
        "payload": {f"key{i}": "some text that nobody touches" for i in range(padding)},
        "labels": {f"label{i}": "value" for i in range(12)},
    }


def microseconds(calls: Mapping[str, Callable[[], object]], rounds: int = 300) -> dict[str, float]:
    """Measure calls in turn, many times and shortly: the best of each, which nothing else disturbed.

    In turn, so that a machine that is slow for a while is slow for all that is compared.
    """
    found = dict.fromkeys(calls, float("inf"))
    gc.collect()
    gc.freeze()  # as a worker does after its start: what is there for good is not looked through again
    for _ in range(rounds):
        for name, call in calls.items():
            at = time.process_time()
            for _ in range(CALLS):
                call()
            found[name] = min(found[name], (time.process_time() - at) / CALLS * 1e6)
    return {name: round(value, 2) for name, value in found.items()}


def edge_times(compiled: CompiledService) -> dict[str, tuple[int, dict[str, float]]]:
    """Measure the edge of ten ops, over a small and a large document, and tell the size of each."""
    converter = compiled.converter("Plan", "v1", "v2")
    plan = converter.hops[0].plan
    engine = generate(plan)
    found: dict[str, tuple[int, dict[str, float]]] = {}
    for label, padding in (("small", 10), ("large", 300)):
        body = document(padding)
        data = msgspec.json.encode(body)
        back = converter.forward("plans/gold", body)
        times = microseconds(
            {
                "msgspec_decode_encode": lambda: msgspec.json.encode(msgspec.json.decode(data)),  # noqa: B023
                "reference_engine": lambda: plan.run(body),  # noqa: B023
                "document": lambda: engine(body),  # noqa: B023
                "document_and_name": lambda: converter.forward("plans/gold", body),  # noqa: B023
                "back_with_bag": lambda: converter.backward(back.name, back.body),  # noqa: B023
                "bytes_to_bytes": lambda: converter.forward_text("plans/gold", data),  # noqa: B023
                "cadwyn": migration({key: back.body[key] for key in back.body if key != "$sy"}),
            }
        )
        found[label] = (len(data), times)
    return found


def _ratios(times: dict[str, float]) -> dict[str, float]:
    base = times["msgspec_decode_encode"]
    return {name: round(value / base, 2) for name, value in times.items()}


def chain_results() -> dict[str, object]:
    """Measure a chain of published edges as one function and hop by hop."""
    compiled = compile_service(read_folder(EXAMPLES / "cloud-tasks"))
    converter = compiled.converter("Queue", "v2beta2", "v2")
    resource = converter.source.resource("Queue")
    name, body = max(
        (Exemplars(converter.source, seed).resource(resource) for seed in range(50)),
        key=lambda each: len(msgspec.json.encode(each[1])),
    )
    data = msgspec.json.encode(body)
    fused = ResourceProgram(converter.hops).forward()
    hops = [ResourceProgram([hop]).forward() for hop in converter.hops]

    def _by_hops() -> None:
        at, made = name, body
        for hop in hops:
            at, made = hop(at, made)

    times = microseconds(
        {
            "fused_us": lambda: fused(name, body),
            "hop_by_hop_us": _by_hops,
            "bytes_to_bytes_us": lambda: converter.forward_text(name, data),
            "msgspec_decode_encode_us": lambda: msgspec.json.encode(msgspec.json.decode(data)),
        }
    )
    return {"hops": len(hops), "bytes": len(data), **times}


def machine_results() -> tuple[float, dict[str, object]]:
    """Measure how many times slower this machine is than the one of the goals: the least of four factors."""
    body = document(10)
    data = msgspec.json.encode(body)
    times = microseconds(
        {
            "json_loads": lambda: json.loads(data),
            "json_dumps": lambda: json.dumps(body),
            "orjson_loads": lambda: orjson.loads(data),
            "orjson_dumps": lambda: orjson.dumps(body),
        }
    )
    factors = {name: times[name] / there for name, there in THERE.items()}
    return min(factors.values()), {
        "bytes": len(data),
        "us": times,
        "there_us": THERE,
        "factors": {name: round(value, 2) for name, value in factors.items()},
    }


def judged(found_us: Mapping[str, float], factor: float) -> dict[str, object]:
    """Hold figures against the goals: as they are, and as they would be where the goals were set."""
    return {
        name: {
            "goal_us": goal,
            "here_us": found_us[name],
            "there_us": round(found_us[name] / factor, 2),
            "reached_here": found_us[name] <= goal,
            "reached_there": found_us[name] / factor <= goal,
        }
        for name, goal in GOALS_US.items()
    }


def main() -> None:
    """Measure and print."""
    folder = read_files({name: text.encode() for name, text in FILES.items()})
    at = time.process_time()
    compiled = compile_service(folder)
    planned = time.process_time()
    compiled.converter("Plan", "v1", "v2").forward("plans/gold", document(1))
    generated = time.process_time()
    converter = compiled.converter("Plan", "v1", "v2")
    text = 'title = "Gold" AND (level = "SYSTEM" OR NOT (port > 80))'
    given = bind(parse(text), converter.source, "Plan")
    edge = edge_times(compiled)
    asked = microseconds(
        {"filter_parse": lambda: parse(text), "filter_convert": lambda: converter.filter(given)}
    )
    factor, machine = machine_results()
    small, large = edge["small"][1], edge["large"][1]
    found = {
        "document": small["document"],
        "bytes_to_bytes": small["bytes_to_bytes"],
        "large_bytes_to_bytes": large["bytes_to_bytes"],
        "compile_edge": round((planned - at) * 1e6),
        "filter_parse": asked["filter_parse"],
    }
    results = {
        "machine": machine,
        "goals": judged(found, factor),
        "compile_edge_ms": round((planned - at) * 1000, 1),
        "generate_ms": round((generated - planned) * 1000, 1),
        **{
            label: {"bytes": size, "us": times, "to_msgspec": _ratios(times)}
            for label, (size, times) in edge.items()
        },
        "chain": chain_results(),
        **{f"{name}_us": value for name, value in asked.items()},
    }
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()

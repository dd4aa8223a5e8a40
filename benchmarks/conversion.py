"""Conversions of one document: the engines beside msgspec's decode and encode of the same bytes.

Run as `python -m benchmarks.conversion`; prints JSON. A document of about 1 kB crosses an edge of ten ops; the large
one carries another 12 kB that the edge does not touch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median

import msgspec

from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.filters import bind, parse
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject

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


def microseconds(call: Callable[[], object], rounds: int = 7, calls: int = 400) -> float:
    """Measure a call: the median of several rounds."""
    found = []
    for _ in range(rounds):
        at = time.process_time()
        for _ in range(calls):
            call()
        found.append((time.process_time() - at) / calls * 1e6)
    return round(median(found), 2)


def main() -> None:
    """Measure and print."""
    files = {name: text.encode() for name, text in FILES.items()}
    folder = read_files(files)
    at = time.process_time()
    compiled = compile_service(folder)
    compile_ms = (time.process_time() - at) * 1000
    converter = compiled.converter("Plan", "v1", "v2")
    plan = converter.hops[0].plan
    results: dict[str, object] = {"compile_edge_ms": round(compile_ms, 1)}
    for label, padding in (("small", 10), ("large", 300)):
        body = document(padding)
        data = msgspec.json.encode(body)
        back = converter.forward("plans/gold", body)
        base = microseconds(lambda: msgspec.json.encode(msgspec.json.decode(data)))  # noqa: B023
        results[label] = {
            "bytes": len(data),
            "msgspec_decode_encode_us": base,
            "reference_us": microseconds(lambda: plan.run(body)),  # noqa: B023
            "generated_us": microseconds(lambda: plan.engine(body)),  # noqa: B023
            "forward_with_name_us": microseconds(lambda: converter.forward("plans/gold", body)),  # noqa: B023
            "backward_with_name_us": microseconds(lambda: converter.backward(back.name, back.body)),  # noqa: B023
            "bytes_to_bytes_us": microseconds(
                lambda: msgspec.json.encode(plan.engine(msgspec.json.decode(data)))  # noqa: B023
            ),
        }
    text = 'title = "Gold" AND (level = "SYSTEM" OR NOT (port > 80))'
    given = bind(parse(text), converter.source, "Plan")
    results["filter_parse_us"] = microseconds(lambda: parse(text))
    results["filter_convert_us"] = microseconds(lambda: converter.filter(given))
    print(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()

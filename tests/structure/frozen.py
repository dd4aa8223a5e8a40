"""What `/api/v1` promises, a line for each fact, and which changes break it: `python -m tests.structure.frozen`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.structure.modules import ROOT

DOCUMENT = ROOT / "docs/reference/openapi.yaml"
FROZEN = ROOT / "docs/reference/api-v1.txt"
PREFIX = "/api/v1/"
REQUEST = "Request"
"""Ends the names of what is sent; everything else is answered."""

UPPER, LOWER = (
    ("maxLength", "maxItems", "maxProperties", "maximum"),
    ("minLength", "minItems", "minProperties", "minimum"),
)

Facts = Mapping[str, str]


def facts_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Give each fact by its place: operations, their parameters, bodies and answers, and the fields of types."""
    found: dict[str, str] = {}
    for path, item in document["paths"].items():
        if path.startswith(PREFIX):
            for method, operation in item.items():
                found.update(_operation(document, f"{method.upper()} {path}", operation))
    schemas, pending, seen = document["components"]["schemas"], list(_types_in(found.values())), set[str]()
    while pending:
        name = pending.pop()
        if name not in seen and name in schemas:
            seen.add(name)
            facts = dict(_fields(name, schemas[name]))
            found.update(facts)
            pending += _types_in(facts.values())
    return dict(sorted(found.items()))


def written(facts: Facts) -> str:
    """Write the facts, a line each."""
    return "".join(f"{place}: {fact}\n" for place, fact in facts.items())


def read(text: str) -> dict[str, str]:
    """Read what `written` wrote."""
    return dict(line.split(": ", 1) for line in text.splitlines())


def breaks(before: Facts, after: Facts) -> list[str]:
    """List what a client that relies on the facts of before would meet."""
    types = {place.partition(".")[0] for place in before}
    found = [each for place, fact in before.items() for each in _broken(place, fact, after.get(place))]
    for place in after.keys() - before.keys():
        asks = " ?" in place or place.partition(".")[0].endswith(REQUEST)
        known = place.partition(" ?")[0] in before if " ?" in place else place.partition(".")[0] in types
        if asks and known and json.loads(after[place]).get("required"):
            found.append(f"{place}: is required now")
    return sorted(found)


def _part(document: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a reference to a part that several operations share."""
    target: Any = document
    for key in part.get("$ref", "#").split("/")[1:]:
        target = target[key]
    return part if target is document else target


def _operation(
    document: Mapping[str, Any], name: str, operation: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    yield name, json.dumps(operation["operationId"])
    for each in (_part(document, each) for each in operation.get("parameters", ())):
        fact = {**_plain(each["schema"]), "in": each["in"], "required": each.get("required", False)}
        yield f"{name} ?{each['name']}", json.dumps(fact, sort_keys=True)
    for kind, media in operation.get("requestBody", {}).get("content", {}).items():
        yield f"{name} > {kind}", json.dumps(_plain(media["schema"]), sort_keys=True)
    for status, answer in operation["responses"].items():
        # Refusals have one shape and are the default; which there are is told, and not promised.
        if status != "default" and "$ref" not in answer:
            content = answer.get("content", {"": {"schema": {}}})
            for kind, media in content.items():
                yield (
                    f"{name} < {status} {kind}".rstrip(),
                    json.dumps(_plain(media["schema"]), sort_keys=True),
                )


def _fields(name: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field, each in schema.get("properties", {}).items():
        fact = {**_plain(each), "required": field in schema.get("required", ())}
        yield f"{name}.{field}", json.dumps(fact, sort_keys=True)


def _plain(schema: Any) -> Any:
    """Leave out what is only read by people."""
    if isinstance(schema, list):
        return [_plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _plain(each) for key, each in schema.items() if key not in ("description", "default", "example")
    }


def _types_in(facts: Any) -> Iterator[str]:
    for fact in facts:
        for part in fact.split('"#/components/schemas/')[1:]:
            yield part.partition('"')[0]


def _broken(place: str, before: str, after: str | None) -> Iterator[str]:
    if after is None:
        yield f"{place}: is gone"
        return
    if before == after:
        return
    old, new = json.loads(before), json.loads(after)
    if not isinstance(old, dict) or not isinstance(new, dict):
        yield f"{place}: was {old}, is {new}"
        return
    is_asked = " ?" in place or " > " in place or place.partition(".")[0].endswith(REQUEST)
    for reason in _narrower(old, new) if is_asked else _wider(old, new):
        yield f"{place}: {reason}"


def _narrower(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Tell why what was taken before is refused now."""
    if new.get("required") and not old.get("required"):
        yield "is required now"
    if "type" in new and not _types(old) <= _types(new):
        yield f"takes {sorted(_types(new))}, took {sorted(_types(old))}"
    if "enum" in new and not set(old.get("enum", ("*",))) <= set(new["enum"]):
        yield "takes fewer values"
    for name in UPPER:
        if name in new and new[name] < old.get(name, float("inf")):
            yield f"{name} is {new[name]} now"
    for name in LOWER:
        if name in new and new[name] > old.get(name, float("-inf")):
            yield f"{name} is {new[name]} now"
    if "pattern" in new and new["pattern"] != old.get("pattern"):
        yield "has another pattern"
    yield from _inside(old, new, _narrower)


def _wider(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Tell why what is answered now is not what was answered before; listed values may become more."""
    if old.get("required") and not new.get("required"):
        yield "may be left out now"
    if "type" in old and not _types(new) <= _types(old):
        yield f"is {sorted(_types(new))}, was {sorted(_types(old))}"
    yield from _inside(old, new, _wider)


def _inside(old: Mapping[str, Any], new: Mapping[str, Any], compared: Any) -> Iterator[str]:
    for name in ("$ref", "format", "in"):
        if old.get(name) != new.get(name):
            yield f"{name} is {new.get(name)}, was {old.get(name)}"
    for name in ("items", "additionalProperties"):
        if isinstance(old.get(name), dict) and isinstance(new.get(name), dict):
            for each in compared(old[name], new[name]):
                yield f"{name}: {each}"
        elif old.get(name) != new.get(name):
            yield f"{name} is {new.get(name)}, was {old.get(name)}"
    for name in ("oneOf", "anyOf", "allOf"):
        if old.get(name) != new.get(name):
            yield f"{name} is {new.get(name)}, was {old.get(name)}"


def _types(schema: Mapping[str, Any]) -> set[str]:
    given = schema.get("type", "any")
    types = set(given) if isinstance(given, list) else {given}
    return types | {"integer"} if "number" in types else types


def main(arguments: list[str], frozen: Path = FROZEN, document: Path = DOCUMENT) -> int:
    """Write the promise again where nothing breaks it, or, with `--breaking`, in any case; otherwise tell what does."""
    facts = facts_of(yaml.load(document.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
    found = breaks(read(frozen.read_text()), facts) if frozen.exists() else []
    for each in found:
        print(each)
    if found and "--breaking" not in arguments:
        print(
            "These changes break clients of /api/v1. Keep what was; `--breaking` writes the promise all the same."
        )
        return 1
    frozen.write_text(written(facts))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

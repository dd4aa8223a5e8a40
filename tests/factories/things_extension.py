"""A service of two versions, and an extension with one conversion hook of every kind for it."""

from __future__ import annotations

from migrations_app.domain.conversion.hooks import Hook, Hooks, NameHook
from migrations_app.domain.conversion.states import State
from migrations_app.domain.conversion.steps import Bundle
from migrations_app.kernel.json import JsonObject

SERVICE = "things.example.com"
_SERVICE = """
service: things.example.com
versions:
  - {version: v1, stage: alpha, ordinal: 10, nextVersion: v2, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, stage: stable, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}
edges: [edge.yaml]
"""
_V1 = """
schema:
  jsonNames: camel
  types:
    Thing:
      fields:
        name: string
        code: string
        title: string
        kind: string
        tags: {list: string}
        friend: {type: {reference: {resource: [Thing]}}}
        host: string
  resources: {Thing: {patterns: ["things/{thing}"]}}
"""
_V2 = _V1.replace("code: string", "label: string").replace(
    "host: string", "host: string\n        endpoint: string"
)
_EDGE = """
edge: {service: things.example.com, from: v1, to: v2}
types:
  Thing:
    ops:
      - hook: {reads: [code], writes: [label], hook: shout}
      - added: [endpoint]
"""
FILES = {
    "service.yaml": _SERVICE.encode(),
    "v1.yaml": _V1.encode(),
    "v2.yaml": _V2.encode(),
    "edge.yaml": _EDGE.encode(),
}
_PLACE = f"{SERVICE} v1-v2 Thing"
constants: list[State] = []
"""The constants of filters that were converted."""


def upper(state: State) -> State:
    """Write a value in capitals."""
    return state.upper() if isinstance(state, str) else state


def lower(state: State) -> State:
    """Write a value in small letters."""
    return state.lower() if isinstance(state, str) else state


def _bundle_upper(states: Bundle) -> Bundle:
    return tuple(upper(state) for state in states)


def _bundle_lower(states: Bundle) -> Bundle:
    return tuple(lower(state) for state in states)


def _signed(old: JsonObject, made: JsonObject) -> JsonObject:
    return {**made, "title": f"{made['title']}!"} if "title" in made else made


def _unsigned(new: JsonObject, made: JsonObject) -> JsonObject:
    return {**made, "title": str(made["title"]).removesuffix("!")} if "title" in made else made


def _renamed(source: str, target: str) -> NameHook:
    def _name(name: str, document: JsonObject | None) -> str | None:
        return target if name == source else None

    return _name


def _to_endpoint(path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    return ("endpoint",) if path == ("host",) else None


def _no_path(path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
    return None


def _constant(state: State) -> State:
    constants.append(state)
    return upper(state)


HOOKS = Hooks(
    named={"shout": Hook(_bundle_upper, _bundle_lower)},
    objects={_PLACE: (_signed, _unsigned)},
    values={f"{_PLACE}.tags[]": (upper, lower), f"{_PLACE}.kind": (upper, lower)},
    names={
        _PLACE: (_renamed("things/special", "things/renamed"), _renamed("things/renamed", "things/special"))
    },
    references={_PLACE: (_renamed("things/old", "things/new"), _renamed("things/new", "things/old"))},
    paths={_PLACE: (_to_endpoint, _no_path)},
    path_values={f"{_PLACE}.kind": (_constant, lower)},
)

"""Every piece of a conversion can be asked for, and overridden, by itself."""

from __future__ import annotations

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.hooks import Hooks
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.states import State
from migrations_app.domain.filters import parse, write
from migrations_app.domain.filters.masks import Mask
from migrations_app.kernel.json import JsonObject
from tests.unit.conversion.services import folder

PLACE = "things.example.com v1-v2 Thing"
OLD = """
Thing:
  fields:
    name: string
    kind: string
    tags: {list: string}
    labels: {map: string}
    friend: {type: {reference: {resource: [Thing]}}}
    at: At
At: {fields: {host: string, port: i32}}
"""
NEW = OLD.replace("at: At", "place: At")
OPS = "- rename: {from: at, to: place}"


def compiled(hooks: Hooks) -> CompiledService:
    return compile_service(folder(OLD, NEW, OPS), hooks=hooks)


def masked(converter: TypeConverter, path: str) -> list[str]:
    """Convert the mask of one field."""
    return list(map(str, converter.mask(Mask.of([path])).paths))


def shout(state: State) -> State:
    return state.upper() if isinstance(state, str) else state


def whisper(state: State) -> State:
    return state.lower() if isinstance(state, str) else state


def test_an_array_is_overridden_as_a_value_and_item_by_item() -> None:
    def _joined(state: State) -> State:
        return ["+".join(map(str, state))] if isinstance(state, list) else state

    def _parted(state: State) -> State:
        return [*str(state[0]).split("+")] if isinstance(state, list) and state else state

    thing: JsonObject = {"tags": ["a", "b"]}
    as_whole = compiled(Hooks(values={f"{PLACE}.tags": (_joined, _parted)})).converter("Thing", "v1", "v2")
    by_item = compiled(Hooks(values={f"{PLACE}.tags[]": (shout, whisper)})).converter("Thing", "v1", "v2")

    assert as_whole.forward("things/a", thing).body == {"tags": ["a+b"]}
    assert as_whole.backward("things/a", {"tags": ["a+b"]}).body == thing
    assert by_item.forward("things/a", thing).body == {"tags": ["A", "B"]}
    assert by_item.backward("things/a", {"tags": ["A", "B"]}).body == thing


def test_the_values_of_a_map_are_overridden_one_by_one() -> None:
    made = compiled(Hooks(values={f"{PLACE}.labels{{}}": (shout, whisper)})).converter("Thing", "v1", "v2")

    assert made.forward("things/a", {"labels": {"k": "v"}}).body == {"labels": {"k": "V"}}


def test_a_reference_is_overridden_without_the_name() -> None:
    def _there(name: str, document: JsonObject | None) -> str | None:
        return "things/new" if name == "things/old" else None

    def _back(name: str, document: JsonObject | None) -> str | None:
        return "things/old" if name == "things/new" else None

    converter = compiled(Hooks(references={PLACE: (_there, _back)})).converter("Thing", "v1", "v2")
    made = converter.forward("things/old", {"name": "things/old", "friend": "things/old"})

    assert (made.name, made.body) == ("things/old", {"name": "things/old", "friend": "things/new"})
    assert converter.backward(made.name, made.body).body == {"name": "things/old", "friend": "things/old"}


def test_a_field_path_is_overridden() -> None:
    def _there(path: tuple[str | int, ...]) -> tuple[str | int, ...] | None:
        return ("place", "endpoint") if path == ("at", "host") else None

    converter = compiled(Hooks(paths={PLACE: (_there, lambda path: None)})).converter("Thing", "v1", "v2")

    assert masked(converter, "at.host") == ["place.endpoint"]
    assert masked(converter, "at.port") == ["place.port"]
    assert write(converter.filter(parse('at.host = "h"')).pushed) == '(place.endpoint = "h")'


def test_a_value_beside_a_field_path_is_overridden() -> None:
    hooks = Hooks(values={f"{PLACE}.kind": (shout, whisper)}, path_values={f"{PLACE}.kind": (shout, whisper)})
    converter = compiled(hooks).converter("Thing", "v1", "v2")
    plain = compiled(Hooks(values={f"{PLACE}.kind": (shout, whisper)})).converter("Thing", "v1", "v2")

    assert write(converter.filter(parse('kind = "fast"')).pushed) == '(kind = "FAST")'
    asked = converter.filter(parse('kind IN ["fast", "slow"] AND NOT (kind = "off")'))
    assert write(asked.pushed) == '((kind IN ("FAST", "SLOW")) AND (NOT (kind = "OFF")))'
    assert asked.how == "exact"
    assert plain.filter(parse('kind = "fast"')).how == "full-scan"


def test_field_paths_and_values_are_converted_without_code_too() -> None:
    converter = compiled(Hooks()).converter("Thing", "v1", "v2")

    assert write(converter.filter(parse('at.host = "h"')).pushed) == '(place.host = "h")'
    assert masked(converter, "at") == ["place"]
    assert masked(converter, "nowhere") == ['"$none"']

"""Registered code carries what metadata cannot say, and overrides the generated parts piece by piece."""

from __future__ import annotations

from migrations_app.domain.conversion.hooks import Hook, Hooks
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.conversion.states import State
from migrations_app.domain.conversion.steps import Bundle
from migrations_app.kernel.json import JsonObject
from tests.unit.conversion.services import folder

OLD = "Thing: {fields: {name: string, title: string, tags: {list: string}}}"
NEW = "Thing: {fields: {name: string, heading: string, tags: {list: string}}}"
EDGE = "things.example.com v1-v2"


def upper(states: Bundle) -> Bundle:
    return tuple(state.upper() if isinstance(state, str) else state for state in states)


def lower(states: Bundle) -> Bundle:
    return tuple(state.lower() if isinstance(state, str) else state for state in states)


def shout(state: State) -> State:
    return state.upper() if isinstance(state, str) else state


def whisper(state: State) -> State:
    return state.lower() if isinstance(state, str) else state


def test_a_hook_op_calls_registered_code_and_keeps_what_it_loses() -> None:
    made = folder(OLD, NEW, "- hook: {reads: [title], writes: [heading], hook: shout}")
    converter = compile_service(made, hooks=Hooks({"shout": Hook(upper, lower)})).converter(
        "Thing", "v1", "v2"
    )

    plain = converter.forward("things/a", {"title": "quiet"}).body
    assert plain == {"heading": "QUIET"}
    assert converter.backward("things/a", plain).body == {"title": "quiet"}

    mixed = converter.forward("things/a", {"title": "MiXed"}).body
    assert mixed["heading"] == "MIXED"
    assert converter.backward("things/a", mixed).body == {"title": "MiXed"}
    assert converter.backward("things/a", {**mixed, "heading": "NEW"}).body == {"title": "new"}


def test_a_hook_that_is_not_registered_is_an_error_with_its_line() -> None:
    try:
        compile_service(folder(OLD, NEW, "- hook: {reads: [title], writes: [heading], hook: shout}"))
    except EdgeInvalid as error:
        finding = error.findings[0]
        assert (finding.code, str(finding.place)) == ("E-HOOK", "edge.yaml:6")
        assert finding.remedy == "Register it, or name its file with --hooks; registered: none."
    else:
        raise AssertionError("the unknown hook was taken")


def test_values_items_objects_and_names_are_overridden_piece_by_piece() -> None:
    def _signed(old: JsonObject, made: JsonObject) -> JsonObject:
        return {**made, "heading": f"{made.get('heading', '')}!"}

    def _unsigned(new: JsonObject, made: JsonObject) -> JsonObject:
        title = made.get("title")
        return {**made, "title": title.removesuffix("!")} if isinstance(title, str) else made

    def _there(name: str, document: JsonObject | None) -> str | None:
        return "things/renamed" if name == "things/special" else None

    def _back(name: str, document: JsonObject | None) -> str | None:
        return "things/special" if name == "things/renamed" else None

    hooks = Hooks(
        objects={f"{EDGE} Thing": (_signed, _unsigned)},
        values={f"{EDGE} Thing.tags[]": (shout, whisper)},
        names={f"{EDGE} Thing": (_there, _back)},
    )
    compiled = compile_service(folder(OLD, NEW, "- rename: {from: title, to: heading}"), hooks=hooks)
    converter = compiled.converter("Thing", "v1", "v2")
    thing: JsonObject = {"name": "things/special", "title": "t", "tags": ["a", "b"]}

    converted = converter.forward("things/special", thing)

    assert converted.name == "things/renamed"
    assert converted.body == {"name": "things/renamed", "heading": "t!", "tags": ["A", "B"]}
    assert converter.backward(converted.name, converted.body).body == thing
    assert converter.name("things/other") == "things/other"
    assert converter.sql is None


def test_only_services_that_registered_code_is_for_may_call_it() -> None:
    by_place = Hooks(values={f"{EDGE} Thing.tags[]": (shout, whisper)})
    by_name = Hooks({"shout": Hook(upper, lower)})
    calling = folder(OLD, NEW, "- hook: {reads: [title], writes: [heading], hook: shout}")
    plain = folder(OLD, NEW, "- rename: {from: title, to: heading}")

    assert compile_service(calling, hooks=by_name).may_call_code is True
    assert compile_service(plain, hooks=by_name).may_call_code is False
    assert compile_service(plain, hooks=by_place).may_call_code is True
    elsewhere = Hooks(values={"things.example.com.other v1-v2 Thing.tags[]": (shout, whisper)})
    assert compile_service(plain, hooks=elsewhere).may_call_code is False
    imported = {"things.example.com": compile_service(plain, hooks=by_place)}
    assert compile_service(plain, imported).may_call_code is True
    assert compile_service(plain).may_call_code is False

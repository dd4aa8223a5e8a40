"""`/api/v1` is a promise: what it says is written down, and a change that breaks a client is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.api_description import api_description
from tests.structure.frozen import FROZEN, breaks, facts_of, main, read, written

THING: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "maxLength": 10, "description": "What it is called."},
        "state": {"type": "string", "enum": ["on", "off"]},
        "count": {"type": ["integer", "null"]},
    },
}
DOCUMENTED: dict[str, Any] = {
    "paths": {
        "/api/v1/things": {
            "post": {
                "operationId": "make_thing",
                "parameters": [{"name": "dry_run", "in": "query", "schema": {"type": "boolean"}}],
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ThingRequest"}}}
                },
                "responses": {
                    "201": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
                    },
                    "default": {},
                },
            }
        },
        "/meta/v1/things": {"get": {"operationId": "meta_things", "responses": {}}},
    },
    "components": {"schemas": {"Thing": THING, "ThingRequest": THING, "Unused": THING}},
}
OPERATION = "POST /api/v1/things"


def test_the_promise_that_is_committed_is_what_the_document_says() -> None:
    facts, promised = facts_of(api_description()), FROZEN.read_text()
    assert breaks(read(promised), facts) == []
    assert promised == written(facts), "run `make openapi` and commit docs/reference/api-v1.txt"


def test_the_facts_of_a_document_are_written_and_read_back() -> None:
    facts = facts_of(DOCUMENTED)
    assert [*facts] == [
        OPERATION,
        f"{OPERATION} < 201 application/json",
        f"{OPERATION} > application/json",
        f"{OPERATION} ?dry_run",
        "Thing.count",
        "Thing.name",
        "Thing.state",
        "ThingRequest.count",
        "ThingRequest.name",
        "ThingRequest.state",
    ]
    assert json.loads(facts["Thing.name"]) == {"type": "string", "maxLength": 10, "required": True}
    assert read(written(facts)) == facts


def _of(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda document: document["components"]["schemas"][name]  # type: ignore[no-any-return]


SENT, ANSWERED = _of("ThingRequest"), _of("Thing")


def _operation(document: dict[str, Any]) -> dict[str, Any]:
    return document["paths"]["/api/v1/things"]["post"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda of: of["paths"].pop("/api/v1/things"), f"{OPERATION}: is gone"),
        (lambda of: _operation(of)["parameters"].clear(), f"{OPERATION} ?dry_run: is gone"),
        (
            lambda of: _operation(of)["parameters"].append(
                {"name": "at", "in": "query", "required": True, "schema": {"type": "string"}}
            ),
            f"{OPERATION} ?at: is required now",
        ),
        (
            lambda of: _operation(of)["responses"].pop("201"),
            f"{OPERATION} < 201 application/json: is gone",
        ),
        (lambda of: SENT(of)["properties"].pop("state"), "ThingRequest.state: is gone"),
        (lambda of: SENT(of)["required"].append("state"), "ThingRequest.state: is required now"),
        (
            lambda of: SENT(of)["properties"]["name"].update(maxLength=5),
            "ThingRequest.name: maxLength is 5 now",
        ),
        (
            lambda of: SENT(of)["properties"]["name"].update(minLength=1),
            "ThingRequest.name: minLength is 1 now",
        ),
        (lambda of: SENT(of)["properties"]["state"]["enum"].pop(), "ThingRequest.state: takes fewer values"),
        (
            lambda of: SENT(of)["properties"]["count"].update(type="integer"),
            "ThingRequest.count: takes ['integer'], took ['integer', 'null']",
        ),
        (lambda of: ANSWERED(of)["properties"].pop("count"), "Thing.count: is gone"),
        (lambda of: ANSWERED(of)["required"].clear(), "Thing.name: may be left out now"),
        (
            lambda of: ANSWERED(of)["properties"]["name"].update(type=["string", "null"]),
            "Thing.name: is ['null', 'string'], was ['string']",
        ),
        (
            lambda of: ANSWERED(of)["properties"]["name"].update(format="date"),
            "Thing.name: format is date, was None",
        ),
    ],
)
def test_a_change_that_breaks_a_client_is_told(change: Callable[[Any], object], told: str) -> None:
    changed = deepcopy(DOCUMENTED)
    changed["components"]["schemas"] = {name: deepcopy(THING) for name in ("Thing", "ThingRequest")}
    change(changed)
    assert told in breaks(facts_of(DOCUMENTED), facts_of(changed))


@pytest.mark.parametrize(
    "change",
    [
        lambda of: SENT(of)["properties"].update(more={"type": "string"}),
        lambda of: SENT(of)["required"].clear(),
        lambda of: SENT(of)["properties"]["name"].update(maxLength=20),
        lambda of: SENT(of)["properties"]["state"]["enum"].append("idle"),
        lambda of: ANSWERED(of)["properties"].update(more={"type": "string"}),
        lambda of: ANSWERED(of)["required"].append("state"),
        lambda of: ANSWERED(of)["properties"]["state"]["enum"].append("idle"),
        lambda of: ANSWERED(of)["properties"]["count"].update(type="integer"),
        lambda of: ANSWERED(of)["properties"]["name"].update(description="Its name."),
        lambda of: of["paths"].update({"/api/v1/more": {"get": {"operationId": "more", "responses": {}}}}),
    ],
)
def test_a_change_that_breaks_no_client_is_not_reported(change: Callable[[Any], object]) -> None:
    changed = deepcopy(DOCUMENTED)
    changed["components"]["schemas"] = {name: deepcopy(THING) for name in ("Thing", "ThingRequest")}
    change(changed)
    assert breaks(facts_of(DOCUMENTED), facts_of(changed)) == []


def test_the_promise_is_written_anew_only_where_nothing_breaks_it_or_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    frozen, document = tmp_path / "api-v1.txt", tmp_path / "openapi.yaml"
    document.write_text(json.dumps(DOCUMENTED))
    assert main([], frozen, document) == 0
    promised = frozen.read_text()
    assert promised == written(facts_of(DOCUMENTED))
    document.write_text(json.dumps({**DOCUMENTED, "paths": {}}))
    assert main([], frozen, document) == 1
    assert f"{OPERATION}: is gone\n" in capsys.readouterr().out
    assert frozen.read_text() == promised
    assert main(["--breaking"], frozen, document) == 0
    assert frozen.read_text() == ""

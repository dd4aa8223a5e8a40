"""A definition changed in place beside stored data: an update leaves everything as it is that its client did not touch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app.adapters import definitions
from migrations_app.kernel.json import JsonObject
from tests.factories.shelves import BOX, SHELVES, STORED, V1, folder
from tests.integration.resource_api.conftest import REGION, Yard, deployed

RETYPED = V1.replace("weight: i32", "weight: string")
RENAMED = V1.replace("title:", "caption:")
NEEDED = V1.replace("weight: i32", "weight: i32\n        keeper: {type: string, required: true}")
INSIDE = V1.replace("colour: string, ", "").replace("note: string, ", "")


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """A box, stored in v1."""
    with deployed(data_database, SHELVES, "v1", files=folder()) as made:
        made.call("POST", "boxes", STORED, version="v1", id="b1")
        yield made


def _become(ports: Yard, **given: str) -> None:
    """Change the definition in place without asking, as a waiver would let one do."""
    definitions.keep(SHELVES, folder(**given))
    ports.servers.directory.forget(REGION, SHELVES)


def _stored(ports: Yard, version: str = "v1") -> JsonObject:
    with ports.store.snapshot(ports.namespace(version)) as reading:
        found = reading.get("Box", BOX)
    assert found is not None
    return dict(found.body)


@pytest.mark.parametrize("v1", [RETYPED, RENAMED, NEEDED, INSIDE])
def test_a_patch_of_another_field_keeps_what_is_stored(shelves: Yard, v1: str) -> None:
    _become(shelves, v1=v1)
    shelves.call("PATCH", BOX, {"sealed": False}, version="v1")
    assert _stored(shelves) == {**STORED, "sealed": False}


@pytest.mark.parametrize("v1", [RETYPED, RENAMED, NEEDED])
def test_so_does_a_put_of_what_was_read(shelves: Yard, v1: str) -> None:
    _become(shelves, v1=v1)
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    shelves.call("PUT", BOX, {**read, "sealed": False}, version="v1")
    assert _stored(shelves) == {**STORED, "sealed": False}


def test_a_put_without_a_field_that_no_answer_shows_keeps_it(shelves: Yard) -> None:
    _become(shelves, v1=V1.replace("title: string", "title: {type: string, behavior: [input_only]}"))
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    assert "title" not in read
    shelves.call("PUT", BOX, {**read, "sealed": False}, version="v1")
    assert _stored(shelves) == {**STORED, "sealed": False}
    # Who says that the resource is whole clears it.
    shelves.call("PUT", BOX, {**read, "sealed": False}, version="v1", updateMask="*")
    assert _stored(shelves) == {
        key: value for key, value in {**STORED, "sealed": False}.items() if key != "title"
    }


def test_keys_inside_objects_lists_and_maps_stay_beside_what_a_client_writes_there(shelves: Yard) -> None:
    _become(shelves, v1=INSIDE)
    body: JsonObject = {
        "title": "tools",
        "weight": 7,
        "sealed": True,
        "lid": {"hingeCount": 3},
        "parts": [{"id": "b", "size": 4}],
        "tags": {"x": {"id": "c", "size": 6}, "y": {"id": "d"}},
    }
    shelves.call("PUT", BOX, body, version="v1")
    assert _stored(shelves) == {
        **body,
        "lid": {"colour": "red", "hingeCount": 3},
        "parts": [{"id": "b", "note": "short", "size": 4}],
        "tags": {"x": {"id": "c", "note": "odd", "size": 6}, "y": {"id": "d"}},
    }


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_a_client_of_another_version_keeps_them_too(shelves: Yard, method: str) -> None:
    shelves.switch("v1", "v2")
    before = _stored(shelves, "v2")
    # v2 forgets the colour of the lid, and what was a weight is text.
    v2 = INSIDE.replace("title:", "label:").replace("weight: i32", "weight: string")
    ops = "{rename: {from: title, to: label}}, {numToString: {path: weight}}"
    _become(shelves, v1=V1, v2=v2, ops=ops)
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    body = {"title": "more"} if method == "PATCH" else {**read, "title": "more"}
    shelves.call(method, BOX, body, version="v1")
    assert _stored(shelves, "v2") == {**before, "label": "more"}


def test_a_strict_service_takes_back_what_it_showed(shelves: Yard) -> None:
    _become(shelves, v1=INSIDE, more="unknownKeys: strict")
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    lid = read["lid"]
    assert isinstance(lid, dict)
    shelves.call("PUT", BOX, {**read, "lid": {**lid, "hingeCount": 3}}, version="v1")
    assert _stored(shelves) == {**STORED, "lid": {"colour": "red", "hingeCount": 3}}


def test_they_go_with_the_next_update_where_the_strategy_says_drop(shelves: Yard) -> None:
    _become(shelves, v1=INSIDE, more="unknownKeys: drop")
    assert _stored(shelves) == STORED
    shelves.call("PATCH", BOX, {"sealed": False}, version="v1")
    assert _stored(shelves) == {
        **STORED,
        "sealed": False,
        "lid": {"hingeCount": 2},
        "parts": [{"id": "a", "size": 3}, {"id": "b", "size": 4}],
        "tags": {"x": {"id": "c", "size": 5}},
    }


def test_what_passes_unknown_is_gone_when_its_client_leaves_it_out(shelves: Yard) -> None:
    _become(shelves, v1=RENAMED, more="unknownKeys: pass")
    shelves.call("PATCH", BOX, {"sealed": False}, version="v1")
    assert _stored(shelves)["title"] == "tools"
    shelves.call("PUT", BOX, {"weight": 7}, version="v1")
    assert _stored(shelves) == {"weight": 7}

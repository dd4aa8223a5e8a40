"""A client that uses a deprecated field sees so in the answer, and is served as before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from migrations_app.kernel.json import Json
from migrations_app.resource_api.exchange import ResourceRequest
from tests.factories.shelves import BOX, SHELVES, V1, folder
from tests.integration.resource_api.conftest import REGION, Yard, deployed

OLD = (
    V1.replace(
        "title: string",
        "title: {type: string, deprecated: {since: 2026-01-01, sunset: 2026-07-01, replacedBy: caption}}",
    )
    .replace("note: string", "note: {type: string, deprecated: true}")
    .replace("colour: string", "colour: {type: string, deprecated: {sunset: 2026-03-01}}")
)
TITLE = {
    "Deprecation": "@1767225600",
    "Sunset": "Wed, 01 Jul 2026 00:00:00 GMT",
    "Switchyard-Deprecated": 'Box.title;replaced-by="caption"',
}


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """The shelves service with deprecated fields."""
    with deployed(data_database, SHELVES, "v1", files=folder(v1=OLD)) as made:
        made.call("POST", "boxes", {"weight": 1}, version="v1", id="b1")
        yield made


def told(ports: Yard, method: str, path: str, body: Json = None, **query: str) -> dict[str, str]:
    """Give what an answer tells of deprecated fields."""
    answer = ports.call(method, path, body, version="v1", **query)
    assert answer.status in (200, 201)
    names = ("Deprecation", "Sunset", "Switchyard-Deprecated")
    return {name: answer.headers[name] for name in names if name in answer.headers}


def test_who_sends_it_past_its_sunset_is_told_and_served(shelves: Yard) -> None:
    assert told(shelves, "POST", "boxes", {"title": "tools"}, id="b2") == TITLE
    assert told(shelves, "PATCH", BOX, {"title": "tools"}) == TITLE
    assert told(shelves, "PUT", BOX, {"resource": {"title": "tools"}}) == TITLE
    read = shelves.call("GET", BOX, version="v1").document
    assert isinstance(read, dict)
    assert read["title"] == "tools"


def test_who_names_it_in_a_filter_or_mask_is_told(shelves: Yard) -> None:
    assert told(shelves, "GET", "boxes", filter='title = "x"') == TITLE
    assert told(shelves, "GET", BOX, fieldMask="title,weight") == TITLE


def test_of_several_the_earliest_days_are_told(shelves: Yard) -> None:
    body: Json = {"title": "x", "lid": {"colour": "red"}, "parts": [{"note": "long"}]}
    assert told(shelves, "PATCH", BOX, body) == {
        "Deprecation": "@1767225600",
        "Sunset": "Sun, 01 Mar 2026 00:00:00 GMT",
        "Switchyard-Deprecated": 'Box.lid.colour, Box.parts[].note, Box.title;replaced-by="caption"',
    }
    assert told(shelves, "PATCH", BOX, {"parts": [{"note": "long"}]}) == {
        "Deprecation": "@0",
        "Switchyard-Deprecated": "Box.parts[].note",
    }


def test_a_batch_tells_of_all_its_writes(shelves: Yard) -> None:
    requests: Json = [
        {"update": {"name": BOX, "resource": {"weight": 2, "title": "x"}}},
        {"create": {"name": "boxes/b3", "resource": {"weight": 3}}},
    ]
    assert told(shelves, "POST", ":batchWrite", {"requests": requests}) == TITLE


def test_who_does_not_use_it_is_told_nothing(shelves: Yard) -> None:
    assert told(shelves, "PATCH", BOX, {"weight": 2}) == {}
    assert told(shelves, "GET", BOX) == {}
    assert told(shelves, "GET", "boxes", filter="weight = 1") == {}


TITLE_DETAIL = {
    "path": "title",
    "since": "2026-01-01",
    "sunset": "2026-07-01",
    "replacedBy": "caption",
    "detail": "Box.title is deprecated since 2026-01-01 and will be removed on 2026-07-01. Use caption instead.",
}
NOTE_DETAIL = {"path": "parts[].note", "detail": "Box.parts[].note is deprecated."}
ASKING = {"prefer": "respond-async, Deprecation-Details; x=1"}


def detailed(resource: Json) -> Json:
    """Give the details in the metadata of a resource; None where there are none."""
    assert isinstance(resource, dict)
    metadata = resource["metadata"]
    assert isinstance(metadata, dict)
    return metadata.get("deprecations")


def test_who_asks_finds_details_in_the_metadata_of_whatever_is_read_or_written(shelves: Yard) -> None:
    body: Json = {"title": "tools", "parts": [{"note": "long"}, {"size": 3}]}
    written = shelves.call("PATCH", BOX, body, version="v1", headers=ASKING)
    assert written.headers["Preference-Applied"] == "deprecation-details"
    assert detailed(written.document) == [NOTE_DETAIL, TITLE_DETAIL]
    shelves.call("POST", "boxes", {"weight": 2}, version="v1", id="b2")

    read = shelves.call("GET", BOX, version="v1", headers=ASKING).document
    assert detailed(read) == [NOTE_DETAIL, TITLE_DETAIL]
    listed = shelves.call("GET", "boxes", version="v1", headers=ASKING).document
    assert isinstance(listed, dict)
    assert isinstance(listed["boxes"], list)
    assert [detailed(each) for each in listed["boxes"]] == [[NOTE_DETAIL, TITLE_DETAIL], None]
    several = shelves.call("GET", "boxes:batchGet", version="v1", headers=ASKING, names=BOX).document
    assert isinstance(several, dict)
    assert isinstance(several["boxes"], list)
    assert [detailed(each) for each in several["boxes"]] == [[NOTE_DETAIL, TITLE_DETAIL]]
    masked = shelves.call("GET", BOX, version="v1", headers=ASKING, fieldMask="title").document
    assert masked == {"title": "tools", "metadata": {"deprecations": [TITLE_DETAIL]}}
    request = ResourceRequest("GET", f"/apis/{REGION}/{SHELVES}/v1/boxes:watch", "", ASKING)
    watched = shelves.api.watcher(request, shelves.actor)
    assert watched is not None
    assert watched.headers["Preference-Applied"] == "deprecation-details"
    message = watched.watch.step()
    assert message is not None
    changes: Any = message["boxChanges"]
    added = [each["added"]["box"] for each in changes]
    assert [detailed(each) for each in added] == [[NOTE_DETAIL, TITLE_DETAIL], None]

    # They may be sent back, and are not stored.
    assert shelves.call("PUT", BOX, read, version="v1").status == 200
    plain = shelves.call("GET", BOX, version="v1", headers={"prefer": "return=minimal"})
    assert (detailed(plain.document), "Preference-Applied" in plain.headers) == (None, False)


def test_the_openapi_describes_how_details_are_asked_for(shelves: Yard) -> None:
    document: Any = shelves.call("GET", "openapi.json", version="v1").document
    paths = document["paths"]
    for path, method in (
        ("/boxes/{box}", "get"),
        ("/boxes/{box}", "put"),
        ("/boxes/{box}", "patch"),
        ("/boxes", "get"),
        ("/boxes", "post"),
        ("/boxes:batchGet", "get"),
        ("/boxes:watch", "get"),
        ("/boxes/{box}:watch", "get"),
    ):
        assert "Prefer" in [each["name"] for each in paths[path][method]["parameters"]], (path, method)
    described = document["components"]["schemas"]["Metadata"]["properties"]["deprecations"]
    assert set(described["items"]["properties"]) == set(TITLE_DETAIL)

"""Options of api-skeletons count: opt-outs in requests and in OpenAPI, versioning hints in edges and after a switch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app.kernel.errors import Conflict, Invalid, Refused
from migrations_app.resource_api import paging
from migrations_app.resource_api.exchange import ResourceRequest
from tests.integration.resource_api.conftest import REGION, Yard, deployed

SERVICE = "boxes.example.com"
_SERVICE = """
service: boxes.example.com
versions:
  - version: v1
    ordinal: 10
    sources: [{kind: skeleton, path: v1.yaml}, {kind: ir, path: v1-types.yaml}]
  - version: v2
    ordinal: 20
    sources: [{kind: skeleton, path: v2.yaml}, {kind: ir, path: v2-types.yaml}]
edges: [edge.yaml]
"""
_V1 = """
name: boxes.example.com
proto: {package: {name: example.boxes, currentVersion: v1, nextVersion: v2}}
resources:
- name: Box
  plural: Boxes
  optOuts: {basicActions: ["{Delete}Box", UpdateBox, BatchGetBoxes], resourceChange: true}
  versioning: {replacement: Crate}
- name: Note
  versioning: {discontinued: true}
- name: Tag
  optOuts: {metadataField: true, dbConstraints: true}
  versioning: {skipTransformersBasicActions: [CreateTag], skipResourceChangeTransformers: true}
- name: Pin
  versioning: {skipAccessTransformer: true}
- name: Log
  optIns: {searchable: true}
  optOuts: {paging: true}
- name: Vault
  optOuts: {standardCrudAccess: true}
"""
_V2 = """
name: boxes.example.com
proto: {package: {name: example.boxes, currentVersion: v2}}
resources: [{name: Crate}, {name: Tag, optOuts: {dbConstraints: true}}, {name: Pin}, {name: Log}, {name: Vault}]
"""
_TYPES = """
schema:
  types:
    Box: {fields: {name: string, size: i32}}
    Note: {fields: {name: string}}
    Tag: {fields: {name: string, box: {type: {reference: Box}}}}
    Pin: {fields: {name: string}}
    Log: {fields: {name: string}}
    Vault: {fields: {name: string}}
"""
_TYPES_2 = _TYPES.replace("Box", "Crate").replace("    Note: {fields: {name: string}}\n", "")
_EDGE = """
edge: {service: boxes.example.com, from: v1, to: v2}
types:
  Box:
    ops: [{resourceName: {variants: [{from: "boxes/{box}", to: "crates/{crate}", set: {crate: {same: box}}, back: {set: {box: {same: crate}}}}]}}]
"""


@pytest.fixture
def boxes(db: None, data_database: str) -> Iterator[Yard]:
    """The deployment of the service, serving v1."""
    files = {
        "service.yaml": _SERVICE,
        "v1.yaml": _V1,
        "v2.yaml": _V2,
        "v1-types.yaml": _TYPES,
        "v2-types.yaml": _TYPES_2,
        "edge.yaml": _EDGE,
    }
    content = {path: text.encode() for path, text in files.items()}
    with deployed(data_database, SERVICE, "v1", files=content) as made:
        yield made


def refused(
    boxes: Yard, method: str, path: str, body: dict[str, object] | None = None
) -> tuple[type, str, str]:
    with pytest.raises(Refused) as error:
        boxes.call(
            method, path, body, version="v1", **({"id": "x"} if (method, path) == ("POST", "boxes") else {})
        )  # type: ignore[arg-type]
    return type(error.value), error.value.code, error.value.message


def test_actions_that_a_type_opts_out_of_are_refused_and_not_described(boxes: Yard) -> None:
    assert boxes.call("POST", "boxes", {"size": 3}, version="v1", id="b1").status == 201
    assert boxes.call("GET", "boxes/b1", version="v1").status == 200
    for method, path, action in (
        ("DELETE", "boxes/b1", "delete"),
        ("PUT", "boxes/b1", "update"),
        ("PATCH", "boxes/b1", "update"),
        ("POST", "boxes:batchGet", "batchGet"),
    ):
        assert refused(boxes, method, path, {}) == (
            Invalid,
            "method-not-allowed",
            f"v1 of {SERVICE} opts out of {action} of Box.",
        )
    batch = {"requests": [{"delete": {"name": "boxes/b1"}}]}
    assert refused(boxes, "POST", ":batchWrite", batch)[1] == "method-not-allowed"
    with pytest.raises(Invalid) as watch:
        boxes.api.watcher(
            ResourceRequest("GET", f"/apis/{REGION}/{SERVICE}/v1/boxes:watch", "", {}), boxes.actor
        )
    assert watch.value.code == "method-not-allowed"
    described = boxes.call("GET", "openapi.json", version="v1").document
    assert isinstance(described, dict)
    paths = described["paths"]
    assert isinstance(paths, dict)
    offered = {path: sorted(item.keys() - {"parameters"}) for path, item in paths.items() if "boxes" in path}  # type: ignore[union-attr]
    assert offered == {"/boxes/{box}": ["get"], "/boxes": ["get", "post"]}
    assert boxes.call("GET", "boxes/b1", version="v1").document["size"] == 3  # type: ignore[index,call-overload]


def test_a_type_without_metadata_shows_none_and_keeps_its_revision(boxes: Yard) -> None:
    made = boxes.call("POST", "tags", {}, version="v1", id="t1")
    assert (made.document, made.headers["ETag"]) == ({"name": "tags/t1"}, '"1"')
    assert boxes.call("GET", "tags", version="v1", view="BASIC").document == {"tags": [{"name": "tags/t1"}]}


def test_references_of_a_type_without_constraints_are_not_enforced(boxes: Yard) -> None:
    assert boxes.call("POST", "tags", {"box": "boxes/none"}, version="v1", id="t1").status == 201


def test_hints_rename_and_end_types_where_the_edge_says_nothing_of_them(boxes: Yard) -> None:
    boxes.call("POST", "boxes", {"size": 3}, version="v1", id="b1")
    boxes.call("POST", "notes", {}, version="v1", id="n1")
    boxes.switch("v1", "v2")
    crate = boxes.call("GET", "crates/b1", version="v2").document
    assert isinstance(crate, dict)
    assert crate["size"] == 3
    assert boxes.call("GET", "boxes/b1", version="v1").headers["Switchyard-Served"] == "translated"
    # What the new version has no more is kept, and served by the old one.
    assert boxes.call("GET", "notes/n1", version="v1").document["name"] == "notes/n1"


def test_what_a_hint_skips_is_not_converted_after_a_switch(boxes: Yard) -> None:
    boxes.call("POST", "tags", {}, version="v1", id="t1")
    boxes.call("POST", "pins", {}, version="v1", id="p1")
    boxes.switch("v1", "v2")
    assert boxes.call("GET", "tags/t1", version="v1").document == {"name": "tags/t1"}
    told = "v1 says that {} of {} is not converted, and v2 is active."
    for method, path, action, type_ in (
        ("POST", "tags", "create", "Tag"),
        ("POST", "pins", "create", "Pin"),
        ("GET", "pins/p1", "get", "Pin"),
        ("GET", "pins", "list", "Pin"),
        ("DELETE", "pins/p1", "delete", "Pin"),
    ):
        assert refused(boxes, method, path, {} if method == "POST" else None) == (
            Refused,
            "method-not-served",
            told.format(action, type_),
        )
    with pytest.raises(Refused) as refusal:
        boxes.api.watcher(
            ResourceRequest("GET", f"/apis/{REGION}/{SERVICE}/v1/tags:watch", "", {}), boxes.actor
        )
    assert refusal.value.code == "method-not-served"
    assert boxes.call("GET", "pins/p1", version="v2").status == 200


def test_a_type_that_opts_out_of_paging_is_listed_whole(boxes: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        boxes.call("POST", "logs", {}, version="v1", id=f"l{number}")
    listed = boxes.call("GET", "logs", version="v1").document
    assert isinstance(listed, dict)
    assert (listed.keys(), len(listed["logs"])) == ({"logs"}, 3)  # type: ignore[arg-type]
    for path, parameter in (("logs", "pageSize"), ("logs", "showTotal"), ("logs", "page_token")):
        with pytest.raises(Invalid) as wrong:
            boxes.call("GET", path, version="v1", **{parameter: "1" if parameter == "pageSize" else "true"})
        assert (wrong.value.code, wrong.value.message) == (
            "query",
            f"v1 of {SERVICE} opts out of paging of Log.",
        )
    described = boxes.call("GET", "openapi.json", version="v1").document["paths"]  # type: ignore[index,call-overload]
    for path in ("/logs", "/logs:search"):
        names = {each["name"] for each in described[path]["get"]["parameters"]}
        assert not names & {"pageSize", "pageToken", "showTotal", "includePagingInfo"}, path
    answered = described["/logs"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert answered["properties"].keys() == {"logs"}
    assert "pageSize" in {each["name"] for each in described["/tags"]["get"]["parameters"]}
    monkeypatch.setattr(paging, "_WHOLE", 2)
    with pytest.raises(Conflict) as cut:
        boxes.call("GET", "logs", version="v1")
    assert cut.value.code == "list-too-long"


def test_a_type_that_opts_out_of_crud_access_offers_its_own_methods_alone(boxes: Yard) -> None:
    for method, path in (
        ("GET", "vaults"),
        ("POST", "vaults"),
        ("GET", "vaults/v"),
        ("PUT", "vaults/v"),
        ("DELETE", "vaults/v"),
        ("GET", "vaults:batchGet"),
    ):
        assert (
            refused(boxes, method, path, {} if method in ("POST", "PUT") else None)[1] == "method-not-allowed"
        )
    described = boxes.call("GET", "openapi.json", version="v1").document["paths"]  # type: ignore[index,call-overload]
    assert [path for path in described if "vaults" in path] == []

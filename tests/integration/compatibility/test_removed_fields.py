"""The fields without counterpart over REST, with the new fields that they may have become."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/services/nodes.example.com/compatibility/removedFields"
_PROTO = """syntax = "proto3"; package nodes.%s;
import "google/api/resource.proto";
message Node {
  option (google.api.resource) = {type: "nodes.example.com/Node" pattern: "nodes/{node}"};
  string name = 1;
  %s
}
"""
FILES = {
    "service.yaml": b"""
service: nodes.example.com
versions:
  - {version: v1, sources: [{kind: protobuf, path: v1.proto, package: nodes.v1}]}
  - {version: v2, sources: [{kind: protobuf, path: v2.proto, package: nodes.v2}]}
edges: [v1-v2.yaml]
""",
    "v1-v2.yaml": b"""
edge: {service: nodes.example.com, from: v1, to: v2}
types:
  Node:
    ops:
      - removed: [tensorflow_version, legacy]
      - added: [runtime_version]
""",
    "v1.proto": (_PROTO % ("v1", "string tensorflow_version = 2; bool legacy = 3;")).encode(),
    "v2.proto": (_PROTO % ("v2", "string runtime_version = 2;")).encode(),
}


@pytest.fixture
def nodes() -> None:
    """Apply a service whose edge gives up a field that the new version has under another name."""
    apply_service(SYSTEM, FILES)


@pytest.mark.usefixtures("nodes")
@pytest.mark.parametrize("ends", [("v1", "v2"), ("v2", "v1")])
def test_fields_that_an_edge_gives_up_have_candidates(ends: tuple[str, str]) -> None:
    client = client_of("vera", "viewer")

    shown = client.get(ADDRESS, {"before": ends[0], "after": ends[1]}).json()

    fields = {each["path"]: each for each in shown["items"]}
    assert set(fields) == {"tensorflow_version", "legacy"}
    renamed = fields["tensorflow_version"]
    assert {key: renamed[key] for key in ("source", "target", "type", "written")} == {
        "source": "v1",
        "target": "v2",
        "type": "Node",
        "written": True,
    }
    (candidate,) = renamed["candidates"]
    assert candidate["path"] == "runtime_version"
    assert 0 < candidate["confidence"] <= 1
    assert candidate["reasons"]
    assert fields["legacy"]["candidates"] == []


@pytest.mark.usefixtures("nodes")
def test_one_version_and_one_that_is_none_are_refused() -> None:
    client = client_of("vera", "viewer")

    same = client.get(ADDRESS, {"before": "v1", "after": "v1"})
    missing = client.get(ADDRESS, {"before": "v1", "after": "v9"})

    assert (same.status_code, same.json()["code"]) == (400, "versions")
    assert (missing.status_code, missing.json()["code"]) == (404, "version")

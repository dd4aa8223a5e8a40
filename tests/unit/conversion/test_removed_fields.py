"""Fields that an edge gives up or says nothing of, with what they may have become."""

from __future__ import annotations

from migrations_app.domain.conversion.proposals.removed_fields import removed_fields
from migrations_app.domain.schema.folder import ServiceFolder, read_files

HEAD = """service: nodes.example.com
versions:
  - {version: v1, sources: [{kind: protobuf, path: v1.proto, package: nodes.v1}]}
  - {version: v2, sources: [{kind: protobuf, path: v2.proto, package: nodes.v2}]}
"""
PROTO = """syntax = "proto3"; package nodes.%s;
import "google/api/resource.proto";
message Node {
  option (google.api.resource) = {type: "nodes.example.com/Node" pattern: "nodes/{node}"};
  string name = 1;
  %s
}
"""


def _folder(old: str, new: str, ops: str = "") -> ServiceFolder:
    files = {
        "service.yaml": HEAD + ("edges: [edge.yaml]\n" if ops else ""),
        "v1.proto": PROTO % ("v1", old),
        "v2.proto": PROTO % ("v2", new),
    }
    if ops:
        files["edge.yaml"] = (
            f"edge: {{service: nodes.example.com, from: v1, to: v2}}\nunassessed: warning\ntypes: {{Node: {{ops: {ops}}}}}\n"
        )
    return read_files({name: text.encode() for name, text in files.items()})


def test_a_field_that_the_edge_gives_up_is_shown_with_the_line_that_would_be_near_certain() -> None:
    document = "/* The moment at which the node was made, as its owner sees it. */"
    folder = _folder(
        f"{document} string created_at = 2;",
        f"{document} string creation_time = 2;",
        "[{removed: created_at}, {added: creation_time}]",
    )

    (field,) = removed_fields(folder, ("v1", "v2"))

    assert (field.owner, field.path, field.is_written) == ("Node", "created_at", True)
    assert [each.path for each in field.candidates] == ["creation_time"]
    assert field.candidates[0].confidence > 0.65


def test_a_field_that_no_edge_speaks_of_is_not_written() -> None:
    folder = _folder("bool legacy = 2; bool kept = 3;", "bool kept = 3;")

    (field,) = removed_fields(folder, ("v2", "v1"))

    assert (field.source, field.target, field.path) == ("v1", "v2", "legacy")
    assert (field.is_written, field.candidates) == (False, ())


def test_a_field_with_a_counterpart_is_not_listed() -> None:
    folder = _folder("string uri = 2;", "string target = 2;", "[{rename: {from: uri, to: target}}]")

    assert removed_fields(folder, ("v1", "v2")) == ()

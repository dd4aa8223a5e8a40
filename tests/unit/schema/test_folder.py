"""A service folder reads into schemas by version, oldest first, and says by file and line what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.schema.canonical import fingerprint, shape_hash, write_schema
from migrations_app.domain.schema.folder import SERVICE_FILE, ServiceFolder, read_files, read_folder
from migrations_app.domain.schema.ir import Presence, VersionStage
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import read_yaml
from migrations_app.domain.schema.types import (
    EnumType,
    ListKind,
    ListType,
    MapType,
    ObjectType,
    ReferenceType,
    RefType,
    ScalarKind,
    ScalarType,
)
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import encode

SERVICE = b"""\
service: limits.example.com
displayName: Limits
versions:
  - version: v1
    stage: stable
    ordinal: 20
    sources: [{kind: ir, path: v1.yaml}]
  - version: v1alpha2
    stage: alpha
    ordinal: 10
    nextVersion: v1
    sources: [{path: v1.yaml}]
    imports: [{service: iam.example.com, version: v1}]
edges: [edges/v1alpha2-v1.yaml]
"""
V1 = b"""\
schema:
  jsonNames: camel
  types:
    Plan:
      fields:
        name: string
        display_name: {type: string, required: true, constraints: {maxLength: 64}}
        level: {type: {enum: [LOW, HIGH]}, default: LOW}
        limits: Limit[]
        by_region: {map: Limit}
        owner: {type: {reference: iam.example.com/User}, behavior: [immutable]}
        count: {type: {scalar: {kind: i64, jsonEncoding: string}}, presence: implicit, number: 7}
    Limit:
      object:
        unknown: strict
        reserved: {numbers: [4, [7, 9]], names: [old]}
        fields:
          - {name: resource, type: string}
          - {name: value, type: f64, unit: {dim: data, name: MB}}
          - {name: steps, type: {list: {item: Limit, keys: [resource]}}}
  resources:
    Plan:
      patterns: ["services/{service}/plans/{plan}"]
      idPattern: {plan: "[a-z]{1,30}"}
"""
FILES = {SERVICE_FILE: SERVICE, "v1.yaml": V1, "edges/v1alpha2-v1.yaml": b"edge: {}\n"}


def read(**changed: bytes) -> ServiceFolder:
    named = {"service": SERVICE_FILE, "v1": "v1.yaml"}
    return read_files({**FILES, **{named[key]: value for key, value in changed.items()}})


def test_versions_come_oldest_first_by_ordinal() -> None:
    folder = read()

    assert folder.findings == ()
    assert list(folder.schemas) == ["v1alpha2", "v1"]
    assert folder.schemas["v1alpha2"].stage is VersionStage.ALPHA
    assert folder.schemas["v1alpha2"].next_version == "v1"
    assert (folder.service, folder.display_name) == ("limits.example.com", "Limits")
    assert folder.edges[0].path == "edges/v1alpha2-v1.yaml"
    assert [each.service for each in folder.imports["v1alpha2"]] == ["iam.example.com"]


def test_the_short_forms_of_types_are_read() -> None:
    plan = read().schemas["v1"].object("Plan")

    display = plan.field("display_name")
    assert display is not None
    assert (display.key, display.id, display.required) == ("displayName", "limits.Plan/display_name", True)
    assert plan.by_key("displayName") is display
    kinds = {field.name: field.type for field in plan}
    assert kinds["name"] == ScalarType(ScalarKind.STRING)
    assert isinstance(kinds["level"], EnumType)
    assert kinds["limits"] == ListType(RefType("Limit"))
    assert kinds["by_region"] == MapType(RefType("Limit"))
    assert kinds["owner"] == ReferenceType(("iam.example.com/User",))
    count = plan.field("count")
    assert count is not None
    assert (count.presence, count.number) == (Presence.IMPLICIT, 7)
    limit = read().schemas["v1"].object("Limit")
    assert [number for number in range(11) if limit.reserves(number)] == [4, 7, 8, 9]
    steps = limit.field("steps")
    assert steps is not None
    assert steps.type == ListType(RefType("Limit"), ListKind.KEYED, ("resource",))


def test_a_resource_type_is_found_by_short_and_full_type() -> None:
    schema = read().schemas["v1"]

    assert schema.resource("Plan") is schema.resource("limits.example.com/Plan")
    assert schema.resource("Plan").plural == "plans"
    assert isinstance(schema.document_type("Plan"), ObjectType)
    with pytest.raises(Missing, match="no resource type Secret"):
        schema.resource("Secret")


def test_what_is_written_reads_back_the_same() -> None:
    schema = read().schemas["v1"]

    again = load_ir(read_yaml(encode(write_schema(schema)), "again.yaml"))

    assert again.findings == ()
    assert again.schema == schema
    assert fingerprint(again.schema) == fingerprint(schema)


def test_the_fingerprint_sees_meaning_not_writing() -> None:
    schema = read().schemas["v1"]
    moved = V1.replace(b"        name: string\n", b"").replace(
        b"        limits: Limit[]\n",
        b"        limits: {type: {list: Limit}, description: all}\n        name: string\n",
    )

    assert fingerprint(read(v1=moved).schemas["v1"]) == fingerprint(schema)
    assert fingerprint(read(v1=V1.replace(b"HIGH", b"TOP")).schemas["v1"]) != fingerprint(schema)


def test_the_shape_of_a_recursive_type_has_a_hash() -> None:
    schema = read().schemas["v1"]

    assert shape_hash(schema, RefType("Limit")) == shape_hash(schema, RefType("Limit"))
    assert len(shape_hash(schema, RefType("Limit"))) == 8
    assert shape_hash(schema, RefType("Limit")) != shape_hash(schema, RefType("Plan"))


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        (b"limits: Limit[]", b"limits: Limits[]", "E-REF", "Plan.limits[]"),
        (b"unknown: strict", b"unknown: never", "E-SHAPE", "v1.yaml:15"),
        (b"type: string, required", b"type: {scalar: {kind: i65}}, required", "E-SHAPE", "v1.yaml:7"),
        (b"name: string", b"$sy: string", "E-RESERVED", "Plan.$sy"),
        (b"keys: [resource]", b"keys: [id]", "E-KEYS", "Limit.steps"),
        (b"[a-z]{1,30}", b"(?=a)[a-z]+", "E-PATTERN", "resources.Plan"),
        (b"resource, type: string}", b"resource, type: string, colour: red}", "E-UNKNOWN", "v1.yaml:18"),
        (
            b"{name: resource, type: string}",
            b"{name: resource, type: Limit, required: true}",
            "E-ENDLESS",
            "",
        ),
        (b"    Plan:\n      patterns", b"    Plan:\n      message: Nobody\n      patterns", "E-RESOURCE", ""),
        (b"[LOW, HIGH]", b"[LOW, LOW]", "E-ENUM", "Plan.level"),
        (b"        name: string\n", b"        name: string\n        name: i32\n", "E-DUPLICATE", "v1.yaml:7"),
        (b"        name: string\n", b"        name: &a string\n", "E-ALIAS", "v1.yaml:6"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(old: bytes, new: bytes, code: str, place: str) -> None:
    changed = V1.replace(old, new)
    assert changed != V1

    found = [each for each in read(v1=changed).findings if each.code == code]

    assert found
    assert place in str(found[0])


def test_the_rest_of_a_broken_folder_is_read() -> None:
    folder = read(service=SERVICE.replace(b"{path: v1.yaml}", b"{path: gone.yaml}"))

    assert [each.code for each in folder.findings] == ["E-FILE"]
    assert "Plan" in folder.schemas["v1"].types
    with pytest.raises(Invalid, match=r"gone\.yaml") as refused:
        folder.refuse_errors()
    assert refused.value.code == "E-FILE"


def test_equal_ordinals_are_refused_because_names_never_order() -> None:
    folder = read(service=SERVICE.replace(b"ordinal: 20", b"ordinal: 10"))
    assert [each.code for each in folder.findings] == ["E-ORDINAL"]


def test_a_folder_is_read_from_disk_without_what_is_hidden_or_outside(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / ".secret").write_text("x")
    (tmp_path / "passwd").symlink_to("/etc/passwd")

    folder = read_folder(tmp_path)

    assert set(folder.files) == set(FILES)
    assert folder.schemas == read().schemas
    with pytest.raises(Invalid, match=r"no service\.yaml"):
        read_folder(tmp_path / "edges")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (b"default: LOW", b"default: MIDDLE", "W-DEFAULT"),
        (b"{maxLength: 64}", b'{pattern: "(?=a)b"}', "W-PATTERN"),
    ],
)
def test_what_is_doubtful_is_a_warning(old: bytes, new: bytes, code: str) -> None:
    found = read(v1=V1.replace(old, new)).refuse_errors().findings

    assert {(each.code, each.severity.value) for each in found} == {(code, "warning")}


def test_fields_that_can_hold_a_resource_type_are_listed_with_it() -> None:
    more = V1.replace(
        b"          - {name: resource, type: string}",
        b"          - {name: resource, type: {list: {reference: limits.example.com/Plan}}}",
    )
    plan = read(v1=more).schemas["v1"].resource("Plan")

    assert [(each.type, each.path) for each in plan.cross_references] == [("Limit", "resource[]")]

"""Two versions are assessed with their conversions, a version in place without; swy tells it with an exit code."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.cli.schema import app
from migrations_app.domain.compatibility.acceptance import open_places
from migrations_app.domain.compatibility.assess import assess, assess_in_place, document
from migrations_app.domain.compatibility.report import CompatibilityRule, Weight
from migrations_app.domain.compatibility.sarif import sarif
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files, read_folder
from migrations_app.kernel.errors import Invalid, Missing

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SECRETS = EXAMPLES / "secrets"


def test_conversions_handle_what_would_break() -> None:
    compiled = compile_service(read_folder(SECRETS))

    found = assess(compiled, "v1alpha2", "v1")

    assert found.verdict == "handled"
    assert found.sentence.startswith("v1alpha2 → v1: the conversions handle what would break.")
    assert all(each.handled for each in found.report.differences)
    assert assess(compiled, "v1", "v1alpha2").verdict == "handled"
    with pytest.raises(Missing):
        assess(compiled, "v1", "v9")
    with pytest.raises(Invalid):
        assess(compiled, "v1", "v1")


def test_the_json_tells_everything() -> None:
    shown = document(assess(compile_service(read_folder(SECRETS)), "v1alpha2", "v1"))

    assert shown["verdict"] == "handled"
    assert shown["counts"] == {"break": 0, "staged": 0, "ordered": 0, "note": 0}
    findings = shown["findings"]
    assert isinstance(findings, list)
    assert {each["rule"] for each in findings if isinstance(each, dict)} >= {"pattern-added"}
    added = next(each for each in findings if isinstance(each, dict) and each["rule"] == "pattern-added")
    assert added["classes"] == ["semantic"]
    assert shown["classes"] == {
        name: sum(name in each["classes"] for each in findings)  # type: ignore[index,operator]
        for name in ("wire", "JSON", "source", "semantic")
    }
    assert json.loads(json.dumps(shown)) == shown


def test_a_change_in_place_is_judged_bare() -> None:
    service = b"service: t.example.com\nversions: [{version: v1, sources: [{path: v1.yaml}]}]"
    types = b"types: {Doc: {fields: {name: string, size: i32}}}\nresources: {Doc: {patterns: ['docs/{doc}']}}"

    def schema(old: bytes = b"", new: bytes = b"") -> object:
        return read_files({"service.yaml": service, "v1.yaml": types.replace(old, new)}).schemas["v1"]

    same, wider = assess_in_place(schema(), schema()), assess_in_place(schema(), schema(b"i32", b"i64"))  # type: ignore[arg-type]
    other = assess_in_place(schema(), schema(b"i32", b"string"))  # type: ignore[arg-type]

    assert (same.verdict, wider.verdict, other.verdict) == ("same", "compatible", "breaking")
    assert other.sentence == "v1 → v1: 2 differences would break clients or servers."


def test_a_change_in_place_is_judged_on_the_wire_as_well() -> None:
    service = b"service: t.example.com\nversions: [{version: v1, sources: [{kind: protobuf, path: t.proto}]}]"
    proto = b'syntax = "proto3"; package t; message Doc { string name = 1; int32 size = 2; }'

    def schema(old: bytes = b"", new: bytes = b"") -> object:
        return read_files({"service.yaml": service, "t.proto": proto.replace(old, new)}).schemas["v1"]

    found = assess_in_place(schema(), schema(b"int32 size", b"fixed32 size"))  # type: ignore[arg-type]

    assert found.verdict == "breaking"
    assert document(found)["wire"] == [
        {"rule": "field-type", "type": "Doc", "number": 2, "before": "varint", "after": "fixed32"}
    ]


def test_sarif_has_a_result_for_each_finding_with_its_class_and_a_note_where_it_is_handled() -> None:
    service = b"service: t.example.com\nversions: [{version: v1, sources: [{path: v1.yaml}]}]"
    types = b"types: {Doc: {fields: {name: string, size: i32}}}\nresources: {Doc: {patterns: ['docs/{doc}']}}"

    def schema(old: bytes = b"", new: bytes = b"") -> object:
        return read_files({"service.yaml": service, "v1.yaml": types.replace(old, new)}).schemas["v1"]

    broken = sarif(document(assess_in_place(schema(), schema(b"i32", b"string"))))  # type: ignore[arg-type]
    (run,) = broken["runs"]
    assert [each["id"] for each in run["tool"]["driver"]["rules"]] == ["type-replaced"]
    assert [each["level"] for each in run["results"]] == ["error", "error"]
    assert run["results"][1]["properties"] == {
        "tags": ["wire", "JSON", "source"],
        "buf": [],
        "weight": "staged",
        "handled": False,
        "plan": ["Clients accept both forms.", "Servers send the new form.", "Clients drop the old form."],
        "transform": "- numToString: {path: size}",
    }
    assert run["results"][0]["locations"][0]["logicalLocations"] == [
        {"fullyQualifiedName": "t.example.com/v1/Doc.size"}
    ]
    (handled,) = sarif(document(assess(compile_service(read_folder(SECRETS)), "v1alpha2", "v1")))["runs"]
    assert {each["level"] for each in handled["results"]} == {"note"}


def test_swy_exits_with_what_it_found(tmp_path: Path) -> None:
    runner = CliRunner()
    changed = tmp_path / "secrets"
    shutil.copytree(SECRETS, changed)
    source = changed / "v1.yaml"

    handled = runner.invoke(app, ["compat", str(SECRETS), "v1alpha2", "v1"])
    assert (handled.exit_code, "handle what would break" in handled.output) == (0, True)
    same = runner.invoke(app, ["compat", str(changed), "v1", "--against", str(SECRETS)])
    assert (same.exit_code, "nothing differs" in same.output) == (0, True)
    source.write_text(source.read_text().replace("projects/{project}/", "teams/{team}/"))
    broken = runner.invoke(app, ["compat", str(changed), "v1", "--against", str(SECRETS), "--json"])
    assert broken.exit_code == 1
    assert json.loads(broken.stdout)["verdict"] == "breaking"
    assert runner.invoke(app, ["compat", str(SECRETS), "v1"]).exit_code == 64
    assert runner.invoke(app, ["compat", str(SECRETS), "v1", "v9"]).exit_code == 64


def test_what_the_conversions_handle_is_counted_and_what_goes_is_named() -> None:
    runner = CliRunner()

    told = runner.invoke(app, ["compat", str(SECRETS), "v1alpha2", "v1"]).output.splitlines()
    everything = runner.invoke(app, ["compat", str(SECRETS), "v1alpha2", "v1", "--all"]).output

    assert told == [
        "handled pattern-removed: Secret",
        "handled key-removed: Secret.title, Secret.keyRing, Secret.rotationPeriod, Secret.owner, Secret.legacyEtag",
        (
            "handled beside these: 7 key-added, 2 type-replaced, 1 pattern-added, 1 id-pattern-changed, "
            "1 resource-added. --all lists each."
        ),
        "v1alpha2 → v1: 6 values are kept as hidden values, as `swy schema report` lists.",
        "v1 → v1alpha2: 6 values are kept as hidden values, as `swy schema report` lists.",
        "v1alpha2 → v1: the conversions handle what would break.",
    ]
    assert "break pattern-removed (JSON, semantic) Secret; projects/{project}/secrets/{secret}" in everything
    assert "handled beside these" not in everything


def test_a_type_that_goes_is_a_finding_whatever_the_edge_says() -> None:
    compiled = compile_service(read_folder(SECRETS.parent / "delivery"))

    found = assess(compiled, "v1", "v2")

    (gone,) = [each for each in found.report.differences if not each.handled]
    assert (gone.rule, gone.path, gone.weight) == (
        CompatibilityRule.RESOURCE_REMOVED,
        "Receipt",
        Weight.BREAK,
    )
    assert found.verdict == "breaking"
    assert [key[:2] for key, _ in open_places(document(found))] == [("resource-removed", "Receipt")]
    assert assess(compiled, "v2", "v1").verdict == "handled"

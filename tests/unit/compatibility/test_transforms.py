"""A finding says who does what in which order, and which op of an edge handles it or would."""

from __future__ import annotations

from pathlib import Path

from migrations_app.domain.compatibility.assess import Assessment, assess, assess_in_place
from migrations_app.domain.compatibility.report import VersionDifference
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_files, read_folder

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SERVICE = b"service: t.example.com\nversions: [{version: v1, sources: [{path: v1.yaml}]}]"


def in_place(before: str, after: str) -> dict[tuple[str, str], VersionDifference]:
    """Compare a type Doc with these fields before and after, its findings by rule and path, requests only."""

    def schema(fields: str) -> object:
        types = f"types: {{Doc: {{fields: {{name: string, {fields}}}}}}}\n"
        text = f"{types}resources: {{Doc: {{patterns: ['docs/{{doc}}']}}}}"
        return read_files({"service.yaml": SERVICE, "v1.yaml": text.encode()}).schemas["v1"]

    return by_place(assess_in_place(schema(before), schema(after)))  # type: ignore[arg-type]


def by_place(assessed: Assessment) -> dict[tuple[str, str], VersionDifference]:
    """Give findings by rule and path, those of responses left out."""
    return {(each.rule, each.path): each for each in assessed.report.differences if each.where != "response"}


def between(example: str) -> dict[tuple[str, str], VersionDifference]:
    """Compare the first and last version of an example."""
    compiled = compile_service(read_folder(EXAMPLES / example))
    return by_place(assess(compiled, compiled.versions[0], compiled.versions[-1]))


def test_the_steps_say_who_does_what_in_which_order() -> None:
    found = in_place("a: string", "b: {type: string, required: true}, size: i32")

    assert found["key-removed", "Doc.a"].plan == (
        "Clients stop sending the key.",
        "Servers no longer know the key.",
    )
    assert found["key-added-required", "Doc.b"].plan == (
        "Servers accept the key, present or not.",
        "Clients always send the key.",
        "Servers need the key.",
    )


def test_a_type_that_is_replaced_is_changed_in_three_steps() -> None:
    assert in_place("size: i32", "size: string")["type-replaced", "Doc.size"].plan == (
        "Servers accept both forms.",
        "Clients send the new form.",
        "Servers drop the old form.",
    )


def test_the_op_that_would_handle_it_in_a_new_version_is_written_as_far_as_it_is_known() -> None:
    found = in_place(
        "size: i32, mode: {enum: [A, B]}, region: string, tag: string, old: bool",
        "size: string, mode: {enum: [A, C]}, regions: string, tag: {list: string}, need: {type: bytes, required: true}",
    )

    assert {place: each.transform for place, each in found.items()} == {
        ("type-replaced", "Doc.size"): "- numToString: {path: size}",
        ("type-replaced", "Doc.mode"): "- enum: {path: mode, map: {B: …}}",
        (
            "key-removed",
            "Doc.region",
        ): "- rename: {from: region, to: regions}  # the names differ in their form only; the types are equal; "
        "the fields beside them are the same",
        (
            "key-added",
            "Doc.regions",
        ): "- rename: {from: region, to: regions}  # the names differ in their form only; the types are equal; "
        "the fields beside them are the same",
        ("type-replaced", "Doc.tag"): "- wrap: {path: tag}",
        ("key-removed", "Doc.old"): "- removed: [old]",
        ("key-added-required", "Doc.need"): "- added: {path: need, as: {default: …}}",
    }


def test_what_an_edge_handles_names_its_line() -> None:
    found = between("secrets")

    assert found["key-removed", "Secret.title"].transform == (
        "- rename: {from: title, to: display_name}  # edges/v1alpha2-v1.yaml:13"
    )
    assert found["key-removed", "Secret.legacyEtag"].transform == (
        "- removed: {path: legacy_etag, because: v1 compares revisions}  # edges/v1alpha2-v1.yaml:18"
    )
    assert found["resource-added", "CryptoKey"].transform == (
        "resources: {added: [CryptoKey]}  # edges/v1alpha2-v1.yaml"
    )
    assert found["pattern-added", "Secret"].transform.startswith("- resourceName: {variants: [{from: ")


def test_several_edges_on_the_way_each_name_theirs() -> None:
    assert between("backups")["key-added", "Backup.spec.storage"].transform.splitlines() == [
        "- nest: {fields: [spec.bucket, spec.prefix], under: spec.storage}  # edges/v1alpha1-v1beta1.yaml:6",
        "- rename: {from: spec.storage.prefix, to: spec.storage.path}  # edges/v1beta1-v1.yaml:5",
    ]


def test_a_type_that_splits_is_shown_as_it_is_declared() -> None:
    assert between("delivery")["resource-removed", "Target"].transform == (
        "resources: {split: {Target: {by: kind, into: {HttpTarget: [HTTP, HTTPS], QueueTarget: [QUEUE]}}}}"
        "  # edges/v1-v2.yaml:4"
    )

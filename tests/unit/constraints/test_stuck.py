"""Schemas in which a deletion could get stuck are found, each with the shortest way there."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

from migrations_app.domain.constraints.stuck import TypeReference, findings, links_of, stuck
from migrations_app.domain.schema.folder import read_files, read_folder

ROOT = Path(__file__).resolve().parents[3]
TOP = (
    b"service: a.example.com\nversions: [{version: v1, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}]\n"
)


def _schema(fields: str, *types: str) -> bytes:
    names = "".join(
        f"    {name}: {{fields: {{name: string{fields if name == 'C' else ''}}}}}\n"
        for name in types
        if name != "B"
    )
    listed = "".join(f'    {name}: {{patterns: ["{name.lower()}s/{{{name.lower()}}}"]}}\n' for name in types)
    cascade = "    B: {fields: {name: string, a: {type: {reference: A}, constraints: {onDelete: cascade}}}}\n"
    return f"schema:\n  types:\n{names}{cascade}  resources:\n{listed}".encode()


def test_a_block_on_what_a_cascade_reaches_is_found_unless_the_field_states_what_wins() -> None:
    field = ", b: {type: {reference: B}, constraints: {onDelete: block%s}}"
    schema = read_files({"service.yaml": TOP, "v1.yaml": _schema(field % "", "A", "B", "C")}).schemas["v1"]
    (found,) = findings(schema)
    assert (found.code, found.path) == ("stuck-cascade", "a.example.com/C.b")
    assert "Deleting a.example.com/A deletes a.example.com/B with a.example.com/A (field a)" in found.message
    stated = read_files({"service.yaml": TOP, "v1.yaml": _schema(field % ", wins: block", "A", "B", "C")})
    assert findings(stated.schemas["v1"]) == ()
    unset = read_files(
        {"service.yaml": TOP, "v1.yaml": _schema(field.replace("block", "unset") % "", "A", "B", "C")}
    )
    assert findings(unset.schemas["v1"]) == ()


def test_cascades_are_followed_over_services_and_rings_end() -> None:
    links = [
        TypeReference("x/B", "x/A", "CASCADE", "a"),
        TypeReference("x/C", "x/B", "CASCADE", "b"),
        TypeReference("x/A", "x/C", "CASCADE", "c"),
        TypeReference("y/D", "x/C", "BLOCK", "c"),
        TypeReference("y/D", "y/E", "BLOCK", "e"),
    ]
    (found,) = stuck(links)
    assert (found.link.path, found.root, [each.source for each in found.chain]) == ("c", "x/B", ["x/C"])


def _model() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "cascade_check", ROOT / "docs" / "models" / "cascade_check.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_says_what_the_model_says_of_random_schemas() -> None:
    model, chance = _model(), random.Random(8)
    kinds = {"B": "BLOCK", "C": "CASCADE", "U": "UNSET"}
    for _ in range(2900):
        count, _, fields = model.rand_schema(chance)
        fields = [(source, target, kind, None) for source, target, kind, _ in fields]
        expected = {field for _, field, _ in model.static_stuck(count, [None] * count, fields)}
        links = [
            TypeReference(f"s/{source}", f"s/{target}", kinds[kind], "f")
            for source, target, kind, _ in fields
        ]
        found = {(each.link.source, each.link.target) for each in stuck(links)}
        assert found == {(f"s/{source}", f"s/{target}") for source, target, _, _ in expected}, fields


def test_no_example_can_get_stuck() -> None:
    for top in sorted((ROOT / "examples").rglob("service.yaml")):
        folder = read_folder(top.parent)
        for schema in folder.schemas.values():
            assert findings(schema) == (), top
            assert all(link.target.count("/") == 1 for link in links_of(schema))

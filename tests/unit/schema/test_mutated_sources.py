"""Whatever is written into a source, reading it ends in a schema or in findings, never in a crash."""

from __future__ import annotations

import random

import pytest
import yaml

from migrations_app.domain.schema.canonical import write_schema
from migrations_app.domain.schema.findings import errors_of
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.schema.loaders.ir import load_ir
from migrations_app.domain.schema.located import Located
from migrations_app.kernel.json import Json, encode
from tests.unit.schema import test_folder, test_openapi_and_crd, test_skeleton

NESTED: Json = {
    "type": "object",
    "properties": {"a": {"type": ["string", "null"]}, "b": {"oneOf": [{"type": "string"}, {"$ref": "#"}]}},
    "allOf": [{"required": ["a"]}],
}
SOURCES: list[tuple[str, Json]] = [
    ("ir", yaml.safe_load(test_folder.V1)),
    ("openapi", test_openapi_and_crd.OPENAPI),
    ("skeleton", yaml.safe_load(test_skeleton.SKELETON)),
    ("jsonschema", NESTED),
    ("crd", next(iter(yaml.safe_load_all(test_openapi_and_crd.CRD.replace(rb"\\", b"\\"))))),
]
JUNK: list[Json] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "a.b",
    "#/",
    "{x}",
    [],
    {},
    [[]],
    {"a": 1},
    "object",
    2**70,
    "-",
    "^(",
]
KEYS = ("a", "$sy", "type", "fields", "$ref", "name", "{y}")


def mutated(value: Json, source: random.Random) -> Json:
    if source.random() < 0.02:
        return source.choice(JUNK)
    if isinstance(value, dict):
        kept = [(key, each) for key, each in value.items() if source.random() > 0.02]
        return {
            source.choice(KEYS) if source.random() < 0.01 else key: mutated(each, source)
            for key, each in kept
        }
    if isinstance(value, list):
        return [mutated(each, source) for each in value if source.random() > 0.02]
    return value


@pytest.mark.parametrize(("kind", "source"), SOURCES, ids=[kind for kind, _ in SOURCES])
def test_a_mutated_source_never_crashes_a_loader(kind: str, source: Json) -> None:
    root = ", type: T" if kind == "jsonschema" else ""
    version = "v1alpha2" if kind == "skeleton" else "v1"
    service = (
        f"service: vault.example.com\nversions: [{{version: {version}, "
        f"sources: [{{kind: {kind}, path: d.json{root}}}]}}]"
    )
    sound = 0
    for seed in range(150):
        document = encode(mutated(source, random.Random(seed)))

        folder = read_files({"service.yaml": service.encode(), "d.json": document})

        if not errors_of(folder.findings):
            sound += 1
            schema = folder.schemas[version]
            assert load_ir(Located(write_schema(schema))).schema == schema
    assert 0 < sound < 150

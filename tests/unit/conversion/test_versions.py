"""Services with several versions: what they import, what they drop, and previews beside the chain."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject

PATTERNS = {
    "v1": "vaults/{vault}",
    "v2": "regions/{region}/vaults/{vault}",
    "v3": "zones/{zone}/regions/{region}/vaults/{vault}",
}


def files(
    service: str, versions: list[str], edges: dict[str, str], schemas: dict[str, str]
) -> dict[str, bytes]:
    listed = "\n".join(f"  - {version}" for version in versions)
    texts = {
        "service.yaml": f"service: {service}\nversions:\n{listed}\nedges: [{', '.join(edges)}]\n",
        **edges,
        **{f"{version}.yaml": text for version, text in schemas.items()},
    }
    return {path: text.encode() for path, text in texts.items()}


def vaults() -> CompiledService:
    """A service whose names gain a region, then a zone."""
    schemas = {
        version: f'schema: {{types: {{Vault: {{fields: {{name: string}}}}}}, resources: {{Vault: {{patterns: ["{pattern}"]}}}}}}'
        for version, pattern in PATTERNS.items()
    }
    edges = {
        f"{old}-{new}.yaml": f"""
edge: {{service: vaults.example.com, from: {old}, to: {new}}}
types:
  Vault:
    ops:
      - resourceName: {{variants: [{{from: "{PATTERNS[old]}", to: "{PATTERNS[new]}", set: {{{key}: {{const: {value}}}}}}}]}}
"""
        for old, new, key, value in (("v1", "v2", "region", "eu"), ("v2", "v3", "zone", "z1"))
    }
    versions = [
        f"{{version: {version}, ordinal: {index}, sources: [{{kind: ir, path: {version}.yaml}}]}}"
        for index, version in enumerate(PATTERNS)
    ]
    return compile_service(read_files(files("vaults.example.com", versions, edges, schemas)))


def doors(imported: str) -> TypeConverter:
    """A service that refers to vaults, whose second version imports another version of them."""
    schema = """
schema:
  types: {Door: {fields: {name: string, vault: {type: {reference: {resource: [vaults.example.com/Vault]}}}}}}
  resources: {Door: {patterns: ["doors/{door}"]}}
"""
    versions = [
        f"{{version: {version}, ordinal: {index}, sources: [{{kind: ir, path: {version}.yaml}}], "
        f"imports: [{{service: vaults.example.com, version: {used}}}]}}"
        for index, (version, used) in enumerate((("a1", "v1"), ("a2", imported)))
    ]
    edges = {"e.yaml": "edge: {service: doors.example.com, from: a1, to: a2}\n"}
    made = files("doors.example.com", versions, edges, {"a1": schema, "a2": schema})
    return compile_service(read_files(made), {"vaults.example.com": vaults()}).converter("Door", "a1", "a2")


@pytest.mark.parametrize(
    ("imported", "there"),
    [("v1", "vaults/x"), ("v2", "regions/eu/vaults/x"), ("v3", "zones/z1/regions/eu/vaults/x")],
)
def test_references_to_another_service_are_converted_by_its_own_maps(imported: str, there: str) -> None:
    converter = doors(imported)
    door: JsonObject = {"name": "doors/d", "vault": "vaults/x"}

    made = converter.forward("doors/d", door)

    assert made.body == {"name": "doors/d", "vault": there}
    assert converter.backward("doors/d", made.body).body == door


def test_full_names_of_another_service_are_converted_too() -> None:
    made = doors("v3").forward("doors/d", {"vault": "//vaults.example.com/vaults/x"})

    assert made.body == {"vault": "//vaults.example.com/zones/z1/regions/eu/vaults/x"}


def test_a_reference_that_an_older_version_cannot_name_waits_in_the_bag() -> None:
    converter = doors("v2")

    made = converter.backward("doors/d", {"vault": "regions/us/vaults/x"})

    assert "vault" not in made.body
    assert converter.forward("doors/d", made.body).body == {"vault": "regions/us/vaults/x"}


SCHEMAS = {
    "v1": "Thing: {fields: {name: string, a: string, old: string}}\n    Relic: {fields: {name: string, age: i32}}",
    "v2": "Thing: {fields: {name: string, b: string}}",
    "v2preview": "Thing: {fields: {name: string, b: string, trial: string}}",
    "v3": "Thing: {fields: {name: string, b: string, c: string}}",
}


def things() -> CompiledService:
    """Three versions in a chain, and a preview that hangs beside the second."""
    schemas = {}
    for version, types in SCHEMAS.items():
        relic = '\n    Relic: {patterns: ["relics/{relic}"]}' if version == "v1" else ""
        resources = f'Thing: {{patterns: ["things/{{thing}}"]}}{relic}'
        schemas[version] = f"schema:\n  types:\n    {types}\n  resources:\n    {resources}\n"
    edges = {
        "v1-v2.yaml": """
edge: {service: things.example.com, from: v1, to: v2}
types: {Thing: {ops: [{rename: {from: a, to: b}}, {removed: old}]}}
resources: {removed: [Relic]}
""",
        "v2-v2preview.yaml": """
edge: {service: things.example.com, from: v2, to: v2preview}
types: {Thing: {ops: [{added: trial}]}}
""",
        "v2-v3.yaml": """
edge: {service: things.example.com, from: v2, to: v3}
types: {Thing: {ops: [{added: c}]}}
""",
    }
    stages = {"v2preview": ", stage: preview"}
    versions = [
        f"{{version: {version}, ordinal: {index}{stages.get(version, '')}, sources: [{{kind: ir, path: {version}.yaml}}]}}"
        for index, version in enumerate(SCHEMAS)
    ]
    return compile_service(read_files(files("things.example.com", versions, edges, schemas)))


def test_the_hub_is_the_newest_version_that_is_no_preview() -> None:
    assert things().hub == "v3"


def test_a_preview_hangs_beside_the_chain_and_loses_nothing() -> None:
    compiled = things()
    out = compiled.converter("Thing", "v2preview", "v3")
    stored = out.forward("things/t", {"b": "x", "trial": "y"})

    assert [hop.plan.name for hop in out.hops] == ["v2preview.Thing → v2.Thing", "v2.Thing → v3.Thing"]
    assert out.backward("things/t", {**stored.body, "c": "new"}).body["trial"] == "y"
    across = compiled.converter("Thing", "v1", "v2preview").forward("things/t", {"a": "x", "old": "o"})
    assert across.body["b"] == "x"
    assert compiled.converter("Thing", "v2preview", "v1").forward("things/t", across.body).body == {
        "a": "x",
        "old": "o",
    }


def test_a_type_that_a_version_drops_keeps_its_last_storage_version() -> None:
    compiled = things()

    assert compiled.converter("Relic", "v1", "v2").target_type is None
    assert compiled.converter("Relic", "v1", "v3").target_type is None
    assert [each.type for each in compiled.resource_types("v1")] == ["Thing", "Relic"]
    same = compiled.converter("Relic", "v1", "v1")
    assert same.identity
    assert same.forward("relics/r", {"age": 3}) == ("relics/r", {"age": 3})

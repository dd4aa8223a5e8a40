"""Chains of many edges: one function, no document in between, and the same as step by step."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.compile.records import RecordProgram
from migrations_app.domain.conversion.compile.resources import ResourceProgram
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject, canonical, decode

HOPS = 44


@pytest.fixture(scope="module")
def stable() -> CompiledService:
    """44 edges, each of which renames a field, adds one, drops one and recurses into a tree."""
    files: dict[str, str] = {}
    versions, edges = [], []
    for index in range(HOPS + 1):
        version = f"v{index + 1}"
        versions.append(
            f"  - {{version: {version}, ordinal: {index}, sources: [{{kind: ir, path: {version}.yaml}}]}}"
        )
        files[f"{version}.yaml"] = f"""
schema:
  types:
    Thing: {{fields: {{name: string, f{index}: string, only{index}: i32, kept: struct, tree: Tree}}}}
    Tree: {{fields: {{t{index}: string, below: {{list: Tree}}}}}}
  resources: {{Thing: {{patterns: ["things/{{thing}}"]}}}}
"""
        if index < HOPS:
            edges.append(f"e{index}.yaml")
            files[f"e{index}.yaml"] = f"""
edge: {{service: things.example.com, from: {version}, to: v{index + 2}}}
types:
  Thing:
    ops: [{{rename: {{from: f{index}, to: f{index + 1}}}}}, {{removed: only{index}}}, {{added: only{index + 1}}}]
  Tree: {{ops: [{{rename: {{from: t{index}, to: t{index + 1}}}}}]}}
"""
    listed = "\n".join(versions)
    files["service.yaml"] = f"service: things.example.com\nversions:\n{listed}\nedges: [{', '.join(edges)}]\n"
    return compile_service(read_files({path: text.encode() for path, text in files.items()}))


OLD: JsonObject = {
    "name": "things/t",
    "f0": "x",
    "only0": 7,
    "kept": {"big": 123456789012345678901234567890},
    "tree": {"t0": "a", "below": [{"t0": "b", "below": []}, {"t0": "c"}]},
}
NEW: JsonObject = {
    "name": "things/t",
    f"f{HOPS}": "x",
    "kept": {"big": 123456789012345678901234567890},
    "tree": {f"t{HOPS}": "a", "below": [{f"t{HOPS}": "b", "below": []}, {f"t{HOPS}": "c"}]},
}


def test_44_edges_are_one_function_that_says_what_they_say_one_by_one(stable: CompiledService) -> None:
    converter = stable.converter("Thing", "v1", f"v{HOPS + 1}")
    assert len(converter.hops) == HOPS
    assert [len(group) for group in ResourceProgram(converter.hops).groups] == [HOPS]

    made = converter.forward("things/t", OLD)

    name, body = "things/t", OLD
    for hop in converter.hops:
        name, body = hop.run(name, body)
    assert canonical(made.body) == canonical(body)
    assert {key: value for key, value in made.body.items() if key != "$sy"} == NEW
    assert converter.backward("things/t", made.body).body == OLD


def test_44_edges_over_bytes_keep_the_digits_of_what_they_do_not_touch(stable: CompiledService) -> None:
    converter = stable.converter("Thing", "v1", f"v{HOPS + 1}")
    text = b'{"f0": "x", "kept": {"tiny": 0.1000000000000000055511151231257827, "big": 1e400}}'

    _, made = converter.forward_text("things/t", text)

    assert b"0.1000000000000000055511151231257827" in made
    assert b"1e400" in made


def test_an_update_over_44_edges_keeps_what_its_client_cannot_see(stable: CompiledService) -> None:
    converter = stable.converter("Thing", "v1", f"v{HOPS + 1}")
    stored: JsonObject = {**NEW, f"only{HOPS}": 9}

    after = converter.put("things/t", {"name": "things/t", "f0": "y"}, stored)

    assert after.body == {"name": "things/t", f"f{HOPS}": "y", f"only{HOPS}": 9}


def test_a_document_with_keys_that_no_version_knows_takes_the_long_way_over_bytes(
    stable: CompiledService,
) -> None:
    converter = stable.converter("Thing", "v1", f"v{HOPS + 1}")

    _, made = converter.forward_text("things/t", b'{"f0":"x","strange":[1,null]}')

    assert decode(made) == {f"f{HOPS}": "x", "strange": [1, None]}


def test_documents_that_fit_no_struct_are_soon_not_tried_and_others_are_again(
    stable: CompiledService,
) -> None:
    """Trying costs a decoding in vain; what comes out is the same either way."""
    converter = stable.converter("Thing", "v1", f"v{HOPS + 1}")
    program = RecordProgram(converter.hops, converter.forward)
    convert = program.convert()
    tried: list[bytes] = []
    words = program.resources.program.globals
    decoded = words["decode"]
    assert callable(decoded)

    def _counted(data: bytes) -> object:
        tried.append(data)
        return decoded(data)

    words["decode"] = _counted
    strange = [b'{"f0":"x","strange":%d}' % number for number in range(60)]
    plain = [b'{"f0":"%d"}' % number for number in range(60)]

    made = [decode(convert("things/t", data)[1]) for data in (*strange, *plain)]

    assert made[:60] == [{f"f{HOPS}": "x", "strange": number} for number in range(60)]
    assert made[60:] == [{f"f{HOPS}": str(number)} for number in range(60)]
    # Eight in a row, then one of seventeen; of the plain ones all but those before the next one that is tried.
    assert len([each for each in tried if b"strange" in each]) == 11
    assert [each for each in plain if each not in tried] == plain[:15]

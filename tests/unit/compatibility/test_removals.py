"""What a newer version does not have is a finding that a person accepts: types, methods, symbols and name patterns."""

from __future__ import annotations

import pytest

from migrations_app.domain.compatibility.acceptance import open_places
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.domain.compatibility.places import occurrences
from migrations_app.domain.compatibility.stored import CountRequest, StoredKind
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject

SERVICE = b"""
service: boxes.example.com
versions:
  - {version: v1, stage: stable, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, stage: stable, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}
edges: [edge.yaml]
"""
OLD = """
schema:
  types:
    Box:
      fields:
        name: string
        kind: {type: {enum: {values: [SMALL, LARGE, ODD], open: true}}}
        marks: {type: {list: {enum: {values: [RED, GREY], open: true}}}}
        by_room: {type: {map: {ref: {name: Shelf}}}}
    Shelf: {fields: {colour: {type: {enum: {values: [RED, GREY], open: true}}}}}
    ShakeRequest: {fields: {name: string}}
    ShakeResponse: {fields: {name: string}}
  resources:
    Box: {patterns: ["boxes/{box}", "rooms/{room}/boxes/{box}"]}
  methods:
    ShakeBox: {request: ShakeRequest, response: ShakeResponse, verb: shake, resource: Box, nameField: name, http: POST}
"""
NEW = """
schema:
  types:
    Box:
      fields:
        name: string
        kind: {type: {enum: {values: [SMALL, LARGE], open: true}}}
        marks: {type: {list: {enum: {values: [RED], open: true}}}}
        by_room: {type: {map: {ref: {name: Shelf}}}}
    Shelf: {fields: {colour: {type: {enum: {values: [RED], open: true}}}}}
  resources:
    Box: {patterns: ["boxes/{box}"]}
"""
EDGE = """
edge: {service: boxes.example.com, from: v1, to: v2}
types:
  Box:
    ops:
      - resourceName: {variants: [{from: "boxes/{box}", to: "boxes/{box}"}]}
"""


def compiled(edge: str = EDGE, new: str = NEW) -> CompiledService:
    files = {"service.yaml": SERVICE, "v1.yaml": OLD.encode(), "v2.yaml": new.encode()}
    return compile_service(read_files({**files, "edge.yaml": edge.encode()}))


def places(of: CompiledService) -> list[tuple[str, str, str]]:
    shown = document(assess(of, "v1", "v2"))
    return [(rule, path, change) for (rule, path, _, change), _ in open_places(shown)]


def test_each_removal_is_one_finding_that_is_accepted() -> None:
    assert places(compiled()) == [
        ("method-removed", "ShakeBox", "ShakeBox → "),
        ("pattern-removed", "Box", "rooms/{room}/boxes/{box} → "),
        ("symbol-removed", "Box.kind", "ODD → "),
        ("symbol-removed", "Box.marks", "GREY → "),
        ("symbol-removed", "Shelf.colour", "GREY → "),
    ]
    assert assess(compiled(), "v2", "v1").verdict != "breaking"


def test_what_an_edge_maps_has_a_place() -> None:
    mapped = EDGE + "      - enum: {path: kind, map: {ODD: LARGE}}\n"

    assert ("symbol-removed", "Box.kind", "ODD → ") not in places(compiled(mapped))
    assert ("symbol-removed", "Box.marks", "GREY → ") in places(compiled(mapped))

    goes = EDGE + "      - removed: {path: kind, because: nobody asks}\n"
    without = NEW.replace("kind: {type: {enum: {values: [SMALL, LARGE], open: true}}}", "")
    assert not any(
        path == "Box.kind" for rule, path, _ in places(compiled(goes, without)) if "symbol" in rule
    )


def test_an_acceptance_is_of_these_symbols_alone() -> None:
    fewer = NEW.replace("[SMALL, LARGE]", "[SMALL]")

    assert ("symbol-removed", "Box.kind", "LARGE, ODD → ") in places(compiled(new=fewer))


@pytest.mark.parametrize(
    ("path", "symbols", "body", "path_of_database"),
    [
        ("Box.kind", ("ODD",), {"kind": "ODD"}, '$."kind" ? (@ == "ODD")'),
        ("Box.marks", ("GREY", "RED"), {"marks": ["BLUE", "RED"]}, '$."marks" ? (@ == "GREY" || @ == "RED")'),
        ("Shelf.colour", ("GREY",), {"by_room": {"a": {"colour": "GREY"}}}, '$."by_room".*."colour" ? (@ == "GREY")'),
    ],
)  # fmt: skip
def test_stored_documents_that_hold_a_symbol_are_counted(
    path: str, symbols: tuple[str, ...], body: JsonObject, path_of_database: str
) -> None:
    (place,) = occurrences(compiled().schema("v1"), path)
    asked = CountRequest(StoredKind.SYMBOL, place, symbols=symbols)

    assert asked.applies(body)
    assert not asked.applies({"kind": "SMALL", "marks": ["BLUE"], "by_room": {"a": {}, "b": {"colour": "x"}}})
    assert not asked.applies({})
    assert asked.json_path == path_of_database


def test_symbols_of_open_enums_are_a_finding_where_no_edge_says_anything_yet() -> None:
    head = SERVICE.replace(b"edges: [edge.yaml]\n", b"")
    new = NEW.replace('patterns: ["boxes/{box}"]', 'patterns: ["boxes/{box}", "rooms/{room}/boxes/{box}"]')
    files = {"service.yaml": head, "v1.yaml": OLD.encode(), "v2.yaml": new.encode()}
    found = assess(compile_service(read_files(files)), "v1", "v2")
    gone = {each.path: each for each in found.report.differences if each.rule == "symbol-removed"}
    assert {"Box.kind", "Box.marks"} <= set(gone)
    assert [(each.weight, each.handled) for each in gone.values()] == [("break", False)] * len(gone)

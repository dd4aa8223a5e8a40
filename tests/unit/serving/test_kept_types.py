"""Types that the active version does not have: kept, and served in full by the version that has them."""

from __future__ import annotations

from typing import Any

import pytest

from migrations_app.domain.conversion.service import CompiledService
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import JsonObject
from tests.unit.serving.two_versions import ServedVersions, two_versions

SERVICE = "notes.example.com"
OLD = """
schema:
  types:
    Relic: {fields: {name: string, text: string, note: {type: {reference: {resource: [Note]}}}}}
    Note: {fields: {name: string, about: {type: {reference: {resource: [Relic, Note]}}}}}
  resources:
    Relic: {patterns: ["relics/{relic}"]}
    Note: {patterns: ["notes/{note}"]}
"""
NEW = """
schema:
  types:
    Memo: {fields: {name: string, about: {type: {reference: {resource: [Memo]}}}}}
    Relic: {fields: {name: string, weight: i32}}
  resources:
    Memo: {patterns: ["memos/{memo}"]}
    Relic: {patterns: ["museum/{relic}"]}
"""
EDGE = """
edge: {service: notes.example.com, from: v1, to: v2}
resources: {removed: [Relic], renamed: {Note: Memo}, added: [Relic]}
types:
  Note:
    ops:
      - resourceName: {variants: [{from: "notes/{note}", to: "memos/{memo}", set: {memo: {same: note}}, back: {set: {note: {same: memo}}}}]}
"""


@pytest.fixture(scope="module")
def compiled() -> CompiledService:
    return two_versions(SERVICE, OLD, NEW, EDGE)


@pytest.fixture
def notes(compiled: CompiledService) -> ServedVersions:
    served = ServedVersions(compiled, "v2")
    served.json("POST", "v2", "memos?id=m", {})
    served.json("POST", "v1", "relics?id=r", {"text": "old", "note": "notes/m"})
    return served


def test_a_namespace_stores_what_its_version_does_not_have_under_a_name_of_its_own(
    compiled: CompiledService,
) -> None:
    assert compiled.stored.of("v2") == ("Memo", "Relic", "Relic@v1")
    assert compiled.stored.of("v1") == ("Relic", "Note", "Relic@v2")
    there, back = compiled.stored.typed("v1", "v2"), compiled.stored.typed("v2", "v1")
    body: JsonObject = {"text": "t", "note": "notes/m"}
    assert there.forward("Relic", "relics/r", body) == ("Relic@v1", "relics/r", body)
    assert back.forward("Relic@v1", "relics/r", body) == ("Relic", "relics/r", body)
    assert back.forward("Relic", "museum/x", {"weight": 1}) == ("Relic@v2", "museum/x", {"weight": 1})


def test_the_old_version_reads_writes_and_deletes_it_and_the_new_one_does_not_see_it(
    notes: ServedVersions,
) -> None:
    shown: Any = notes.json("GET", "v1", "relics/r")
    assert (shown["text"], shown["note"]) == ("old", "notes/m")
    notes.json("PATCH", "v1", "relics/r?updateMask=text", {"text": "new"})
    listed: Any = notes.json("GET", "v1", "relics?filter=text%20%3D%20%22new%22")
    assert [each["name"] for each in listed["relics"]] == ["relics/r"]
    with pytest.raises(Missing):
        notes.call("GET", "v2", "museum/r")
    museum: Any = notes.json("GET", "v2", "museum")
    assert museum["museum"] == []
    notes.json("DELETE", "v1", "relics/r")
    with pytest.raises(Missing):
        notes.call("GET", "v1", "relics/r")


def test_what_it_refers_to_is_indexed_as_it_is_stored_here(notes: ServedVersions) -> None:
    (row,) = notes.store.read(notes.home).references("Relic@v1", "relics/r")
    assert (row.target_type, row.target_name) == ("Memo", "memos/m")


def test_a_reference_to_it_waits_in_the_bag(notes: ServedVersions) -> None:
    body: JsonObject = {"about": "relics/r"}
    made = notes.compiled.converter("Note", "v1", "v2").forward("notes/n", {"name": "notes/n", **body})
    assert "about" not in made.body
    back = notes.compiled.converter("Memo", "v2", "v1").forward(made.name, made.body)
    assert back.body["about"] == "relics/r"


def test_what_is_kept_crosses_edges_that_convert_only_the_other_way() -> None:
    one_way = EDGE.replace("to: v2}", "to: v2, transformationDirection: fromNewToOld}")
    stored = two_versions(SERVICE, OLD, NEW, one_way).stored
    assert stored.typed("v2", "v2").types("Relic@v1") == ("Relic@v1",)
    assert stored.typed("v1", "v2").types("Relic") == ("Relic@v1",)
    with pytest.raises(Conflict, match="does not convert from v1 to v2"):
        stored.typed("v1", "v2").types("Note")

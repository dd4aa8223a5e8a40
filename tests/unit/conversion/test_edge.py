"""Edges that say something wrong are refused by a stable code, at their line, with a remedy."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from migrations_app.domain.conversion.converter import view
from migrations_app.domain.conversion.graph import way
from migrations_app.domain.conversion.metadata.edge import EdgeDirection, read_edge
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid, FindingLevel
from migrations_app.domain.conversion.service import compile_edges, compile_service
from migrations_app.domain.schema.folder import RawEdge
from migrations_app.kernel.errors import Conflict
from tests.unit.conversion.services import folder, named_service, service

ONE = "Thing: {fields: {name: string, a: string, b: string}}"


@pytest.mark.parametrize(
    ("new", "ops", "finding"),
    [
        (ONE, "- rename: {from: a, to: zzz}", "edge.yaml:6: E-PATH v2 Thing has no field zzz."),
        (ONE, "- rename: {from: a}", "edge.yaml:6: E-ARGS `rename` needs `to`."),
        (ONE, "- renam: {from: a, to: b}", "edge.yaml:6: E-OP There is no op `renam`."),
        (ONE, "- removed: {path: a, by: me}", "edge.yaml:6: E-ARGS `removed` knows no `by`."),
        (
            ONE,
            "- rename: {from: a, to: b}\n- rename: {from: a, to: a}",
            "edge.yaml:7: E-OVERLAP Two ops are about v1 Thing.a.",
        ),
        (
            "Thing: {fields: {name: string, a: string}}",
            "[]",
            "edge.yaml: E-UNASSESSED v1 Thing.b is neither matched nor covered by an op.",
        ),
        (
            "Thing: {fields: {name: string, a: i32, b: string}}",
            "[]",
            "edge.yaml: E-TYPE v1 Thing.a is string and v2 Thing.a is i32. Say how with `convert`, or with a hook.",
        ),
        (
            "Thing: {fields: {name: string, a: string, b: {type: {enum: [X]}}}}",
            "- enum: {path: b, map: {A: Y}}",
            "edge.yaml:6: E-DOMAIN The new enum has no Y.",
        ),
        (
            "Thing: {fields: {name: string, a: string, b: string}}",
            "- convert: {path: a, codec: rot13}",
            "edge.yaml:6: E-CODEC There is no codec 'rot13'.",
        ),
        (
            "Thing: {fields: {name: string, a: string, b: string}}",
            "- wrap: {path: a}",
            "edge.yaml:6: E-TYPE `wrap` needs a list on the new side, a is none.",
        ),
        (
            "Thing: {fields: {name: string, user_id: string, userId: string, a: string, b: string}}",
            "- removed: a",
            "edge.yaml: E-UNASSESSED v2 Thing.user_id is neither matched nor covered by an op.",
        ),
    ],
)
def test_a_wrong_declaration_is_named(new: str, ops: str, finding: str) -> None:
    with pytest.raises(EdgeInvalid) as caught:
        service(ONE, new, ops)

    assert any(str(each).startswith(finding) for each in caught.value.findings), caught.value.findings
    assert all(each.remedy for each in caught.value.findings if each.code != "E-TYPE")


def test_two_fields_that_fold_to_one_key_are_never_guessed() -> None:
    with pytest.raises(EdgeInvalid) as caught:
        service(
            "Thing: {fields: {name: string, USER_ID: string, user_ID: string}}",
            "Thing: {fields: {name: string, user_id: string}}",
            "[]",
        )

    assert "E-AMBIGUOUS" in {each.code for each in caught.value.findings}


def test_ops_for_a_type_that_is_not_held_are_unused() -> None:
    with pytest.raises(EdgeInvalid, match="E-UNUSED No resource type holds Ghost"):
        service(ONE, ONE, "[]", more="Ghost:\n  ops:\n    - removed: x")


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("types: {}", "e.yaml:1: E-EDGE The file has no `edge`."),
        ("edge: {service: s, from: v1}", "e.yaml:1: E-EDGE `edge` has no 'to'."),
        (
            "edge: {service: s, from: v1, to: v2, colour: red}",
            "e.yaml:1: E-KEY `edge` knows no key 'colour'.",
        ),
        ("edge: [", "e.yaml:2: E-SYNTAX"),
        ("a: &x [1]\nb: *x", "e.yaml:1: E-ALIAS"),
        (
            "edge: {service: s, from: v1, to: v2}\ntypes:\n  T:\n    ops:\n      - rename: [a]",
            "e.yaml:5: E-OP `rename` needs its arguments as a mapping.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_says_where(text: str, finding: str) -> None:
    with pytest.raises(EdgeInvalid) as caught:
        read_edge(text, "e.yaml")

    assert str(caught.value.findings[0]).startswith(finding)


def test_the_short_form_takes_several_fields_each_with_its_line() -> None:
    edge = read_edge(
        "edge: {service: s, from: v1, to: v2}\ntypes:\n  T:\n    ops:\n      - removed:\n        - a\n        - b\n"
    )

    assert [(decl.args, decl.place.line) for decl in edge.types["T"]] == [
        ({"path": "a"}, 6),
        ({"path": "b"}, 7),
    ]


def test_a_direction_that_is_switched_off_is_refused() -> None:
    made = folder(ONE, ONE, "[]")
    raw = made.files["edge.yaml"].replace(b"to: v2", b"to: v2, transformationDirection: fromOldToNew")
    compiled = compile_service(replace(made, edges=(RawEdge(raw.decode(), "e"),)))

    assert compiled.edges["v1", "v2"].edge.direction is EdgeDirection.FORWARD
    assert compiled.converter("Thing", "v1", "v2").identity
    with pytest.raises(Conflict, match="does not convert from v2 to v1"):
        compiled.converter("Thing", "v2", "v1")
    assert compiled.barred("v1", "v2") is None
    assert compiled.barred("v2", "v1") is compiled.edges["v1", "v2"].edge


def test_a_name_pattern_without_a_fellow_needs_a_declaration() -> None:
    made = named_service().folder
    bare = made.files["edge.yaml"].split(b"      - resourceName")[0]

    _, findings = compile_edges(replace(made, edges=(RawEdge(bare.decode(), "edge.yaml"),)), {})

    assert [each.code for each in findings if each.level is FindingLevel.ERROR] == ["E-NAMES"]
    assert "no pattern for projects/{project}/things/{thing}" in findings[0].message


def test_the_way_between_versions_may_pass_a_preview_branch() -> None:
    edges = {("v1", "v2"): None, ("v2", "v3"): None, ("v2", "v3preview"): None}

    hops = way(edges, "v3preview", "v3")

    assert [(hop.edge, hop.forward) for hop in hops] == [(("v2", "v3preview"), False), (("v2", "v3"), True)]


def findings_of(old: str, new: str, ops: str) -> list[str]:
    return [str(each) for each in service(old, new, ops).findings]


def test_a_symbol_that_an_open_enum_lost_is_told() -> None:
    assert findings_of(
        "Thing: {fields: {name: string, mode: {type: {enum: {values: [A, B], open: true}}}}}",
        "Thing: {fields: {name: string, mode: {type: {enum: {values: [A], open: true}}}}}",
        "[]",
    ) == [
        (
            "edge.yaml: W-ENUM v2 Thing.mode can hold B, which its enum does not name any more. Map them with "
            "- enum: {path: …, map: {B: …}}, or accept that they pass as they are."
        )
    ]


def test_the_rest_of_an_enum_becomes_one_symbol_and_comes_back() -> None:
    made = service(
        "Thing: {fields: {name: string, mode: {enum: [A, B, C]}}}",
        "Thing: {fields: {name: string, mode: {enum: [A, OTHER]}}}",
        "- enum: {path: mode, map: {}, rest: OTHER}",
    )
    there, back = made.converter("Thing", "v1", "v2"), made.converter("Thing", "v2", "v1")

    converted = there.forward("things/t", {"mode": "C"})
    assert view(converted.body) == {"mode": "OTHER"}
    assert view(back.forward("things/t", converted.body).body) == {"mode": "C"}
    assert view(back.forward("things/t", {"mode": "OTHER"}).body) == {"mode": "B"}
    assert view(there.forward("things/t", {"mode": "A"}).body) == {"mode": "A"}


@pytest.mark.parametrize(
    ("old", "rest", "finding"),
    [
        ("string", "OTHER", "E-DOMAIN `rest: OTHER` needs an old enum; mode is none."),
        ("{enum: [A, B]}", "NONE", "E-DOMAIN The new enum has no NONE."),
    ],
)
def test_a_rest_that_cannot_be_is_refused(old: str, rest: str, finding: str) -> None:
    with pytest.raises(EdgeInvalid, match=re.escape(finding)):
        service(
            f"Thing: {{fields: {{name: string, mode: {old}}}}}",
            "Thing: {fields: {name: string, mode: {enum: [A, OTHER]}}}",
            f"- enum: {{path: mode, map: {{}}, rest: {rest}}}",
        )


def test_free_text_that_becomes_an_enum_is_warned_of() -> None:
    assert findings_of(
        "Thing: {fields: {name: string, mode: string}}",
        "Thing: {fields: {name: string, mode: {enum: [A]}}}",
        "- enum: {path: mode, map: {a: A}}",
    ) == [
        (
            "edge.yaml:6: W-ENUM Texts of mode outside the map pass as they are, though the new enum lacks them. "
            "Map every text that is in use, or add rest: bag or rest: refuse."
        )
    ]


def test_a_type_of_one_last_name_in_another_package_is_no_finding() -> None:
    assert (
        findings_of(
            "Thing: {fields: {name: string, a: acme.v1.Part}}\nacme.v1.Part: {fields: {x: string}}",
            "Thing: {fields: {name: string, a: acme.v2.Part}}\nacme.v2.Part: {fields: {x: string}}",
            "[]",
        )
        == []
    )

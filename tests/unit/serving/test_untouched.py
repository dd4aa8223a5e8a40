"""What a client did not touch stays, whatever became of the definition, the client, and its version."""

from __future__ import annotations

from copy import deepcopy

from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.schema.types import UnknownKeys
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json, JsonObject
from tests.unit.serving.served_boxes import BOX, Boxes, Types, compiled

PART: dict[str, Json] = {"id": "string", "note": "string", "size": "i32"}
BOX_FIELDS: dict[str, Json] = {
    "name": "string",
    "title": "string",
    "weight": "i32",
    "sealed": "bool",
    "lid": "Lid",
    "parts": "Part[]",
    "tags": {"map": "Part"},
}
LID: dict[str, Json] = {"colour": "string", "hinges": "i32", "parts": "Part[]"}
V1: Types = {"Box": BOX_FIELDS, "Lid": LID, "Part": PART}
WHOLE: JsonObject = {
    "title": "tools",
    "weight": 7,
    "sealed": True,
    "lid": {"colour": "red", "hinges": 2, "parts": [{"id": "n", "note": "nut", "size": 1}]},
    "parts": [{"id": "a", "note": "long", "size": 3}, {"id": "b", "note": "short", "size": 4}],
    "tags": {"x": {"id": "c", "note": "odd", "size": 5}},
}
KINDS = ("string", "i32", "i64", "bool", "timestamp", "Part", "Part[]", {"map": "string"})
"""What a field may become."""


def second(v1: Types) -> Types:
    """Give the types of v2: a title is a label there."""
    box = {("label" if name == "title" else name): kind for name, kind in v1["Box"].items()}
    return {**v1, "Box": box}


@st.composite
def evolutions(draw: st.DrawFn) -> Types:
    """Change some fields in place: removed, renamed, of another type, newly required beside them, or not shown any more."""
    changed = {name: dict(fields) for name, fields in V1.items()}
    places = [(name, each) for name, fields in V1.items() for each in fields if each not in ("name", "title")]
    for name, each in draw(st.lists(st.sampled_from(places), min_size=1, max_size=4, unique=True)):
        ways = ("remove", "rename", "retype", "need", *(["hide"] if name == "Box" else []))
        match draw(st.sampled_from(ways)):
            case "remove":
                del changed[name][each]
            case "rename":
                changed[name][f"{each}_now"] = changed[name].pop(each)
            case "retype":
                changed[name][each] = draw(st.sampled_from(KINDS))
            case "need":
                changed[name][f"{each}_too"] = {"type": "string", "required": True}
            case "hide":
                changed[name][each] = {"type": changed[name][each], "behavior": ["input_only"]}
    return changed


def _known(types: Types, name: str, document: JsonObject) -> JsonObject:
    """Leave of a document what a client of these types knows, as generated code does that filters."""
    made: JsonObject = {}
    for key, value in document.items():
        kind = types[name].get(key.replace("Now", "_now").replace("Too", "_too"))
        if kind is None:
            continue
        if isinstance(kind, str) and kind.removesuffix("[]") in types:
            inner = kind.removesuffix("[]")
            if isinstance(value, dict) and kind == inner:
                value = _known(types, inner, value)
            elif isinstance(value, list) and kind != inner:
                value = [_known(types, inner, each) if isinstance(each, dict) else each for each in value]
        elif kind == {"map": "Part"} and isinstance(value, dict):
            value = {
                key: _known(types, "Part", each) if isinstance(each, dict) else each
                for key, each in value.items()
            }
        made[key] = value
    return made


TOUCHES: dict[str, tuple[tuple[str, str], tuple[str | int, ...], Json]] = {
    "weight": (("Box", "weight"), ("weight",), 8),
    "title": (("Box", "title"), ("title",), "new"),
    "lid.colour": (("Lid", "colour"), ("lid", "colour"), "blue"),
    "parts[1].size": (("Part", "size"), ("parts", 1, "size"), 9),
    "tags.x.note": (("Part", "note"), ("tags", "x", "note"), "new"),
}
"""What a client touches: the field it must know, its place, and the new value."""


def _touched(document: JsonObject, place: tuple[str | int, ...], value: Json) -> JsonObject:
    changed = deepcopy(document)
    inside: Json = changed
    for each in place[:-1]:
        inside = inside[each]  # type: ignore[index,call-overload]
    inside[place[-1]] = value  # type: ignore[index,call-overload]
    return changed


def _is_known(types: Types, touch: str) -> bool:
    (name, field), place, _ = TOUCHES[touch]
    whole = str(place[0])
    return types[name].get(field) == V1[name][field] and types["Box"].get(whole) == BOX_FIELDS[whole]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    evolutions(),
    st.booleans(),
    st.sampled_from((("v1", "v1"), ("v2", "v2"), ("v2", "v1"))),
    st.sampled_from(("patch", "mask", "put back", "put known")),
    st.sampled_from((None, UnknownKeys.FILTER, UnknownKeys.STRICT, UnknownKeys.PASS)),
    st.sampled_from(sorted(TOUCHES)),
)
def test_what_a_client_did_not_touch_stays(
    changed: Types,
    also_new: bool,
    versions: tuple[str, str],
    way: str,
    unknown: UnknownKeys | None,
    touch: str,
) -> None:
    active, version = versions
    boxes = Boxes(compiled(V1, second(V1)), active)
    boxes.call("POST", "boxes", WHOLE, id="b")
    before = boxes.stored()
    new = second(changed if also_new else V1)
    known = changed if version == "v1" else new
    _, place, value = TOUCHES[touch]
    assume(_is_known(changed, touch) and (also_new or version == "v1" or active == "v1"))
    try:
        boxes.compiled = compiled(changed, new)
    except EdgeInvalid:
        assume(False)
    boxes.unknown = unknown
    here = tuple("label" if each == "title" and version == "v2" else each for each in place)
    there = tuple("label" if each == "title" and active == "v2" else each for each in place)

    shown = boxes.call("GET", BOX, version=version).document
    assert isinstance(shown, dict)
    # Where unknown keys pass, a client that leaves them out takes them away.
    seen = shown if unknown is UnknownKeys.PASS else _known(known, "Box", shown)
    try:
        match way:
            case "patch":
                whole = _touched(seen, here, value)[str(here[0])]
                boxes.call("PATCH", BOX, {str(here[0]): whole}, version=version)
            case "mask":
                mask = ".".join(map(str, here)) if 1 not in here else str(here[0])
                boxes.call("PATCH", BOX, _touched(seen, here, value), version=version, updateMask=mask)
            case "put back":
                boxes.call("PUT", BOX, _touched(shown, here, value), version=version)
            case "put known":
                boxes.call("PUT", BOX, _touched(seen, here, value), version=version)
    except Invalid as refused:
        event(f"refused: {refused.code}")
        assert boxes.stored() == before
        return
    event("written")
    assert boxes.stored() == _touched(before, there, value)

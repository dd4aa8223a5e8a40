"""Custom methods between versions: which is which, how messages and names cross, and what ends."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.laws.goldens import goldens
from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid, FindingLevel
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject

OLD = """
schema:
  jsonNames: camel
  types:
    Lamp: {fields: {name: string, level: i32, note: string}}
    DimRequest: {fields: {name: {type: {reference: {resource: [Lamp]}}}, level: i32, partner: {type: {reference: {resource: [Lamp]}}}, hurry: bool}}
    DimResponse: {fields: {old_level: i32, lamps: {type: {list: {item: {ref: {name: Lamp}}}}}}}
    FindRequest: {fields: {parent: string, pattern: string}}
    FindResponse: {fields: {lamps: {type: {list: {item: {ref: {name: Lamp}}}}}}}
  resources: {Lamp: {patterns: ["rooms/{room}/lamps/{lamp}"], plural: lamps}}
  methods:
    DimLamp: {request: DimRequest, response: DimResponse, verb: dim, resource: Lamp, nameField: name}
    FindLamps: {request: FindRequest, response: FindResponse, verb: find, resource: Lamp, collection: true, nameField: parent, http: GET, reads: true}
    FlickerLamp: {verb: flicker, resource: Lamp}
    ResetLamp: {response: Lamp, verb: reset, resource: Lamp}
"""
NEW = """
schema:
  jsonNames: camel
  types:
    Lamp: {fields: {name: string, brightness: i32}}
    SetBrightnessRequest: {fields: {name: {type: {reference: {resource: [Lamp]}}}, brightness: i32, partner: {type: {reference: {resource: [Lamp]}}}}}
    SetBrightnessResponse: {fields: {old_brightness: i32, lamps: {type: {list: {item: {ref: {name: Lamp}}}}}}}
    FindRequest: {fields: {parent: string, pattern: string}}
    FindResponse: {fields: {lamps: {type: {list: {item: {ref: {name: Lamp}}}}}}}
  resources: {Lamp: {patterns: ["houses/{house}/rooms/{room}/lamps/{lamp}"], plural: lamps}}
  methods:
    SetBrightness: {request: SetBrightnessRequest, response: SetBrightnessResponse, verb: setBrightness, resource: Lamp, nameField: name}
    FindLamps: {request: FindRequest, response: FindResponse, verb: find, resource: Lamp, collection: true, nameField: parent, http: GET, reads: true}
    ResetLamp: {response: Lamp, verb: reset, resource: Lamp}
    BlinkLamp: {verb: blink, resource: Lamp}
"""
TYPES = """
edge: {service: lamps.example.com, from: v1, to: v2}
types:
  Lamp:
    ops:
      - resourceName:
          variants: [{from: "rooms/{room}/lamps/{lamp}", to: "houses/{house}/rooms/{room}/lamps/{lamp}", set: {house: {const: home}}}]
      - rename: {from: level, to: brightness}
      - removed: note
  DimRequest:
    ops:
      - rename: {from: level, to: brightness}
      - removed: hurry
  DimResponse:
    ops: [{rename: {from: old_level, to: old_brightness}}]
"""
METHODS = """
methods:
  renamed: {DimLamp: SetBrightness}
  discontinued: {FlickerLamp: "Set the brightness twice."}
  added: [BlinkLamp]
"""
LAMP = "rooms/hall/lamps/l1"
THERE = f"houses/home/{LAMP}"


def lamps(edge: str = TYPES + METHODS, old: str = OLD, new: str = NEW, **more: bytes) -> CompiledService:
    versions = "\n".join(
        f"  - {{version: {each}, ordinal: {number}, sources: [{{kind: ir, path: {each}.yaml}}]}}"
        for number, each in enumerate(("v1", "v2"))
    )
    files = {
        "service.yaml": f"service: lamps.example.com\nversions:\n{versions}\nedges: [edge.yaml]\n".encode(),
        "v1.yaml": old.encode(),
        "v2.yaml": new.encode(),
        "edge.yaml": edge.encode(),
    }
    return compile_service(read_files({**files, **more}))


def test_a_call_of_a_renamed_method_is_converted_with_its_names_and_references() -> None:
    dim = lamps().method("DimLamp", "v1", "v2")
    request: JsonObject = {"name": LAMP, "level": 7, "partner": "rooms/hall/lamps/l2", "hurry": True}

    assert (dim.target_method.name, dim.name(LAMP)) == ("SetBrightness", THERE)
    assert dim.request(request) == {
        "name": THERE,
        "brightness": 7,
        "partner": "houses/home/rooms/hall/lamps/l2",
    }
    assert dim.response({"oldBrightness": 3}) == {"oldLevel": 3}


def test_names_of_resources_inside_messages_are_converted_too() -> None:
    dim = lamps().method("DimLamp", "v1", "v2")
    answer: JsonObject = {"oldBrightness": 3, "lamps": [{"name": THERE, "brightness": 7}]}

    assert dim.response(answer) == {"oldLevel": 3, "lamps": [{"name": LAMP, "level": 7}]}


def test_a_method_of_a_collection_is_called_with_its_parent() -> None:
    find = lamps().method("FindLamps", "v1", "v2")

    assert find.name("rooms/hall") == "houses/home/rooms/hall"
    assert find.request({"parent": "rooms/hall", "pattern": "l*"}) == {
        "parent": "rooms/hall",
        "pattern": "l*",
    }


def test_a_resource_in_the_response_is_converted_as_a_read_of_it() -> None:
    reset = lamps().method("ResetLamp", "v1", "v2")
    stored: JsonObject = {"name": THERE, "brightness": 0, "metadata": {"resourceVersion": "3"}}

    assert reset.response(stored) == {"name": LAMP, "level": 0, "metadata": {"resourceVersion": "3"}}


def test_a_discontinued_method_is_refused_with_what_to_use() -> None:
    with pytest.raises(Missing) as ended:
        lamps().method("FlickerLamp", "v1", "v2")
    assert (ended.value.code, ended.value.remedy) == ("method-discontinued", "Set the brightness twice.")
    with pytest.raises(Missing):
        lamps().method("BlinkLamp", "v2", "v1")


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        (
            "methods: {renamed: {DimLamp: SetBrightness}, added: [BlinkLamp]}",
            "v2 has no custom method FlickerLamp.",
        ),
        (
            "methods: {renamed: {DimLamp: SetBrightness}, discontinued: [FlickerLamp]}",
            "v1 has no custom method BlinkLamp.",
        ),
        (
            "methods: {renamed: {DimLamp: SetLevel}, discontinued: [FlickerLamp], added: [SetBrightness, BlinkLamp]}",
            "v2 has no custom method SetLevel.",
        ),
    ],
)
def test_an_edge_that_speaks_of_methods_speaks_of_all(methods: str, message: str) -> None:
    with pytest.raises(EdgeInvalid) as refused:
        lamps(TYPES + methods)
    assert message in [each.message for each in refused.value.findings]


def test_where_an_edge_says_nothing_of_methods_what_cannot_be_converted_is_a_warning() -> None:
    old = OLD.replace("pattern: string", "pattern: string, depth: i32")
    compiled = lamps(TYPES.replace("  DimRequest:", "  IGNORED:").partition("  IGNORED")[0], old)

    found = {each.message: each.level for each in compiled.findings}
    assert found == {
        "v2 has no custom method DimLamp.": FindingLevel.WARNING,
        "v2 has no custom method FlickerLamp.": FindingLevel.WARNING,
        "v1 FindRequest.depth is neither matched nor covered by an op.": FindingLevel.WARNING,
    }
    with pytest.raises(Invalid) as refused:
        compiled.method("FindLamps", "v1", "v2")
    assert refused.value.code == "method-not-converted"
    assert compiled.method("ResetLamp", "v1", "v2").problem == ""


def test_all_laws_hold_for_the_messages_of_methods() -> None:
    checked = [each for each in verify(lamps(), count=20) if each.law.startswith("M")]

    assert {(each.law, each.resource_type, each.source) for each in checked} == {
        (law, name, version)
        for law in ("M1", "M2", "M3", "M4")
        for name, version in (
            ("DimLamp", "v1"),
            ("SetBrightness", "v2"),
            ("FindLamps", "v1"),
            ("FindLamps", "v2"),
        )
    }
    assert [each.failure for each in checked if each.failure] == []


def test_a_request_that_the_other_version_would_refuse_breaks_a_law() -> None:
    new = NEW.replace("brightness: i32, partner", "brightness: {type: i32, constraints: {max: 5}}, partner")

    broken = [each.failure for each in verify(lamps(new=new), count=60, laws=["M1"]) if each.failure]

    assert [(each.resource_type, each.message) for each in broken] == [
        ("DimLamp", "the request is not valid at brightness")
    ]
    assert broken[0].document.keys() == {"level"}


def test_goldens_are_kept_of_the_messages_that_an_edge_changes() -> None:
    made = {each.path: each for each in goldens(lamps())}
    dims = {path for path in made if "Dim" in path or "SetBrightness" in path}
    assert dims == {
        "goldens/DimLamp.request.v1-v2.jsonl",
        "goldens/DimLamp.response.v1-v2.jsonl",
        "goldens/SetBrightness.request.v2-v1.jsonl",
        "goldens/SetBrightness.response.v2-v1.jsonl",
    }
    path = "goldens/DimLamp.request.v1-v2.jsonl"
    kept = made[path].made.splitlines()[0] + b"\n"
    again = {each.path: each for each in goldens(lamps(**{path: kept}))}
    assert again[path].is_same


def test_what_a_skeleton_says_of_an_action_counts_where_the_edge_says_nothing() -> None:
    hints = """
  hints:
    Lamp/DimLamp: {replacement: Lamp/SetBrightness}
    Lamp/FlickerLamp: {discontinued: true}
"""
    compiled = lamps(TYPES, OLD.rstrip() + hints)

    assert compiled.findings == ()
    assert compiled.method("DimLamp", "v1", "v2").target_method.name == "SetBrightness"
    with pytest.raises(Missing) as ended:
        compiled.method("FlickerLamp", "v1", "v2")
    assert (ended.value.code, ended.value.remedy) == ("method-discontinued", "See what v2 offers instead.")

"""Proposals match whole types with evidence: lines where near certain, comments otherwise, and no false all-clear."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from migrations_app.domain.conversion.metadata.edge import read_edge
from migrations_app.domain.conversion.proposals.assignment import assign
from migrations_app.domain.conversion.proposals.names.words import are_opposites, words
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from migrations_app.domain.conversion.proposals.suggestion import Suggestion
from migrations_app.domain.conversion.proposals.text import edge_text
from migrations_app.domain.conversion.service import compile_edges
from migrations_app.domain.schema.folder import RawEdge, ServiceFolder, read_folder
from tests.unit.conversion.services import folder

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ABOUT = "Bounds how much work runs concurrently across every worker before further submissions wait until capacity returns."


def proposed(old: str, new: str) -> EdgeProposal:
    (found,) = proposals(folder(old, new, "[]"))
    return found


def ops(suggestions: tuple[Suggestion, ...]) -> list[tuple[str, str, object]]:
    return [(each.owner, each.op, each.args) for each in suggestions if each.op]


def without_edges(example: str) -> ServiceFolder:
    return replace(read_folder(EXAMPLES / example), edges=())


def test_a_published_pair_is_matched_on_all_levels_at_once() -> None:
    first, _ = proposals(without_edges("cloud-tasks"))

    lines = ops(first.lines)
    assert ("AppEngineHttpRequest", "rename", {"from": "relative_url", "to": "relative_uri"}) in lines
    assert ("Task", "move", {"from": "status.first_attempt_status", "to": "first_attempt"}) in lines
    assert ("Task", "move", {"from": "status.last_attempt_status", "to": "last_attempt"}) in lines
    # Types, wire numbers and places speak for these, whose names and documents are only alike.
    for old, new in (
        ("max_tasks_dispatched_per_second", "max_dispatches_per_second"),
        ("max_concurrent_tasks", "max_concurrent_dispatches"),
    ):
        assert ("RateLimits", "rename", {"from": old, "to": new}) in lines
    assert ("Queue", "rename", {"from": "app_engine_http_target", "to": "app_engine_http_queue"}) in lines
    assert first.doubts == ()
    assert first.is_covered


def test_a_pair_without_an_edge_gets_a_file_that_compiles_by_its_lines_alone() -> None:
    given = without_edges("cloud-tasks")
    _, second = proposals(given)

    text = edge_text(second)
    assert text.splitlines()[1] == "edge: {service: cloudtasks.googleapis.com, from: v2beta3, to: v2}"
    assert "  removed: [CmekConfig]" in text.splitlines()
    _, findings = compile_edges(replace(given, edges=(RawEdge(text, "edges/new.yaml"),)), {})
    assert second.is_covered
    assert [str(each) for each in findings if each.level == "error"] == []


def test_every_line_tells_where_both_fields_are_declared() -> None:
    first, _ = proposals(without_edges("cloud-tasks"))

    line = next(each for each in first.lines if each.args == {"from": "relative_url", "to": "relative_uri"})
    assert [place.rpartition(":")[0] for place in line.places] == [
        "google/cloud/tasks/v2beta2/target.proto",
        "google/cloud/tasks/v2beta3/target.proto",
    ]
    assert all(int(place.rpartition(":")[2]) > 100 for place in line.places)


def test_nothing_is_covered_while_a_resource_name_is_open() -> None:
    (found,) = proposals(without_edges("privateca"))

    assert [each.code for each in found.open] == ["E-NAMES", "E-NAMES", "E-NAMES"]
    assert not found.is_covered
    text = edge_text(found)
    assert "# open: edges/v1beta1-v1.yaml: E-NAMES The new Certificate has no pattern" in text
    assert text.count("# - resourceName: {variants: [{from: ") == 3


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("url: string", "uri: string", {"from": "url", "to": "uri"}),
        ("maxSize: i32", "size_max: i32", {"from": "maxSize", "to": "size_max"}),
        (
            f'limit: {{type: i32, description: "{ABOUT}"}}',
            f'ceiling: {{type: i32, description: "{ABOUT}"}}',
            {"from": "limit", "to": "ceiling"},
        ),
    ],
)
def test_one_strong_kind_of_evidence_makes_a_rename_a_line(old: str, new: str, line: object) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, {old}}}}}", f"Thing: {{fields: {{name: string, {new}}}}}"
    )

    assert ops(found.lines) == [("Thing", "rename", line)]
    assert found.is_covered


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("unavailable_replicas: i32", "available_replicas: i32"),
        ("start_time: timestamp", "end_time: timestamp"),
        ("failure_reason: string", "failure_domain: string"),
        ("v1beta1_state: string", "v1beta2_state: string"),
    ],
)
def test_opposites_and_names_that_only_share_words_are_never_lines(old: str, new: str) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, {old}}}}}", f"Thing: {{fields: {{name: string, {new}}}}}"
    )

    assert [each for each in found.lines if each.op == "rename"] == []


def test_fields_that_move_together_are_one_nest_and_what_the_object_has_beside_is_added() -> None:
    found = proposed(
        "Thing: {fields: {name: string, host: string, port: i32}}",
        "Thing: {fields: {name: string, endpoint: {type: Endpoint}}}\n"
        "Endpoint: {fields: {host: string, port: i32, scheme: string}}",
    )

    assert ops(found.lines) == [
        ("Thing", "nest", {"fields": ["host", "port"], "under": "endpoint"}),
        ("Thing", "added", {"path": "endpoint.scheme"}),
    ]
    assert found.is_covered


def test_the_noun_of_a_type_is_the_name_of_what_it_holds() -> None:
    thing = "Thing: {fields: {name: string, bucket: StorageBucket}}\n"
    found = proposed(
        *(
            f"{thing}StorageBucket: {{fields: {{uid: string, {each}}}}}"
            for each in ("bucket: string", "name: string")
        )
    )

    assert [each.op for each in found.lines] == ["rename"]


def test_fields_of_an_object_that_goes_are_one_flatten() -> None:
    found = proposed(
        "Thing: {fields: {name: string, endpoint: {type: Endpoint}}}\nEndpoint: {fields: {host: string, port: i32}}",
        "Thing: {fields: {name: string, host: string, port: i32}}",
    )

    assert ops(found.lines) == [("Thing", "flatten", {"path": "endpoint", "fields": ["host", "port"]})]


def test_symbols_with_and_without_the_words_of_their_enum_are_mapped() -> None:
    found = proposed(
        "Thing: {fields: {name: string, mode: {enum: [FAST, SLOW]}}}",
        "Thing: {fields: {name: string, mode: {enum: [MODE_FAST, MODE_SLOW]}}}",
    )

    assert ops(found.lines) == [
        ("Thing", "enum", {"path": "mode", "map": {"FAST": "MODE_FAST", "SLOW": "MODE_SLOW"}})
    ]


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("[CANCELLED, FAST]", "[CANCELED, FAST]", {"CANCELLED": "CANCELED"}),
        (
            "[DISK_LOAD, NODE_LOAD, NONE]",
            "[DISK_LOAD_TRIGGER, NODE_LOAD_TRIGGER, NONE]",
            {"DISK_LOAD": "DISK_LOAD_TRIGGER", "NODE_LOAD": "NODE_LOAD_TRIGGER"},
        ),
    ],
)
def test_symbols_spelt_otherwise_or_with_the_same_words_added_are_mapped(
    old: str, new: str, changes: object
) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, mode: {{enum: {old}}}}}}}",
        f"Thing: {{fields: {{name: string, mode: {{enum: {new}}}}}}}",
    )

    assert ops(found.lines) == [("Thing", "enum", {"path": "mode", "map": changes})]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[STOPPED, FAST]", "[SHOPPED, FAST]"),
        ("[DISK_LOAD, NONE]", "[DISK_LOAD_TRIGGER, NONE]"),
        ("[DISK_LOAD, NODE_LOAD]", "[DISK_LOAD_HIGH, DISK_LOAD_LOW, NODE_LOAD_HIGH, NODE_LOAD_LOW]"),
    ],
)
def test_symbols_that_may_be_others_are_left_to_a_person(old: str, new: str) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, mode: {{enum: {old}}}}}}}",
        f"Thing: {{fields: {{name: string, mode: {{enum: {new}}}}}}}",
    )

    assert ops(found.lines) == []
    assert [each.op for each in found.doubts] == ["enum"]


def test_a_symbol_without_counterpart_is_left_to_a_person() -> None:
    found = proposed(
        "Thing: {fields: {name: string, mode: {enum: [FAST, LOUD]}}}",
        "Thing: {fields: {name: string, mode: {enum: [FAST, GREEN]}}}",
    )

    assert found.lines == ()
    assert ops(found.doubts) == [("Thing", "enum", {"path": "mode", "map": {"LOUD": "…"}})]
    assert [each.code for each in found.open] == ["E-ENUM"]


@pytest.mark.parametrize(
    ("old", "new", "op", "args"),
    [
        ("owner: string", "owners: {list: string}", "wrap", {"from": "owner", "to": "owners"}),
        ("size: i32", "size: string", "numToString", {"path": "size"}),
        (
            "args: {map: string}",
            "args: {list: Pair}",
            "mapToList",
            {"path": "args", "key": "name", "value": "value"},
        ),
    ],
)
def test_a_change_of_type_names_its_op(old: str, new: str, op: str, args: object) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, {old}}}}}",
        f"Thing: {{fields: {{name: string, {new}}}}}\nPair: {{fields: {{name: string, value: string}}}}",
    )

    assert ops(found.lines) == [("Thing", op, args)]


@pytest.mark.parametrize(
    ("old", "new", "args", "sure"),
    [
        (
            'active: {type: string, description: "Either `yes` or `no`."}',
            "active: bool",
            {"path": "active", "codec": "bool-enum:back", "with": {"true": "yes", "false": "no"}},
            True,
        ),
        (
            "active: bool",
            'active: {type: string, description: "Set to true to start it."}',
            {"path": "active", "codec": "bool-enum", "with": {"true": "true", "false": "false"}},
            True,
        ),
        (
            "active: string",
            "active: bool",
            {"path": "active", "codec": "bool-enum:back", "with": {"true": "true", "false": "false"}},
            False,
        ),
        (
            "active: {enum: [MODE_ON, MODE_OFF]}",
            "active: bool",
            {"path": "active", "codec": "bool-enum:back", "with": {"true": "MODE_ON", "false": "MODE_OFF"}},
            True,
        ),
        (
            'labels: {type: string, description: "The labels, as JSON."}',
            "labels: struct",
            {"path": "labels", "codec": "json-struct"},
            True,
        ),
        ("ratio: string", "ratio: f64", {"path": "ratio", "codec": "float-string:back"}, True),
        ("ratio: f64", "ratio: string", {"path": "ratio", "codec": "float-string"}, True),
        (
            "wait_seconds: i32",
            "wait: string",
            {"from": "wait_seconds", "to": "wait", "codec": "duration-seconds:back"},
            False,
        ),
    ],
)
def test_a_text_that_becomes_another_type_names_its_codec(
    old: str, new: str, args: object, sure: bool
) -> None:
    found = proposed(
        f"Thing: {{fields: {{name: string, {old}}}}}", f"Thing: {{fields: {{name: string, {new}}}}}"
    )

    assert ops(found.lines if sure else found.doubts) == [("Thing", "convert", args)]
    assert found.is_covered is sure


def test_one_kind_of_change_elsewhere_confirms_the_next() -> None:
    found = proposed(
        "Thing: {fields: {name: string, a: A, b: B}}\n"
        f'A: {{fields: {{job_size: {{type: i32, description: "{ABOUT}"}}, x: string, y: string}}}}\n'
        "B: {fields: {job_limit: i32, x: string, y: string}}",
        "Thing: {fields: {name: string, a: A, b: B}}\n"
        f'A: {{fields: {{task_size: {{type: i32, description: "{ABOUT}"}}, x: string, y: string}}}}\n'
        "B: {fields: {task_limit: i32, x: string, y: string}}",
    )

    renames = {(each.owner, each.old, each.new) for each in found.lines}
    assert renames == {("A", ("job_size",), ("task_size",)), ("B", ("job_limit",), ("task_limit",))}


def test_what_is_written_already_stays_and_only_the_rest_is_proposed() -> None:
    (found,) = proposals(
        folder(
            "Thing: {fields: {name: string, a: string, url: string}}",
            "Thing: {fields: {name: string, b: string, uri: string}}",
            "- rename: {from: a, to: b}",
        )
    )

    assert not found.is_new
    assert ops(found.lines) == [("Thing", "rename", {"from": "url", "to": "uri"})]
    assert edge_text(found).splitlines()[1] == "types:"


def test_the_printed_text_is_read_back_as_the_drafted_edge() -> None:
    (found,) = proposals(without_edges("privateca"))

    read = read_edge(edge_text(found))

    drafted = {name: [(each.op, each.args) for each in decls] for name, decls in found.drafted.types.items()}
    assert {name: len(decls) for name, decls in read.types.items()} == {
        name: len(decls) for name, decls in drafted.items()
    }
    assert read.type_renames == found.drafted.type_renames
    assert (read.removed, read.added) == (found.drafted.removed, found.drafted.added)


def test_an_assignment_has_the_highest_sum_not_the_highest_first_pair() -> None:
    weights = {("a", "x"): 5.0, ("a", "y"): 4.0, ("b", "x"): 4.0, ("b", "y"): 0.5, ("c", "z"): 1.0}

    assert sorted(assign(weights)) == [("a", "y"), ("b", "x"), ("c", "z")]


def test_words_are_singular_and_abbreviations_written_out() -> None:
    assert words("maxRetryPolicies") == ("maximum", "retry", "policy")
    assert words("k8s_cfg") == ("kubernetes", "configuration")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("min_size", "max_size", True),
        ("healthy", "unhealthy", True),
        ("beta1", "beta2", True),
        ("size", "size_gb", False),
    ],
)
def test_opposites_are_known_by_their_words(old: str, new: str, expected: bool) -> None:
    assert are_opposites(words(old), words(new)) is expected

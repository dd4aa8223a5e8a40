"""Names that definitions keep apart, documents that differ by their names only, and what a person may look at."""

from __future__ import annotations

import pytest
import yaml

from migrations_app.domain.conversion.proposals.documents.corpus import SiblingContrasts
from migrations_app.domain.conversion.proposals.names.words import are_opposites, words
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from migrations_app.domain.conversion.proposals.text import edge_text
from tests.unit.conversion.services import folder

PATH = "The path of the data set that the model reads, relative to the bucket."
PLAIN = "weight: i32, color: string, shape: string"


def proposed(old: str, new: str) -> EdgeProposal:
    (found,) = proposals(folder(old, new, "[]"))
    return found


def renames(found: EdgeProposal) -> list[object]:
    return [each.args for each in found.lines if each.op == "rename"]


def thing(fields: str, rest: str = "") -> str:
    return f"Thing: {{fields: {{name: string, {PLAIN}, {fields}}}}}{rest}"


def pair(other: str) -> EdgeProposal:
    """Propose for a field that goes while another comes, beside a type that has `other`."""
    rest = f"\nOther: {{fields: {{{other}}}}}"
    return proposed(
        thing(f"alpha_path: {{type: string, description: '{PATH}'}}, other: {{ref: Other}}", rest),
        thing(f"omega_path: {{type: string, description: '{PATH}'}}, other: {{ref: Other}}", rest),
    )


def test_names_that_stand_side_by_side_elsewhere_are_no_rename() -> None:
    assert renames(pair("alpha_count: i32, color: string")) == [{"from": "alpha_path", "to": "omega_path"}]

    kept_apart = pair("alpha_count: i32, omega_count: i32")

    assert renames(kept_apart) == []
    (doubt,) = [each for each in kept_apart.doubts if each.op == "rename"]
    assert str(doubt.reasons[0]) == "Other has two fields that differ as these do"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("alpha_path", "omega_path", "Pair"),
        ("alpha", "omega", "Pair"),
        ("alpha_path", "gamma_path", ""),
        ("alpha_count", "count", ""),
    ],
)
def test_contrasts_are_of_the_words_that_differ(old: str, new: str, expected: str) -> None:
    schemas = folder(
        "Pair: {fields: {alpha_count: i32, omega_count: i32}}", "Pair: {fields: {alpha_count: i32}}", "[]"
    ).schemas.values()

    assert SiblingContrasts(schemas).find(words(old), words(new)) == expected


def test_opposites_are_never_a_line_however_alike_their_documents_are() -> None:
    found = proposed(
        thing(f"training_path: {{type: string, description: '{PATH}'}}"),
        thing(f"validation_path: {{type: string, description: '{PATH}'}}"),
    )

    assert are_opposites(words("training_path"), words("validation_path"))
    assert renames(found) == []


def test_documents_that_put_their_own_name_into_one_sentence_speak_for_a_synonym() -> None:
    def of(name: str, document: str) -> str:
        flag = "gone: bool" if name == "status" else "come: i64"  # so that the pair is not all that is left
        return thing(f"{name}: {{type: string, description: '{document}'}}, {flag}")

    said = proposed(of("status", "Status of this ad unit."), of("state", "State of the ad unit."))
    silent = proposed(of("status", "Where it is now."), of("state", "Set by the caller."))

    assert renames(said) == [{"from": "status", "to": "state"}]
    assert renames(silent) == []


def test_a_type_that_no_other_open_field_has_and_shared_words_make_a_line() -> None:
    def of(name: str) -> str:
        rest = f"\n{name.title().replace('_', '')}: {{fields: {{node_count: i32, node_prefix: string}}}}"
        ref = f"{{ref: {name.title().replace('_', '')}}}"
        return thing(f"{name}: {{type: {ref}}}", rest)

    found = proposed(of("multi_params"), of("sliced_params"))

    assert renames(found) == [{"from": "multi_params", "to": "sliced_params"}]


def test_a_field_without_counterpart_lists_what_it_may_have_become() -> None:
    old = "pinned: {type: bool, description: 'Whether it stays.'}"
    new = "keep_forever: {type: bool, description: 'Pinned: it is never removed.'}, note: struct"
    found = proposed(thing(old), thing(new))

    (listed,) = found.candidates
    assert (listed.owner, listed.path) == ("Thing", "pinned")
    assert [each.path for each in listed.candidates] == ["keep_forever"]
    assert "no other open field takes its values" in map(str, listed.candidates[0].reasons)
    text = edge_text(found)
    assert "# pinned, if it does not go, may be: keep_forever (" in text
    ops = yaml.safe_load(text)["types"]["Thing"]["ops"]
    assert ops == [{"removed": ["pinned"]}, {"added": ["keep_forever", "note"]}]


def test_no_candidate_is_as_good_as_impossible() -> None:
    found = proposed(thing("pinned: bool"), thing("keep_forever: bool, note: string"))

    assert found.candidates == ()


def test_candidates_leave_out_what_only_has_the_same_type_as_many() -> None:
    gone = ", ".join(f"{name}: string" for name in ("plank", "crate", "badge", "spoke"))
    come = ", ".join(f"{name}: string" for name in ("river", "hinge", "dough", "flute"))

    assert proposed(thing(gone), thing(come)).candidates == ()


def test_at_most_three_candidates_are_listed_the_likeliest_first() -> None:
    come = "log_sink_path: string, log_sink_uid: string, log_sink_zone: string, log_sink_age: string"
    found = proposed(thing("log_target_owner: string"), thing(come))

    for each in found.candidates:
        assert len(each.candidates) <= 3
        shares = [one.confidence for one in each.candidates]
        assert shares == sorted(shares, reverse=True)

"""Fields that change as others do, in part or against a contrast, and names that repeat the end of their type's name."""

from __future__ import annotations

import pytest

from tests.unit.conversion.test_match_contrasts import proposed, renames, thing

TOKEN = "{type: string, description: 'Sets the secret that authenticates requests to the remote host.'}"
SIDE_BY_SIDE = "\nHook: {fields: {token: i32, api_token: string, color: string}}"
OPEN = "gone: i64"
COME = "come: struct"


def two_types(first: str, second: str, other: str) -> str:
    holder = f"other: {{ref: Other}}, hook: {{ref: Hook}}, {first}"
    return thing(holder, f"\nOther: {{fields: {{size: i32, {second}: {other}}}}}{SIDE_BY_SIDE}")


@pytest.mark.parametrize(("second", "expected"), [("api_token", 1), ("token", 0)])
def test_a_change_that_another_type_makes_too_outweighs_a_contrast(second: str, expected: int) -> None:
    other = "{type: string, description: 'The key by which the job signs what it sends.'}"
    found = proposed(
        two_types(f"token: {TOKEN}, {OPEN}", "token", other),
        two_types(f"api_token: {TOKEN}, {COME}", second, other),
    )

    lines = [each for each in found.lines if each.op == "rename" and each.owner == "Thing"]
    assert len(lines) == expected
    if not expected:
        (doubt,) = [each for each in found.doubts if each.op == "rename"]
        assert str(doubt.reasons[0]) == "Hook has two fields that differ as these do"


def entry(fields: str) -> str:
    return thing("entry: {ref: FilterEntry}", f"\nFilterEntry: {{fields: {{size: i32, {fields}}}}}")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("note", "entry_note", True),
        ("filter_entry_note", "note", True),
        (
            "note",
            "filter_note",
            False,
        ),  # the words in front are not those that the name of the type ends with
    ],
)
def test_a_name_that_repeats_the_end_of_its_type_is_the_name_without_it(
    old: str, new: str, expected: bool
) -> None:
    found = proposed(entry(f"{old}: string, {OPEN}"), entry(f"{COME}, {new}: string"))

    assert renames(found) == ([{"from": old, "to": new}] if expected else [])


@pytest.mark.parametrize(("word", "expected"), [("floating", True), ("virtual", False)])
def test_a_field_that_changes_by_more_words_than_another_one_is_renamed_too(
    word: str, expected: bool
) -> None:
    def of(term: str, network: str, name: str) -> str:
        text = f"Allocate a {term} address of the pool, and associate it with the balancer at once."
        return thing(
            f"{network}_network: {{type: string, description: 'The network to take addresses from.'}}, "
            f"{name}: {{type: bool, description: '{text}'}}"
        )

    found = proposed(of("public", "public", "auto_public_ip"), of("floating", word, "assign_floating_ip"))

    network = {"from": "public_network", "to": f"{word}_network"}
    flag = {"from": "auto_public_ip", "to": "assign_floating_ip"}
    assert renames(found) == ([network, flag] if expected else [network])


OPAQUE = "id: {type: string, description: 'Unique identifier of this %s. Treat it as opaque.'}"
REPORTED = "Unique ID of the %s as used in the report of a year."
CAME = "%s: {type: string, description: '%s'}"


@pytest.mark.parametrize(
    ("second", "described", "is_line"),
    [
        ("report_entry_id", REPORTED % "ad channel", True),
        # Another change is no second one of this kind, nor is one of which documents say nothing.
        ("tracking_code_id", REPORTED % "ad channel", False),
        ("report_entry_id", "What callers of last year knew.", False),
    ],
)
def test_likely_changes_that_two_types_make_alike_confirm_one_another(
    second: str, described: str, is_line: bool
) -> None:
    def of(first: str, other: str) -> str:
        return thing(f"channel: {{ref: Channel}}, {first}", f"\nChannel: {{fields: {{size: i32, {other}}}}}")

    found = proposed(
        of(f"{OPAQUE % 'ad unit'}, {OPEN}", f"{OPAQUE % 'ad channel'}, {OPEN}"),
        of(
            f"{COME}, {CAME % ('report_entry_id', REPORTED % 'ad unit')}",
            f"{COME}, {CAME % (second, described)}",
        ),
    )

    lines = {each.owner for each in found.lines if each.op == "rename"}
    assert lines == ({"Thing", "Channel"} if is_line else set())
    assert any(each.op == "rename" for each in (*found.lines, *found.doubts))

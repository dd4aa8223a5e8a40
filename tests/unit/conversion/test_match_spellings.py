"""Words written together, abbreviated or misspelt, symbols that become texts, and sentences as they are written."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.proposals.names.spellings import (
    are_initials,
    is_abbreviated,
    is_misspelt,
    written_apart,
)
from migrations_app.domain.conversion.proposals.names.words import words
from migrations_app.domain.conversion.proposals.propose import EdgeProposal, proposals
from tests.unit.conversion.services import folder

PLAIN = "weight: i32, color: string, shape: string"


def proposed(old: str, new: str) -> EdgeProposal:
    whole = [f"Thing: {{fields: {{name: string, {PLAIN}, {field}}}}}" for field in (old, new)]
    (found,) = proposals(folder(*whole, "[]"))
    return found


def renames(found: EdgeProposal) -> list[object]:
    return [each.args for each in found.lines if each.op == "rename"]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("username", "user", ("user", "name")),
        ("username", "user_name", ("user", "name")),
        ("username", "login", ("username",)),
        ("hostgroup", "host", ("hostgroup",)),
        ("user_portal", "user_port", ("user", "portal")),
    ],
)
def test_words_are_written_apart_as_the_other_name_has_them(
    old: str, new: str, expected: tuple[str, ...]
) -> None:
    assert written_apart(words(old), words(new)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("pkg", "package", True),
        ("target_grp", "target_group", True),
        ("port", "portal", False),
        ("net", "network", False),
        ("pkg", "packages_path", False),
        ("mgt", "agent_management", False),
        ("grp", "package", False),
    ],
)
def test_an_abbreviation_has_the_consonants_only(old: str, new: str, expected: bool) -> None:
    assert is_abbreviated(words(old), words(new)) is expected
    assert is_abbreviated(words(new), words(old)) is expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("nsg", "network_security_group", True),
        ("nsgId", "networkSecurityGroupId", True),
        ("vnet_id", "virtual_network_id", True),
        ("vmSize", "virtual_machine_size", True),
        ("nsg_id", "network_security_group", False),
        ("id", "instance_disk", False),
        ("path", "parent_thing", False),
        ("state", "start_at_time", False),
        ("host", "host_name", False),
    ],
)
def test_initials_are_the_first_letters_of_words_that_the_other_name_has(
    old: str, new: str, expected: bool
) -> None:
    assert are_initials(old, new) is expected
    assert are_initials(new, old) is expected


@pytest.mark.parametrize(
    ("said", "is_line"),
    [("Filters the packets of the subnet by rules.", True), ("What the subnet is for.", False)],
)
def test_initials_are_a_rename_where_documents_agree(said: str, is_line: bool) -> None:
    found = proposed(
        "nsg_id: {type: string, description: 'Filters the packets of the subnet by the rules that it has.'}, gone: bytes",
        f"come: struct, network_security_group_id: {{type: string, description: '{said}'}}",
    )
    assert renames(found) == ([{"from": "nsg_id", "to": "network_security_group_id"}] if is_line else [])


@pytest.mark.parametrize(
    ("old", "new", "type_", "is_line"),
    [
        ("created_at", "creation_date", "timestamp", True),
        ("lastModifiedOn", "last_modified_time", "timestamp", True),
        ("created_at", "updated_at", "timestamp", False),
        ("start_date", "start_time", "string", False),  # such texts may stand side by side
    ],
)
def test_times_are_one_but_for_the_words_that_say_so(old: str, new: str, type_: str, is_line: bool) -> None:
    found = proposed(f"{old}: {type_}, gone: bytes", f"come: struct, {new}: {type_}")

    assert renames(found) == ([{"from": old, "to": new}] if is_line else [])


def test_a_name_written_in_one_word_is_the_one_written_in_two() -> None:
    found = proposed("e_tag: string, gone: bytes", "come: struct, etag: string")

    assert renames(found) == [{"from": "e_tag", "to": "etag"}]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("ip_vaildation", "ip_validation", True),
        ("availibility_zone", "availability_zone", True),
        ("occurence_count", "occurrence_count", True),
        ("symmetric_key", "asymmetric_key", False),
        ("altitude", "latitude", False),
        ("connector", "connected", False),
        ("contact", "contract", False),
        ("ip_vaildation", "validation", False),
        ("ip_vaildation", "id_validation", False),
    ],
)
def test_a_misspelt_word_differs_by_one_letter_inside_it(old: str, new: str, expected: bool) -> None:
    assert is_misspelt(words(old), words(new)) is expected
    assert is_misspelt(words(new), words(old)) is expected


def test_a_corrected_spelling_is_a_rename() -> None:
    assert renames(proposed("redirect_vaildation: string", "redirect_validation: string")) == [
        {"from": "redirect_vaildation", "to": "redirect_validation"}
    ]


def test_an_abbreviation_is_a_rename_where_documents_agree() -> None:
    old = "pkg: {type: string, description: 'The package to install or to remove.'}"
    new = "package: {type: string, description: 'Which package to install, upgrade or remove.'}"
    assert renames(proposed(old, new)) == [{"from": "pkg", "to": "package"}]


def test_symbols_that_become_texts_are_a_rename() -> None:
    old = "lb_method: {type: {enum: [ROUND, RATIO]}, description: 'How load is spread over the servers of a pool.'}"
    new = "balancing_method: {type: string, description: 'How load is spread over the servers of a pool.'}"
    found = proposed(old, new)

    assert renames(found) == [{"from": "lb_method", "to": "balancing_method"}]
    assert found.is_covered


def test_symbols_that_become_texts_under_one_name_need_no_op() -> None:
    found = proposed("method: {enum: [ROUND, RATIO]}", "method: string")

    assert (found.lines, found.doubts, found.is_covered) == ((), (), True)


def test_a_sentence_that_names_the_field_in_plain_words_is_compared_as_it_is_written() -> None:
    old = "policy: {type: string, description: 'Name of the export policy.'}"
    new = "export_policy: {type: string, description: 'Name of the export policy. Not with access rules.'}"
    assert renames(proposed(old, new)) == [{"from": "policy", "to": "export_policy"}]

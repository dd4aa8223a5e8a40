"""The traps of versioning, each by its number with the tests that set it; a test that goes away is missed here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[2]
HERE = "unit/conversion"
TRAPS = {
    "1 an edit after a stash": [f"{HERE}/test_more_traps.py::test_a_name_that_was_edited_in_the_new_version_is_not_undone_by_the_bag"],
    "2 an old client's update": [f"{HERE}/test_secrets.py::test_an_update_through_the_old_api_keeps_what_it_cannot_see"],
    "3 a property that returns with another shape": [
        f"{HERE}/test_more_traps.py::test_a_property_that_left_and_came_back_with_another_shape_keeps_both_values_apart",
        f"{HERE}/test_examples.py::test_a_property_that_returns_with_another_shape_never_meets_the_old_one",
    ],
    "4 values that look alike in a bag": [f"{HERE}/test_traps.py::test_a_bag_keeps_values_apart_that_look_alike"],
    "5 a reordered list": [f"{HERE}/test_traps.py::test_bags_follow_their_elements_when_an_old_client_reorders_them"],
    "6 a list that became one value": [f"{HERE}/test_traps.py::test_a_list_that_became_one_value_keeps_the_others"],
    "7 swapped and reused wire numbers": [
        f"{HERE}/test_traps.py::test_swapped_wire_numbers_are_never_a_match",
        f"{HERE}/test_schema_cli.py::test_what_is_near_certain_is_proposed_as_a_line_and_the_rest_as_a_comment",
    ],
    "8 the order of versions, previews": [
        "unit/schema/test_folder.py::test_equal_ordinals_are_refused_because_names_never_order",
        f"{HERE}/test_versions.py::test_a_preview_hangs_beside_the_chain_and_loses_nothing",
    ],
    "9 recursion, 44 hops": [f"{HERE}/test_long_chains.py::test_44_edges_are_one_function_that_says_what_they_say_one_by_one"],
    "10 what absent means in filters": [
        "unit/filters/test_evaluating.py::test_atoms_hold_or_do_not",
        "unit/filters/test_parsing.py::test_the_aip160_dialect_binds_or_tighter",
    ],
    "11 filters after units, rounding, enums, defaults": [
        f"{HERE}/test_laws.py::test_law_holds",
        f"{HERE}/test_filters.py::test_a_filter_is_pushed_as_far_as_it_means_the_same",
    ],
    "12 wildcards, dropped segments, ids with slashes": [
        f"{HERE}/test_secrets.py::test_wildcards_stay_wildcards",
        f"{HERE}/test_secrets.py::test_a_secret_of_another_region_is_hidden_from_the_old_api",
        f"{HERE}/test_versions.py::test_a_reference_that_an_older_version_cannot_name_waits_in_the_bag",
        f"{HERE}/test_forks.py::test_parts_whose_resources_could_share_a_name_are_refused",
        "unit/resources/test_names.py::test_an_id_pattern_may_span_slashes",
    ],
    "13 jsonb": ["contract/test_conversion_sql.py::test_sql_equals_the_reference_engine"],
    "14 unknown symbols, many to one": [
        f"{HERE}/test_more_traps.py::test_a_symbol_that_no_schema_knows_comes_back_as_it_was",
        f"{HERE}/test_more_traps.py::test_many_symbols_of_one_image_come_back_exactly_until_it_is_edited",
    ],
    "15 presence": [f"{HERE}/test_more_traps.py::test_an_explicit_default_survives_a_version_without_presence"],
    "16 oneof": [
        f"{HERE}/test_more_traps.py::test_a_oneof_with_two_members_set_keeps_the_second_in_the_bag",
        "unit/filters/test_masks_and_order.py::test_a_write_adds_siblings_and_leaves_out_what_only_the_server_writes",
    ],
    "17 letters that fold together": [
        f"{HERE}/test_more_traps.py::test_fields_that_differ_in_case_alone_are_never_guessed",
        f"{HERE}/test_more_traps.py::test_the_turkish_i_is_no_other_letters_case",
    ],
    "18 descriptor sets that do not link": ["unit/schema/test_protobuf.py::test_a_set_that_does_not_link_names_the_missing_type"],
    "19 tokens and etags across versions": [
        "integration/resource_api/test_watch.py::test_a_client_that_lost_the_connection_goes_on_with_the_token_and_gets_what_it_missed",
        "integration/resource_api/test_watch.py::test_a_later_page_begins_anew_at_the_first_when_a_switch_voids_its_token",
        "integration/resource_api/test_native.py::test_a_stale_etag_is_refused_and_nothing_is_written",
    ],
    "20 a stored value that is invalid by now": [
        "unit/schema/test_documents.py::test_a_stored_value_that_is_invalid_by_now_does_not_stop_an_update_of_another_field",
        "integration/resource_api/test_ratcheting.py::test_a_value_that_the_new_version_would_refuse_stays_until_it_is_changed",
    ],
    "21 spellings of numbers, bytes and times": [
        f"{HERE}/test_more_traps.py::test_texts_of_numbers_bytes_and_times_come_back_exactly"
    ],
    "22 evidence": ["unit/compatibility/test_analyse.py::test_unused_needs_messages_time_clients_and_clean_storage"],
}  # fmt: skip


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_its_tests(trap: str) -> None:
    for each in TRAPS[trap]:
        path, _, name = each.partition("::")
        assert re.search(rf"^(?:async )?def {name}\(", (TESTS / path).read_text(), re.MULTILINE), each


def test_every_trap_is_listed() -> None:
    assert [int(trap.split()[0]) for trap in TRAPS] == list(range(1, 23))

"""Placement: owning region and read copies from a name alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.regions.placement import (
    Geography,
    Placement,
    SyncType,
    check_write,
    holder_of,
    holders_of,
    pairs,
    place,
    region_of,
)
from migrations_app.domain.regions.policy import DisabledSync, MultiRegionPolicy
from migrations_app.kernel.errors import Conflict, Invalid

SERVICE = MultiRegionPolicy(("eu", "jp", "us"), "us")
PROJECT = MultiRegionPolicy(("eu", "us"), "eu")
GEOGRAPHY = Geography(SERVICE, frozenset({"projects"}), {"projects/p0": PROJECT})


def test_a_region_segment_names_the_owner() -> None:
    assert place("projects/p0/regions/us/secrets/s0", "Secret", GEOGRAPHY) == Placement(
        "us", ("eu", "us"), "projects/p0"
    )


def test_without_a_region_segment_the_holders_control_region_owns() -> None:
    assert place("projects/p0/secrets/s0", "Secret", GEOGRAPHY) == Placement(
        "eu", ("eu", "us"), "projects/p0"
    )


def test_what_has_no_holder_follows_the_services_policy() -> None:
    assert place("users/u0", "User", GEOGRAPHY) == Placement("us", ("eu", "jp", "us"), "")


def test_a_region_resource_is_not_placed_by_its_own_name() -> None:
    assert region_of("regions/us") is None
    assert place("regions/eu", "Region", GEOGRAPHY).owning_region == "us"


def test_a_holder_is_subject_to_its_own_policy() -> None:
    assert holder_of("projects/p0", frozenset({"projects"})) == "projects/p0"
    assert place("projects/p0", "Project", GEOGRAPHY).owning_region == "eu"


@pytest.mark.parametrize(
    ("sync", "regions"),
    [
        (SyncType.DEFAULT, ("eu",)),
        (SyncType.NEVER, ("eu",)),
        (SyncType.ALWAYS_IN_SCOPE, ("eu", "us")),
        (SyncType.ALWAYS_GLOBALLY, ("eu", "jp", "us")),
    ],
)
def test_the_skeleton_bends_copying(sync: SyncType, regions: tuple[str, ...]) -> None:
    muted = MultiRegionPolicy(("eu", "us"), "eu", (DisabledSync("Log", "eu", ""),))
    geography = Geography(SERVICE, frozenset({"projects"}), {"projects/p0": muted})
    assert place("projects/p0/logs/l", "Log", geography, sync).regions == regions


def test_criteria_switch_off_one_direction_of_one_type() -> None:
    policy = MultiRegionPolicy(("eu", "jp", "us"), "eu", (DisabledSync("Log", "eu", "jp"),))
    assert policy.copies("Log", "eu") == ("us",)
    assert policy.copies("Log", "us") == ("eu", "jp")
    assert policy.copies("Secret", "eu") == ("jp", "us")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("projects/unknown/secrets/s", "policy-unknown"),
        ("projects/p0/regions/jp/secrets/s", "region-not-enabled"),
    ],
)
def test_what_cannot_be_placed_says_why(name: str, code: str) -> None:
    with pytest.raises(Conflict) as refused:
        place(name, "Secret", GEOGRAPHY)
    assert refused.value.code == code
    assert refused.value.remedy


def test_a_policy_without_control_region_owns_nothing() -> None:
    with pytest.raises(Conflict) as refused:
        place("users/u", "User", Geography(MultiRegionPolicy(("eu",))))
    assert refused.value.code == "control-region-missing"


@pytest.mark.parametrize("name", ["", "projects", "projects//secrets/s", "a/b/"])
def test_a_name_is_made_of_pairs(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        place(name, "Secret", GEOGRAPHY)
    assert refused.value.code == "resource-name"


def test_what_a_parent_has_one_of_is_placed_by_its_parent() -> None:
    assert pairs("projects/p0/config") == (("projects", "p0"), ("config", ""))
    assert region_of("projects/p0/regions/eu/config") == "eu"
    assert holders_of("projects/p0/projects", frozenset({"projects"})) == ("projects/p0",)


def test_a_write_is_done_here_or_routed_to_its_owner() -> None:
    mine = Placement("eu", ("eu",), "projects/p0")
    assert check_write({"a": mine}, "eu") is None
    assert check_write({"a": mine}, "us") == "eu"
    assert check_write({"a": mine, "b": Placement("eu", ("eu",))}, "eu") is None
    assert check_write({}, "eu") is None


def test_a_write_over_two_policies_or_two_regions_is_refused() -> None:
    mine = Placement("eu", ("eu",), "projects/p0")
    with pytest.raises(Conflict) as policies:
        check_write({"a": mine, "b": Placement("eu", ("eu",), "projects/p1")}, "eu")
    with pytest.raises(Conflict) as regions:
        check_write({"a": mine, "b": Placement("us", ("us",), "projects/p0")}, "eu")
    assert (policies.value.code, regions.value.code) == ("write-two-policies", "write-two-regions")


REGIONS = st.sampled_from(["eu", "jp", "us", "za"])


@settings(max_examples=100, deadline=None)
@given(st.sets(REGIONS, min_size=1), st.data(), st.sampled_from(SyncType))
def test_the_owner_always_holds_the_resource_and_is_never_a_copy(
    enabled: set[str], data: st.DataObject, sync: SyncType
) -> None:
    control = data.draw(st.sampled_from(sorted(enabled)))
    criteria = data.draw(
        st.lists(st.builds(DisabledSync, st.sampled_from(["", "Log"]), REGIONS, REGIONS), max_size=3)
    )
    policy = MultiRegionPolicy(tuple(sorted(enabled)), control, tuple(criteria))
    placement = place("things/t", "Log", Geography(policy), sync)
    assert placement.owning_region == control
    assert control in placement.regions
    assert control not in placement.copies
    assert set(placement.regions) <= enabled


def test_joining_enables_once_and_the_first_region_takes_control() -> None:
    first = MultiRegionPolicy().joined_by("us")
    assert first == MultiRegionPolicy(("us",), "us")
    assert first.joined_by("eu") == MultiRegionPolicy(("eu", "us"), "us")
    assert first.joined_by("us") is first

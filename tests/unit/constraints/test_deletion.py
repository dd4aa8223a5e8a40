"""May this be deleted: the verdict over a graph of references."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from migrations_app.domain.constraints.deletion import (
    MOST_IN_A_CASCADE,
    DeletionVerdict,
    IncomingReference,
    Thing,
    verdict,
)


def thing(name: str) -> Thing:
    return Thing("T", name)


def judged(name: str, *links: tuple[str, str, str]) -> DeletionVerdict:
    """Judge the deletion of `name` in a graph of (source, kind, target)."""
    made = [IncomingReference(thing(source), thing(target), kind, "f") for source, kind, target in links]
    return verdict(thing(name), lambda targets: [link for link in made if link.target in targets])


def names(things: Sequence[Thing]) -> list[str]:
    return [each.name for each in things]


def test_what_is_not_referred_to_goes_alone() -> None:
    assert judged("a") == DeletionVerdict((thing("a"),), (), ())


def test_a_blocking_reference_forbids_and_a_weak_one_does_not() -> None:
    found = judged("a", ("b", "BLOCK", "a"), ("c", "WEAK", "a"))
    assert (found.allowed, [link.source.name for link in found.blockers]) == (False, ["b"])
    assert judged("a", ("c", "WEAK", "a")).allowed


def test_cascades_are_followed_and_unsets_gathered_along_the_way() -> None:
    found = judged("a", ("b", "CASCADE", "a"), ("c", "CASCADE", "b"), ("d", "UNSET", "c"))
    assert names(found.deleted) == ["a", "b", "c"]
    assert [(link.source.name, link.target.name) for link in found.unset] == [("d", "c")]
    assert found.allowed


def test_who_dies_with_its_target_does_not_block_it() -> None:
    assert judged("a", ("b", "CASCADE", "a"), ("b", "BLOCK", "a")).allowed
    assert judged("a", ("b", "CASCADE", "a"), ("c", "CASCADE", "b"), ("c", "BLOCK", "a")).allowed
    assert not judged("a", ("b", "CASCADE", "a"), ("c", "BLOCK", "b")).allowed


def test_a_ring_of_cascades_ends() -> None:
    found = judged("a", ("b", "CASCADE", "a"), ("a", "CASCADE", "b"))
    assert names(found.deleted) == ["a", "b"]


def test_too_large_a_cascade_is_not_judged() -> None:
    links = [(f"n{number}", "CASCADE", "a") for number in range(MOST_IN_A_CASCADE + 1)]
    found = judged("a", *links)
    assert not found.complete
    assert not found.allowed


@pytest.mark.parametrize("seed", range(30))
def test_after_an_allowed_deletion_nothing_left_refers_to_what_went(seed: int) -> None:
    chance = random.Random(seed)
    every = [f"n{number}" for number in range(8)]
    kinds = ("BLOCK", "CASCADE", "UNSET")
    links = [(chance.choice(every), chance.choice(kinds), chance.choice(every)) for _ in range(10)]
    found = judged("n0", *links)
    gone = set(names(found.deleted))
    cleared = {(link.source.name, link.kind, link.target.name) for link in found.unset}
    left = [link for link in links if link[0] not in gone and link[2] in gone and link not in cleared]
    assert bool(left) is not found.allowed

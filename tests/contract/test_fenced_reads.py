"""What every store promises to who takes one look: the rows and the fence of one instant, and no more than that."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Missing, Stale
from migrations_app.ports.store import ABSENT, NeedsSnapshot, Query
from tests.contract.conftest import NEW, OLD, World


def test_a_fenced_read_gives_what_a_snapshot_gives(world: World) -> None:
    written = [world.write(f"a/{number}", ABSENT, size=number) for number in range(3)]

    with world.store.fenced_read(world.old, OLD) as fenced_read:
        assert fenced_read.get("Secret", "a/1") == written[1]
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        assert fenced_read.get("Secret", "a/none") is None
        assert fenced_read.asked
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        assert fenced_read.batch_get("Secret", ["a/2", "a/none", "a/0"]) == {
            "a/0": written[0],
            "a/2": written[2],
        }
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        assert fenced_read.batch_get("Secret", ["a/none"]) == {}
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        listing = fenced_read.list(Query("Secret", "a", limit=2))
    assert listing == world.store.read(world.old).list(Query("Secret", "a", limit=2))
    assert listing.resources == tuple(written[:2])
    assert listing.next


def test_a_fenced_read_expecting_another_version_is_refused_by_the_fence_and_told_which_is_active(
    world: World,
) -> None:
    world.write("a/1", ABSENT)
    for ask in (
        lambda fenced_read: fenced_read.get("Secret", "a/1"),
        lambda fenced_read: fenced_read.get("Secret", "a/none"),
        lambda fenced_read: fenced_read.batch_get("Secret", ["a/1"]),
        lambda fenced_read: fenced_read.list(Query("Secret")),
    ):
        with world.store.fenced_read(world.old, NEW) as fenced_read, pytest.raises(Stale) as refused:
            ask(fenced_read)
        assert (refused.value.code, refused.value.nouns["active"]) == ("version-not-active", OLD)
        assert not fenced_read.asked

    with world.store.fenced_read(world.old, None) as fenced_read:
        assert fenced_read.get("Secret", "a/1") is not None


def test_a_fenced_read_answers_one_question(world: World) -> None:
    world.write("a/1", ABSENT)
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        fenced_read.get("Secret", "a/1")
        with pytest.raises(NeedsSnapshot):
            fenced_read.get("Secret", "a/1")
        with pytest.raises(NeedsSnapshot):
            fenced_read.list(Query("Secret"))


def test_what_does_not_tell_of_the_fence_takes_more_than_a_fenced_read(world: World) -> None:
    with world.store.fenced_read(world.old, OLD) as fenced_read:
        with pytest.raises(NeedsSnapshot):
            fenced_read.list(Query("Secret"))
        assert not fenced_read.asked
    world.write("a/1", ABSENT)
    for ask in (
        lambda fenced_read: fenced_read.list(Query("Secret", total=True)),
        lambda fenced_read: fenced_read.references("Secret", "a/1"),
        lambda fenced_read: fenced_read.referrers("projects.example.com", "p/1"),
        lambda fenced_read: fenced_read.shadow("Secret", "a/1"),
        lambda fenced_read: fenced_read.constraints,
    ):
        with world.store.fenced_read(world.old, OLD) as fenced_read, pytest.raises(NeedsSnapshot):
            ask(fenced_read)


def test_a_fenced_read_into_a_namespace_that_is_not_there_says_so(world: World) -> None:
    with world.store.fenced_read(world.old, OLD) as fenced_read, pytest.raises(Missing) as refused:
        fenced_read.get("Nothing", "a/1")
    assert refused.value.code == "namespace-missing"

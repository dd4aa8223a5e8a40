"""What every store promises to who takes one look: the rows and the fence of one instant, and no more than that."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Missing, Stale
from migrations_app.ports.store import ABSENT, Query, SecondLook
from tests.contract.conftest import NEW, OLD, World


def test_a_glance_gives_what_a_snapshot_gives(world: World) -> None:
    written = [world.write(f"a/{number}", ABSENT, size=number) for number in range(3)]

    with world.store.glance(world.old, OLD) as glance:
        assert glance.get("Secret", "a/1") == written[1]
    with world.store.glance(world.old, OLD) as glance:
        assert glance.get("Secret", "a/none") is None
        assert glance.asked
    with world.store.glance(world.old, OLD) as glance:
        assert glance.batch_get("Secret", ["a/2", "a/none", "a/0"]) == {"a/0": written[0], "a/2": written[2]}
    with world.store.glance(world.old, OLD) as glance:
        assert glance.batch_get("Secret", ["a/none"]) == {}
    with world.store.glance(world.old, OLD) as glance:
        listing = glance.list(Query("Secret", "a", limit=2))
    assert listing == world.store.read(world.old).list(Query("Secret", "a", limit=2))
    assert listing.resources == tuple(written[:2])
    assert listing.next


def test_a_glance_expecting_another_version_is_refused_by_the_fence_and_told_which_is_active(
    world: World,
) -> None:
    world.write("a/1", ABSENT)
    for ask in (
        lambda glance: glance.get("Secret", "a/1"),
        lambda glance: glance.get("Secret", "a/none"),
        lambda glance: glance.batch_get("Secret", ["a/1"]),
        lambda glance: glance.list(Query("Secret")),
    ):
        with world.store.glance(world.old, NEW) as glance, pytest.raises(Stale) as refused:
            ask(glance)
        assert (refused.value.code, refused.value.nouns["active"]) == ("version-not-active", OLD)
        assert not glance.asked

    with world.store.glance(world.old, None) as glance:
        assert glance.get("Secret", "a/1") is not None


def test_a_glance_answers_one_question(world: World) -> None:
    world.write("a/1", ABSENT)
    with world.store.glance(world.old, OLD) as glance:
        glance.get("Secret", "a/1")
        with pytest.raises(SecondLook):
            glance.get("Secret", "a/1")
        with pytest.raises(SecondLook):
            glance.list(Query("Secret"))


def test_what_does_not_tell_of_the_fence_takes_more_than_a_glance(world: World) -> None:
    with world.store.glance(world.old, OLD) as glance:
        with pytest.raises(SecondLook):
            glance.list(Query("Secret"))
        assert not glance.asked
    world.write("a/1", ABSENT)
    for ask in (
        lambda glance: glance.list(Query("Secret", total=True)),
        lambda glance: glance.references("Secret", "a/1"),
        lambda glance: glance.referrers("projects.example.com", "p/1"),
        lambda glance: glance.shadow("Secret", "a/1"),
        lambda glance: glance.constraints,
    ):
        with world.store.glance(world.old, OLD) as glance, pytest.raises(SecondLook):
            ask(glance)


def test_a_glance_into_a_namespace_that_is_not_there_says_so(world: World) -> None:
    with world.store.glance(world.old, OLD) as glance, pytest.raises(Missing) as refused:
        glance.get("Nothing", "a/1")
    assert refused.value.code == "namespace-missing"

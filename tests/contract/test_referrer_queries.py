"""Referrers counted and listed in pages: one contract, on PostgreSQL and in memory."""

from __future__ import annotations

from uuid import uuid4

from migrations_app.ports.references.referrer_queries import ReferenceTarget, ReferrerCount, ReferrerPage
from migrations_app.ports.store import ABSENT, Draft, Reference, ReferenceKind
from tests.contract.conftest import World

SERVICE = "iam.example.com"
NEW_NAME = "projects/p/regions/here/keys/k"
TARGET = ReferenceTarget(SERVICE, "here", ("projects/p/keys/k", NEW_NAME))
BLOCK, UNSET = ReferenceKind.BLOCK, ReferenceKind.UNSET


def _write(world: World, name: str, *references: Reference) -> None:
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", name, uuid4(), {}, references=references), ABSENT)


def _to(
    path: str, kind: ReferenceKind = BLOCK, region: str = "here", name: str = TARGET.names[0]
) -> Reference:
    return Reference(path, kind, SERVICE, region, "v1", "Key", name)


def _fill(world: World) -> None:
    for number in range(5):
        _write(world, f"s/{number}", _to("key"), _to(f"keys[{number}]", UNSET))
    _write(world, "s/renamed", _to("key", name=NEW_NAME, region=""))
    _write(world, "s/elsewhere", _to("key", region="there"))
    _write(world, "s/of-another", _to("key", name="projects/p/keys/other"))


def test_referrers_are_counted_by_type_path_and_rule_under_every_name_of_the_target(world: World) -> None:
    _fill(world)
    reading = world.store.read(world.old)

    assert set(reading.referrer_counts(TARGET, 100)) == {
        ReferrerCount("Secret", "key", BLOCK, 6),
        *(ReferrerCount("Secret", f"keys[{number}]", UNSET, 1) for number in range(5)),
    }
    assert sum(each.count for each in reading.referrer_counts(TARGET, 7)) == 7
    there = ReferenceTarget(SERVICE, "there", TARGET.names)
    assert list(reading.referrer_counts(there, 100)) == [ReferrerCount("Secret", "key", BLOCK, 1)]
    assert list(reading.referrer_counts(ReferenceTarget("other.example.com", "here", TARGET.names), 9)) == []


def test_referrers_of_one_rule_at_the_paths_of_one_field_are_listed_in_pages(world: World) -> None:
    _fill(world)
    reading = world.store.read(world.old)

    def page(
        kind: ReferenceKind, pattern: str, after: tuple[str, int] = ("", -1)
    ) -> tuple[list[tuple[str, str]], tuple[str, int]]:
        rows = reading.referrer_page(TARGET, ReferrerPage("Secret", kind, pattern, after, limit=3))
        return [(row.name, row.path) for row in rows], (rows[-1].name, rows[-1].ordinal) if rows else after

    items = r"keys\[[0-9]+\]"
    first, last = page(UNSET, items)
    assert first == [(f"s/{number}", f"keys[{number}]") for number in range(3)]
    second, last = page(UNSET, items, last)
    assert second == [("s/3", "keys[3]"), ("s/4", "keys[4]")]
    assert page(UNSET, items, last) == ([], last)
    assert page(BLOCK, "key", ("s/4", -1))[0] == [("s/4", "key"), ("s/renamed", "key")]
    # The pattern stands for whole paths.
    assert (page(UNSET, "keys")[0], page(BLOCK, "ke")[0]) == ([], [])

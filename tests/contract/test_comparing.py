"""Pages that are compared where the data lie name exactly what differs, whether the database converts, Python, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.domain.conversion.bag import BAG
from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.comparing import ComparedPage
from migrations_app.ports.conversions import Converter
from migrations_app.ports.store import ABSENT, KeyRange, Removal, ReplicationToken
from tests.contract.conftest import World
from tests.factories.puts import carried

WARRANT = ReplicationToken("v1alpha2", 1)
NUMBER, LIMIT = 60, 3


@dataclass(frozen=True)
class Growing:
    """Names move below `b/` or stay, and `size` is called `bytes`; whose size is negative does not convert."""

    there: str
    back: str
    old: str
    new: str
    pushed: bool
    partial: bool = False
    target_type = "Secret"
    target_types = ("Secret",)
    referring: frozenset[str] = frozenset()
    refers = False
    identity = False

    @property
    def sql(self) -> Any:
        if not (self.pushed or self.partial):
            return None
        name = "name" if self.there == self.back else f"'{self.there}/' || split_part(name, '/', 2)"
        body = f"CASE WHEN (body -> '{self.old}')::int >= 0 THEN jsonb_build_object('{self.new}', body -> '{self.old}') END"
        unsure = f"(body -> '{self.old}')::int % 5 IN (0, 4)" if self.partial else "false"
        if self.partial:
            body = f"CASE WHEN {unsure} THEN '{{}}' ELSE {body} END"
        references = () if self.pushed else None
        return SimpleNamespace(
            name_expression=name, body_expression=body, unsure_expression=unsure, references=references
        )

    def forward(self, name: str, body: JsonObject) -> Any:
        if cast(int, body[self.old]) < 0:
            raise ValueError("negative")
        return SimpleNamespace(
            type="Secret", name=self.name(name), body={self.new: body[self.old]}, references=()
        )

    def references(self, body: JsonObject) -> tuple[Any, ...]:
        return ()

    def place(self, name: str) -> tuple[str, str]:
        return "Secret", self.name(name)

    def name(self, name: str) -> str:
        return f"{self.there}/{name.partition('/')[2]}"


class Keeping(Growing):
    """Carries a bag along, both ways."""

    def forward(self, name: str, body: JsonObject) -> Any:
        made = super().forward(name, body)
        made.body |= {BAG: body[BAG]} if BAG in body else {}
        return made


def pages(look: Callable[[KeyRange], ComparedPage | None], pushed: bool) -> tuple[int, dict[str, int]]:
    """Every page of every shard: how many were read, and all suspects."""
    read, suspects = 0, dict[str, int]()
    for shard in range(16):
        key_range, more = KeyRange("Secret", shard, limit=LIMIT), True
        while more:
            page = look(key_range)
            assert page is not None
            assert page.pushed == pushed
            read, more = read + page.read, page.more
            suspects |= page.suspects
            key_range = replace(key_range, after=page.last)
    return read, suspects


@pytest.mark.parametrize(("pushed", "partial"), [(True, False), (False, False), (False, True)])
@pytest.mark.parametrize("there", ["a", "b"])
def test_exactly_what_differs_is_suspected(
    postgres_world: World, there: str, pushed: bool, partial: bool
) -> None:
    world = postgres_world
    assert world.databases is not None
    comparing = PostgresComparing(world.databases)
    forth = cast(Converter, Growing(there, "a", "size", "bytes", pushed, partial))
    back = cast(Converter, Growing("a", there, "bytes", "size", pushed, partial))
    rows = [world.write(f"a/{number:02}", ABSENT, size=number) for number in range(NUMBER)]
    puts = {
        row.name: carried(row, f"{there}/{row.name[2:]}", body={"bytes": row.body["size"]}, references=())
        for row in rows
    }
    puts["a/03"] = replace(puts["a/03"], body={"bytes": 999})
    puts["a/04"] = replace(puts["a/04"], body={})
    puts["a/05"] = replace(puts["a/05"], uid=uuid4())
    puts["a/06"] = replace(puts["a/06"], revision=2)
    del puts["a/07"]
    world.store.copy(world.new, sorted(puts.values(), key=lambda put: put.name), WARRANT)
    world.write("a/08", 1, size=8000)
    world.write("a/09", 1, size=-1)
    world.delete("a/10", 1)

    read, suspects = pages(lambda page: comparing.compare_page(world.old, world.new, page, forth), pushed)
    assert read == NUMBER - 1
    assert suspects == {
        **dict.fromkeys((f"a/0{number}" for number in range(3, 8)), 1),
        "a/08": 2,
        "a/09": 2,
    }
    read, suspects = pages(lambda page: comparing.absent_page(world.new, world.old, page, back), pushed)
    assert read == NUMBER - 1
    assert suspects == {f"{there}/10": 1}


@pytest.mark.parametrize("partial", [False, True])
def test_one_look_tells_what_differs_what_is_too_much_and_what_is_lost(
    postgres_world: World, partial: bool
) -> None:
    world = postgres_world
    assert world.databases is not None
    comparing = PostgresComparing(world.databases)
    forth = cast(Converter, Keeping("a", "a", "size", "bytes", not partial, partial))
    back = cast(Converter, Keeping("a", "a", "bytes", "size", not partial, partial))
    assert comparing.keeps_names(world.old, world.new, forth, back)
    bag: JsonObject = {"f": 1, "b": {}}
    rows = [
        world.write(f"a/{number:02}", ABSENT, size=number, **({BAG: bag} if number in (11, 12) else {}))
        for number in range(NUMBER)
    ]
    puts = {row.name: carried(row, row.name, body={"bytes": row.body["size"]}, references=()) for row in rows}
    puts["a/03"] = replace(puts["a/03"], body={"bytes": 999})
    puts["a/05"] = replace(puts["a/05"], uid=uuid4())
    del puts["a/07"]
    world.store.copy(world.new, sorted(puts.values(), key=lambda put: put.name), WARRANT)
    # The first, some in the middle, and the last of all: behind the last page as well.
    gone = ["a/00", *(f"a/{number}" for number in range(20, 40)), "a/59"]
    for name in gone:
        world.delete(name, 1)

    extras, losses, counted = dict[str, int](), 0, 0

    def look(key_range: KeyRange) -> ComparedPage | None:
        nonlocal losses, counted
        page = comparing.compare_both_ways(world.old, world.new, key_range, forth, back)
        assert page is not None
        assert page.extras is not None
        assert not extras.keys() & page.extras.keys()
        extras.update(page.extras)
        losses += page.losses or 0
        counted += page.losses is not None
        return page

    read, suspects = pages(look, not partial)
    assert read == NUMBER - len(gone)
    assert suspects == dict.fromkeys(("a/03", "a/05", "a/07"), 1)
    assert extras == dict.fromkeys(gone, 1)
    assert (losses, counted > 16) == (2, True)


def test_one_look_does_not_read_far_more_of_the_other_side_than_a_page_has(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    comparing = PostgresComparing(world.databases)
    forth = cast(Converter, Growing("a", "a", "size", "bytes", pushed=True))
    back = cast(Converter, Growing("a", "a", "bytes", "size", pushed=True))
    rows = [world.write(f"a/{number:03}", ABSENT, size=number) for number in range(200)]
    puts = [carried(row, row.name, body={"bytes": row.body["size"]}, references=()) for row in rows]
    world.store.copy(world.new, puts, WARRANT)
    shard = rows[0].shard
    there = [row.name for row in rows if row.shard == shard]

    def look(limit: int) -> ComparedPage | None:
        page = KeyRange("Secret", shard, limit=limit)
        return comparing.compare_both_ways(world.old, world.new, page, forth, back)

    assert len(there) >= 9
    for name in there:
        world.delete(name, 1)
    page = look(len(there))
    assert page is not None
    assert page.extras == dict.fromkeys(there, 1)
    assert look(len(there) // 3) is None


def test_one_look_goes_both_ways_only_where_names_and_shards_stay(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    comparing = PostgresComparing(world.databases)

    def keeps(there: str, *, pushed: bool = True, ring: int = 16) -> bool:
        forth = cast(Converter, Growing(there, "a", "size", "bytes", pushed))
        back = cast(Converter, Growing("a", there, "bytes", "size", pushed))
        return comparing.keeps_names(world.old, replace(world.new, ring=ring), forth, back)

    assert keeps("a")
    assert not keeps("b")
    assert not keeps("a", pushed=False)
    assert not keeps("a", ring=8)


@pytest.mark.parametrize("pushed", [True, False])
def test_true_in_the_place_of_one_is_suspected(postgres_world: World, pushed: bool) -> None:
    world = postgres_world
    assert world.databases is not None
    rows = [world.write(f"a/{number}", ABSENT, size=number) for number in (1, 2)]
    bodies: tuple[JsonObject, ...] = ({"bytes": True}, {"bytes": 2.0})
    puts = [carried(row, row.name, body=body, references=()) for row, body in zip(rows, bodies, strict=True)]
    world.store.copy(world.new, puts, WARRANT)
    comparing = PostgresComparing(world.databases)
    forth = cast(Converter, Growing("a", "a", "size", "bytes", pushed))
    assert pages(lambda page: comparing.compare_page(world.old, world.new, page, forth), pushed) == (
        2,
        {"a/1": 1},
    )


def test_equal_sides_have_no_suspects(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    row = world.write("a/1", ABSENT, size=1)
    gone = world.write("a/2", ABSENT, size=2)
    put = carried(row, "b/1", body={"bytes": 1}, references=())
    world.store.copy(world.new, [put, carried(gone, "b/2", body={"bytes": 2}, references=())], WARRANT)
    world.delete("a/2", 1)
    world.store.apply(world.new, [Removal("Secret", "b/2", gone.uid, 2, gone.shard)], WARRANT)
    comparing = PostgresComparing(world.databases)
    for pushed in (True, False):
        forth = cast(Converter, Growing("b", "a", "size", "bytes", pushed))
        assert pages(
            lambda page: comparing.compare_page(world.old, world.new, page, forth),  # noqa: B023
            pushed,
        ) == (1, {})


def test_bags_are_counted_at_any_depth(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    bodies: list[dict[str, object]] = [
        {"size": 1},
        {BAG: {"f": 1, "b": {}}},
        {"list": [{"in": {BAG: {}}}]},
        {"text": BAG},
    ]
    shards = [world.write(f"a/{number}", ABSENT, **body).shard for number, body in enumerate(bodies)]
    plan = SimpleNamespace(
        name_expression="name", body_expression="body", unsure_expression="false", references=None
    )
    same = cast(Converter, SimpleNamespace(target_type="Secret", sql=plan))
    comparing = PostgresComparing(world.databases)
    counts = [comparing.count_page(world.old, KeyRange("Secret", shard), same) for shard in set(shards)]
    assert sum(count.read for count in counts if count) == len(bodies)
    assert sum(count.losses for count in counts if count) == 2


def test_what_the_database_is_unsure_about_is_counted_here(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    bag: JsonObject = {"f": 1, "b": {"k": {"v": 1}}}
    shards = {world.write(f"a/{number}", ABSENT, unsure=True, n=number).shard for number in range(6)}

    def forward(name: str, body: JsonObject) -> Any:
        if body["n"] == 1:
            raise NoImage(name)
        return SimpleNamespace(name=name, body={BAG: bag} if body["n"] == 2 else {})

    plan = SimpleNamespace(
        name_expression="name", body_expression="body", unsure_expression="body ? 'unsure'", references=None
    )
    back = SimpleNamespace(target_type="Secret", sql=plan, forward=forward)
    comparing = PostgresComparing(world.databases)
    counts = [
        comparing.count_page(world.old, KeyRange("Secret", shard), cast(Converter, back)) for shard in shards
    ]
    assert sum(count.read for count in counts if count) == 6
    assert sum(count.losses for count in counts if count) == 2


def test_what_is_lost_on_the_way_back_is_counted_from_what_has_a_bag(postgres_world: World) -> None:
    world = postgres_world
    assert world.databases is not None
    converted: list[str] = []

    def there(name: str, body: JsonObject) -> Any:
        converted.append(name)
        return SimpleNamespace(name=name, body={"n": body["n"], BAG: body[BAG]})

    def back(name: str, body: JsonObject) -> Any:
        if body["n"] == 1:
            raise NoImage(name)
        return SimpleNamespace(name=name, body=body if body["n"] == 2 else {"n": body["n"]})

    bag: JsonObject = {"f": 1, "b": {"k": {"v": 1}}}
    shards = {
        world.write(f"a/{n}", ABSENT, **({"n": n, BAG: bag} if n % 2 or n == 2 else {"n": n})).shard
        for n in range(8)
    }
    plan = SimpleNamespace(
        name_expression="name", body_expression="body", unsure_expression="false", references=None
    )
    forth = cast(Converter, SimpleNamespace(target_type="Secret", sql=plan, forward=there))
    again = cast(Converter, SimpleNamespace(target_type="Secret", sql=plan, forward=back))
    comparing = PostgresComparing(world.databases)
    counts = [
        comparing.count_return_page(world.old, KeyRange("Secret", shard), forth, again) for shard in shards
    ]
    assert sum(count.read for count in counts if count) == 8
    assert sum(count.losses for count in counts if count) == 2
    assert sorted(converted) == ["a/1", "a/2", "a/3", "a/5", "a/7"]

    plan.name_expression = "lower(name)"
    assert comparing.count_return_page(world.old, KeyRange("Secret", 0), forth, again) is None

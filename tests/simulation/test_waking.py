"""Nothing is asked over and over while nothing changes; what changes wakes exactly those who depend on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from uuid import uuid4

import pytest

from migrations_app.adapters.dispatch.in_process import InProcessDispatch
from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.reference_work import MemoryReferenceWork
from migrations_app.engine.controller import Controller, Rest, Terms, ensure_due, reconcile_taken
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.copying import COMPARE_EVERY_SECONDS, CopyController, key_of
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.engine.regions.feed_watch import EVERY_SECONDS, FeedWatch, keys_of_look
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.copies import ComparisonStage
from migrations_app.ports.feed import FeedMark
from migrations_app.ports.locks import WorkPool
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Answered, Peer, Peers, Question
from migrations_app.ports.stored import Draft, Layout
from tests.simulation.copies_schedules import REGIONS, Map, Schedule, home_of

MINUTE = 60.0


class CountedPeers:
    """Asks peers, and counts what each was asked by whom."""

    def __init__(self, peers: Peers) -> None:
        self._peers, self.asked = peers, Counter[tuple[Peer, Peer, str]]()

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        self.asked[sender, target, action] += 1
        return self._peers.call(sender, target, action, body)

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        return self._peers.call_all(sender, questions)


class CountedFeed(MemoryFeed):
    """A feed that notes of which namespaces it was asked how far they go."""

    def __init__(self, databases: MemoryDatabases) -> None:
        super().__init__(databases)
        self.marked: list[list[Namespace]] = []

    def marks(self, namespaces: Sequence[Namespace]) -> dict[Namespace, FeedMark]:
        self.marked.append(list(namespaces))
        return super().marks(namespaces)


class World:
    """Three regions that keep copies of one another, and workers that take whatever is due, by a held clock."""

    def __init__(self, *, watched: bool = True) -> None:
        base = Schedule(1)
        base.faulty = False
        self.clock, self.store, self.copies = base.clock, base.store, base.copies
        self.feed = CountedFeed(base.databases)
        self.peers = base.peers
        self.network = CountedPeers(base.network)
        self.leases = MemoryLeases(self.clock)
        self.dispatch = InProcessDispatch(self.leases)
        self.homes = [home_of(peer) for peer in self.peers]
        self.beside: list[Namespace] = []
        self.listed = 0
        directory = Map()
        dependants = Dependants(directory, lambda: self.peers, lambda _: (), lambda _: REGIONS)
        copying = CopyController(
            CopyPorts(base.store, base.copies, base.controller._fence, directory),
            self.network,
            lambda: self.peers,
            lambda _: REGIONS,
            self.clock,
            sleep=self.clock.advance,
            rest=Rest(lambda: len(self.peers), self.clock),
            beside=lambda deployment: [each for each in self.beside if each.deployment == deployment],
            is_watched=lambda _: watched,
        )
        watch = FeedWatch(
            feed=self.feed,
            copies=self.copies,
            reference_work=MemoryReferenceWork(base.databases),
            dispatch=self.dispatch,
            places=self._list,
            place=lambda *of: [each for each in self.homes if (each.database, each.schema) == of],
            dependants=dependants,
            clock=self.clock,
        )
        controllers: tuple[Controller, ...] = (copying, watch)
        self.controllers = {each.name: each for each in controllers}
        self.turns: Counter[tuple[str, str]] = Counter()
        for each in controllers:
            ensure_due(each, self.leases)

    def _list(self) -> Sequence[Namespace]:
        self.listed += 1
        return [*self.homes, *self.beside]

    def run(self, seconds: float) -> Counter[tuple[str, str]]:
        """Let workers work for so long; count the turns of each key."""
        turns: Counter[tuple[str, str]] = Counter()
        end = self.clock.monotonic() + seconds
        pool = WorkPool("all", tuple(self.controllers))
        while self.clock.monotonic() < end:
            while (taken := self.leases.take_next(pool, holder="test", lease_seconds=10.0)) is not None:
                lease = taken.lease
                turns[lease.controller, lease.key] += 1
                reconcile_taken(
                    self.controllers[lease.controller],
                    lease,
                    leases=self.leases,
                    clock=self.clock,
                    terms=Terms(),
                )
            self.clock.advance(0.5)
        return turns

    def write(self, peer: Peer, name: str) -> None:
        regions: list[Json] = list(REGIONS)
        syncing: Json = {"owningRegion": peer.region, "regions": regions}
        with self.store.transaction(home_of(peer)) as transaction:
            transaction.put(Draft("Thing", name, uuid4(), {"size": 1}, {"syncing": syncing}, peer.region))

    def add_place(self, peer: Peer) -> Namespace:
        new = replace(home_of(peer), schema="filled")
        self.store.prepare(new, [Layout("Thing")])
        self.beside.append(new)
        return new

    def regions_holding(self, name: str) -> set[str]:
        return {
            peer.region
            for peer in self.peers
            if self.store.read(home_of(peer)).get("Thing", name) is not None
        }


def of(turns: Counter[tuple[str, str]], controller: str) -> dict[str, int]:
    return {key: count for (name, key), count in turns.items() if name == controller}


@pytest.mark.parametrize("places", [1, 2])
def test_half_an_hour_without_a_change_costs_a_look_at_each_database_and_hardly_a_turn_of_anybody(
    places: int,
) -> None:
    world = World()
    # A deployment keeps two after its first switch, and while an upgrade waits.
    for peer in world.peers * (places - 1):
        world.add_place(peer)
    world.run(2 * MINUTE)
    turns = world.run(30 * MINUTE)

    looks = of(turns, "feed-watch")
    assert looks.keys() == set(REGIONS)
    assert max(looks.values()) <= 30 * MINUTE / EVERY_SECONDS + 1
    # Six keys asked each second before: 10,800 turns. Now each may look a few times by itself.
    assert max(of(turns, "read-copies").values()) <= 4


def test_a_region_without_a_watch_here_is_asked_as_ever() -> None:
    world = World(watched=False)
    world.run(2 * MINUTE)
    assert min(of(world.run(MINUTE), "read-copies").values()) >= 30


def test_a_write_wakes_exactly_the_copies_of_its_region() -> None:
    world = World()
    world.run(2 * MINUTE)
    first, second, third = world.peers
    world.write(first, "things/new")
    world.dispatch.poke("feed-watch", first.region)

    turns = world.run(1.0)
    woken = {key_of(second, first.region), key_of(third, first.region)}
    assert of(turns, "read-copies").keys() == woken
    assert of(turns, "feed-watch")[first.region] == 1
    assert world.regions_holding("things/new") == set(REGIONS)


def test_a_look_at_what_was_written_asks_for_that_namespace_alone_and_its_key_is_forgotten() -> None:
    world = World()
    # Not at the moment of a look at whole databases.
    world.run(2 * MINUTE + 3.0)
    first, second, third = world.peers
    world.write(first, "things/new")
    home = home_of(first)
    (key,) = keys_of_look(home.database, [home.schema])
    world.dispatch.poke_all([key])
    world.feed.marked.clear()
    world.listed = 0

    turns = world.run(1.0)
    woken = {key_of(second, first.region), key_of(third, first.region)}
    assert of(turns, "read-copies").keys() == woken
    assert of(turns, "feed-watch") == {key.key: 1}
    assert world.feed.marked == [[home]]
    # The list of all namespaces is as long as the fleet; a written one is looked at every second while clients write.
    assert world.listed == 0
    assert world.regions_holding("things/new") == set(REGIONS)
    # It comes up no more, and the whole database is looked at as ever.
    looks = of(world.run(MINUTE), "feed-watch")
    assert looks.keys() == set(REGIONS)


def test_a_new_namespace_of_a_deployment_at_rest_is_filled_with_the_copies_of_all_regions_at_once() -> None:
    world = World()
    for peer in world.peers:
        world.write(peer, f"things/of-{peer.region}")
    world.run(2 * MINUTE)
    filled = world.peers[0]
    # As an upgrade does: it prepares a namespace, and asks for a look at the whole database.
    new = world.add_place(filled)
    world.dispatch.poke("feed-watch", new.database)

    turns = of(world.run(4.0), "read-copies")
    assert {key_of(filled, region) for region in REGIONS if region != filled.region} <= turns.keys()
    found = {each.region: each.stage for each in world.copies.sources(new)}
    assert found == {each.region: ComparisonStage.FOLLOW for each in world.peers if each is not filled}
    held = {region for region in REGIONS if world.store.read(new).get("Thing", f"things/of-{region}")}
    assert held == set(found)


def test_a_write_without_a_signal_is_found_at_the_next_look() -> None:
    world = World()
    world.run(2 * MINUTE)
    world.write(world.peers[0], "things/untold")
    world.run(EVERY_SECONDS + 1)
    assert world.regions_holding("things/untold") == set(REGIONS)


def test_an_entry_that_is_committed_after_a_newer_one_is_not_missed() -> None:
    world = World()
    world.run(2 * MINUTE)
    home = home_of(world.peers[0])
    regions: list[Json] = list(REGIONS)
    syncing: Json = {"owningRegion": world.peers[0].region, "regions": regions}
    with world.store.transaction(home) as slow:
        slow.put(Draft("Thing", "things/slow", uuid4(), {}, {"syncing": syncing}, world.peers[0].region))
        world.write(world.peers[0], "things/fast")
        world.run(EVERY_SECONDS + 1)
        assert world.regions_holding("things/fast") == {world.peers[0].region}
    world.run(EVERY_SECONDS + 1)
    assert world.regions_holding("things/fast") == world.regions_holding("things/slow") == set(REGIONS)


def test_copies_at_rest_are_known_to_be_level_as_of_the_last_look() -> None:
    world = World()
    filled = world.add_place(world.peers[0])
    world.run(2 * MINUTE)
    world.write(world.peers[1], "things/late")
    world.run(9 * MINUTE)
    for place in [*world.homes, filled]:
        for source in world.copies.sources(place):
            assert source.level_at is not None
            assert (world.clock.now() - source.level_at).total_seconds() <= EVERY_SECONDS + 1


def test_a_comparison_that_finds_nothing_asks_each_question_once_and_rests_again() -> None:
    world = World()
    world.run(2 * MINUTE)
    world.run(20 * MINUTE)
    first, second, _ = world.peers
    compared_at = world.copies.source(home_of(second), first.region).compared_at
    world.clock.advance(COMPARE_EVERY_SECONDS)
    world.network.asked.clear()
    world.dispatch.poke("read-copies", key_of(second, first.region))

    assert of(world.run(1.0), "read-copies")[key_of(second, first.region)] == 1
    assert world.copies.source(home_of(second), first.region).compared_at != compared_at
    asked = {
        action: count for (*pair, action), count in world.network.asked.items() if pair == [second, first]
    }
    assert asked == {"watchOwned": 3, "listOwned": 1}, "followed before the comparison, within it, and after"

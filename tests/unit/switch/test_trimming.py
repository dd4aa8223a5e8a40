"""Only feeds that have entries are trimmed, however many there are that have none."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

from migrations_app.adapters.feed.memory import MemoryFeed
from migrations_app.adapters.fence.memory import MemoryFence
from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.store import MemoryStore
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.switch.pruning import PruneController
from migrations_app.kernel.clock import HeldClock
from migrations_app.ports.feed import FeedMark
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import Draft, Layout

HOMES = [
    Namespace(
        f"services/s{number}.example.com/deployments/east", "v1", f"data{number % 2}", f"s{number}", ring=2
    )
    for number in range(20)
]


class Places:
    def in_use(self) -> Sequence[Namespace]:
        return HOMES

    def left_over(self) -> Sequence[Namespace]:
        return ()

    def dropped(self, namespace: Namespace) -> None:
        raise AssertionError(namespace)


class Calm:
    def reason(self, namespace: Namespace) -> str:
        return ""


class CountedFeed(MemoryFeed):
    questions = 0
    trims: list[Namespace]

    def marks(self, namespaces: Sequence[Namespace]) -> dict[Namespace, FeedMark]:
        self.questions += 1
        return super().marks(namespaces)

    def trim(
        self,
        namespace: Namespace,
        *,
        keep: int = 1_000_000,
        retain_seconds: float = 600.0,
        limit: int = 10_000,
    ) -> int:
        self.trims.append(namespace)
        return super().trim(namespace, keep=keep, retain_seconds=retain_seconds, limit=limit)


def test_a_feed_of_which_nothing_can_go_is_left_alone_until_it_is_written_to() -> None:
    clock = HeldClock()
    databases = MemoryDatabases(clock)
    store, fence, feed = MemoryStore(databases), MemoryFence(databases), CountedFeed(databases)
    feed.trims = []
    for home in HOMES:
        fence.open_first(FenceLocation.of(home), "v1")
        store.prepare(home, [Layout("Thing")])
    controller = PruneController(store, feed, Places(), Calm(), clock)

    def write(name: str) -> None:
        with store.transaction(HOMES[5]) as transaction:
            transaction.put(Draft("Thing", name, uuid4(), {}))

    def trims_after(seconds: float) -> int:
        clock.advance(seconds)
        feed.trims = []
        controller.reconcile("feeds", Budget(2.0, clock), Lease("feeds", 1))
        return len(feed.trims)

    write("things/one")
    assert [trims_after(60.0) for _ in range(6)] == [1, 0, 0, 0, 0, 1]
    write("things/two")
    assert [trims_after(60.0) for _ in range(2)] == [1, 0]


def test_one_question_to_each_database_finds_the_feeds_to_trim() -> None:
    clock = HeldClock()
    databases = MemoryDatabases(clock)
    store, fence, feed = MemoryStore(databases), MemoryFence(databases), CountedFeed(databases)
    feed.trims = []
    for home in HOMES[:-1]:
        fence.open_first(FenceLocation.of(home), "v1")
        store.prepare(home, [Layout("Thing")])
    with store.transaction(HOMES[3]) as transaction:
        transaction.put(Draft("Thing", "things/one", uuid4(), {}))
    controller = PruneController(store, feed, Places(), Calm(), clock)

    def prune() -> tuple[object, int, list[Namespace]]:
        feed.questions, feed.trims = 0, []
        outcome = controller.reconcile("feeds", Budget(2.0, clock), Lease("feeds", 1))
        return outcome, feed.questions, feed.trims

    assert prune() == (Again(60.0), 2, [HOMES[3]])
    clock.advance(timedelta(minutes=11).total_seconds())
    assert prune() == (Again(15.0), 2, [HOMES[3]])
    assert prune() == (Again(60.0), 2, [])

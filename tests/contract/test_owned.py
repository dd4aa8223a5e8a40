"""What an owner tells those who keep copies, checked on PostgreSQL and in memory: nothing older than the position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from migrations_app.engine.regions.messages import OwnedChanges, WatchOwned
from migrations_app.engine.regions.owned import OwnedServer
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import Batch, Feed
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Draft
from tests.contract.conftest import OLD, World
from tests.contract.test_copies import Nearby

SERVICE, HERE, THERE = "secrets.example.com", "north", "south"
NAME = "s/1"


class _Meanwhile:
    """The feed, just before which another transaction commits: after whatever snapshot its reader took."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self.change: Callable[[], object] | None = None

    def read(self, *asked: Any, **options: Any) -> Batch:
        change, self.change = self.change, None
        if change is not None:
            change()
        return self._feed.read(*asked, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._feed, name)


def _write(world: World, size: int) -> None:
    kept: JsonObject = {"syncing": {"owningRegion": HERE, "regions": [HERE, THERE]}}
    with world.store.transaction(world.old) as transaction:
        transaction.put(Draft("Secret", NAME, world.draft(NAME).uid, {"size": size}, kept, HERE))


def _told(found: OwnedChanges) -> list[object]:
    return [each.body.get("size") for each in found.resources] + [each.name for each in found.gone]


@pytest.mark.parametrize("happens", ["created", "updated", "deleted"])
def test_what_changes_while_an_owner_answers_is_told_as_it_is_by_then(world: World, happens: str) -> None:
    feed = _Meanwhile(world.feed)
    router = Router(Nearby(world), world.store, world.fence)
    server = OwnedServer(router, world.store, feed, None)  # type: ignore[arg-type]
    here, there = Peer(SERVICE, HERE), Peer(SERVICE, THERE)
    if happens != "created":
        _write(world, 1)
    begun = server.watch(there, here, WatchOwned(OLD))
    assert begun.begun
    feed.change = (lambda: world.delete(NAME)) if happens == "deleted" else (lambda: _write(world, 2))

    told: list[object] = []
    asked = begun.next
    while True:
        found = server.watch(there, here, WatchOwned(OLD, asked))
        told, asked = told + _told(found), found.next
        if found.level:
            break
    assert told[-1:] == [NAME if happens == "deleted" else 2]

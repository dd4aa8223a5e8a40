"""Schedules over three regions end with copies equal to their owners; with a protection switched off they do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from uuid import uuid4

import pytest

from migrations_app.adapters.store.memory.copies import MemoryCopies
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.regions import owned
from migrations_app.engine.regions.comparing import ReadCopyComparison
from migrations_app.engine.regions.copying import IDLE_SECONDS, key_of
from migrations_app.kernel.errors import DatabaseBusy
from migrations_app.kernel.json import Json
from migrations_app.ports.copies import CopySource
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import BatchResult, Draft, Put, Removal, ReplicationToken
from tests.simulation.copies_schedules import Schedule, fate, home_of, told
from tests.simulation.perils import Broken

SEEDS = 100
# Schedules in which an owner once told what it had read before the changes that it told.
FOUND = (351, 1072, 1153, 1799)


def test_no_schedule_leaves_a_copy_that_differs() -> None:
    for seed in (*range(SEEDS), *FOUND):
        assert fate(seed)[0] is None, told(seed)


def test_a_slice_that_begins_between_two_changes_does_not_rest() -> None:
    world = Schedule(1)
    world.faulty = False
    key, owner = key_of(world.peers[0], world.peers[1].region), world.peers[1]

    def rest(seconds: float) -> float:
        outcome = world.controller.reconcile(key, Budget(seconds, world.clock), Lease(key, 1))
        assert isinstance(outcome, Again)
        return outcome.after_seconds

    while rest(2.0) == 0.0:
        continue
    with world.store.transaction(home_of(owner)) as transaction:
        syncing: Json = {"owningRegion": owner.region, "regions": [each.region for each in world.peers]}
        draft = Draft("Thing", "things/new", uuid4(), {}, {"syncing": syncing}, owner.region)
        transaction.put(draft)
    assert rest(0.0) == 0.0, "something came"
    assert rest(0.0) == 0.0, "nothing came, but something did a moment ago"
    assert (rest(2.0), rest(0.0)) == (IDLE_SECONDS, IDLE_SECONDS)


def _keep_the_position_though_nothing_was_written(patch: pytest.MonkeyPatch) -> None:
    """The position commits by itself, before the copies: now and then a crash comes between."""
    bring = MemoryCopies.bring

    def torn(
        self: MemoryCopies,
        namespace: Namespace,
        source: CopySource,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken | None = None,
    ) -> tuple[CopySource, BatchResult]:
        noted = self.note(namespace, source)
        if changes and noted.rev % 5 == 0:
            raise DatabaseBusy("The database went away.")
        return bring(self, namespace, noted, changes, replication_token)

    patch.setattr(MemoryCopies, "bring", torn)


def _never_looks_at_what_is_kept(patch: pytest.MonkeyPatch) -> None:
    """A comparison looks for what is lacking, not for what is too much."""
    patch.setattr(ReadCopyComparison, "_lost", lambda *_: [])


def _says_nothing_of_what_is_no_longer_kept(patch: pytest.MonkeyPatch) -> None:
    """A change is told only while the asker keeps the resource, so that a narrower policy goes unheard."""
    one = owned._View._one

    def silent(self: object, change: object, row: object) -> object:
        return (each for each in one(self, change, row) if row is None or hasattr(each, "body"))  # type: ignore[arg-type]

    patch.setattr(owned._View, "_one", silent)


@pytest.mark.parametrize(
    "switch_off",
    [
        _keep_the_position_though_nothing_was_written,
        _never_looks_at_what_is_kept,
        _says_nothing_of_what_is_no_longer_kept,
    ],
)
def test_the_checker_notices_a_protection_that_is_off(
    switch_off: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    switch_off(monkeypatch)
    assert any(isinstance(fate(seed)[0], Broken) for seed in range(300))

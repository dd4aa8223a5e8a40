"""Checkpoints in tables keep the same promises as those in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db.models import F
from django.utils import timezone

from migrations_app.adapters.repositories.sync import DjangoCheckpoints
from migrations_app.adapters.repositories.sync_memory import MemoryCheckpoints
from migrations_app.domain.parity import ComparedSide, Mismatch, MismatchKind
from migrations_app.kernel.errors import Stale
from migrations_app.models.sync import SyncScan
from migrations_app.ports.checkpoints import (
    Brought,
    Checkpoint,
    Checkpoints,
    QuarantinedResource,
    QuarantineState,
    ShardKey,
    ShardStage,
)
from migrations_app.ports.upgrades import Direction

pytestmark = pytest.mark.django_db
KEY = ShardKey("u1", Direction.FORWARD, 3)


@pytest.fixture(params=[DjangoCheckpoints, MemoryCheckpoints], ids=["tables", "memory"])
def kept(request: pytest.FixtureRequest) -> Checkpoints:
    make: Callable[[], Checkpoints] = request.param
    return make()


def test_a_key_reads_back_from_its_text() -> None:
    assert str(KEY) == "u1/forward/3"
    assert ShardKey.parse(str(KEY)) == KEY


def test_a_checkpoint_reads_back_as_it_was_saved(kept: Checkpoints) -> None:
    assert kept.load(KEY) == Checkpoint(KEY)
    moved = Checkpoint(
        KEY, ShardStage.BACKFILL, "Queue", "queues/m", "queues/z", copied=7, total=9, throttled="busy"
    )
    saved = kept.save(moved, epoch=5)
    assert saved == replace(moved, rev=1)
    assert kept.load(KEY) == saved


def test_a_worker_that_was_overtaken_saves_nothing(kept: Checkpoints) -> None:
    first = kept.save(Checkpoint(KEY, copied=1), epoch=5)
    second = kept.save(first.moved(copied=2), epoch=6)
    # An older lease, though it read the newest row; and the newest lease with an old picture of the row.
    for stale, epoch in ((second.moved(copied=3), 5), (first.moved(copied=3), 7)):
        with pytest.raises(Stale):
            kept.save(stale, epoch)
    assert kept.load(KEY).copied == 2


def test_of_several_checkpoints_saved_at_once_those_of_overtaken_workers_alone_are_refused(
    kept: Checkpoints,
) -> None:
    keys = [replace(KEY, shard=shard) for shard in (3, 1, 2)]
    first = kept.save_each([(Checkpoint(key, copied=1), 5) for key in keys])
    assert [each and (each.key, each.copied, each.rev) for each in first] == [(key, 1, 1) for key in keys]
    three, one, two = (each for each in first if each is not None)
    kept.save(one.moved(copied=10), epoch=6)
    second = kept.save_each([(three.moved(copied=2), 5), (one.moved(copied=2), 5), (two.moved(copied=2), 4)])
    assert [each and each.copied for each in second] == [2, None, None]
    assert [kept.load(key).copied for key in keys] == [2, 10, 1]


def test_a_scan_is_kept_beside_the_checkpoint_and_guarded_alike(kept: Checkpoints) -> None:
    scan = kept.save_scan(replace(kept.load_scan(KEY), scanned=10, passed_at=timezone.now()), epoch=5)
    assert kept.load_scan(KEY) == scan
    assert kept.load(KEY).rev == 0
    with pytest.raises(Stale):
        kept.save_scan(replace(scan, scanned=11), epoch=4)


def test_looking_both_ways_holds_until_a_worker_of_the_release_before_saves() -> None:
    kept = DjangoCheckpoints()
    scan = kept.save_scan(replace(kept.load_scan(KEY), both_ways=True), epoch=5)
    scan = kept.save_scan(replace(scan, scanned=10), epoch=5)
    assert kept.load_scan(KEY) == scan
    assert scan.both_ways
    # That release knows nothing of the column.
    SyncScan.objects.update(scanned=20, rev=F("rev") + 1)
    assert kept.load_scan(KEY) == replace(scan, scanned=20, both_ways=False, rev=scan.rev + 1)
    one_way = kept.save_scan(kept.load_scan(KEY), epoch=5)
    assert kept.load_scan(KEY) == one_way
    assert not one_way.both_ways


def test_what_was_proved_of_a_shard_is_void_for_the_process_at_it_too(kept: Checkpoints) -> None:
    scan = kept.save_scan(replace(kept.load_scan(KEY), scanned=10, passed_at=timezone.now()), epoch=5)
    price = kept.save_price(replace(kept.load_price(KEY), counted=2), epoch=5)
    other = replace(KEY, shard=4)
    beside = kept.save_scan(replace(kept.load_scan(other), scanned=1), epoch=5)
    kept.void_proof(KEY)
    assert (kept.load_scan(KEY).rev, kept.load_price(KEY).rev, kept.load_scan(other)) == (0, 0, beside)
    with pytest.raises(Stale):
        kept.save_scan(replace(scan, scanned=11), epoch=5)
    with pytest.raises(Stale):
        kept.save_price(replace(price, looked=1), epoch=5)


def test_the_price_of_a_shard_is_kept_and_listed_by_direction(kept: Checkpoints) -> None:
    begun = replace(
        kept.load_price(KEY), type="List", name="lists/m", looked=10, losses=2, error="List x: no"
    )
    price = kept.save_price(begun, epoch=5)
    ended = kept.save_price(replace(price, counted=2, counted_at=timezone.now()), epoch=5)
    other = kept.save_price(kept.load_price(replace(KEY, shard=1)), epoch=1)
    assert kept.prices("u1", Direction.FORWARD) == [other, ended]
    assert kept.prices("u1", Direction.REVERSE) == []
    for late, epoch in ((ended, 4), (price, 6)):
        with pytest.raises(Stale):
            kept.save_price(late, epoch)
    kept.forget("u1")
    assert kept.load_price(KEY).rev == 0


def test_how_far_tombstones_were_brought_is_kept_and_guarded_alike(kept: Checkpoints) -> None:
    assert kept.load_brought(KEY) == Brought(KEY)
    first = kept.save_brought(Brought(KEY, "Queue", "queues/m", 1000), epoch=5)
    assert kept.load_brought(KEY) == first == Brought(KEY, "Queue", "queues/m", 1000, rev=1)
    second = kept.save_brought(replace(first, name="queues/z", read=1500), epoch=6)
    for late, epoch in ((second, 5), (first, 7)):
        with pytest.raises(Stale):
            kept.save_brought(late, epoch)
    kept.forget("u1")
    assert kept.load_brought(KEY) == Brought(KEY)


def test_what_is_waived_or_hidden_is_listed_but_not_unresolved(kept: Checkpoints) -> None:
    for state in QuarantineState:
        kept.quarantine(QuarantinedResource(KEY, "Queue", f"queues/{state}", 1, "it raised", state=state))
    assert [one.name for one in kept.quarantined(KEY)] == [
        "queues/hidden",
        "queues/quarantined",
        "queues/retry",
        "queues/waived",
    ]
    assert kept.unresolved("u1") == 2
    kept.lift_quarantine(KEY, "Queue", "queues/retry")
    assert kept.unresolved("u1") == 1
    assert kept.unresolved("u2") == 0


def test_a_difference_is_kept_with_both_documents_and_forgotten_with_its_upgrade(kept: Checkpoints) -> None:
    wanted, held = ComparedSide("uid", 3, {"amount": 1}), ComparedSide("uid", 3, {"amount": 2})
    mismatch = Mismatch(MismatchKind.CONTENT, "List", "lists/a", "queues/a", wanted, held)
    kept.differ(KEY, mismatch, "sent across again")
    kept.differ(KEY, mismatch, "written again at the origin")
    assert kept.differences("u1") == [(mismatch, "written again at the origin")]
    kept.quarantine(QuarantinedResource(KEY, "Queue", "queues/a", 1, "it raised"))
    kept.save(Checkpoint(KEY, copied=1), epoch=1)
    kept.forget("u1")
    assert kept.load(KEY).copied == 0
    assert kept.quarantined(KEY) == []


def test_caught_up_shards_follow_and_have_nothing_quarantined(kept: Checkpoints) -> None:
    def save(
        shard: int, stage: ShardStage, *, level: bool, key: ShardKey = KEY, lag: float | None = 0.5
    ) -> ShardKey:
        key = replace(key, shard=shard)
        kept.save(Checkpoint(key, stage=stage, level=level, lag_seconds=lag), 1)
        return key

    save(2, ShardStage.FOLLOW, level=True)
    save(0, ShardStage.FOLLOW, level=True)
    save(1, ShardStage.FOLLOW, level=False)
    save(4, ShardStage.BACKFILL, level=True)
    waived = save(5, ShardStage.FOLLOW, level=True)
    kept.quarantine(QuarantinedResource(waived, "Queue", "queues/1", 1, "", state=QuarantineState.WAIVED))
    save(6, ShardStage.FOLLOW, level=True, key=replace(KEY, direction=Direction.REVERSE))
    save(7, ShardStage.FOLLOW, level=True, key=replace(KEY, upgrade="u2"))
    save(8, ShardStage.FOLLOW, level=True, lag=5.5)
    save(9, ShardStage.FOLLOW, level=True, lag=None)
    assert kept.caught_up_shards("u1", Direction.FORWARD) == {0: 0.5, 2: 0.5, 8: 5.5, 9: None}
    kept.lift_quarantine(waived, "Queue", "queues/1")
    assert list(kept.caught_up_shards("u1", Direction.FORWARD)) == [0, 2, 5, 8, 9]


def test_scans_of_an_upgrade_are_listed_by_shard(kept: Checkpoints) -> None:
    saved = [
        kept.save_scan(replace(kept.load_scan(replace(KEY, shard=shard)), scanned=shard), 1)
        for shard in (2, 0)
    ]
    kept.save_scan(kept.load_scan(replace(KEY, direction=Direction.REVERSE)), 1)
    kept.save_scan(kept.load_scan(replace(KEY, upgrade="u2")), 1)
    assert kept.scans("u1", Direction.FORWARD) == saved[::-1]

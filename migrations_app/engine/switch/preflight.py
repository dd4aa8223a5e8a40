"""What the data say about a switch before it: measured without stopping anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from migrations_app.domain.switch.guards import STOPPING, Facts, ReadinessCheck, ReadinessLimits, judge
from migrations_app.engine.parity.downgrade_loss import price_of
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.kernel.messages import WordedMessage, as_message
from migrations_app.ports.feed import BACKLOG_LIMIT
from migrations_app.ports.namespaces import Position
from migrations_app.ports.upgrades import CheckResult, Direction, ShardState, UpgradeKind

MEASURED = (
    "lag",
    "parity",
    "quarantined",
    "read-copies",
    "old-transactions",
    "reverse-replication",
    "downgrade-loss",
    "freeze",
)
"""The guards whose facts are measured here; the others are judged from the control database."""

FIXED_MS, SHARD_MS, CHANGE_MS, DEALING_MS = 12.0, 6.0, 0.15, 0.02
"""What freeze and flip, an empty shard, one change to carry and compare, and one row of a deployment's dealings
with others that changes its database take; erring on the long side."""


def measure(ports: PipelinePorts, switchover: Switchover) -> Facts:
    """Gather the facts of the data databases."""
    record = switchover.record
    in_place = record.kind is UpgradeKind.DATA
    reports = ports.upgrades.shards(record.id)
    waiting = behind(ports, switchover)
    holders = ports.feed.holders(switchover.origin)
    left = ports.levels.left(switchover.origin, switchover.passive) if ports.levels and not in_place else None
    price = price_of(ports, record, switchover.direction)
    parity_at, differences = _parity(ports, switchover.pipelines)
    return Facts(
        now=ports.clock.now(),
        from_version=switchover.origin.version,
        to_version=switchover.passive.version,
        ring=switchover.ring,
        shards_ready=sum(report.state in (ShardState.READY, ShardState.SWITCHED) for report in reports),
        lag_seconds=0.0 if switchover.blind else waiting.seconds,
        parity_clean_at=parity_at,
        parity_differences=differences,
        quarantined=ports.checkpoints.unresolved(record.id),
        copies_coming=left.coming if left else (),
        copies_lost=left.lost if left else (),
        reverse_proved=in_place or (price.whole and not price.error),
        reverse_error=price.error,
        downgrade_sync=record.enable_downgrade_sync,
        reverse_unproved=record.reverse_late
        and switchover.direction is Direction.REVERSE
        and parity_at is None,
        in_place=in_place,
        not_representable=price.losses,
        price_looked=None if in_place or price.whole else price.looked,
        oldest_transaction_seconds=holders[0].seconds if holders else 0.0,
        oldest_transaction_holder=f"{holders[0].process} ({holders[0].user})" if holders else "",
        predicted_freeze_ms=0.0
        if in_place
        else predict_ms(
            switchover.ring,
            0 if switchover.blind else waiting.entries,
            count_constraint_rows(ports, switchover),
        ),
        limits=ReadinessLimits(freeze_bound_ms=record.freeze_seconds * 1000),
    )


def checks(facts: Facts, direction: Direction) -> Sequence[CheckResult]:
    """Judge the measured facts with the guards' own sentences."""
    step = "switch" if direction is Direction.FORWARD else "rollback"
    return [_result(check) for check in judge(step, facts) if check.check in MEASURED]


def _result(check: ReadinessCheck) -> CheckResult:
    return CheckResult(
        check.check,
        check.verdict.value,
        check.sentence,
        check.remedy,
        check.value,
        check.phrases,
        check.remedy_phrases,
    )


def first_blocker(results: Sequence[CheckResult]) -> WordedMessage | None:
    """Tell the sentence of the first check that stops the switch."""
    blocking = (check for check in results if check.verdict in STOPPING)
    return next((as_message(check.sentence, check.phrases) for check in blocking), None)


def _parity(ports: PipelinePorts, pipelines: Sequence[ShardPipeline]) -> tuple[datetime | None, int | None]:
    """Tell when the oldest clean pass of any shard began, and how many differences the last passes found."""
    key = pipelines[0].key
    scans = ports.checkpoints.scans(key.upgrade, key.direction)
    passed = [scan.passed_at for scan in scans if scan.passed_at is not None]
    if len(passed) < len(pipelines):
        found = sum(scan.failed for scan in scans)
        return None, found or None
    return min(passed), sum(scan.failed for scan in scans if scan.ended_at is not None)


@dataclass(frozen=True, slots=True)
class Behind:
    """What is not followed or not compared yet: entries, and the age of the oldest one not followed."""

    entries: int
    seconds: float | None


def behind(ports: PipelinePorts, switchover: Switchover) -> Behind:
    """Look at the cursors of the passage's follower, and of what is compared."""
    places: dict[str, dict[int, Position]] = {}
    for cursor in ports.feed.cursors(switchover.origin):
        if cursor.follower.startswith(switchover.follower) and not cursor.dead:
            places.setdefault(cursor.follower, {})[cursor.shard] = cursor.position
    backlogs = {each: ports.feed.backlog(switchover.origin, shards) for each, shards in places.items()}
    entries = sum(
        backlog.entries
        if backlog.entries < BACKLOG_LIMIT
        else _count_each(ports, switchover, places[follower])
        for follower, backlog in backlogs.items()
    )
    if len(places.get(switchover.follower, ())) < switchover.ring:
        return Behind(entries, None)
    # The pulse counts as well, so that a dead follower is seen without writes.
    return Behind(entries, backlogs[switchover.follower].seconds)


def _count_each(ports: PipelinePorts, switchover: Switchover, places: Mapping[int, Position]) -> int:
    """Count what lies after each shard's place by itself: together they are counted up to a limit."""
    return sum(
        ports.feed.backlog(switchover.origin, position, shards=[shard]).entries
        for shard, position in places.items()
    )


def count_constraint_rows(ports: PipelinePorts, switchover: Switchover) -> int:
    """Count what has to cross with the fence: between two databases, the dealings with other deployments."""
    return ports.store.constraint_rows(switchover.origin) if switchover.crosses_databases else 0


def predict_ms(ring: int, entries: int, count_constraint_rows: int = 0) -> float:
    """Predict how long writers would wait: by what is not followed, not compared and not brought across now."""
    return FIXED_MS + SHARD_MS * ring + CHANGE_MS * entries + DEALING_MS * count_constraint_rows

"""One snapshot of all facts of an upgrade, read in one statement: what every surface shows of it comes from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db.models import JSONField, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from migrations_app.adapters.probes.valkey import broker_answers
from migrations_app.domain.switch.blockages import (
    Blockage,
    ShardTrouble,
    WorkerPulse,
    WorkKey,
    find_blockages,
)
from migrations_app.domain.switch.progress import (
    CAUGHT_UP,
    REPORT_LIMIT_SECONDS,
    ShardFacts,
    UpgradeProgress,
    assess_progress,
    shard_as_of,
)
from migrations_app.domain.switch.states import ShardState, State
from migrations_app.domain.switch.words import where
from migrations_app.domain.switch.write_slowdown import WorkerPace, WriteSlowdown, find_slowdown
from migrations_app.kernel.clock import to_second
from migrations_app.kernel.messages import Phrase, WordedMessage, message
from migrations_app.kernel.named_queries import named_queries
from migrations_app.kernel.wordings import kept_message
from migrations_app.models.upgrades import Upgrade, UpgradeShard

SQL = named_queries(Path(__file__).with_suffix(".sql"))
REPORTING = frozenset({State.SYNCING, State.READY, State.SWITCHING, State.REVERTING})
"""States in which every shard that has begun is expected to report."""
LEVEL = frozenset(state.value for state in CAUGHT_UP)
_FACTS = "facts_read"
_SNAPSHOT = "_snapshot"
_NOTHING: Mapping[str, Any] = {"shards": [], "lags": [], "keys": [], "workers": [], "paces": []}


@dataclass(frozen=True, slots=True)
class Stall:
    """No worker reported for too long: since when, which shards are not caught up, and why as far as it is known."""

    since: datetime
    shards: tuple[int, ...]
    sentence: str
    causes: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()


@dataclass(frozen=True, slots=True)
class UpgradeSnapshot:
    """What is known of an upgrade at one instant; `shards` are those that were counted or have reported."""

    row: Upgrade
    at: datetime
    shards: tuple[UpgradeShard, ...]
    progress: UpgradeProgress
    blockages: tuple[Blockage, ...]
    stall: Stall | None
    slowdown: WriteSlowdown | None = None

    @property
    def quarantined_resources(self) -> int:
        """Count the resources that could not be carried over."""
        return sum(shard.failed for shard in self.shards)


def with_facts(rows: QuerySet[Upgrade]) -> QuerySet[Upgrade]:
    """Read the facts of upgrades in the same statement as their rows."""
    states = [state.value for state in REPORTING]
    facts = RawSQL(  # noqa: S611 -- the text is a file of this package.
        SQL["facts"], (timezone.now(), states, states, states, states), output_field=JSONField()
    )
    return rows.annotate(**{_FACTS: facts})


def snapshot_of(row: Upgrade) -> UpgradeSnapshot:
    """Tell what is known of an upgrade: as it was read by `with_facts`, otherwise as it is now."""
    kept: UpgradeSnapshot | None = row.__dict__.get(_SNAPSHOT)
    if kept is not None:
        return kept
    read: Mapping[str, Any] | None = row.__dict__.get(_FACTS)
    if read is not None:
        row.__dict__[_SNAPSHOT] = found = _snapshot(row, read)
        return found
    facts = with_facts(Upgrade.objects.filter(pk=row.pk)).values_list(_FACTS, flat=True).first()
    # A plan that is only tried has no row yet.
    return _snapshot(row, facts or {"at": timezone.now().isoformat(), **_NOTHING})


def known_shards(
    row: Upgrade, shards: Sequence[UpgradeShard], now: datetime
) -> tuple[list[UpgradeShard], list[ShardFacts]]:
    """Tell what is known now: the lag of a shard that does not report grows, and its state becomes unknown."""
    facts = [_shard_facts(shard) for shard in shards]
    if not is_reporting(row):
        return list(shards), facts
    known = [shard_as_of(each, now) for each in facts]
    shown: list[UpgradeShard] = []
    for shard, each in zip(shards, known, strict=True):
        shard = copy(shard)
        shard.state, shard.lag_seconds = each.state.value, each.lag_seconds
        shard.rate_per_second = each.rate_per_second
        shown.append(shard)
    return shown, known


def is_reporting(row: Upgrade) -> bool:
    """Tell whether the shards of an upgrade are expected to report now."""
    return State(row.state) in REPORTING and not row.paused and row.started_at is not None


def _snapshot(row: Upgrade, facts: Mapping[str, Any]) -> UpgradeSnapshot:
    at = datetime.fromisoformat(facts["at"])
    # Shards of the other side, which had more of them, report no more.
    reported = [_shard(each) for each in facts["shards"] if each["shard"] < row.shard_count]
    shards, known = known_shards(row, reported, at)
    blockages = _blockages(row, reported, facts, at)
    return UpgradeSnapshot(
        row=row,
        at=at,
        shards=tuple(shards),
        progress=assess_progress(row.shard_count, known, [(time, lag) for time, lag in facts["lags"]]),
        blockages=blockages,
        stall=_stall(row, reported, blockages, at),
        slowdown=find_slowdown(at, [_pace(each) for each in facts["paces"]]) if is_reporting(row) else None,
    )


def _blockages(
    row: Upgrade, shards: Sequence[UpgradeShard], facts: Mapping[str, Any], at: datetime
) -> tuple[Blockage, ...]:
    """Find what holds an upgrade up that should get on; nothing for one that rests or has ended."""
    if not is_reporting(row):
        return ()
    return find_blockages(
        at,
        [_key(each) for each in facts["keys"]],
        [_worker(each) for each in facts["workers"]],
        [_trouble(shard) for shard in shards],
        broker_answers=broker_answers,
    )


def _stall(
    row: Upgrade, shards: Sequence[UpgradeShard], blockages: Sequence[Blockage], at: datetime
) -> Stall | None:
    if not is_reporting(row) or row.started_at is None:
        return None
    since = max((shard.reported_at for shard in shards), default=row.started_at)
    if (at - since).total_seconds() <= REPORT_LIMIT_SECONDS:
        return None
    sentence = message(
        "No reports from {place} since {since_at}; what is shown is old.",
        place=where(row.service, row.region),
        since_at=to_second(since),
    )
    sentence += WordedMessage(blockages[0].phrases) if blockages else message("The cause is not known.")
    return Stall(
        since=since,
        shards=tuple(shard.shard for shard in shards if shard.state not in LEVEL),
        sentence=str(sentence),
        causes=tuple(cause.sentence for cause in blockages),
        phrases=sentence.phrases,
    )


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _shard(read: Mapping[str, Any]) -> UpgradeShard:
    times = {name: _time(read[name]) for name in ("reported_at", "changed_at")}
    return UpgradeShard(**{**read, **times})


def _key(read: Mapping[str, Any]) -> WorkKey:
    return WorkKey(
        controller=read["controller"],
        key=read["key"],
        due_at=_time(read["due_at"]),
        leased_until=_time(read["leased_until"]),
        attempts=read["attempts"],
        holder=read["holder"],
        quarantined_at=_time(read["quarantined_at"]),
        quarantine_reason=kept_message(read["quarantined_reason"], read["quarantined_reason_phrases"]),
        quarantine_remedy=kept_message(read["quarantined_remedy"], read["quarantined_remedy_phrases"]),
        waits_for=kept_message(read["waits_for"], read["waits_for_phrases"]),
        waits_since=_time(read["waits_since"]),
    )


def _worker(read: Mapping[str, Any]) -> WorkerPulse:
    return WorkerPulse(datetime.fromisoformat(read["at"]), tuple(read["details"].get("queues", ())))


def _pace(read: Mapping[str, Any]) -> WorkerPace:
    details = read["details"]
    return WorkerPace(
        datetime.fromisoformat(read["at"]),
        details["pace"],
        details["p95_seconds"],
        details["calm_seconds"],
        _time(details["slowed_since"]),
    )


def _trouble(shard: UpgradeShard) -> ShardTrouble:
    return ShardTrouble(
        shard=shard.shard,
        error=shard.error,
        throttled=shard.throttled,
        quarantined_resources=shard.failed,
        reported_at=shard.reported_at,
    )


def _shard_facts(shard: UpgradeShard) -> ShardFacts:
    # A row stands for a shard that was counted: it is made when all are counted, or by the first report.
    return ShardFacts(
        shard=shard.shard,
        state=ShardState(shard.state),
        copied=shard.copied,
        total=shard.total,
        lag_seconds=shard.lag_seconds,
        rate_per_second=shard.rate_per_second,
        throttled=shard.throttled,
        reported_at=shard.reported_at,
    )

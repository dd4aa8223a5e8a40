"""What holds an upgrade up, found from facts: its keys of work, its workers and its shards, never guessed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from migrations_app.domain.sync import HELD
from migrations_app.domain.sync.throttle_reasons import read_rest
from migrations_app.kernel.clock import to_second
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, counted, message

LATE_SECONDS = 15.0
"""A key that has been due for so long, with no worker on it, is late."""
FRUITLESS_TURNS = 3
"""A key that was begun so often, and each time came to no end, is named."""
SILENT_SECONDS = 20.0
"""A worker that was not heard from for so long is not counted on."""
UNREPORTED_SECONDS = 30.0
"""A shard whose key is held by a worker, and that has not reported for so long, is named."""
QUEUE = "sync"


class BlockageKind(StrEnum):
    """The kinds of causes, the ones that need a person first."""

    QUARANTINED = "quarantined"
    NO_WORKER = "no-worker"
    UNAVAILABLE = "unavailable"
    BROKER_UNAVAILABLE = "broker-unavailable"
    WORKER_LATE = "worker-late"
    LEASE_HELD = "lease-held"
    NO_RESULT = "no-result"
    SHARD_FAILED = "shard-failed"
    RESOURCE_QUARANTINED = "resource-quarantined"
    THROTTLED = "throttled"


NEEDS_PERSON = frozenset(
    {
        BlockageKind.QUARANTINED,
        BlockageKind.NO_WORKER,
        BlockageKind.SHARD_FAILED,
        BlockageKind.RESOURCE_QUARANTINED,
    }
)


@dataclass(frozen=True, slots=True)
class Blockage:
    """One cause: what it is, since when (None: not known), and what helps; `needs_person` where nothing heals it."""

    kind: BlockageKind
    sentence: str
    since: datetime | None = None
    remedy: str = ""
    # The same sentence and remedy in phrases that other languages can word.
    phrases: tuple[Phrase, ...] = field(default=(), compare=False)
    remedy_phrases: tuple[Phrase, ...] = field(default=(), compare=False)

    @classmethod
    def worded(
        cls,
        kind: BlockageKind,
        sentence: WordedMessage,
        since: datetime | None = None,
        *,
        remedy: WordedMessage = NOTHING,
    ) -> Blockage:
        """Make a cause from messages, which keep their phrases."""
        phrases, remedies = sentence.phrases, remedy.phrases
        return cls(kind, str(sentence), since, str(remedy), phrases=phrases, remedy_phrases=remedies)

    @property
    def needs_person(self) -> bool:
        """Tell whether it stays until a person acts."""
        return self.kind in NEEDS_PERSON


@dataclass(frozen=True, slots=True)
class WorkKey:
    """The row of one key of work of an upgrade; empty texts and None where nothing is the case."""

    controller: str
    key: str
    due_at: datetime | None = None
    leased_until: datetime | None = None
    quarantined_at: datetime | None = None
    quarantine_reason: WordedMessage = NOTHING
    quarantine_remedy: WordedMessage = NOTHING
    waits_for: WordedMessage = NOTHING
    waits_since: datetime | None = None
    attempts: int = 0
    holder: str = ""


@dataclass(frozen=True, slots=True)
class WorkerPulse:
    """When one worker process was last heard from, and which queues it serves."""

    at: datetime
    queues: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShardTrouble:
    """What a shard reports besides its progress."""

    shard: int
    error: str = ""
    throttled: str = ""
    quarantined_resources: int = 0
    reported_at: datetime | None = None


def find_blockages(
    now: datetime,
    keys: Sequence[WorkKey],
    workers: Sequence[WorkerPulse],
    shards: Sequence[ShardTrouble],
    *,
    broker_answers: Callable[[], bool],
) -> tuple[Blockage, ...]:
    """Name every cause that the facts show, those that need a person first; none where they show none.

    Shape: `broker_answers` is asked only where work is late.
    """
    found = [
        *_quarantined(keys),
        *_workers(now, keys, workers, broker_answers),
        *_held(now, keys, shards),
        *_fruitless(keys),
        *_unavailable(keys),
        *_shards(now, shards),
    ]
    order = list(BlockageKind)
    return tuple(sorted(found, key=lambda blockage: order.index(blockage.kind)))


def _quarantined(keys: Sequence[WorkKey]) -> Iterable[Blockage]:
    stopped = [key for key in keys if key.quarantined_at is not None]
    for reason in {str(key.quarantine_reason): key.quarantine_reason for key in stopped}.values():
        same = [key for key in stopped if str(key.quarantine_reason) == str(reason)]
        remedy = next((key.quarantine_remedy for key in same if key.quarantine_remedy), NOTHING)
        yield Blockage.worded(
            BlockageKind.QUARANTINED,
            counted(len(same), "{count} of its tasks stopped:", "{count} of its tasks stopped:") + reason,
            _first(key.quarantined_at for key in same),
            remedy=remedy or message("Fix the cause, then retry it."),
        )


def _fruitless(keys: Sequence[WorkKey]) -> Iterable[Blockage]:
    again = [
        key
        for key in keys
        if key.attempts >= FRUITLESS_TURNS and key.quarantined_at is None and not key.waits_for
    ]
    if again:
        yield Blockage.worded(
            BlockageKind.NO_RESULT,
            counted(
                len(again),
                "{count} of its tasks began up to {most} times without a result.",
                "{count} of its tasks began up to {most} times without a result.",
                most=max(key.attempts for key in again),
            ),
            remedy=message("Look at the workers' logs: they ended, lost their leases, or failed."),
        )


def _workers(
    now: datetime,
    keys: Sequence[WorkKey],
    workers: Sequence[WorkerPulse],
    broker_answers: Callable[[], bool],
) -> Iterable[Blockage]:
    serving = [worker for worker in workers if QUEUE in worker.queues]
    alive = [worker for worker in serving if (now - worker.at).total_seconds() <= SILENT_SECONDS]
    if not alive:
        yield _no_worker(max((worker.at for worker in serving), default=None))
        return
    late = [key for key in keys if _is_late(now, key)]
    first = _first(key.due_at for key in late)
    if first is None:
        return
    due = counted(
        len(late),
        "{count} of its tasks is due, the first since {since_at}:",
        "{count} of its tasks are due, the first since {since_at}:",
        since_at=to_second(first),
    )
    if not broker_answers():
        yield Blockage.worded(
            BlockageKind.BROKER_UNAVAILABLE,
            due + message("the broker does not answer, so nothing wakes the workers."),
            first,
            remedy=message(
                "Check REDIS_URL and the broker's log; the work goes on by itself when it answers again."
            ),
        )
        return
    yield Blockage.worded(
        BlockageKind.WORKER_LATE,
        due + counted(len(alive), "{count} worker cannot keep up.", "{count} workers cannot keep up."),
        first,
        remedy=message(
            "Give the workers more processor time, or start another worker of the queue {queue}.", queue=QUEUE
        ),
    )


def _no_worker(last: datetime | None) -> Blockage:
    remedy = message("Start a worker of the queue {queue}.", queue=QUEUE)
    if last is None:
        sentence = message("No worker of the queue {queue} was heard from.", queue=QUEUE)
    else:
        sentence = message(
            "No worker of the queue {queue} was heard from since {since_at}.",
            queue=QUEUE,
            since_at=to_second(last),
        )
    return Blockage.worded(BlockageKind.NO_WORKER, sentence, last, remedy=remedy)


def _is_late(now: datetime, key: WorkKey) -> bool:
    if key.quarantined_at is not None or key.due_at is None:
        return False
    return not _is_held(now, key) and (now - key.due_at).total_seconds() > LATE_SECONDS


def _is_held(now: datetime, key: WorkKey) -> bool:
    return key.leased_until is not None and key.leased_until > now


def _held(now: datetime, keys: Sequence[WorkKey], shards: Sequence[ShardTrouble]) -> Iterable[Blockage]:
    silent = {
        shard.shard: shard.reported_at
        for shard in shards
        if shard.reported_at is not None and (now - shard.reported_at).total_seconds() > UNREPORTED_SECONDS
    }
    held: dict[str, list[int]] = {}
    for key in keys:
        shard = key.key.rpartition("/")[2]
        if key.controller == QUEUE and _is_held(now, key) and shard.isdigit() and int(shard) in silent:
            held.setdefault(key.holder, []).append(int(shard))
    for holder, numbers in sorted(held.items()):
        yield Blockage.worded(
            BlockageKind.LEASE_HELD,
            message(
                "Worker {worker} holds shard {shards} and reports nothing.",
                worker=holder,
                shards=", ".join(str(number) for number in sorted(numbers)),
            ),
            _first(silent[number] for number in numbers),
            remedy=message(
                "Look at that worker's log. If it hangs, end it: another one takes over when its lease has ended."
            ),
        )


def _unavailable(keys: Sequence[WorkKey]) -> Iterable[Blockage]:
    waiting = [key for key in keys if key.waits_for and key.quarantined_at is None]
    reasons = {str(key.waits_for): key.waits_for for key in waiting}
    for text, reason in reasons.items():
        since = _first(key.waits_since for key in waiting if str(key.waits_for) == text)
        remedy = message("It goes on by itself when that answers again.")
        yield Blockage.worded(BlockageKind.UNAVAILABLE, reason, since, remedy=remedy)


def _shards(now: datetime, shards: Sequence[ShardTrouble]) -> Iterable[Blockage]:
    for error in dict.fromkeys(
        shard.error for shard in shards if shard.error and not shard.quarantined_resources
    ):
        same = [shard for shard in shards if shard.error == error]
        yield Blockage.worded(
            BlockageKind.SHARD_FAILED,
            message("Shard {shards} failed: {reason}", shards=_numbers(same), reason=error),
            _first(shard.reported_at for shard in same),
            remedy=message("Fix the cause, then retry the shard."),
        )
    resources = sum(shard.quarantined_resources for shard in shards)
    if resources:
        yield Blockage.worded(
            BlockageKind.RESOURCE_QUARANTINED,
            counted(
                resources,
                "{count} resource could not be carried over.",
                "{count} resources could not be carried over.",
            ),
            remedy=message("Fix each of them and try it again, or exclude it."),
        )
    # What a person limited is no cause that holds an upgrade up.
    resting = [shard for shard in shards if shard.throttled and not shard.throttled.startswith(HELD)]
    for reason in dict.fromkeys(read_rest(shard.throttled).reason for shard in resting):
        same = [shard for shard in resting if read_rest(shard.throttled).reason == reason]
        rest = read_rest(same[0].throttled)
        since = rest.since_at(now)
        start = (
            counted(
                len(same),
                "Shard {shards} is throttled since {since_at}:",
                "Shards {shards} are throttled since {since_at}:",
                shards=_numbers(same),
                since_at=since,
            )
            if since
            else counted(
                len(same),
                "Shard {shards} is throttled:",
                "Shards {shards} are throttled:",
                shards=_numbers(same),
            )
        )
        yield Blockage.worded(
            BlockageKind.THROTTLED, start + rest.words, remedy=message("It goes on by itself.")
        )


def _numbers(shards: Sequence[ShardTrouble]) -> str:
    return ", ".join(str(shard.shard) for shard in shards)


def _first(times: Iterable[datetime | None]) -> datetime | None:
    return min((time for time in times if time is not None), default=None)

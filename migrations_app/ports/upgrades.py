"""Upgrades as the engine meets them: what it reads of one, and the only ways it may move one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from migrations_app.domain.switch.plan import UpgradeKind as UpgradeKind
from migrations_app.domain.switch.states import ShardState as ShardState
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import Phrase, WordedMessage
from migrations_app.ports.namespaces import Namespace


class DirectorRequest(StrEnum):
    """What a person (or the automatic switch) has asked the director to do next."""

    SWITCH = "switch"
    ABORT = "abort"
    REVERT = "revert"
    COMPLETE = "complete"


class Direction(StrEnum):
    """Which way data flows: towards the target version, or back."""

    FORWARD = "forward"
    REVERSE = "reverse"


@dataclass(frozen=True, slots=True)
class UpgradeRecord:
    """One upgrade, as read in one instant; `rev` grows with every change of it."""

    id: str
    rev: int
    deployment: str
    source_version: str
    target_version: str
    source: Namespace
    target: Namespace
    state: State
    kind: UpgradeKind = UpgradeKind.VERSION
    paused: bool = False
    request: DirectorRequest | None = None
    requested_by: str = ""
    plan_digest: str = ""
    # The fence's epoch of the freeze this upgrade made last; 0 before any.
    freeze_epoch: int = 0
    # The lease epoch of the director that was here last: it alone may move the upgrade.
    director: int = 0
    freeze_seconds: float = 5.0
    enable_downgrade_sync: bool = True
    # Reverse replication was switched on after the switch: everything is copied back first.
    reverse_late: bool = False
    automatic: bool = False
    reversible_until: datetime | None = None
    # What the data in place are brought to, for an upgrade of kind data.
    data_version: str = ""
    # So many resources a second a person lets it copy at most; None is as many as the database bears.
    copy_limit: int | None = None
    # Names ("type name") of quarantined resources that a person accepted to leave behind.
    waived: frozenset[str] = frozenset()

    @property
    def direction(self) -> Direction:
        """Which way the data of this upgrade flows now."""
        backwards = {State.REVERSIBLE, State.REVERTING}
        return Direction.REVERSE if self.state in backwards else Direction.FORWARD

    @property
    def ring(self) -> int:
        """How many shards its data flow in now."""
        return self.ring_of(self.direction)

    def ring_of(self, direction: Direction) -> int:
        """How many shards data flow in in a direction: those of the namespace that they come from."""
        return self.target.ring if direction is Direction.REVERSE else self.source.ring

    @property
    def origin(self) -> Namespace:
        """The namespace that is served now, and followed."""
        return self.target if self.direction is Direction.REVERSE else self.source

    @property
    def passive(self) -> Namespace:
        """The namespace that is being filled now."""
        return self.source if self.direction is Direction.REVERSE else self.target


@dataclass(frozen=True, slots=True)
class ShardReport:
    """How far one shard is; numbers count resources of all types together.

    Units: `lag_seconds` None = nothing known; `rate_per_second` resources a second, over about ten seconds.
    """

    shard: int
    state: ShardState
    stage: str
    copied: int = 0
    total: int = 0
    applied: int = 0
    failed: int = 0
    lag_seconds: float | None = None
    rate_per_second: float = 0.0
    error: str = ""
    throttled: str = ""


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One line of an upgrade's story. `kind` is stable (`freeze`, `flip`, `writes-resumed`, `shard-ready`, …).

    `words` are a message, which other languages can word, or what a person wrote.
    """

    kind: str
    words: WordedMessage | str
    details: Mapping[str, Json] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """Give the line in English."""
        return str(self.words)


@dataclass(frozen=True, slots=True)
class StepMark:
    """One step of the switch: begun, done or failed."""

    step: str
    state: str  # current | done | failed | skipped
    took_seconds: float | None = None
    words: WordedMessage | str = ""

    @property
    def text(self) -> str:
        """Give what it came to in English."""
        return str(self.words)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One preflight fact. `verdict`: a value of `Verdict`; `value` is its number, if it has one; `phrases` word it."""

    check: str
    verdict: str
    sentence: str
    remedy: str = ""
    value: float | None = None
    phrases: tuple[Phrase, ...] = field(default=(), compare=False)
    remedy_phrases: tuple[Phrase, ...] = field(default=(), compare=False)


class Upgrades(Protocol):
    """The rows of upgrades. Every method is one transaction; the engine has no other way to change one."""

    def load(self, upgrade_id: str) -> UpgradeRecord:
        """Read one upgrade.

        Raises: Missing.
        """
        ...

    def live(self, deployment: str) -> UpgradeRecord | None:
        """Read the deployment's one upgrade that is not finished (COMPLETED, ABORTED and REVERTED are)."""
        ...

    def due(self) -> Sequence[str]:
        """Name the upgrades the director has work for: every live one that is neither paused nor PLANNED,
        and every paused, PLANNED or HALTED one that carries a request."""
        ...

    def syncing(self) -> Sequence[UpgradeRecord]:
        """List the upgrades whose data must flow: SYNCING, READY, SWITCHING, REVERSIBLE, REVERTING, not paused."""
        ...

    def claim(self, upgrade_id: str, epoch: int) -> UpgradeRecord:
        """Read one upgrade and note that the director with lease `epoch` works on it.

        Raises: Stale when a director with a greater lease epoch was here already.
        """
        ...

    def refusal(self, record: UpgradeRecord, request: DirectorRequest) -> str | None:
        """Say in one sentence why the request may not be carried out now (votes missing, expired or void for
        this plan digest, window closed, another region lacks the target), or None. Asked right before the freeze."""
        ...

    def transition(
        self,
        record: UpgradeRecord,
        event: UpgradeEvent,
        line: TimelineEntry,
        *,
        clear_request: bool = False,
        freeze_epoch: int | None = None,
        freeze_ms: float | None = None,
    ) -> UpgradeRecord:
        """Let `event` move the upgrade, if it still is in `record.state` and no later director was here; the row of the table, the line, the
        ledger entry and the live message commit together. FLIP uses up the approval it was asked for. `freeze_ms` says for
        how long it held writes; that of a rollback is kept beside that of the switch.

        Once: the same transition again is Stale, never doubled.
        Raises: Stale when the state has moved, or a later director has claimed it; Conflict when the table has
        no such row.
        """
        ...

    def clear_request(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        """Drop the request without a transition (refused by a guard), with its reason as a line."""
        ...

    def run_out(self, record: UpgradeRecord, line: TimelineEntry) -> UpgradeRecord:
        """Ask for COMPLETE in no account's name, if `record` is still the newest revision and carries no request.

        Raises: Stale when it changed meanwhile.
        """
        ...

    def note(self, upgrade_id: str, line: TimelineEntry) -> None:
        """Add a line to the story; no state changes."""
        ...

    def mark_step(self, upgrade_id: str, mark: StepMark) -> None:
        """Show a step of the switch as begun, done or failed."""
        ...

    def record_checks(self, upgrade_id: str, checks: Sequence[CheckResult]) -> None:
        """Keep the newest preflight, so that the page and the approval show the same facts."""
        ...

    def report_shard(self, upgrade_id: str, report: ShardReport) -> None:
        """Keep the newest report of one shard (Deployment's shard lists follow); coalesced by the live stream."""
        ...

    def report_resting(self, upgrade_id: str, shards: Sequence[int], lag_seconds: float) -> Sequence[int]:
        """Say of shards that are caught up that their newest reports hold now as well; nothing was written to them.

        Shape: seconds that the oldest change which one of them has not followed is old. One whose newest report is not
        that of a shard that is caught up keeps it, and is not among those that are given back: it has to report by
        itself what it has become since.
        """
        ...

    def expect_shards(self, upgrade_id: str, totals: Mapping[int, int]) -> None:
        """Note how many resources each shard holds before any is copied, so that progress has a total from the start.

        Once: a shard that has reported keeps its report.
        """
        ...

    def shards(self, upgrade_id: str) -> Sequence[ShardReport]:
        """List the newest report of every shard, by number; shards that never reported are `pending`."""
        ...

    def publish(self, place: Namespace, epoch: int) -> bool:
        """Copy the fence to the control database: the version that is served (`current_version`) and where its
        data are, only if `epoch` is newer than what was published. Says whether anything changed.

        Once: monotone by epoch; any process may call it at any time, for ever.
        """
        ...

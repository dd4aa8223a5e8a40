"""What a run sheet says as of a moment: from what was recorded until then, and nothing that came later."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from migrations_app.domain.switch.states import STATE_WORDS, State
from migrations_app.domain.switch.stepper import StepperStep
from migrations_app.domain.switch.words import stamp
from migrations_app.models.upgrades import Upgrade

VERDICT_WORDS: Mapping[str, str] = {
    "fail": "failed",
    "unknown": "not checked yet",
    "pending": "pending",
    "warn": "warning",
    "pass": "passed",
    "skipped": "not needed",
}
"""The words of verdicts, what stops a step first."""


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """A check, its verdict and when it was made."""

    check: str
    verdict: str
    sentence: str
    at: str

    @property
    def passes(self) -> bool:
        """Tell whether it is no reason to look closer."""
        return self.verdict in ("pass", "skipped")


@dataclass(frozen=True, slots=True)
class SheetVote:
    """A vote; `void` says why it does not count, as far as that is recorded until the moment."""

    at: datetime
    who: str
    verdict: str
    comment: str
    void: str
    checks: Sequence[SheetCheck]
    """As they were when it was given; empty where that was not recorded."""


@dataclass(frozen=True, slots=True)
class SheetRequest:
    """A request for approval with the checks that its votes were given on."""

    at: datetime
    who: str
    purpose: str
    comment: str
    needed: int
    checks_at: datetime
    checks: Sequence[SheetCheck]
    votes: Sequence[SheetVote]


@dataclass(frozen=True, slots=True)
class ShardSpan:
    """A shard in one state, from one moment to another."""

    shard: int
    state: str
    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class SheetEvent:
    """Something that happened, and who did it."""

    at: datetime
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class SheetSample:
    """A point of the curves. Units: seconds, resources a second."""

    at: datetime
    lag_p95: float | None
    rate: float
    write_p95: float | None = None

    @property
    def write_p95_ms(self) -> float | None:
        """Give the latency of clients' writes in the unit that it is drawn in; None where none was measured."""
        return None if self.write_p95 is None else self.write_p95 * 1000


@dataclass(frozen=True, slots=True)
class SwitchStep:
    """A step of the switch and how long it took."""

    step: str
    at: datetime
    state: str
    took_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSheet:
    """The run sheet of an upgrade as of a moment."""

    upgrade: Upgrade
    as_of: datetime
    is_newest: bool
    """Whether it shows the upgrade as it was when the file was written, not a moment before that."""
    state: State
    sentence: str
    steps: Sequence[StepperStep]
    checks: Sequence[SheetCheck]
    checks_at: datetime | None
    """When the checks were recorded; None: they were made for this sheet."""
    requests: Sequence[SheetRequest]
    spans: Sequence[ShardSpan]
    shards_complete: bool
    samples: Sequence[SheetSample]
    switch_steps: Sequence[SwitchStep]
    events: Sequence[SheetEvent]
    events_left_out: int
    transitions: Sequence[tuple[datetime, State]]

    @property
    def title(self) -> str:
        """Name the upgrade."""
        of = self.upgrade
        return f"{of.service} @ {of.region}: {of.from_version} to {of.to_version}"

    @property
    def subject(self) -> str:
        """Name the sheet in two words, as its signature does."""
        return f"upgrade/{self.upgrade.pk} {self.as_of.isoformat().replace('+00:00', 'Z')}"

    @property
    def freeze(self) -> tuple[datetime, datetime] | None:
        """Give when the last switch began and ended; None as long as none did."""
        begun = [at for at, state in self.transitions if state is State.SWITCHING]
        ended = [at for at, state in self.transitions if state is State.REVERSIBLE]
        return (begun[-1], ended[0]) if begun and ended else None

    @property
    def worse(self) -> Sequence[tuple[SheetCheck, SheetCheck]]:
        """List the checks that passed when approval was requested and do not now: then and now."""
        if not self.requests or self.checks_at is not None:
            return ()
        then = {check.check: check for check in self.requests[-1].checks if check.passes}
        changed = ((then[check.check], check) for check in self.checks if check.check in then)
        return [(before, now) for before, now in changed if not now.passes]


def facts_of(sheet: RunSheet) -> dict[str, str]:
    """Give the facts that stand at the head of a sheet, by name."""
    of = sheet.upgrade
    freeze = of.freeze_ms if sheet.freeze else None
    facts: dict[str, Any] = {
        "State": STATE_WORDS[sheet.state],
        "As of": stamp(sheet.as_of),
        "Upgrade": of.pk,
        "Planned by": f"{of.created_by}, {stamp(of.created_at)}",
        "Plan digest": of.plan_digest,
        "Shards": f"{of.ring}, then {of.target_shard_count}" if of.target_shard_count else str(of.ring),
        "Pause of writes": "no switch until then" if freeze is None else f"{freeze:.0f} ms",
    }
    if sheet.state is State.REVERTED and of.rollback_freeze_ms is not None:
        facts["Pause of writes by the rollback"] = f"{of.rollback_freeze_ms:.0f} ms"
    return {**facts, "Reason": of.comment} if of.comment else facts


def counted_checks(checks: Sequence[SheetCheck]) -> str:
    """Count checks by verdict, what stops a step first."""
    if not checks:
        return "No checks were recorded until then."
    counts = {
        word: sum(check.verdict == verdict for check in checks) for verdict, word in VERDICT_WORDS.items()
    }
    return ", ".join(f"{count} {word}" for word, count in counts.items() if count) + "."


def by_severity(checks: Sequence[SheetCheck]) -> list[SheetCheck]:
    """Order checks: what stops a step first."""
    order = [*VERDICT_WORDS]
    return sorted(checks, key=lambda check: order.index(check.verdict) if check.verdict in order else 0)

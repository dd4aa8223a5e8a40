"""What is known of an upgrade when it is judged, and how a judged guard looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, verbatim


class CheckVerdict(StrEnum):
    """How a check came out; `pending` and `unknown` are no faults, but neither lets a switch pass.

    `pending` is still to come by itself or by a decision; `skipped` had nothing to look at, and stops nothing.
    """

    PASS = "pass"  # noqa: S105
    SKIPPED = "skipped"
    WARN = "warn"
    PENDING = "pending"
    FAIL = "fail"
    UNKNOWN = "unknown"


STOPPING = frozenset({CheckVerdict.PENDING, CheckVerdict.FAIL, CheckVerdict.UNKNOWN})


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    """One guard judged: the sentence is the same in the API, the dry run, the tooltip and the audit."""

    check: str
    verdict: CheckVerdict
    sentence: str
    remedy: str = ""
    at: datetime | None = None
    value: float | None = None
    who_can: tuple[str, ...] = ()
    # The same sentence and remedy in phrases that other languages can word; none where it was written otherwise.
    phrases: tuple[Phrase, ...] = field(default=(), compare=False)
    remedy_phrases: tuple[Phrase, ...] = field(default=(), compare=False)

    @classmethod
    def worded(
        cls,
        check: str,
        verdict: CheckVerdict,
        sentence: WordedMessage,
        remedy: WordedMessage = NOTHING,
        *,
        at: datetime | None = None,
    ) -> ReadinessCheck:
        """Make a check from messages, which keep their phrases."""
        return cls(
            check,
            verdict,
            str(sentence),
            str(remedy),
            at,
            phrases=sentence.phrases,
            remedy_phrases=remedy.phrases,
        )

    @property
    def message(self) -> WordedMessage:
        """Give the sentence as a message; one that was kept without phrases as it is."""
        return WordedMessage(self.phrases) or verbatim(self.sentence)

    @property
    def holds(self) -> bool:
        """Tell whether this check lets the step pass."""
        return self.verdict not in STOPPING


@dataclass(frozen=True, slots=True)
class ReadinessLimits:
    """The bounds that guards compare with."""

    lag_seconds: float = 10.0
    freeze_bound_ms: float = 5000.0
    old_transaction_seconds: float = 5.0
    parity_age_seconds: float = 900.0


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of an upgrade when it is judged; None is not known."""

    now: datetime
    from_version: str
    to_version: str
    current_version: str | None = None
    other_upgrade: str | None = None
    reachable: bool | None = None
    unreachable_reason: WordedMessage = NOTHING
    disabled: bool = False
    missing_regions: tuple[str, ...] | None = None
    ring: int = 16
    data_ring: int | None = None
    shards_ready: int | None = None
    # Of those that are not ready: how many do not report, and how many failed.
    shards_unknown: int = 0
    shards_failed: int = 0
    lag_seconds: float | None = None
    parity_clean_at: datetime | None = None
    parity_differences: int | None = None
    quarantined: int | None = None
    reverse_proved: bool | None = None
    downgrade_sync: bool = True
    # Reverse replication was switched on after the switch, and not every shard is copied back and compared yet.
    reverse_unproved: bool = False
    in_place: bool = False
    reverse_error: str = ""
    not_representable: int | None = None
    # How many resources were looked at while the price is being counted; None when all were.
    price_looked: int | None = None
    # Regions whose read copies the filled namespace lacks: those that still come, and those of who does not serve.
    copies_coming: tuple[str, ...] = ()
    copies_lost: tuple[str, ...] = ()
    oldest_transaction_seconds: float | None = None
    oldest_transaction_holder: str = ""
    predicted_freeze_ms: float | None = None
    # Live reads of the version that serves, made again as after the switch; and where they differed.
    shadow_reads: int = 0
    shadow_differing: int = 0
    shadow_places: tuple[str, ...] = ()
    window_open: bool | None = None
    window_reason: WordedMessage = NOTHING
    plan_valid: bool | None = None
    # What the new version does not have of the old one, in words: all of it, and what is not accepted. None: unknown.
    removals: tuple[str, ...] | None = ()
    removals_open: tuple[str, ...] = ()
    # Services here that were switched since, to versions built on the one that would be left.
    moved_dependants: tuple[str, ...] = ()
    # A person overrode approval by break-glass for this step.
    emergency: bool = False
    approval_needed: bool = True
    # Votes are needed, but not yet: the rollback is free for a while after the switch.
    approval_free: bool = False
    approval_state: str = "none"
    approval_sentence: WordedMessage = NOTHING
    approval_remedy: WordedMessage = NOTHING
    approval_who_can: tuple[str, ...] = ()
    limits: ReadinessLimits = field(default_factory=ReadinessLimits)

"""The status of a key on one side, and what becomes of one message between a writer and a reader."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum, StrEnum


class Status(StrEnum):
    """What one side knows of a key."""

    UNKNOWN = "U"
    OPTIONAL = "O"
    REQUIRED = "R"
    DEPRECATED = "D"


class Strategy(StrEnum):
    """What a reader does with a key it does not know."""

    STRICT = "strict"
    FILTER = "filter"
    PASS = "pass"  # noqa: S105 - a strategy, not a password


class MessageOutcome(IntEnum):
    """What becomes of messages, from harmless to worst."""

    OK = 0
    WARN = 1
    CARRY = 2
    LOSS = 3
    MAY_BREAK = 4
    BREAK = 5

    @property
    def word(self) -> str:
        """The word that reports use."""
        return _WORDS[self]


_WORDS: Mapping[MessageOutcome, str] = {
    MessageOutcome.OK: "ok",
    MessageOutcome.WARN: "warn",
    MessageOutcome.CARRY: "carry",
    MessageOutcome.LOSS: "loss",
    MessageOutcome.MAY_BREAK: "break?",
    MessageOutcome.BREAK: "BREAK",
}


class OutcomePolicy(Enum):
    """The worst outcome that a step may have."""

    NO_LOSS = MessageOutcome.CARRY
    LOSS_OK = MessageOutcome.LOSS

    def admits(self, outcome: MessageOutcome) -> bool:
        """Tell whether the policy takes an outcome."""
        return outcome <= self.value


class DefaultPolicy(StrEnum):
    """Whether a required key with a default may be absent for a reader."""

    LENIENT = "lenient"
    CONTRACT = "contract"


def emitted(writer: Status) -> frozenset[bool]:
    """Say whether a writer's messages have the key: always, never, or both."""
    if writer is Status.UNKNOWN:
        return frozenset({False})
    return frozenset({True}) if writer is Status.REQUIRED else frozenset({True, False})


def outcome(
    writer: Status, reader: Status, strategy: Strategy, *, defaulted: DefaultPolicy | None = None
) -> MessageOutcome:
    """Say what becomes of the messages of a writer at a reader, the worst that may happen.

    `defaulted` says how a required key with a default is read; None means it has no default.
    """
    each = [_one(present, reader, strategy, defaulted) for present in emitted(writer)]
    worst = max(each)
    if worst is MessageOutcome.BREAK and len(each) > 1 and min(each) is not MessageOutcome.BREAK:
        return MessageOutcome.MAY_BREAK
    return worst


def _one(
    present: bool, reader: Status, strategy: Strategy, defaulted: DefaultPolicy | None
) -> MessageOutcome:
    if not present:
        breaks = reader is Status.REQUIRED and defaulted is not DefaultPolicy.LENIENT
        return MessageOutcome.BREAK if breaks else MessageOutcome.OK
    if reader is Status.DEPRECATED:
        return MessageOutcome.WARN
    if reader is not Status.UNKNOWN:
        return MessageOutcome.OK
    return {
        Strategy.STRICT: MessageOutcome.BREAK,
        Strategy.FILTER: MessageOutcome.LOSS,
        Strategy.PASS: MessageOutcome.CARRY,
    }[strategy]

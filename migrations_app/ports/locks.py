"""Who works on which key: leases with a fencing epoch, and how a piece of work ended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from migrations_app.kernel.json import JsonObject

LONGEST_WAIT_SECONDS = 15.0
"""Whoever was missing is asked again after this time at the latest."""
WAIT_SHARE = 3
"""Who has been missing for so many minutes is asked again after one."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a key for a while; `epoch` grows with every take-over, over all keys.

    `attempts` counts how often the key was taken since work on it last ended with an answer; `told` is what
    the last attempt that said so left for the next.
    """

    key: str
    epoch: int
    controller: str = ""
    attempts: int = 1
    wakes: int = 0
    told: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left to do for this key."""


@dataclass(frozen=True, slots=True)
class Again:
    """There is more to do, not before `after_seconds`; `fruitless` when this attempt brought nothing.

    `waits_for` says, for people, who else has to answer or act first. Such a key is never parked: it comes up
    again, the later the longer it has waited. `told` is left for the next attempt; None leaves what was.
    """

    after_seconds: float = 0.0
    fruitless: bool = False
    waits_for: str = ""
    told: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Parked:
    """A person must look before this key goes on."""

    reason: str
    code: str = "parked"
    remedy: str = ""


Outcome: TypeAlias = Done | Again | Parked


class Leases(Protocol):
    """Hands out keys, one holder at a time; all times are the database's."""

    def take(self, controller: str, key: str, *, holder: str, lease_seconds: float) -> Lease | None:
        """Take a key that is due, not parked and not held; nothing if another holds it or it is not due.

        Once: durable before it returns; the epoch is larger than every epoch given out before.
        """
        ...

    def renew(self, lease: Lease, *, lease_seconds: float) -> bool:
        """Hold on for another while; false once somebody else took the key."""
        ...

    def confirm(self, lease: Lease) -> None:
        """Keep everybody from taking the key over until the present transaction ends.

        Raises: Stale (`lease-lost`) when somebody else has taken it.
        """
        ...

    def settle(self, lease: Lease, outcome: Outcome) -> bool:
        """Write down how the work ended and let go; false, and nothing written, once the key was taken over.

        A key woken since it was taken stays due whatever the outcome says, unless it is parked.
        """
        ...

    def wake(self, controller: str, key: str, *, unpark: bool = False) -> None:
        """Make a key due now; `unpark` also lets a parked one go on."""
        ...

    def queueable(self, controller: str, keys: Iterable[str], *, quiet_seconds: float) -> list[str]:
        """Choose of these keys, and of all that fell due, those to hint at now.

        Parked, held and not yet due keys are left out, and each key is chosen at most once in `quiet_seconds`.
        """
        ...

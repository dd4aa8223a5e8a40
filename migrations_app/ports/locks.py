"""Who works on which key: leases with a fencing epoch, and how a piece of work ended."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from migrations_app.domain.work_classes import SHARES, WorkClass
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage

LONGEST_WAIT_SECONDS = 15.0
"""A peer that was missing is asked again after this time at the latest."""
WAIT_SHARE = 3
"""Who has been missing for so many minutes is asked again after one."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to work on a key for a while; `epoch` grows with every take-over, over all keys.

    `attempts` counts how often the key was taken since work on it last ended with an answer; `memo` is what
    the last attempt that said so left for the next.
    """

    key: str
    epoch: int
    controller: str = ""
    attempts: int = 1
    wakes: int = 0
    memo: JsonObject = field(default_factory=dict)
    work_class: WorkClass | None = None
    pool: str = ""


@dataclass(frozen=True, slots=True)
class WorkPool:
    """What a group of workers takes: the keys of these controllers, its time divided by these shares.

    Workers with the same name, on whatever machine, share one account of the time that each class used.
    """

    name: str
    controllers: Sequence[str]
    shares: Mapping[WorkClass, float] = field(default_factory=lambda: dict(SHARES))


@dataclass(frozen=True, slots=True)
class TakenKey:
    """A key that was taken because it was next; `others_due` when more keys were due at that moment."""

    lease: Lease
    others_due: bool = False


@dataclass(frozen=True, slots=True)
class DueKey:
    """A key that has work of another class than its controller's own."""

    key: str
    work_class: WorkClass


@dataclass(frozen=True, slots=True)
class WokenKey:
    """A key of a controller that has reason to look again; the class is for a key that is new."""

    controller: str
    key: str
    work_class: WorkClass


@dataclass(frozen=True, slots=True)
class ClassBacklog:
    """The keys of one class that are due and free: how many, and for how long the first has been due."""

    work_class: WorkClass
    due: int
    late_seconds: float
    used_seconds: float


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left to do for this key; `for_good` when it need not be remembered either.

    A key may be listed before its upgrade ends and made after the upgrade's keys were deleted: without `for_good` its
    row would stay.
    """

    for_good: bool = False


@dataclass(frozen=True, slots=True)
class Again:
    """There is more to do, not before `after_seconds`; `fruitless` when this attempt brought nothing.

    `waits_for` says, for people, who else has to answer or act first. Such a key is never quarantined: it comes up
    again, the later the longer it has waited. `memo` is left for the next attempt; None leaves what was. `work_class`
    is the class of the next slice; None leaves what was.
    """

    after_seconds: float = 0.0
    fruitless: bool = False
    waits_for: str | WordedMessage = ""
    memo: JsonObject | None = None
    work_class: WorkClass | None = None


@dataclass(frozen=True, slots=True)
class QuarantinedKey:
    """A person must look before this key goes on."""

    reason: str | WordedMessage
    code: str = "quarantined"
    remedy: str | WordedMessage = ""


Outcome: TypeAlias = Done | Again | QuarantinedKey


@dataclass(frozen=True, slots=True)
class SettledLease:
    """How a lease was let go: whether a key is due and free now, this one again or any other."""

    more_due: bool


class Leases(Protocol):
    """Hands out keys, one holder at a time; all times are the database's."""

    def take_next(
        self,
        pool: WorkPool,
        *,
        holder: str,
        lease_seconds: float,
        only: Collection[WorkClass] = (),
        skip: Collection[tuple[str, str]] = (),
    ) -> TakenKey | None:
        """Take the key that is next: of the first class, else of the class that is furthest behind its share.

        Within a class the key that has been due longest. `only` restricts the classes; `skip` names (controller,
        key) pairs to leave out. None when nothing is due and free.
        Once: as `take`; of several callers at one moment each gets another key, and none waits for another.
        """
        ...

    def take(self, controller: str, key: str, *, holder: str, lease_seconds: float) -> Lease | None:
        """Take a key that is due, not quarantined and not held; nothing if another holds it or it is not due.

        Once: durable before it returns; the epoch is larger than every epoch given out before.
        """
        ...

    def renew(self, lease: Lease, *, lease_seconds: float) -> bool:
        """Hold on for another while; false once another worker took the key."""
        ...

    def confirm(self, lease: Lease) -> None:
        """Keep everybody from taking the key over until the present transaction ends.

        Raises: Stale (`lease-lost`) when another worker has taken it.
        """
        ...

    def settle(self, lease: Lease, outcome: Outcome, *, used_seconds: float = 0.0) -> SettledLease | None:
        """Write down how the work ended and let go; None, and nothing written, once the key was taken over.

        A key woken since it was taken stays due whatever the outcome says, unless it is quarantined. Else a key that
        is done for good is deleted, with its memo. The time used is
        charged to the class that the key was taken for.
        """
        ...

    def wake(
        self, controller: str, key: str, *, work_class: WorkClass | None = None, lift_quarantine: bool = False
    ) -> None:
        """Make a key due now; `lift_quarantine` also lets a quarantined one go on. A new key gets the class."""
        ...

    def wake_all(self, keys: Collection[WokenKey]) -> None:
        """Make many keys due now, each as `wake` does."""
        ...

    def ensure(self, controller: str, keys: Iterable[DueKey]) -> int:
        """Make those of the keys due that are neither held, quarantined nor scheduled, and count them."""
        ...

    def count_due(self, controllers: Sequence[str], *, limit: int) -> dict[str, int]:
        """Count the keys of these controllers that are due and free, each up to a limit; who has none is left out."""
        ...

    def backlog(self) -> Sequence[ClassBacklog]:
        """Tell for every class how many keys are due and free, how late the first is, and what was used."""
        ...

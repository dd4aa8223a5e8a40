"""The one lifecycle of background work: take a key, reconcile it within a budget, write down the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import wraps
from threading import Lock
from typing import Protocol, TypeVar
from zlib import crc32

from migrations_app.domain.work_classes import WorkClass
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import (
    Busy,
    DatabaseBusy,
    DataElsewhere,
    DeletionPending,
    DeploymentDisabled,
    DeploymentEvicted,
    DeploymentMissing,
    NamespaceMissing,
    PeerUnavailable,
    Refused,
    Stale,
    SwitchyardError,
)
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.request_origin import RequestOrigin, carrying_out
from migrations_app.kernel.tracing import OpenSpan, trace_of_upgrade, tracer
from migrations_app.ports.locks import (
    Again,
    Done,
    DueKey,
    Lease,
    Leases,
    Outcome,
    QuarantinedKey,
    SettledLease,
)

__all__ = [
    "RESTING",
    "Again",
    "Budget",
    "Controller",
    "Done",
    "DueKey",
    "Lease",
    "Outcome",
    "QuarantinedKey",
    "Ran",
    "Rest",
    "Share",
    "Terms",
    "WorkClass",
    "at_whole",
    "backoff_seconds",
    "ensure_due",
    "ensure_listed",
    "reconcile",
    "reconcile_taken",
    "while_hosted",
]

WAITING = (PeerUnavailable, DatabaseBusy, DeletionPending)
"""Errors about a peer to answer or a writer to end first: a cut line or a slow deletion is no fault of the work."""
OF_UPGRADES = frozenset({"sync", "parity", "switch"})
"""Controllers that try again when they are refused, and say what they wait for: a person changes the definition, the
registry or the data that refuse them, and an upgrade that had to be told so would stand for no reason."""
LOST_SECONDS = 3.0
WHOLE_SECONDS = 5.0
"""Who looks again and again does so at whole multiples of this, all at the same moments: one thread is woken for all."""
GONE = (DeploymentMissing, DeploymentDisabled, DeploymentEvicted, DataElsewhere)
"""Errors that tell of a deployment that was taken away since its key was listed."""

C = TypeVar("C", bound="Controller")


class Budget:
    """The time one slice of work may take; look at `spent` between steps, and return when it is true."""

    __slots__ = ("_clock", "_end", "seconds")

    def __init__(self, seconds: float, clock: Clock) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock.monotonic() + seconds

    @property
    def left_seconds(self) -> float:
        """Tell how much is left; never below zero."""
        return max(0.0, self._end - self._clock.monotonic())

    @property
    def spent(self) -> bool:
        """Tell whether it is time to return."""
        return self.left_seconds <= 0.0


REST_SECONDS = 600.0
REST_SECONDS_PER_KEY = 2.0
COUNTED_SECONDS = 60.0
_SPREAD = 0.2
RESTING = (
    "pending", "deleting", "subscribed-deletions", "fixtures", "search", "syncing-meta", "read-copies", "left-copies",
)  # fmt: skip
"""The controllers whose keys rest while nothing changes; each key begins with a deployment."""


class Rest:
    """How long a key rests that is woken when there is work for it; a net below the net (`FeedWatch`), nothing more.

    The more keys rest the longer, so that all of them together cost as much as a few: one comes up every two seconds.
    Spread out, so that not all come up at one moment.
    """

    __slots__ = ("_clock", "_count", "_counted", "_keys")

    def __init__(self, keys: Callable[[], int], clock: Clock) -> None:
        self._keys, self._clock = keys, clock
        self._count, self._counted = 0, float("-inf")

    def after(self, key: str) -> Again:
        """Tell how a key goes on that found nothing to do."""
        now = self._clock.monotonic()
        if now - self._counted > COUNTED_SECONDS:
            self._count, self._counted = self._keys(), now
        longest = max(REST_SECONDS, REST_SECONDS_PER_KEY * self._count)
        return Again(longest * (1.0 - _SPREAD * (crc32(key.encode()) % 1000) / 1000))


class Share:
    """How many threads of this process may do one kind of heavy work at once, so that light work is never behind it.

    No thread waits for a share: one that gets none returns, and its key comes up again.
    """

    __slots__ = ("_count", "_lock", "_most")

    def __init__(self, most: int) -> None:
        self._most, self._count, self._lock = most, 0, Lock()

    @property
    def is_full(self) -> bool:
        """Tell whether all are taken, without taking one."""
        return self._count >= self._most

    @contextmanager
    def taken(self) -> Iterator[bool]:
        """Take one for the block; false when all are taken."""
        with self._lock:
            taken = not self.is_full
            self._count += taken
        try:
            yield taken
        finally:
            if taken:
                with self._lock:
                    self._count -= 1


class Controller(Protocol):
    """Brings keys from what is to what should be, in short steps that may run any number of times."""

    name: str
    queue: str
    work_class: WorkClass

    def due(self) -> Iterable[str | DueKey]:
        """List the keys that have work, from the tables alone; with a class where it is not the controller's own.

        The safety net asks now and then, so this must be one cheap query; keys listed needlessly do no harm.
        """
        ...

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Do a slice of the work for a key and say how it stands.

        Once: each step commits with its checkpoint and with `Leases.confirm(lease)`, so that a worker that
        lost its lease changes nothing. Raising `Busy` or `Stale` means again; `Halted` and `Broken` quarantine.
        """
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms keys are worked on."""

    budget_seconds: float = 2.0
    lease_seconds: float = 10.0
    attempts: int = 8
    longest_backoff_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Ran:
    """What became of one call: the outcome, or none when the key was not free, and how it was recorded, if it was."""

    outcome: Outcome | None
    settled: SettledLease | None
    error: BaseException | None = None

    @property
    def at_once(self) -> bool:
        """Tell whether the key is due again right away."""
        return self.due_in_seconds is not None and self.due_in_seconds <= 0

    @property
    def due_in_seconds(self) -> float | None:
        """Tell when the key is due again; None when it is not, as far as this call knows."""
        return self.outcome.after_seconds if self.settled and isinstance(self.outcome, Again) else None


def while_hosted(
    work: Callable[[C, str, Budget, Lease], Outcome],
) -> Callable[[C, str, Budget, Lease], Outcome]:
    """End the work on a deployment that is not here any more, and wait where its data are not to be found.

    Either is listed again should it come back.
    """

    @wraps(work)
    def _worked(self: C, key: str, budget: Budget, lease: Lease) -> Outcome:
        try:
            return work(self, key, budget, lease)
        except NamespaceMissing as error:
            return Again(LOST_SECONDS, waits_for=error.words)
        except GONE:
            return Done()

    return _worked


def reconcile(
    controller: Controller, key: str, *, leases: Leases, clock: Clock, holder: str, terms: Terms
) -> Ran:
    """Take the key if it is free, let the controller work on it for one budget, and settle the outcome."""
    lease = leases.take(controller.name, key, holder=holder, lease_seconds=terms.lease_seconds)
    if lease is None:
        return Ran(outcome=None, settled=None)
    return reconcile_taken(controller, lease, leases=leases, clock=clock, terms=terms)


def reconcile_taken(
    controller: Controller, lease: Lease, *, leases: Leases, clock: Clock, terms: Terms
) -> Ran:
    """Let the controller work on a key that was taken, for one budget, and settle the outcome.

    Once: a worker that dies leaves a lease that runs out; the key is due again then. A key whose workers die
    or fail `terms.attempts` times in a row without an answer is quarantined.
    """
    if lease.attempts > terms.attempts:
        abandoned = QuarantinedKey(
            message(
                "Work on {key} began {times} times without finishing.",
                key=lease.key,
                times=lease.attempts - 1,
            ),
            code="work-abandoned",
            remedy=message("Look at the workers' logs for this key, fix the cause, then retry it."),
        )
        return Ran(outcome=abandoned, settled=leases.settle(lease, abandoned))
    error: Exception | None = None
    outcome: Outcome
    began = clock.monotonic()
    try:
        with _span_of(controller, lease), carrying_out(RequestOrigin(caller=f"controller:{controller.name}")):
            outcome = controller.reconcile(lease.key, Budget(terms.budget_seconds, clock), lease)
    except Exception as raised:
        error, outcome = raised, _after(raised, lease, terms)
    used = clock.monotonic() - began
    return Ran(outcome=outcome, settled=leases.settle(lease, outcome, used_seconds=used), error=error)


def _span_of(controller: Controller, lease: Lease) -> AbstractContextManager[OpenSpan]:
    """Open the span of a slice; those of one upgrade are in one trace, whichever process works on them."""
    attributes = {"switchyard.controller": controller.name, "switchyard.key": lease.key}
    trace = ""
    if controller.name in OF_UPGRADES:
        upgrade = lease.key.partition("/")[0]
        attributes["switchyard.upgrade"], trace = upgrade, trace_of_upgrade(upgrade)
    return tracer().span(f"reconcile {controller.name}", attributes, trace=trace)


def ensure_due(controller: Controller, leases: Leases) -> int:
    """Make the keys due that have work and are not scheduled, and count them; heals what was never woken."""
    return ensure_listed(controller, controller.due(), leases)


def ensure_listed(controller: Controller, keys: Iterable[str | DueKey], leases: Leases) -> int:
    """Make those of a controller's keys due that are not scheduled, and count them."""
    listed = (each if isinstance(each, DueKey) else DueKey(each, controller.work_class) for each in keys)
    return leases.ensure(controller.name, listed)


def at_whole(seconds: float, clock: Clock) -> float:
    """Tell when to look again that is at most so many seconds away, at a moment that others choose as well."""
    now = clock.now().timestamp()
    wait = (now + seconds) // WHOLE_SECONDS * WHOLE_SECONDS - now
    return wait if wait > 0 else seconds


def backoff_seconds(attempts: int, longest_seconds: float) -> float:
    """Tell how long to wait after this many fruitless attempts: 0.5, 1, 2, … up to the longest."""
    return min(longest_seconds, 0.5 * 2.0 ** min(attempts - 1, 16))


def _after(error: Exception, lease: Lease, terms: Terms) -> Outcome:
    """Map an error to what happens next: the one map from the error tree to retries."""
    waiting = backoff_seconds(lease.attempts, terms.longest_backoff_seconds)
    if isinstance(error, WAITING):
        return Again(error.retry_after_seconds, waits_for=error.words)
    if isinstance(error, Busy):
        return Again(max(error.retry_after_seconds, waiting), fruitless=True)
    if isinstance(error, Stale):
        return Again(waiting if lease.attempts > 1 else 0.0, fruitless=True)
    if isinstance(error, Refused) and lease.controller in OF_UPGRADES:
        return Again(waiting, waits_for=error.words)
    if isinstance(error, SwitchyardError):
        return QuarantinedKey(
            WordedMessage(error.phrases) or error.message,
            code=error.code,
            remedy=WordedMessage(error.remedy_phrases) or error.remedy,
        )
    if lease.attempts >= terms.attempts:
        return QuarantinedKey(
            f"{type(error).__name__}: {error}",
            code="unexpected",
            remedy=message("This is an error of Switchyard or its environment; look at the log, then retry."),
        )
    return Again(waiting, fruitless=True)

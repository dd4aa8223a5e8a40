"""EnvRegistry: registers a deployment, then shows it the services and deployments that matter to it."""

from __future__ import annotations

import logging
import random
import threading
from collections import deque
from collections.abc import Callable, Iterator

from migrations_app.domain.registry.env import (
    Collection,
    EnvChange,
    EnvSnapshot,
    differences,
    relevant,
)
from migrations_app.domain.registry.names import RegistryKind, deployment_name
from migrations_app.engine.registry.registration import Registration, register
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.errors import Busy, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.registry import RegistryClient

LONGEST_PAUSE_SECONDS = 5.0
WATCHED = (RegistryKind.SERVICE, RegistryKind.DEPLOYMENT)

log = logging.getLogger(__name__)


class RegistrySubscription:
    """What one subscriber has not read yet: first the whole picture, then every change of it."""

    def __init__(self, snapshot: EnvSnapshot, leave: Callable[[RegistrySubscription], None]) -> None:
        self._waiting = deque(differences(EnvSnapshot(), snapshot))
        self._moved = threading.Condition()
        self._leave = leave
        self.closed = False

    def put(self, changes: tuple[EnvChange, ...]) -> None:
        """Add changes."""
        with self._moved:
            self._waiting.extend(changes)
            self._moved.notify_all()

    def next(self, timeout_seconds: float) -> EnvChange | None:
        """Give the next change; None when none came in time, or it was closed."""
        with self._moved:
            self._moved.wait_for(lambda: self._waiting or self.closed, timeout_seconds)
            return self._waiting.popleft() if self._waiting else None

    def close(self) -> None:
        """Take no more changes."""
        with self._moved:
            self.closed = True
            self._moved.notify_all()
        self._leave(self)


class EnvRegistry:
    """The surroundings of one deployment, kept by two watches.

    Source: seed 003 §1.2.
    """

    def __init__(self, client: RegistryClient, wanted: Registration, clock: Clock | None = None) -> None:
        self._client, self._wanted = client, wanted
        self._clock = clock or SystemClock()
        self._lock = threading.Condition()
        self._stop = threading.Event()
        self._collections = {kind: Collection() for kind in WATCHED}
        self._heard_at: dict[RegistryKind, float] = {}
        self._shown = EnvSnapshot()
        self._subscriptions: list[RegistrySubscription] = []
        self._failure: SwitchyardError | None = None
        self._threads: list[threading.Thread] = []

    def start(self, timeout_seconds: float = 60.0) -> None:
        """Register, and wait for the first whole picture.

        Raises: what the registry refused; Busy (`registry-unavailable`) when it did not answer in time.
        """
        end = self._clock.monotonic() + timeout_seconds
        self._register(end)
        for kind in WATCHED:
            thread = threading.Thread(
                target=self._watch, args=(kind,), name=f"env-registry-{kind.value}", daemon=True
            )
            thread.start()
            self._threads.append(thread)
        with self._lock:
            whole = self._lock.wait_for(self._whole_or_failed, max(0.0, end - self._clock.monotonic()))
        if self._failure is not None or not whole:
            self.close()
            raise self._failure or _away("the first picture did not become whole in time")

    def services(self) -> dict[str, JsonObject]:
        """Give the services that matter, by name."""
        return dict(self._shown.services)

    def deployments(self) -> dict[str, JsonObject]:
        """Give the deployments that matter, by name."""
        return dict(self._shown.deployments)

    def my_deployment(self) -> JsonObject | None:
        """Give the deployment itself; None when it was removed."""
        return self._shown.deployments.get(deployment_name(self._wanted.service, self._wanted.region))

    @property
    def age_seconds(self) -> float:
        """Tell how long ago the registry was last heard from, by the watch that is quiet longest."""
        now = self._clock.monotonic()
        return max((now - at for at in self._heard_at.values()), default=float("inf"))

    def subscribe(self) -> RegistrySubscription:
        """Follow the picture: first everything that is there, then every change."""
        with self._lock:
            subscription = RegistrySubscription(self._shown, self._unsubscribe)
            self._subscriptions.append(subscription)
        return subscription

    def close(self) -> None:
        """Stop watching; what was seen last can still be read."""
        self._stop.set()
        for subscription in list(self._subscriptions):
            subscription.close()

    def _unsubscribe(self, subscription: RegistrySubscription) -> None:
        with self._lock:
            if subscription in self._subscriptions:
                self._subscriptions.remove(subscription)

    def _register(self, end: float) -> None:
        for count in _counting():
            try:
                register(self._client, self._wanted, self._pause)
            except Busy as error:
                if self._clock.monotonic() >= end:
                    raise _away(str(error)) from error
                self._pause(count)
            else:
                return

    def _watch(self, kind: RegistryKind) -> None:
        collection = self._collections[kind]
        for count in _counting():
            if self._stop.is_set():
                return
            try:
                for told in self._client.watch(kind, collection.token, self._stop):
                    if told.is_current:
                        # What is not known to be current does not make the picture any younger.
                        self._heard_at[kind] = self._clock.monotonic()
                    if collection.take(told):
                        self._show()
                    elif (told.is_current or told.snapshot_size is not None) and not collection.token:
                        break  # the snapshot was not whole: watch again
            except Busy as error:
                log.info("the registry does not answer: %s", error)
            except SwitchyardError as error:
                self._fail(error)
                return
            self._pause(min(count, 3))

    def _show(self) -> None:
        with self._lock:
            if not all(each.complete for each in self._collections.values()):
                return
            after = relevant(
                self._wanted.service,
                self._collections[RegistryKind.SERVICE].documents,
                self._collections[RegistryKind.DEPLOYMENT].documents,
            )
            changes = differences(self._shown, after)
            self._shown = after
            for subscription in self._subscriptions:
                subscription.put(changes)
            self._lock.notify_all()

    def _fail(self, error: SwitchyardError) -> None:
        log.warning("the registry refuses to be watched: %s", error)
        with self._lock:
            self._failure = error
            self._lock.notify_all()

    def _whole_or_failed(self) -> bool:
        return self._failure is not None or all(each.complete for each in self._collections.values())

    def _pause(self, count: int) -> None:
        # Jitter parts those who met, so that a crowd of registrations does not meet again.
        seconds = min(LONGEST_PAUSE_SECONDS, 0.02 * 2 ** min(count, 8)) * random.uniform(0.3, 1.0)  # noqa: S311
        self._stop.wait(seconds)


def _counting() -> Iterator[int]:
    count = 0
    while True:
        yield count
        count += 1


def _away(reason: str) -> Busy:
    return Busy(
        message("The registry cannot be used: {answer}.", answer=reason),
        code="registry-unavailable",
        remedy=message("Look whether it runs and whether the token is good."),
    )

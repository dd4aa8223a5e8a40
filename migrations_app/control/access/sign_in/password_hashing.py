"""Password hashing with a bound: each Argon2 hash takes 64 MiB, so a process runs only a few of them at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher

from migrations_app.kernel.errors import Busy
from migrations_app.kernel.messages import message

WAITING_PER_SLOT = 4
WAIT_SECONDS = 5.0


class HashSlots:
    """At most `slots` hashes run at once, and four times as many wait; further ones are refused."""

    def __init__(self, slots: int, wait_seconds: float = WAIT_SECONDS) -> None:
        self._free = threading.BoundedSemaphore(slots)
        self._places = threading.BoundedSemaphore(slots * (1 + WAITING_PER_SLOT))
        self._wait_seconds = wait_seconds
        self._mine = threading.local()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold a place in the queue for the hashes of this thread, before anything else is done for them.

        Raises: Busy (`password-hashing-busy`).
        """
        if getattr(self._mine, "held", False):
            yield
            return
        # Who waits holds a thread and a connection to the database: only a few may.
        if not self._places.acquire(blocking=False):
            raise _busy()
        self._mine.held = True
        try:
            yield
        finally:
            self._mine.held = False
            self._places.release()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold a slot, after a short wait if it must be.

        Raises: Busy (`password-hashing-busy`).
        """
        with self.place():
            if not self._free.acquire(timeout=self._wait_seconds):
                raise _busy()
            try:
                yield
            finally:
                self._free.release()


@cache
def hash_slots() -> HashSlots:
    """Give the slots of this process."""
    return HashSlots(settings.SWITCHYARD.password_hashes)


class BoundedArgon2Hasher(Argon2PasswordHasher):
    """Argon2id as RFC 9106 recommends it for little memory, on one thread; hashing and verifying take a slot."""

    time_cost = 3
    memory_cost = 65_536
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Hash a password.

        Raises: Busy (`password-hashing-busy`).
        """
        with hash_slots().taken():
            return str(super().encode(password, salt))

    def verify(self, password: str, encoded: str) -> bool:
        """Compare a password with a hash.

        Raises: Busy (`password-hashing-busy`).
        """
        with hash_slots().taken():
            return bool(super().verify(password, encoded))


def _busy() -> Busy:
    return Busy(
        message("Too many passwords are being checked at the moment."),
        code="password-hashing-busy",
        remedy=message("Try again in a few seconds."),
        retry_after_seconds=2.0,
    )

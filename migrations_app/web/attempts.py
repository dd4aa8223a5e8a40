"""Counts failed attempts per address, because DRF throttles only requests that got past authentication."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache

from migrations_app.kernel.errors import Busy, Denied


@dataclass(frozen=True, slots=True)
class Attempts:
    """At most `most` failures from one source in `window_seconds`, per process."""

    name: str
    most: int
    window_seconds: int

    def check(self, source: str) -> None:
        """Refuse further attempts after too many failures.

        Raises: Busy (`too-many-requests`).
        """
        if cache.get(self._key(source), 0) >= self.most:
            raise Busy(
                f"Too many failed attempts from here; try again in {self.window_seconds} seconds.",
                code="too-many-requests",
                retry_after_seconds=float(self.window_seconds),
            )

    def failed(self, source: str) -> None:
        """Count a failure."""
        key = self._key(source)
        if cache.add(key, 1, self.window_seconds):
            return
        try:
            cache.incr(key)
        except ValueError:
            cache.add(key, 1, self.window_seconds)

    def succeeded(self, source: str) -> None:
        """Forget the failures."""
        cache.delete(self._key(source))

    @contextmanager
    def counted(self, source: str, steps: tuple[str, ...] = ()) -> Iterator[None]:
        """Count what is refused inside as a failure, but for refusals of the codes `steps`.

        Raises: Busy (`too-many-requests`).
        """
        self.check(source)
        try:
            yield
        except Denied as refused:
            if refused.code not in steps:
                self.failed(source)
            raise
        self.succeeded(source)

    def _key(self, source: str) -> str:
        return f"attempts:{self.name}:{source}"


BAD_PASSWORDS = Attempts("password", most=5, window_seconds=60)
BAD_FACTORS = Attempts("factor", most=5, window_seconds=60)

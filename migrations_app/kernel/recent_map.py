"""Hints by key, of which a process keeps only the newest: what is forgotten is found out again."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

UPGRADES = 1_000
"""So many upgrades may be under way before a hint of one of them is forgotten."""
SHARDS = 16 * UPGRADES


class RecentMap(Generic[K, V]):
    """Keeps `most` values; a new one takes the place of the one that was set longest ago. For any number of threads."""

    def __init__(self, most: int = UPGRADES) -> None:
        self._most, self._lock = most, Lock()
        self._values: dict[K, V] = {}

    def get(self, key: K, default: V) -> V:
        """Give the value of a key, or `default`."""
        return self._values.get(key, default)

    def find(self, key: K) -> V | None:
        """Give the value of a key, if there is one."""
        return self._values.get(key)

    def __setitem__(self, key: K, value: V) -> None:
        with self._lock:
            self._set(key, value)

    def setdefault(self, key: K, value: V) -> V:
        """Give the value of a key; without one, set this."""
        with self._lock:
            if key not in self._values:
                self._set(key, value)
            return self._values[key]

    def discard(self, key: K) -> None:
        """Forget the value of a key."""
        with self._lock:
            self._values.pop(key, None)

    def __len__(self) -> int:
        return len(self._values)

    def _set(self, key: K, value: V) -> None:
        self._values.pop(key, None)
        self._values[key] = value
        if len(self._values) > self._most:
            del self._values[next(iter(self._values))]

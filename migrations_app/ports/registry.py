"""The registry as a deployment meets it: read, written by compare-and-set, watched."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Protocol

from migrations_app.domain.registry.env import EnvMessage
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.json import JsonObject


class RegistryClient(Protocol):
    """One registry, over HTTP or directly."""

    def read(self, kind: RegistryKind, name: str) -> JsonObject | None:
        """Read one document; None when it does not exist.

        Raises: Busy when the registry does not answer.
        """
        ...

    def create(self, kind: RegistryKind, body: JsonObject) -> None:
        """Create one.

        Raises: Conflict (`already-exists`, or the rule that forbids it), Denied, Invalid, Busy.
        """
        ...

    def update(
        self,
        kind: RegistryKind,
        name: str,
        body: JsonObject,
        mask: tuple[str, ...],
        expected: JsonObject,
        looked_at: str,
    ) -> None:
        """Write the masked fields when the fields `looked_at` are still as `expected` has them.

        Raises: Stale (`compare-and-set`), Conflict with the rule that forbids it, Denied, Invalid, Busy.
        """
        ...

    def watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        """Tell everything, or what changed since `token`, then every change, until `stop` is set.

        Ends when the connection does; a watcher goes on by the newest token.
        Raises: Busy when the registry does not answer, Denied.
        """
        ...

"""A registry inside one process: for a service that is developed or tested without a Switchyard."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Condition, Event

from migrations_app.domain.registry.env import EnvMessage
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.kernel.errors import AlreadyExists, NotFound, Stale
from migrations_app.kernel.json import Json, JsonObject

HEARTBEAT_SECONDS = 0.5


class LocalRegistry:
    """A registry in memory, without the rules of a real one; pass it to EnvRegistry in place of `connect(…)`."""

    def __init__(self) -> None:
        self._changes: list[tuple[RegistryKind, str, JsonObject | None]] = []
        self._documents: dict[RegistryKind, dict[str, JsonObject]] = {kind: {} for kind in RegistryKind}
        self._changed = Condition()

    def read(self, kind: RegistryKind, name: str) -> JsonObject | None:
        """Read one document; None when it does not exist."""
        with self._changed:
            return self._documents[kind].get(name)

    def create(self, kind: RegistryKind, body: JsonObject) -> None:
        """Create one.

        Raises: Conflict (`already-exists`).
        """
        name = str(body["name"])
        with self._changed:
            if name in self._documents[kind]:
                raise AlreadyExists(f"{name} exists already.")
            self._put(kind, name, dict(body))

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

        Raises: Missing (`not-found`), Stale (`compare-and-set`).
        """
        with self._changed:
            before = self._documents[kind].get(name)
            if before is None:
                raise NotFound(f"There is no {name}.")
            if any(before.get(key) != expected.get(key) for key in looked_at.split(",")):
                raise Stale(f"{name} was changed.", code="compare-and-set")
            written: dict[str, Json] = {key: body[key] for key in mask if key in body}
            self._put(kind, name, {**before, **written})

    def switch(self, deployment: str, version: str) -> None:
        """Make a version the current one of a deployment, as a version switch does.

        Raises: Missing (`not-found`).
        """
        change: JsonObject = {"currentVersion": version}
        self.update(RegistryKind.DEPLOYMENT, deployment, change, ("currentVersion",), {}, "deleteTime")

    def watch(self, kind: RegistryKind, token: str, stop: Event) -> Iterator[EnvMessage]:
        """Give everything, or what changed since `token`, then every change, until `stop` is set."""
        if not token:
            with self._changed:
                position, documents = len(self._changes), dict(self._documents[kind])
            yield EnvMessage(documents, (), True, str(position), len(documents))
        else:
            position = int(token)
        while not stop.is_set():
            with self._changed:
                self._changed.wait_for(lambda: len(self._changes) > position, HEARTBEAT_SECONDS)  # noqa: B023
                changes = self._changes[position:]
                position = len(self._changes)
            newest = {name: document for changed, name, document in changes if changed is kind}
            yield EnvMessage(
                {name: document for name, document in newest.items() if document is not None},
                tuple(name for name, document in newest.items() if document is None),
                True,
                str(position),
            )

    def _put(self, kind: RegistryKind, name: str, document: JsonObject) -> None:
        self._documents[kind][name] = document
        self._changes.append((kind, name, document))
        self._changed.notify_all()

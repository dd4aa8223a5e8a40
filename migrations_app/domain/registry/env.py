"""The picture a deployment keeps of its surroundings: what a watch told, made whole, cut to what matters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.names import last_id
from migrations_app.kernel.json import Json, JsonObject


@dataclass(frozen=True, slots=True)
class EnvMessage:
    """One message of a watch: what is there now by name, what is gone, and how to take it."""

    upserted: Mapping[str, JsonObject] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    is_current: bool = False
    token: str = ""
    snapshot_size: int | None = None
    soft_reset: bool = False
    hard_reset: bool = False


class Collection:
    """What one watch told so far. `documents` is always a picture that was whole at some moment."""

    def __init__(self) -> None:
        self.documents: dict[str, JsonObject] = {}
        self.token = ""
        self.complete = False
        self._next: dict[str, JsonObject] = {}
        self._expected: int | None = None
        self._rebuilding = False

    def take(self, told: EnvMessage) -> bool:
        """Take a message; tell whether the picture is whole again.

        A soft reset drops what came since the last whole picture, a hard reset (or a new snapshot) everything.
        When there are not as many documents as was said, `token` is emptied: watch again from the start. The size comes
        in a message of its own after the snapshot; registries before 0.1 send it with the snapshot's first part.
        """
        if told.soft_reset:
            self._next = {} if self._rebuilding else dict(self.documents)
        if told.snapshot_size is not None and not (told.upserted or told.is_current or told.hard_reset):
            return self._count(told.snapshot_size)
        if told.hard_reset or told.snapshot_size is not None:
            self._next, self._rebuilding = {}, True
            self._expected = told.snapshot_size
        self._next |= told.upserted
        for name in told.removed:
            self._next.pop(name, None)
        if not told.is_current:
            return False
        if self._rebuilding and self._expected is not None and len(self._next) < self._expected:
            self.token, self._next, self._rebuilding = "", dict(self.documents), False
            return False
        self.documents, self.complete = dict(self._next), True
        self.token, self._rebuilding, self._expected = told.token or self.token, False, None
        return True

    def _count(self, expected: int) -> bool:
        """Compare a whole picture with the size that the server says; a lost message empties `token`."""
        if len(self.documents) != expected:
            self.token = ""
        return False


@dataclass(frozen=True, slots=True)
class EnvSnapshot:
    """The services and deployments one service has to know of, by name."""

    services: Mapping[str, JsonObject] = field(default_factory=dict)
    deployments: Mapping[str, JsonObject] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EnvChange:
    """One difference between two snapshots; no document when it is gone or no longer matters."""

    name: str
    document: JsonObject | None


def relevant(
    service: str, services: Mapping[str, JsonObject], deployments: Mapping[str, JsonObject]
) -> EnvSnapshot:
    """Cut a picture down to the service itself, those it stands on and those that stand on it."""
    graph = ImportGraph(
        imports={last_id(name): _ids(each, "importedServices") for name, each in services.items()},
        uses={last_id(name): _ids(each, "usedServices") for name, each in services.items()},
    )
    matters = graph.relevant(service)
    return EnvSnapshot(
        {name: each for name, each in services.items() if last_id(name) in matters},
        {name: each for name, each in deployments.items() if name.split("/")[1] in matters},
    )


def differences(before: EnvSnapshot, after: EnvSnapshot) -> tuple[EnvChange, ...]:
    """List what changed between two snapshots, services first."""
    found: list[EnvChange] = []
    for old, new in ((before.services, after.services), (before.deployments, after.deployments)):
        found += [EnvChange(name, None) for name in sorted(old) if name not in new]
        found += [EnvChange(name, each) for name, each in sorted(new.items()) if old.get(name) != each]
    return tuple(found)


def _ids(document: JsonObject, key: str) -> frozenset[str]:
    names: Json = document.get(key, [])
    return frozenset(last_id(str(name)) for name in names) if isinstance(names, list) else frozenset()

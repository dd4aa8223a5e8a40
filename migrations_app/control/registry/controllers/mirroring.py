"""Mirrors another registry: follows its watches slice by slice and keeps its picture in our tables."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from threading import Event
from time import monotonic

from django.db import transaction

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.registry.repository.documents import DOCUMENTS
from migrations_app.control.registry.repository.registry import writing
from migrations_app.domain.registry.documents import document, read
from migrations_app.domain.registry.env import Collection
from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.names import RegistryKind, last_id
from migrations_app.domain.registry.values import Registered, Service
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.registry import RegistryClient

PAUSE_SECONDS, BEAT_SECONDS = 1.0, 3.0
KEY = "registry"
# What stands on others comes after them; removal goes the other way.
_SAID = ("tags", "labels", "annotations", "generation", "ownerReferences")
_STAMPS = ("uuid", "createTime", "updateTime", "resourceVersion")
ORDER = (RegistryKind.REGION, RegistryKind.SERVICE, RegistryKind.RESOURCE, RegistryKind.DEPLOYMENT)


class RegistryMirror:
    """One key: read what the other registry told since the last slice, and make our tables say the same."""

    name = "mirror"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases, registry: RegistryClient) -> None:
        self._leases, self._registry = leases, registry
        self._collections = {kind: Collection() for kind in ORDER}
        self._beat_at = 0.0

    def due(self) -> Iterable[str]:
        """There is always something to follow."""
        return (KEY,)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Follow each watch up to where it is current, then write the differences.

        Once: nothing is written before all four pictures are whole; a slice that is lost is read again.
        Raises: Busy while the other registry does not answer.
        """
        moved = [self._follow(kind) for kind in ORDER]
        if all(each.complete for each in self._collections.values()) and any(moved):
            with transaction.atomic():
                self._leases.confirm(lease)
                write_picture({kind: each.documents for kind, each in self._collections.items()})
        self._beat()
        return Again(PAUSE_SECONDS)

    def _beat(self) -> None:
        """Note for the health page that the picture is whole and as new as this moment."""
        if all(each.complete for each in self._collections.values()) and monotonic() >= self._beat_at:
            PulseRows().beat(self.name, self.name)
            self._beat_at = monotonic() + BEAT_SECONDS

    def _follow(self, kind: RegistryKind) -> bool:
        collection, moved = self._collections[kind], not self._collections[kind].complete
        with closing(self._registry.watch(kind, collection.token, Event())) as messages:  # type: ignore[type-var]
            for told in messages:
                moved = moved or bool(told.upserted or told.removed or told.hard_reset)
                collection.take(told)
                if told.is_current:
                    break
        return moved


def write_picture(picture: dict[RegistryKind, dict[str, JsonObject]]) -> None:
    """Make our tables say what a picture says; the rules are the other registry's business.

    Once: in one transaction, so that no reader sees half of it.
    """
    with writing() as writer:
        ours = {kind: DOCUMENTS.snapshot(kind).documents for kind in ORDER}
        for kind in reversed(ORDER):
            for name in ours[kind].keys() - picture[kind].keys():
                writer.remove(kind, name)
        for kind in ORDER:
            theirs = {name: read(kind, each) for name, each in picture[kind].items()}
            moved = [
                value
                for name, value in theirs.items()
                if name not in ours[kind] or _differs(ours[kind][name], document(value))
            ]
            for value in _in_order(moved):
                writer.save(value, origin=value.metadata)


def _differs(ours: JsonObject, theirs: JsonObject) -> bool:
    """Tell whether a document of ours is another than theirs; what follows from other documents does not count."""
    stamps = _picked(theirs, _STAMPS)
    return _content(ours) != _content(theirs) or _picked(ours, tuple(stamps)) != stamps


def _content(written: JsonObject) -> JsonObject:
    return {**written, "metadata": _picked(written, _SAID)}


def _picked(written: JsonObject, keys: tuple[str, ...]) -> JsonObject:
    metadata = written.get("metadata")
    return {key: metadata[key] for key in keys if key in metadata} if isinstance(metadata, dict) else {}


def _in_order(values: list[Registered]) -> list[Registered]:
    services = [each for each in values if isinstance(each, Service)]
    edges = {
        each.id: frozenset(map(last_id, (*each.imported_services, *each.used_services))) for each in services
    }
    ranks = ImportGraph(edges).ranks()
    return sorted(values, key=lambda each: (ranks.get(last_id(each.name), 0), each.name))

"""Watches the registry for services and deployments that changed, and wakes the resting keys that depend on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import cast

from migrations_app.engine.controller import (
    RESTING,
    Again,
    Budget,
    Controller,
    DueKey,
    Lease,
    Outcome,
    WorkClass,
    at_whole,
)
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.json import Json, JsonObject, digest
from migrations_app.models import registry as rows
from migrations_app.ports.dispatch import Dispatch
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.regions.peers import Peer

NAME = "registry-watch"
KEY = "registry"
EVERY_SECONDS = 15.0
"""How late a change is noticed of which the database could not tell."""
AGAIN_SECONDS = 5.0
"""By then no process goes by what it kept of the registry before the change: who depends on it looks once more."""


class RegistryWatch:
    """One key: compare the registry with what it was, and wake the dependants of a service that changed.

    These are the deployments of the service itself, of those that import it and of those that it imports.
    """

    name = NAME
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(
        self,
        dispatch: Dispatch,
        controllers: Callable[[], Mapping[str, Controller]],
        imports: Callable[[str], Sequence[str]],
        clock: Clock,
    ) -> None:
        self._dispatch, self._controllers = dispatch, controllers
        self._imports, self._clock = imports, clock

    def due(self) -> Iterable[str]:
        """List the one key; its row says when it is due again."""
        return (KEY,)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Wake the keys that depend on services that changed since the last look, and those of the last once more.

        Once: what was seen is noted after the keys were made due; a look that is lost wakes them once more.
        """
        known, seen = _services(lease.memo), marks()
        changed = {name for name in {*known, *seen} if known.get(name) != seen.get(name)}
        waiting = _waiting(lease.memo)
        if not changed and not waiting:
            return Again(at_whole(EVERY_SECONDS, self._clock))
        self._dispatch.poke_all(self._keys_of(self._around(changed | waiting, seen)))
        told: JsonObject = {"services": cast(Json, seen), "again": cast(Json, sorted(changed))}
        return Again(AGAIN_SECONDS if changed else EVERY_SECONDS, memo=told)

    def _around(self, services: Collection[str], known: Iterable[str]) -> set[str]:
        found = set(services)
        for service in known:
            imported = self._imported(service)
            if service in services:
                found.update(imported)
            elif not imported.isdisjoint(services):
                found.add(service)
        return found

    def _imported(self, service: str) -> set[str]:
        try:
            return set(self._imports(service))
        except Missing:
            return set()  # gone since it was read: the next look sees that

    def _keys_of(self, services: Collection[str]) -> list[WokenKey]:
        controllers = self._controllers()
        return [
            WokenKey(name, key, controllers[name].work_class)
            for name in RESTING
            for each in controllers[name].due()
            if Peer.parse((key := each.key if isinstance(each, DueKey) else each).partition("<")[0]).service
            in services
        ]


def marks() -> dict[str, str]:
    """Tell of each service what its deployments stand on, in few letters."""
    services = rows.Service.objects.values_list("id", "revision", "definition_id").order_by("id")
    found: dict[str, list[Json]] = {name: [revision, definition] for name, revision, definition in services}
    deployments = rows.Deployment.objects.values_list(
        "service_id", "region_id", "uid", "current_version", "is_disabled", "database"
    )
    for service, *facts in deployments.order_by("name"):
        found.setdefault(service, []).append([str(each) for each in facts])
    return {name: digest(cast(Json, facts))[:12] for name, facts in found.items()}


def _services(told: JsonObject) -> dict[str, str]:
    known = told.get("services")
    return {name: str(mark) for name, mark in known.items()} if isinstance(known, dict) else {}


def _waiting(told: JsonObject) -> set[str]:
    waiting = told.get("again")
    return {str(each) for each in waiting} if isinstance(waiting, list) else set()

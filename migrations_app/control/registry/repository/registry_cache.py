"""The registry as programs ask it over and over: kept in memory, forgotten service by service as it changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import TypeVar

from migrations_app.control.registry.repository import registry
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.names import RegistryKind, last_id, service_name
from migrations_app.domain.registry.values import Deployment, Service
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.kernel.errors import ServiceUnknown
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows

LOOK_EVERY_SECONDS = 0.5
BATCH = 1000
ValueT = TypeVar("ValueT")


class LocalRegistryCache:
    """`ports.registry_cache.Surroundings` over the control database.

    It follows the registry's numbered changes as a watch does, but only when it is asked: no thread, no
    connection of its own. A registry whose history was cut or that is another one empties it.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._services: dict[str, Service] = {}
        self._deployments: dict[str, tuple[Deployment, ...]] = {}
        self._graph: ImportGraph | None = None
        self._past: object = None
        self._seq = 0
        self._looked_at: float | None = None
        self._lock = RLock()

    def policy(self, service: str) -> MultiRegionPolicy:
        """Give a service's own policy."""
        return self._service(service).multi_region_policy

    def imports(self, service: str) -> tuple[str, ...]:
        """List what a service imports."""
        return tuple(last_id(each) for each in self._service(service).imported_services)

    def relevant(self, service: str) -> tuple[str, ...]:
        """List whom a service must know of."""
        self._service(service)
        with self._lock:
            if self._graph is None:
                self._graph = registry.read_graph()
            return tuple(sorted(self._graph.relevant(service)))

    def deployments(self, service: str) -> Sequence[Deployment]:
        """List the deployments of a service."""
        return self._kept(self._deployments, service, lambda: registry.deployments_of(service))

    def _service(self, service: str) -> Service:
        def read() -> Service:
            found = registry.find(RegistryKind.SERVICE, service_name(service))
            if not isinstance(found, Service):
                raise ServiceUnknown(
                    message("There is no {service_name}.", service_name=service_name(service))
                )
            return found

        return self._kept(self._services, service, read)

    def _kept(self, kept: dict[str, ValueT], service: str, read: Callable[[], ValueT]) -> ValueT:
        with self._lock:
            self._look()
            if service not in kept:
                kept[service] = read()
            return kept[service]

    def _look(self) -> None:
        """Forget what changed since the last look, at most twice a second."""
        now = self._clock.monotonic()
        if self._looked_at is not None and now - self._looked_at < LOOK_EVERY_SECONDS:
            return
        self._looked_at = now
        head = rows.RegistryHead.objects.filter(id=1).values_list("started", "seq", "pruned").first()
        started, seq, pruned = head or (None, 0, 0)
        if started != self._past or not pruned <= self._seq <= seq or seq - self._seq > BATCH:
            self._forget_all()
        elif seq != self._seq:
            self._forget_changed()
        self._past, self._seq = started, seq

    def _forget_all(self) -> None:
        self._services.clear()
        self._deployments.clear()
        self._graph = None

    def _forget_changed(self) -> None:
        changes = rows.RegistryChange.objects.filter(seq__gt=self._seq).values_list("kind", "service")
        for kind, service in changes:
            if kind == RegistryKind.SERVICE.value:
                self._services.pop(service, None)
                self._graph = None
            elif kind == RegistryKind.DEPLOYMENT.value:
                self._deployments.pop(service, None)

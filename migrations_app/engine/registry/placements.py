"""Placements: one policy store per deployment, made when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from threading import Lock

from migrations_app.domain.regions.placement import Placement, SyncType
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.schema.ir import Schema
from migrations_app.engine.registry.policies import PolicyStore, RemotePolicy
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.feed import Feed
from migrations_app.ports.regions.directory import Directory
from migrations_app.ports.registry_cache import RegistryCache
from migrations_app.ports.store import Store


class Placements:
    """Tells, for the deployment of a service in a region, where any resource of the service lives."""

    def __init__(
        self,
        directory: Directory,
        store: Store,
        feed: Feed,
        registry_cache: RegistryCache,
        clock: Clock | None = None,
        ask: Callable[[str, str, str, str, str], RemotePolicy | None] | None = None,
    ) -> None:
        self._ask = ask
        self._directory, self._store, self._feed = directory, store, feed
        self._registry_cache, self._clock = registry_cache, clock
        self._stores: dict[tuple[str, str], tuple[tuple[str, ...], PolicyStore]] = {}
        self._lock = Lock()

    def of(self, region: str, service: str) -> PolicyStore:
        """Give the policy store of a deployment; another one once the service imports others.

        Raises: Missing (`service-unknown`).
        """
        holders = (service, *self._registry_cache.imports(service))
        with self._lock:
            kept = self._stores.get((region, service))
            if kept is None or kept[0] != holders:
                kept = self._stores[region, service] = (holders, self._make(region, service, holders))
            return kept[1]

    def place(
        self,
        region: str,
        service: str,
        name: str,
        resource_type: str,
        schema: Schema | None = None,
        making: Mapping[str, JsonObject] | None = None,
    ) -> Placement:
        """Decide where a resource lives; `schema` is that of the version the name is of, else the current.

        A policy holder is placed by the policy in its `body`, if that is given.

        Raises: Missing (`service-unknown`, `deployment-missing`), Invalid (`resource-name`), Conflict
        (`policy-unknown`, `region-not-enabled`, `control-region-missing`).
        """
        if schema is None:
            served = self._directory.served(region, service)
            schema = served.compiled.schema(served.current_version)
        sync = sync_type(schema, resource_type)
        return self.of(region, service).place(name, resource_type, sync, making or {})

    def service_policy(self, service: str) -> MultiRegionPolicy:
        """Give the policy that counts for whatever has no holder.

        Raises: Missing (`service-unknown`).
        """
        return self._registry_cache.policy(service)

    def _make(self, region: str, service: str, holders: tuple[str, ...]) -> PolicyStore:
        return PolicyStore(
            self._directory,
            self._store,
            self._feed,
            region=region,
            holder_services=holders,
            service_policy=lambda: self._registry_cache.policy(service),
            clock=self._clock,
            ask=None if self._ask is None else partial(self._ask, region),
        )


def sync_type(schema: Schema, resource_type: str) -> SyncType:
    """Read how a type's skeleton bends its copying; an unknown word bends nothing."""
    resource = schema.resources.get(resource_type)
    asked = resource.options.get("multiRegion") if resource else None
    word = str(asked.get("syncType", "")) if isinstance(asked, dict) else ""
    return SyncType(word) if word in SyncType.__members__ else SyncType.DEFAULT

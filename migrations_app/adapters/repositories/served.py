"""The directory of deployments, read from the registry and kept for a moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import Any

from django.db import DatabaseError
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service, types_of
from migrations_app.adapters.repositories.known_evictions import REGISTER_AGAIN, evictions_of
from migrations_app.adapters.repositories.places import DjangoPlaces, namespace_of
from migrations_app.domain.compatibility.brown_outs import KEPT_AFTER_END, BrownOutKind
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.key_strategies import KeyStrategies
from migrations_app.domain.schema.sensitive import sensitive_paths
from migrations_app.domain.schema.types import UnknownKeys
from migrations_app.engine.sync.prepared_namespaces import refuse_missing
from migrations_app.engine.sync.shard_pipeline import follower_name
from migrations_app.kernel.errors import (
    DataElsewhere,
    DeploymentDisabled,
    DeploymentEvicted,
    DeploymentMissing,
)
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows
from migrations_app.models.evidence.retirements import BrownOut, KeyStrategy
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.fence import Fence, FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.places import Places
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.store import Layout, Store
from migrations_app.ports.upgrades import Direction, UpgradeKind

_KEPT_SECONDS = 2.0


class RegistryDirectory:
    """Finds deployments in the registry; sets the data of a new one up when it is first asked for."""

    def __init__(self, store: Store, fence: Fence, *, now: Callable[[], float] = time.monotonic) -> None:
        self._store, self._fence, self._now = store, fence, now
        self._places: Places = DjangoPlaces()
        self._kept: dict[tuple[str, str], tuple[float, Served]] = {}
        self._ready: set[tuple[Namespace, tuple[Layout, ...]]] = set()
        self._lock = Lock()

    def served(self, region: str, service: str) -> Served:
        """Find a deployment."""
        key = (region, service)
        kept = self._kept.get(key)
        if kept is None or kept[0] < self._now():
            kept = self._kept[key] = (self._now() + _KEPT_SECONDS, self._read(region, service))
        return kept[1]

    def forget(self, region: str, service: str) -> None:
        """Read again what is asked for next."""
        self._kept.pop((region, service), None)

    def _read(self, region: str, service: str) -> Served:
        name = f"services/{service}/deployments/{region}"
        row = _with_its_service(name, service)
        if row is None:
            raise DeploymentMissing(message("There is no deployment {name}.", name=name), deployment=name)
        if row.evicted:
            raise DeploymentEvicted(
                message("{name} was evicted, and does not serve any more.", name=name),
                remedy=REGISTER_AGAIN,
            )
        if row.is_disabled:
            raise DeploymentDisabled(message("{name} is disabled.", name=name))
        namespaces = {
            each.version: namespace_of(each, row.ring)
            for each in rows.Namespace.objects.filter(deployment_id=name).order_by("created_at")
            if not each.disabled or each.version == row.current_version
        }
        compiled = compiled_service(service)
        unknown = compiled.folder.unknown_keys or (UnknownKeys(row.unknown) if row.unknown else None)
        strategies = _strategies(service) if row.has_strategies else {}
        more = (_fillers(namespaces), strategies, _unseen(service) if row.has_brown_outs else {})
        served = Served(name, service, region, row.current_version, compiled, namespaces, unknown, *more)
        home = namespaces.get(row.current_version)
        if home is None:
            raise DataElsewhere(
                message("The data of {name} is not kept here.", name=name),
                remedy=message("Ask where its service runs."),
            )
        self._set_up(served, home)
        return served

    def _set_up(self, served: Served, home: Namespace) -> None:
        layouts = layouts_of(served.compiled, home.version)
        known = (home, layouts)
        with self._lock:
            if known in self._ready:
                return
            kept = set(self._store.types(home))
            if not kept:
                refuse_missing(self._places, self._store, home)
                self._fence.open_first(FenceLocation.of(home), home.version)
            hides = any(layout.sensitive for layout in layouts)
            types = {layout.type for layout in layouts}
            if hides or not (kept.issuperset(types) and self._store.is_current(home)):
                self._store.prepare(home, layouts)
            with suppress(DatabaseError):
                # A region that is cut off from the control database serves all the same, and notes it another time.
                if not self._places.is_prepared(home):
                    self._places.note_prepared(home)
            self._ready.add(known)


def _with_its_service(name: str, service: str) -> Any:
    """Read a deployment with what is known of its service, by one question; most services have no brown-outs or strategies.

    Shape: the row with `evicted`, `unknown`, `has_strategies` and `has_brown_outs`; None without a deployment.
    """
    return (
        rows.Deployment.objects.filter(pk=name)
        .annotate(
            evicted=Exists(evictions_of(OuterRef("name"), OuterRef("uid"))),
            unknown=F("service__unknown_keys"),
            has_strategies=Exists(_open_strategies(service)),
            has_brown_outs=Exists(_recent_brown_outs(service)),
        )
        .first()
    )


def _fillers(namespaces: Mapping[str, Namespace]) -> dict[str, str]:
    """Name the follower of the upgrade that made each namespace, by version; the first of all has none."""
    if len(namespaces) < 2:
        return {}
    places = {(each.database, each.schema): version for version, each in namespaces.items()}
    # By the deployment, which has an index: there are ended upgrades by the thousand.
    deployments = {each.deployment for each in namespaces.values()}
    made = Upgrade.objects.filter(
        deployment__in=deployments, target_schema__in=[schema for _, schema in places]
    ).exclude(kind=UpgradeKind.DATA.value)
    return {
        places[database, schema]: follower_name(upgrade, Direction.FORWARD)
        for upgrade, database, schema in made.values_list("id", "target_database", "target_schema")
        if (database, schema) in places
    }


def _strategies(service: str) -> dict[tuple[str, str], KeyStrategies]:
    """Read the strategies of single keys that did not end."""
    entries: dict[tuple[str, str], list[tuple[str, UnknownKeys]]] = {}
    rows_ = _open_strategies(service).values_list("version", "type", "path", "strategy")
    for version, type_, path, strategy in rows_:
        entries.setdefault((version, type_), []).append((path, UnknownKeys(strategy)))
    return {place: KeyStrategies.of(listed) for place, listed in entries.items()}


def _open_strategies(service: str) -> QuerySet[KeyStrategy]:
    return KeyStrategy.objects.filter(service=service, ended_at__isnull=True, until__gt=timezone.now())


def _unseen(service: str) -> dict[tuple[str, str], frozenset[str]]:
    """Read the fields that brown-outs leave out of answers, will, or did of late: clients write back what they read."""
    paths: dict[tuple[str, str], set[str]] = {}
    begun = _recent_brown_outs(service)
    for version, place in begun.order_by().values_list("version", "place").distinct():
        type_, _, path = place.partition(".")
        paths.setdefault((version, type_), set()).add(path)
    return {place: frozenset(listed) for place, listed in paths.items()}


def _recent_brown_outs(service: str) -> QuerySet[BrownOut]:
    """Choose those of fields that are approved and have not ended long ago, or before they began."""
    since = timezone.now() - KEPT_AFTER_END
    approved = BrownOut.objects.filter(
        Q(stopped_at__gt=since) | Q(stopped_at__isnull=True, ends_at__gt=since),
        service=service,
        kind=BrownOutKind.FIELD.value,
        approved_at__isnull=False,
    )
    return approved.exclude(stopped_at__lt=F("begins_at"))


def layouts_of(compiled: CompiledService, version: str) -> tuple[Layout, ...]:
    """Tell how a namespace keeps the resource types of a version."""
    schema = compiled.stored.schema(version)
    return tuple(
        Layout(short, sensitive=sensitive_paths(schema, short)) for short in types_of(compiled, version)
    )

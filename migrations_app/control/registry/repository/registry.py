"""The registry in the control database: read freely, written by one at a time, every change numbered."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import msgspec
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from migrations_app.control.events.outbox import publish
from migrations_app.control.registry.repository.rows import (
    MODELS,
    Row,
    columns_of,
    given_by,
    placed,
    row_key,
    stamped,
    value_of,
)
from migrations_app.domain.regions.policy import MultiRegionPolicy
from migrations_app.domain.registry.documents import convert, document, kind_of
from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.metadata import Metadata
from migrations_app.domain.registry.names import RegistryKind, last_id, place_of
from migrations_app.domain.registry.picture import DeploymentFacts, Picture, ServiceFacts
from migrations_app.domain.registry.services_info import services_info
from migrations_app.domain.registry.values import (
    Deployment,
    ImportedVersion,
    Registered,
    Resource,
    Service,
)
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.messages import message
from migrations_app.models import registry as rows


def select(kind: RegistryKind) -> QuerySet[Row]:
    """Give the rows of a kind with all that reading them needs."""
    found: QuerySet[Row] = MODELS[kind]._default_manager.all()
    return found.prefetch_related("imports") if kind is RegistryKind.SERVICE else found


def find(kind: RegistryKind, name: str) -> Registered | None:
    """Read what has this name, if anything has."""
    row = select(kind).filter(pk=row_key(kind, name)).first()
    return value_of(row) if row else None


def get(kind: RegistryKind, name: str) -> Registered:
    """Read what has this name.

    Raises: Missing (`not-found`).
    """
    value = find(kind, name)
    if value is None:
        raise NotFound(message("There is no {name}.", name=name), name=name)
    return value


def deployments_of(service: str) -> tuple[Deployment, ...]:
    """Read the deployments of a service, in order of region."""
    found = select(RegistryKind.DEPLOYMENT).filter(service_id=service).order_by("name")
    return tuple(value for value in map(value_of, found) if isinstance(value, Deployment))


def read_picture() -> Picture:
    """Draw what the rules look at; four light queries whatever the size."""
    imports: dict[tuple[str, str], set[str]] = {}
    named: dict[str, list[ImportedVersion]] = {}
    for edge in rows.Import.objects.all():
        imports.setdefault((edge.service_id, edge.kind), set()).add(edge.target_id)
        for version, target in edge.versions.items():
            named.setdefault(edge.service_id, []).append(
                ImportedVersion(f"services/{edge.target_id}", target, version)
            )
    services = {
        key: ServiceFacts(
            versions=tuple(versions),
            imports=frozenset(imports.get((key, rows.Import.IMPORTS), ())),
            uses=frozenset(imports.get((key, rows.Import.USES), ())),
            imported_versions=tuple(named.get(key, ())),
            policy=convert(policy, MultiRegionPolicy),
            leading=leading or "",
        )
        for key, versions, policy, leading in rows.Service.objects.values_list(
            "id", "versions", "policy", "leading_id"
        )
    }
    deployments = {
        (service, region): DeploymentFacts(
            service, region, version, disabled, target, (offer or {}).get("apiVersion", "")
        )
        for service, region, version, disabled, target, offer in rows.Deployment.objects.values_list(
            "service_id", "region_id", "current_version", "is_disabled", "upgrade_target", "available_upgrade"
        )
    }
    return Picture(frozenset(rows.Region.objects.values_list("id", flat=True)), services, deployments)


def read_graph() -> ImportGraph:
    """Draw who imports and uses whom; two light queries whatever the size."""
    services = list(rows.Service.objects.values_list("id", flat=True))
    edges: dict[str, dict[str, set[str]]] = {
        kind: {service: set() for service in services} for kind in (rows.Import.IMPORTS, rows.Import.USES)
    }
    for service, kind, target in rows.Import.objects.values_list("service_id", "kind", "target_id"):
        edges[kind][service].add(target)
    imports, uses = (
        {service: frozenset(targets) for service, targets in edges[kind].items()}
        for kind in (rows.Import.IMPORTS, rows.Import.USES)
    )
    return ImportGraph(imports, uses)


@contextmanager
def writing() -> Iterator[RegistryWriter]:
    """Open the registry for one writer: a transaction that holds the head's row.

    Once: what it saves commits together with the numbers of its changes, in the order of the numbers.
    """
    with transaction.atomic():
        rows.RegistryHead.objects.get_or_create(id=1)
        yield RegistryWriter(rows.RegistryHead.objects.select_for_update().get(id=1))


class RegistryWriter:
    """Writes while it holds the registry; lives no longer than its transaction."""

    def __init__(self, head: rows.RegistryHead) -> None:
        self._head = head
        self._at = timezone.now()

    def save(self, value: Registered, origin: Metadata | None = None) -> Registered:
        """Write a value, number the change, tell watchers; saving what is already there changes nothing.

        Shape: `origin` is what another registry gave it, which is kept in place of what this one would give.
        """
        kind = kind_of(value)
        value = self._derived(value)
        row = select(kind).filter(pk=row_key(kind, value.name)).first()
        columns = columns_of(value)
        if row is None:
            row = MODELS[kind](pk=row_key(kind, value.name), uid=uuid.uuid4(), created_at=self._at)
        elif _same(value_of(row), value) and (origin is None or not given_by(row, origin)):
            return value_of(row)
        self._head.seq += 1
        for column, content in columns.items():
            setattr(row, column, content)
        row.revision, row.updated_at = self._head.seq, self._at
        for column, content in given_by(row, origin).items() if origin is not None else ():
            setattr(row, column, content)
        row.save()
        if isinstance(value, Service):
            self._save_versions(row.pk, value)
            self._save_imports(row.pk, value)
        saved = stamped(value, row)
        self._note(kind, saved.name, saved)
        return saved

    def remove(self, kind: RegistryKind, name: str) -> None:
        """Remove what has this name and tell watchers."""
        self._head.seq += 1
        MODELS[kind]._default_manager.filter(pk=row_key(kind, name)).delete()
        self._note(kind, name, None)

    def _derived(self, value: Registered) -> Registered:
        """Fill in what follows from the service: whom it concerns and where it lives."""
        if not isinstance(value, Service | Deployment | Resource):
            return value
        owner = value.name.split("/")[1]
        parent = value if isinstance(value, Service) else find(RegistryKind.SERVICE, owner)
        policy = parent.multi_region_policy if isinstance(parent, Service) else MultiRegionPolicy()
        value = placed(value, policy.default_control_region, policy.enabled_regions)
        if isinstance(value, Service):
            info = services_info(
                owner, read_graph().standing(owner, _ids(value.imported_services), _ids(value.used_services))
            )
        elif parent is not None:
            info = parent.metadata.services or services_info(owner, read_graph())
        else:
            return value
        metadata = msgspec.structs.replace(value.metadata, services=info)
        return msgspec.structs.replace(value, metadata=metadata)

    def _save_versions(self, key: str, service: Service) -> None:
        wanted = {version: ordinal for ordinal, version in enumerate(reversed(service.all_versions))}
        of_service = rows.ServiceVersion.objects.filter(service_id=key)
        known = dict(of_service.values_list("version", "ordinal"))
        of_service.filter(version__in=known.keys() - wanted.keys()).delete()
        rows.ServiceVersion.objects.bulk_create(
            [
                rows.ServiceVersion(service_id=key, version=version, ordinal=ordinal)
                for version, ordinal in wanted.items()
                if known.get(version) != ordinal
            ],
            update_conflicts=True,
            update_fields=["ordinal"],
            unique_fields=["service", "version"],
        )

    def _save_imports(self, key: str, service: Service) -> None:
        rows.Import.objects.filter(service_id=key).delete()
        named: dict[str, dict[str, str]] = {}
        for one in service.imported_versions:
            versions = named.setdefault(last_id(one.target_service), {})
            versions[one.current_service_version] = one.target_service_version
        rows.Import.objects.bulk_create(
            rows.Import(service_id=key, target_id=last_id(target), kind=kind, versions=versions)
            for kind, targets in (
                (rows.Import.IMPORTS, service.imported_services),
                (rows.Import.USES, service.used_services),
            )
            for target in targets
            for versions in [named.get(last_id(target), {}) if kind == rows.Import.IMPORTS else {}]
        )

    def _note(self, kind: RegistryKind, name: str, value: Registered | None) -> None:
        content = document(value) if value else None
        rows.RegistryChange.objects.create(
            seq=self._head.seq,
            at=self._at,
            kind=kind.value,
            name=name,
            service="" if kind is RegistryKind.REGION else name.split("/")[1],
            document=content,
        )
        self._head.save(update_fields=["seq"])
        publish("fleet", kind.value, name, full=content, rev=self._head.seq, places=[place_of(kind, name)])


def _ids(names: Sequence[str]) -> frozenset[str]:
    return frozenset(map(last_id, names))


def _same(before: Registered, after: Registered) -> bool:
    return columns_of(before) == columns_of(after) and _edges(before) == _edges(after)


def _edges(value: Registered) -> Sequence[object]:
    if not isinstance(value, Service):
        return ()
    return (value.imported_services, value.used_services, sorted(map(repr, value.imported_versions)))

"""Services info and syncing of everything registered, brought level after the graph or a policy changed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.rows import value_of
from migrations_app.domain.registry.metadata import ServicesInfo, SyncingMeta
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.picture import Picture
from migrations_app.domain.registry.services_info import services_info
from migrations_app.domain.registry.values import Registered
from migrations_app.kernel.json import digest
from migrations_app.models import registry as rows


def unsettled() -> bool:
    """Tell whether anything changed since the last look; one query."""
    head = rows.RegistryHead.objects.filter(id=1).values_list("seq", "settled").first()
    return head is not None and head[0] != head[1]


def settle(limit: int) -> int:
    """Bring at most `limit` values caught up and count them; 0 when all are.

    Once: each call is one transaction under the registry's lock; calling it again is safe at any time.
    """
    with registry.writing() as writer:
        head = rows.RegistryHead.objects.get(id=1)
        picture = registry.read_picture()
        mark = _mark(picture)
        if mark != head.graph:
            changed = 0
            for value in _stale(picture):
                writer.save(value)
                changed += 1
                if changed == limit:
                    return changed
            rows.RegistryHead.objects.filter(id=1).update(graph=mark)
            if changed:
                return changed
        rows.RegistryHead.objects.filter(id=1).update(settled=head.seq)
    return 0


def _mark(picture: Picture) -> str:
    policies = {
        service: (facts.policy.default_control_region, sorted(facts.policy.enabled_regions))
        for service, facts in picture.services.items()
    }
    edges = {key: (sorted(facts.imports), sorted(facts.uses)) for key, facts in picture.services.items()}
    return digest([policies, edges])


def _stale(picture: Picture) -> Iterator[Registered]:
    graph = picture.graph()
    for service, facts in sorted(picture.services.items()):
        info = services_info(service, graph)
        region = facts.policy.default_control_region
        syncing = SyncingMeta(region, facts.policy.enabled_regions) if region else None
        # The service goes first: what belongs to it takes its info from it when saved.
        for kind, where in (
            (RegistryKind.SERVICE, {"pk": service}),
            (RegistryKind.DEPLOYMENT, {"service_id": service}),
            (RegistryKind.RESOURCE, {"service_id": service}),
        ):
            for row in registry.select(kind).filter(**where):
                value = value_of(row)
                if _differs(value, info, syncing):
                    yield _with(value, info, syncing)


def _differs(value: Registered, info: ServicesInfo, syncing: SyncingMeta | None) -> bool:
    return value.metadata.services != info or value.metadata.syncing != syncing


def _with(value: Registered, info: ServicesInfo, syncing: SyncingMeta | None) -> Registered:
    metadata = replace(value.metadata, services=info, syncing=syncing)
    return replace(value, metadata=metadata)

"""Which services each registered thing concerns."""

from __future__ import annotations

from migrations_app.domain.registry.imports import ImportGraph
from migrations_app.domain.registry.metadata import ServicesInfo
from migrations_app.domain.registry.names import service_name


def services_info(service: str, graph: ImportGraph) -> ServicesInfo:
    """Say who owns a service, its deployments and its resources, and whom they concern.

    Source: seed 003 §1.3: itself, all it imports or uses, and all that import or use it.
    """
    return ServicesInfo(
        owning_service=service_name(service),
        allowed_services=tuple(sorted(service_name(one) for one in graph.relevant(service))),
    )

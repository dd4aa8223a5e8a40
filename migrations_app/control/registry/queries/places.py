"""Where deployments and services lie: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.domain.access import Target
from migrations_app.domain.registry.names import deployment_name


def of_deployment(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate the deployment of a service in a region."""
    service, region = parts["service"], parts["region"]
    return [Target("deployment", deployment_name(service, region), service, region)]


def of_service(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a service: it is in every region."""
    return [Target("service", parts["name"], parts["name"])]

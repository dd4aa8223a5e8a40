"""A registered service with two versions in two regions, and people who may do things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import Actor, actor_with
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Region, Service
from migrations_app.models.registry import Deployment as DeploymentRow
from migrations_app.models.registry import Service as ServiceRow
from migrations_app.models.registry import ServiceDefinition
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import client_of
from tests.factories.definitions import stored_definition

SERVICE = "secrets.example.com"
EU = f"services/{SERVICE}/deployments/eu-1"

OLGA = actor_with("olga", "operator")
ANN = actor_with("ann", "approver")
BOB = actor_with("bob", "approver")
VERA = actor_with("vera", "viewer")
ROOT = actor_with("root", "admin")
NOW_AND_EVER = datetime.max.replace(tzinfo=UTC)


def present(actor: Actor) -> Actor:
    """An account that has just signed in again."""
    return replace(actor, proved_at=NOW_AND_EVER)


def define(fingerprint: str) -> None:
    """Apply a definition of the service."""
    kept, _ = ServiceDefinition.objects.get_or_create(
        service=SERVICE,
        fingerprint=fingerprint,
        defaults={
            "files": stored_definition(SERVICE, ("v1alpha2", "v1"), ("Secret",)),
            "created_at": timezone.now(),
        },
    )
    ServiceRow.objects.filter(pk=SERVICE).update(definition=kept)


def register(region: str, offered: str = "v1") -> None:
    """Register the service in a region, at v1alpha2."""
    with registry.writing() as writer:
        writer.save(Region(name=f"regions/{region}", title=region))
        writer.save(
            Deployment(
                name=f"services/{SERVICE}/deployments/{region}",
                service_name=f"services/{SERVICE}",
                region=f"regions/{region}",
                current_version="v1alpha2",
                available_upgrade=AvailableUpgrade(api_version=offered) if offered else None,
            )
        )
    DeploymentRow.objects.filter(region_id=region).update(database="default", fence_epoch=1)


@pytest.fixture
def fleet(db: None) -> None:
    """The service in eu-1 and us-1."""
    with registry.writing() as writer:
        writer.save(Service(name=f"services/{SERVICE}", all_versions=("v1", "v1alpha2")))
    define("f1")
    register("eu-1")
    register("us-1")


Made = Callable[..., Upgrade]


@pytest.fixture
def people() -> dict[str, Actor]:
    """Everybody by name."""
    return {actor.name: actor for actor in (OLGA, ANN, BOB, VERA, ROOT)}


@pytest.fixture
def olga() -> APIClient:
    """A client signed in as an operator."""
    return client_of("olga", "operator")


@pytest.fixture
def ann() -> APIClient:
    """A client signed in as an approver."""
    return client_of("ann", "approver")

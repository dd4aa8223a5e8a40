"""The gRPC server and beat register by EnvRegistry before they serve or tick; what the registry refuses ends them."""

from __future__ import annotations

import time

import pytest

from migrations_app.control.registry.repository import registry
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Service
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 120.0


def wait_for(name: str) -> object:
    """Wait until the registry has a deployment."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (found := registry.find(RegistryKind.DEPLOYMENT, name)) is None:
        assert time.monotonic() < until, name
        time.sleep(0.2)
    return found


def test_the_grpc_server_and_beat_are_in_the_registry(children: Children) -> None:
    children.start_grpc(SWITCHYARD_REGIONS="eu-1")
    assert registry.find(RegistryKind.DEPLOYMENT, "services/switchyard/deployments/eu-1") is not None
    children.start_beat(SWITCHYARD_REGIONS="us-1,ap-1")
    for region in ("us-1", "ap-1"):
        wait_for(f"services/switchyard/deployments/{region}")
    service = registry.get(RegistryKind.SERVICE, "services/switchyard")
    assert isinstance(service, Service)
    assert set(service.multi_region_policy.enabled_regions) == {"eu-1", "us-1", "ap-1"}

    children.kill("beat")
    with pytest.raises(AssertionError, match="Nowhere!"):
        children.start_grpc("refused", SWITCHYARD_REGIONS="Nowhere!")
    process = children.start_beat(SWITCHYARD_REGIONS="Nowhere!")
    assert process.wait(timeout=PATIENCE_SECONDS) != 0
    assert "beat: " in children.log("beat")
    assert registry.find(RegistryKind.REGION, "regions/Nowhere!") is None

"""EnvRegistry over a registry in the same process: registration, the first picture, a version switch."""

from __future__ import annotations

import pytest

from migrations_app.domain.registry.names import RegistryKind
from switchyard_sdk import Conflict, EnvRegistry, LocalRegistry, Missing, Registration, Stale

DEPLOYMENT = "services/devices/deployments/eu"


def test_a_deployment_registers_and_follows_a_switch() -> None:
    registry = LocalRegistry()
    env = EnvRegistry(registry, Registration("devices", "eu", ("v1", "v2"), makes_region=True))
    env.start(60)
    try:
        subscription = env.subscribe()
        first = [subscription.next(60), subscription.next(60)]
        assert [change.name for change in first if change] == ["services/devices", DEPLOYMENT]
        registry.switch(DEPLOYMENT, "v1")
        change = subscription.next(60)
        assert change is not None
        assert change.document is not None
        assert change.document["currentVersion"] == "v1"
        assert (env.my_deployment() or {})["currentVersion"] == "v1"
        assert env.age_seconds < 60
    finally:
        env.close()


def test_it_refuses_what_a_registry_refuses() -> None:
    registry = LocalRegistry()
    registry.create(RegistryKind.SERVICE, {"name": "services/a", "allVersions": ["v1"]})
    with pytest.raises(Conflict) as twice:
        registry.create(RegistryKind.SERVICE, {"name": "services/a"})
    with pytest.raises(Stale) as moved:
        registry.update(RegistryKind.SERVICE, "services/a", {}, (), {"allVersions": ["v2"]}, "allVersions")
    with pytest.raises(Missing):
        registry.switch(DEPLOYMENT, "v1")
    assert (twice.value.code, moved.value.code) == ("already-exists", "compare-and-set")

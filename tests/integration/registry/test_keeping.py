"""The registry's controller: services info follows the graph, syncing the policy, history is forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from migrations_app.control.registry.commands.save_registered import create_registered, update_registered
from migrations_app.control.registry.controllers.registry_keeping import (
    HISTORY,
    KEPT_DAYS,
    SERVICES_INFO,
    RegistryKeeping,
)
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.engine.controller import Again, Budget, Done, Outcome
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Stale
from migrations_app.models.registry import RegistryChange, RegistryHead
from migrations_app.wiring import leases

pytestmark = pytest.mark.django_db
POLICY: Any = {"enabledRegions": ["eu", "us"], "defaultControlRegion": "eu"}
IAM = ("services/iam", "services/iam/deployments/eu", "services/iam/resources/User")


def work(key: str) -> Outcome:
    """Let the controller reconcile a key once."""
    lease = leases().take("registry", key, holder="test", lease_seconds=30.0)
    assert lease is not None
    outcome = RegistryKeeping(leases()).reconcile(key, Budget(20.0, SystemClock()), lease)
    leases().settle(lease, outcome)
    return outcome


@pytest.fixture(autouse=True)
def iam() -> None:
    """Register iam with a deployment and a type, and settle."""
    for region in ("eu", "us"):
        create_registered(SYSTEM, RegistryKind.REGION, f"regions/{region}", {})
    service: Any = {"allVersions": ["v1"], "multiRegionPolicy": POLICY}
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", service)
    create_registered(SYSTEM, RegistryKind.DEPLOYMENT, IAM[1], {"currentVersion": "v1"})
    create_registered(SYSTEM, RegistryKind.RESOURCE, IAM[2], {})
    assert work(SERVICES_INFO) == Done()


def test_a_dependant_of_a_service_joins_its_info_and_that_of_all_it_has() -> None:
    keeping = RegistryKeeping(leases())
    assert tuple(keeping.due()) == (HISTORY,)
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/audit", {"usedServices": ["services/iam"]})
    assert tuple(keeping.due()) == (SERVICES_INFO, HISTORY)
    assert work(SERVICES_INFO) == Done()
    assert tuple(keeping.due()) == (HISTORY,)
    for name, kind in zip(
        IAM, (RegistryKind.SERVICE, RegistryKind.DEPLOYMENT, RegistryKind.RESOURCE), strict=True
    ):
        info = registry.get(kind, name).metadata.services
        assert info is not None
        assert (info.owning_service, info.allowed_services) == (
            "services/iam",
            ("services/audit", "services/iam"),
        )
    seq = RegistryHead.objects.get().seq
    assert work(SERVICES_INFO) == Done()
    assert RegistryHead.objects.get().seq == seq


def test_a_changed_policy_moves_the_syncing_of_all_a_service_has() -> None:
    policy: Any = {"multiRegionPolicy": {**POLICY, "defaultControlRegion": "us"}}
    update_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", policy, mask=(("multiRegionPolicy",),))
    assert work(SERVICES_INFO) == Done()
    for name, kind in zip(
        IAM, (RegistryKind.SERVICE, RegistryKind.DEPLOYMENT, RegistryKind.RESOURCE), strict=True
    ):
        syncing = registry.get(kind, name).metadata.syncing
        assert syncing is not None
        assert (syncing.owning_region, syncing.regions) == ("us", ("eu", "us"))


def test_history_is_forgotten_after_a_week_and_looked_at_again() -> None:
    newest = RegistryHead.objects.get().seq
    old = timezone.now() - timedelta(days=KEPT_DAYS, minutes=1)
    RegistryChange.objects.filter(seq__lt=newest).update(at=old)
    assert isinstance(work(HISTORY), Again)
    assert list(RegistryChange.objects.values_list("seq", flat=True)) == [newest]
    assert RegistryHead.objects.get().pruned == newest - 1


def test_a_keeper_that_lost_its_lease_changes_nothing() -> None:
    create_registered(SYSTEM, RegistryKind.SERVICE, "services/audit", {"usedServices": ["services/iam"]})
    lost = leases().take("registry", SERVICES_INFO, holder="one", lease_seconds=0.0)
    taken = leases().take("registry", SERVICES_INFO, holder="two", lease_seconds=30.0)
    assert lost is not None
    assert taken is not None
    seq = RegistryHead.objects.get().seq
    with pytest.raises(Stale):
        RegistryKeeping(leases()).reconcile(SERVICES_INFO, Budget(20.0, SystemClock()), lost)
    assert RegistryHead.objects.get().seq == seq

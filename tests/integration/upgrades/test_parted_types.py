"""Upgrades between versions that are not convertible whole, there and back: refused before anything is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.kernel.errors import Conflict
from migrations_app.models.upgrades import Upgrade
from tests.integration.upgrades.conftest import OLGA, ROOT

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
DEPLOYMENT = "services/{}.example.com/deployments/eu-1"


def _running(example: str, current: str, direction: str = "bidirectional") -> str:
    """Have an example run in one version; tell its deployment."""
    folder = EXAMPLES / example
    files = {
        one.relative_to(folder).as_posix(): one.read_bytes().replace(
            b", to: v1}", f", to: v1, transformationDirection: {direction}}}".encode()
        )
        for one in folder.rglob("*")
        if one.is_file()
    }
    apply_region(ROOT, "eu-1")
    apply_service(ROOT, files)
    apply_deployment(ROOT, DEPLOYMENT.format(example), {"currentVersion": current})
    return DEPLOYMENT.format(example)


@pytest.mark.django_db
@pytest.mark.parametrize(("current", "target"), [("v1", "v2"), ("v2", "v1")])
def test_an_upgrade_between_versions_whose_types_split_and_merge_is_planned(
    current: str, target: str
) -> None:
    deployment = _running("delivery", current)

    planned = plan_upgrade(OLGA, UpgradeSpec(deployment, target), dry_run=True)

    assert (planned.plan.from_version, planned.plan.to_version) == (current, target)
    assert not Upgrade.objects.exists()


@pytest.mark.django_db
def test_an_edge_that_does_not_convert_back_allows_no_downgrade_sync() -> None:
    deployment = _running("secrets", "v1alpha2", "fromOldToNew")

    with pytest.raises(Conflict, match=r"fromOldToNew\. So v1alpha2 cannot be kept current") as refused:
        plan_upgrade(OLGA, UpgradeSpec(deployment, "v1"))
    planned = plan_upgrade(OLGA, UpgradeSpec(deployment, "v1", downgrade_sync=False), dry_run=True)

    assert refused.value.code == "plan-no-rollback"
    assert "without downgrade sync" in refused.value.remedy
    assert not planned.plan.downgrade_sync
    assert not Upgrade.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("downgrade_sync", [True, False])
def test_an_edge_that_does_not_convert_there_allows_no_upgrade(downgrade_sync: bool) -> None:
    deployment = _running("secrets", "v1alpha2", "fromNewToOld")

    with pytest.raises(Conflict, match="nothing can be copied from v1alpha2 to v1") as refused:
        plan_upgrade(OLGA, UpgradeSpec(deployment, "v1", downgrade_sync=downgrade_sync))

    assert refused.value.code == "plan-no-way"
    assert not Upgrade.objects.exists()

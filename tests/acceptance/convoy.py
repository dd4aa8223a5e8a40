"""Several regions of the example secrets at once, so that one chain of killed workers passes every boundary."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from migrations_app import wiring
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.models.registry import Deployment
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.stored import Layout
from tests.integration.switch.secrets_upgrade import OLGA, ROOT, SECRETS, write

SECRETS_EACH = 12
REGIONS = ("eu-west1", "us-east1", "ap-south1")


@pytest.fixture
def shard_hints(data_database: str) -> list[str]:
    """The upgrades of three regions, just started."""
    files = {
        one.relative_to(SECRETS).as_posix(): one.read_bytes() for one in SECRETS.rglob("*") if one.is_file()
    }
    for region in REGIONS:
        apply_region(ROOT, region)
    apply_service(ROOT, files)
    for region in REGIONS:
        apply_deployment(ROOT, name_of(region), {"currentVersion": "v1alpha2"}, database=data_database)
    # Two shards: what is tested is where it breaks, not how much it carries.
    Deployment.objects.update(ring=2)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    return list(started(REGIONS))


def name_of(region: str) -> str:
    """Name the deployment of a region."""
    return f"services/secrets.example.com/deployments/{region}"


def started(regions: Iterable[str]) -> Iterable[str]:
    """Fill each region's old version, and start its upgrade."""
    for region in regions:
        upgrade = plan_upgrade(OLGA, UpgradeSpec(name_of(region), "v1")).upgrade_id
        source = wiring.ports().upgrades.load(upgrade).source
        wiring.fence().open_first(FenceLocation.of(source), "v1alpha2")
        wiring.store().prepare(source, [Layout("Project"), Layout("Secret"), Layout("SecretGrant")])
        for n in range(SECRETS_EACH):
            write(source, f"projects/p/secrets/secret-{n}", title=f"Secret {n}")
        write(source, "projects/p/secrets/deleted", title="Deleted before the upgrade")
        with wiring.store().transaction(source) as transaction:
            transaction.delete("Secret", "projects/p/secrets/deleted")
        yield start_upgrade(OLGA, upgrade)

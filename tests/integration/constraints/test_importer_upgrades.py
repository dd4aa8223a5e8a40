"""References keep resolving while both ends go through whole upgrades, copied by the real followers, and back."""

from __future__ import annotations

import pytest

from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.domain.switch.states import State
from migrations_app.models.registry import Deployment
from migrations_app.ports.regions.peers import Peer
from tests.integration.constraints.test_importer_versions import OF, active, holds
from tests.integration.constraints.test_versions import APPS, OLD, Pair, pair  # noqa: F401 -- a fixture
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard, ports  # noqa: F401 -- a fixture
from tests.integration.switch.secrets_upgrade import OLGA, ROOT
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few_shards(ports: Yard) -> None:  # noqa: F811
    """Four shards: what is tested is where references break, not how much is copied."""
    Deployment.objects.update(ring=4)


def _upgrade(pair: Pair, service: str) -> str:  # noqa: F811
    """Take a service to its next version, looking at its references at every stage."""
    wish = UpgradeSpec(Peer(service, REGION).deployment, OF[service][1])
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
    work_until(upgrade, State.READY)
    holds(pair)
    work_until(upgrade, State.REVERSIBLE, request_switch)
    holds(pair)
    return upgrade


@pytest.mark.parametrize("first", [APPS, SERVICE], ids=["importer-first", "importee-first"])
def test_references_hold_before_during_and_after_the_upgrades_of_both_ends_and_on_the_way_back(
    pair: Pair,  # noqa: F811
    first: str,
) -> None:
    Deployment.objects.update(ring=4)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    pair.app("a", block=OLD)
    pair.work()
    (second,) = {APPS, SERVICE} - {first}
    upgrades = [_upgrade(pair, service) for service in (first, second)]
    assert (active(APPS), active(SERVICE)) == ("v2", "v1")
    for upgrade in reversed(upgrades):
        work_until(upgrade, State.REVERTED, request_rollback)
        holds(pair)
    assert (active(APPS), active(SERVICE)) == ("v1", "v1alpha2")

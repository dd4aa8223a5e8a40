"""What the old version cannot show is counted in full on real definitions and tables, before anybody approves."""

from __future__ import annotations

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.switch.states import State
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, write
from tests.integration.switch.secrets_upgrade import started as started
from tests.integration.switch.test_extensions import work_until

pytestmark = pytest.mark.django_db(transaction=True)
NEW = "projects/p/regions/eu-west1/secrets"


def test_three_of_sixty_hold_what_the_old_version_cannot_show(started: str) -> None:
    work_until(started, State.READY)
    record = work_until(started, State.REVERSIBLE, request_switch)
    for n in (7, 31, 59):
        write(record.target, f"{NEW}/secret-{n}", displayName=f"Secret {n}", cryptoKey="k", generation="3")
    work_until(started, State.REVERTED, request_rollback)

    again = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    work_until(again, State.READY)
    work_until(again, State.REVERSIBLE, request_switch)
    prices = wiring.ports().checkpoints.prices(again, record.direction.FORWARD)
    assert [each.counted is not None for each in prices] == [True] * 4
    assert sum(each.counted or 0 for each in prices) == 3
    assert sum(each.looked for each in prices) == 60

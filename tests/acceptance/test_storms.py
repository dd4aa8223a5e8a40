"""PostgreSQL and the broker die in every state of an upgrade and inside its switches, both ways.

Workers are Celery's own, with beat; the client never stops writing.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Busy, SwitchyardError
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.upgrades import Direction, UpgradeRecord
from tests.acceptance.servers import Servers
from tests.acceptance.verdict import judge
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, carry_out, reach, writing
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children
from tests.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.django_db(transaction=True)
SLOW_FREEZE = "catch-up.before:sleep=3"


def frozen(upgrade: str, ask: object, children: Children, worker: str) -> UpgradeRecord:
    """Ask until the fence is frozen: that is, until a process is inside the switch."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        try:
            record = wiring.ports().upgrades.load(upgrade)
            place = record.target if record.direction is Direction.REVERSE else record.source
            if wiring.fence().state(FenceLocation.of(place)).mode is Mode.FROZEN:
                return record
            if record.request is None and record.state in (State.READY, State.REVERSIBLE):
                ask(OLGA, upgrade)  # type: ignore[operator]
        except SwitchyardError:
            # A check refuses now and then on a loaded machine.
            pass
        time.sleep(0.05)
    raise AssertionError(children.log(worker)[-3000:])


def answering(upgrade: str) -> None:
    """Wait until this process has connections again: its pool tries less and less often while a server is away."""

    def answers() -> bool:
        try:
            wiring.ports().fence.state(FenceLocation.of(wiring.ports().upgrades.load(upgrade).source))
        except Busy:
            return False
        return True

    wait_until(answers)


def test_servers_die_in_every_state_and_inside_both_switches(
    started: str, children: Children, tmp_path: Path
) -> None:
    servers = Servers(tmp_path)
    children.start_beat()
    children.start_worker("first", SWITCHYARD_FAIL=SLOW_FREEZE)

    def log() -> str:
        return children.log("first")[-3000:]

    with writing(started) as acknowledged:
        servers.crash_postgres()
        servers.lose_broker()
        reach(started, State.READY, log)
        servers.crash_postgres()
        servers.lose_broker()
        frozen(started, request_switch, children, "first")
        servers.crash_postgres()
        servers.lose_broker()
        carry_out(started, request_switch, State.REVERSIBLE, log)
    judge(started, "v1", acknowledged, 60)

    children.kill("first")
    children.start_worker("second", SWITCHYARD_FAIL=SLOW_FREEZE)
    servers.crash_postgres()
    servers.lose_broker()
    frozen(started, request_rollback, children, "second")
    servers.crash_postgres()
    servers.lose_broker()
    carry_out(started, request_rollback, State.REVERTED, log)
    answering(started)
    judge(started, "v1alpha2", acknowledged, 60)

    # What has ended, and what is only planned, is there still; and goes on from there.
    again = plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id
    servers.crash_postgres()
    servers.lose_broker()
    answering(started)
    assert wiring.ports().upgrades.load(started).state is State.REVERTED
    start_upgrade(OLGA, again)
    reach(again, State.READY, log)
    abort_upgrade(OLGA, again)
    reach(again, State.ABORTED, log)
    judge(started, "v1alpha2", acknowledged, 60)

"""Workers that are stopped beyond their lease and come back, and two that work at once."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from migrations_app.control.upgrades.commands.begin_upgrade import begin_upgrade
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Conflict
from migrations_app.models.upgrades import LIVE_STATES, Upgrade
from tests.acceptance.hands import Crew
from tests.acceptance.hands import crew as crew
from tests.acceptance.test_kills import ask_all
from tests.acceptance.verdict import judge
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, carry_out, reach, writing
from tests.integration.switch.secrets_upgrade import started as started
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def is_stopped(pid: int) -> bool:
    with open(f"/proc/{pid}/stat") as told:
        return told.read().rpartition(")")[2].split()[0] == "T"


def test_a_worker_stopped_inside_the_freeze_does_no_harm_when_it_comes_back(started: str, crew: Crew) -> None:
    """The lease is 2 s; the other worker switches, and rolls back, before the first one wakes up."""
    with writing(started) as acknowledged:
        sleeper = crew.start("parity.after:stop")
        reach(started, State.READY, crew.log)

        def is_asleep() -> bool:
            if not (asleep := is_stopped(sleeper.pid)):
                ask_all([started], request_switch, State.READY)
            return asleep

        wait_until(is_asleep, crew.log)
        crew.start()
        carry_out(started, request_switch, State.REVERSIBLE, crew.log)
    judge(started, "v1", acknowledged, 60)
    carry_out(started, request_rollback, State.REVERTED, crew.log)
    os.kill(sleeper.pid, signal.SIGCONT)
    # It goes on with what it was about to do; all of that is over.
    again = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v1")).upgrade_id)
    reach(again, State.READY, crew.log)
    assert sleeper.poll() is None, crew.log()
    judge(started, "v1alpha2", acknowledged, 60)


@pytest.mark.parametrize("step", ["backfill.after", "follow.applied"])
def test_a_worker_stopped_while_it_copies_or_follows_does_no_harm_when_it_comes_back(
    started: str, crew: Crew, step: str
) -> None:
    """Another one does its work meanwhile; what it wakes up with is older than what is there."""
    with writing(started) as acknowledged:
        sleeper = crew.start(f"{step}:stop")
        wait_until(lambda: is_stopped(sleeper.pid), crew.log, pause_seconds=0.05)
        crew.start()
        reach(started, State.READY, crew.log)
        os.kill(sleeper.pid, signal.SIGCONT)
        carry_out(started, request_switch, State.REVERSIBLE, crew.log)
    assert sleeper.poll() is None, crew.log()
    judge(started, "v1", acknowledged, 60)


def test_begun_twice_and_worked_on_by_two_it_happens_once(started: str, crew: Crew) -> None:
    """Ten beginnings at once beside a running upgrade, and two workers for its switch."""

    def begin(_: int) -> str:
        try:
            return begin_upgrade(OLGA, DEPLOYMENT, "v1")
        except Conflict as error:
            return error.code
        finally:
            connection.close()

    crew.start()
    crew.start()
    with writing(started) as acknowledged:
        with ThreadPoolExecutor(5) as pool:
            said = set(pool.map(begin, range(10)))
        assert said <= {"guard-one-upgrade", "upgrade-running"}
        reach(started, State.READY, crew.log)
        carry_out(started, request_switch, State.REVERSIBLE, crew.log)
    assert Upgrade.objects.filter(deployment=DEPLOYMENT, state__in=LIVE_STATES).count() == 1
    judge(started, "v1", acknowledged, 60)

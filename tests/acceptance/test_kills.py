"""kill -9 at step boundaries of copying and switching, with a client that never stops writing.

Every port call is a boundary in `tests/simulation/schedules.py`; here real processes die at those that commit.
"""

from __future__ import annotations

import sys
import time

import pytest

from migrations_app import wiring
from migrations_app.actions.request_switch import request_rollback, request_switch
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.failpoints import KILLED
from migrations_app.models.registry import Deployment
from migrations_app.ports.fence import Mode, Site
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, carry_out, reach, write, writing
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)
CREW = [sys.executable, "-m", "tests.acceptance.crew"]
NEW = "projects/p/regions/eu-west1/secrets/"


class Crew:
    """One worker after the other; each may be told where it is to be killed."""

    def __init__(self, children: Children) -> None:
        self.children, self.count = children, 0

    def start(self, fail: str = "") -> None:
        self.count += 1
        self.children.start(f"crew-{self.count}", CREW, SWITCHYARD_FAIL=fail)

    def wait_killed(self, seconds: float = 60) -> None:
        child = self.children.running[f"crew-{self.count}"]
        assert child.wait(timeout=seconds) == KILLED, self.log()
        del self.children.running[f"crew-{self.count}"]

    def log(self) -> str:
        return "\n".join(self.children.log(f"crew-{n + 1}") for n in range(self.count))


@pytest.fixture
def crew(children: Children) -> Crew:
    return Crew(children)


def checked(upgrade: str, acknowledged: dict[str, str]) -> None:
    """The new version is shown and open, and holds every acknowledged write at its newest value, once."""
    record = wiring.yard().upgrades.load(upgrade)
    fence = wiring.fence().state(Site.of(record.target))
    assert (fence.mode, fence.active_version) == (Mode.OPEN, "v1")
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v1"
    reading = wiring.store().read(record.target)
    found = reading.batch_get("Secret", [name.replace("projects/p/secrets/", NEW) for name in acknowledged])
    titles = {name.rpartition("/")[2]: row.body["displayName"] for name, row in found.items()}
    assert titles == {name.rpartition("/")[2]: title for name, title in acknowledged.items()}
    assert sum(wiring.store().counts(record.target, "Secret").values()) == 60 + len(acknowledged)


@pytest.mark.parametrize("step", ["prepare.after", "backfill.after@2"])
def test_killed_while_copying_the_next_worker_goes_on(started: str, crew: Crew, step: str) -> None:
    name, _, visit = step.partition("@")
    with writing(started) as acknowledged:
        crew.start(f"{name}:exit@{visit or 1}")
        crew.wait_killed()
        crew.start()
        reach(started, State.READY, crew.log)
        carry_out(started, request_switch, State.REVERSIBLE, crew.log)
    checked(started, acknowledged)


@pytest.mark.parametrize(
    "step",
    [
        "begin.after",
        "freeze.after",
        "parity.after",
        "flip.before",
        "flip.after",
        "settle.before",
    ],
)
def test_killed_while_switching_the_freeze_ends_and_nothing_is_lost(
    started: str, crew: Crew, step: str
) -> None:
    with writing(started) as acknowledged:
        crew.start(f"{step}:exit")
        reach(started, State.READY, crew.log)
        until = time.monotonic() + 60
        while crew.children.running[f"crew-{crew.count}"].poll() is None and time.monotonic() < until:
            ask_once(started)
            time.sleep(0.2)
        crew.wait_killed()
        crew.start()
        carry_out(started, request_switch, State.REVERSIBLE, crew.log)
    checked(started, acknowledged)

    # The way back is whole as well.
    write(wiring.yard().upgrades.load(started).target, f"{NEW}after", displayName="After")
    record = carry_out(started, request_rollback, State.REVERTED, crew.log)
    kept = wiring.store().read(record.source).get("Secret", "projects/p/secrets/after")
    assert kept is not None
    assert kept.body["title"] == "After"


def ask_once(upgrade: str) -> None:
    try:
        if wiring.yard().upgrades.load(upgrade).request is None:
            request_switch(OLGA, upgrade)
    except SwitchyardError:
        # A check refuses now and then on a loaded machine, or the crew was killed in the midst of it.
        return

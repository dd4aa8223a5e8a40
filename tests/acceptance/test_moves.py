"""kill -9 at every boundary of a move to another database, or another shard count, and back: what others were promised
goes along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.domain.switch.states import State
from migrations_app.models.registry import Deployment
from migrations_app.ports.constraints import AttemptOutcome
from migrations_app.ports.fence import FenceLocation, Mode
from migrations_app.ports.namespaces import Namespace
from tests.acceptance.hands import Crew
from tests.acceptance.hands import crew as crew
from tests.acceptance.test_kills import ask_all, killed_at
from tests.acceptance.verdict import told
from tests.conftest import empty_database
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, OLGA, carry_out, reach, write
from tests.integration.switch.secrets_upgrade import started as started

pytestmark = pytest.mark.django_db(transaction=True)
BOUNDARIES = ("freeze.after", "flip.before", "close.after", "flip.after", "settle.before")
SOUTH = "services/apps.example.com/deployments/south"
BLOCKED = "projects/p/secrets/secret-1"


@pytest.fixture
def elsewhere(started: str, postgres: Postgres) -> Iterator[str]:
    """Another data database; the upgrade of the fixture is out of the way."""
    abort_upgrade(OLGA, started)
    with empty_database(postgres) as alias:
        yield alias
        wiring.databases().close(alias)


@pytest.mark.parametrize(
    "spec",
    [
        UpgradeSpec(DEPLOYMENT, kind=UpgradeKind.LOCATION),
        UpgradeSpec(DEPLOYMENT, kind=UpgradeKind.SHARDS, target_shard_count=7),
    ],
    ids=["location", "shards"],
)
def test_killed_at_every_boundary_of_a_move_there_and_back(
    elsewhere: str, started: str, crew: Crew, spec: UpgradeSpec
) -> None:
    crew.start()
    home = reach(started, State.ABORTED, crew.log).source
    found = wiring.store().read(home).get("Secret", BLOCKED)
    assert found is not None
    with wiring.store().transaction(home) as transaction:
        token = transaction.constraints.draw()
        transaction.constraints.commit_attempt(token)
        transaction.constraints.block("1-attempt", SOUTH, {found.uid: "BLOCK"}, 300)
    wish = replace(spec, target_location=elsewhere if spec.kind is UpgradeKind.LOCATION else "")
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, wish).upgrade_id)
    record = reach(upgrade, State.READY, crew.log)

    go(crew, upgrade, request_switch, State.READY, State.REVERSIBLE)
    there = record.target
    serves(upgrade, there, home)
    reading = wiring.store().read(there).constraints
    assert [each.token for each in reading.blockades(found.uid)] == ["1-attempt"]
    assert reading.outcome(token) is AttemptOutcome.COMMITTED
    write(there, "projects/p/secrets/moved", title="Moved")
    with wiring.store().transaction(there) as transaction:
        transaction.constraints.unblock(SOUTH, "1-attempt")

    go(crew, upgrade, request_rollback, State.REVERSIBLE, State.REVERTED)
    serves(upgrade, home, there)
    reading = wiring.store().read(home).constraints
    assert (reading.blockades(found.uid), reading.outcome(token)) == ((), AttemptOutcome.COMMITTED)
    assert wiring.store().read(home).get("Secret", "projects/p/secrets/moved") is not None


def go(crew: Crew, upgrade: str, ask: Callable[[Actor, str], str], gate: State, end: State) -> None:
    crew.hands[-1].kill()
    for step in BOUNDARIES:
        killed_at(crew, step, lambda: ask_all([upgrade], ask, gate))
    crew.start()
    carry_out(upgrade, ask, end, crew.log)


def serves(upgrade: str, open_: Namespace, shut: Namespace) -> None:
    """One of two fences is open, the registry names it, nothing is missing, and the story is whole."""
    modes = [wiring.fence().state(FenceLocation.of(place)).mode for place in (open_, shut)]
    assert modes == [Mode.OPEN, Mode.CLOSED]
    shown = Deployment.objects.get(pk=DEPLOYMENT)
    assert (shown.database, shown.ring) == (open_.database, open_.ring)
    assert sum(wiring.store().counts(open_, "Secret").values()) >= 60
    told(upgrade)

"""kill -9 at every step boundary of a switch and of the rollback, one worker after the other, under live writes.

The types of the upgrades split, merge and go; clients write by the API of the old version all the while.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import SwitchyardError
from tests.acceptance.convoy import clients_of, judge_new, judge_old
from tests.acceptance.convoy import shard_hints as shard_hints
from tests.acceptance.hands import Crew
from tests.acceptance.hands import crew as crew
from tests.integration.switch.secrets_upgrade import OLGA, carry_out, reach
from tests.integration.upgrades.test_types_under_writes import Client, writing

pytestmark = pytest.mark.django_db(transaction=True)
PREPARING = ("prepare.before", "prepare.after", "tombstones.applied")
COPYING = ("backfill.before", "backfill.after")
FOLLOWING = ("follow.before", "follow.applied", "follow.passed")
SWITCHING = (
    "begin.before",
    "begin.after",
    "freeze.before",
    "freeze.after",
    "catch-up.before",
    "catch-up.after",
    "parity.before",
    "parity.after",
    "flip.before",
    "flip.after",
    "publish.before",
    "publish.after",
    "settle.before",
)
# Only one direction has these: a freeze that is given up, and the rollback being set up. Who dies before giving up
# leaves the freeze to the next, who crosses; who dies after it leaves writers as they were.
FORWARD = (
    "flip.before:raise,abort.after",
    *SWITCHING[:4],
    "flip.before:raise,abort.before",
    *SWITCHING[4:],
    "reverse-replication.after",
)
BOUNDARIES = {
    *PREPARING,
    *COPYING,
    *FOLLOWING,
    *SWITCHING,
    "reverse-replication.after",
    "abort.before",
    "abort.after",
}


# How long one worker is given to come to its boundary, and how many are sent there.
PATIENCE_SECONDS, TRIES = 60, 6
WRITES = 40


def ask_all(upgrades: list[str], ask: Callable[[Actor, str], str], gate: State) -> None:
    for upgrade in upgrades:
        try:
            record = wiring.ports().upgrades.load(upgrade)
            if record.request is None and record.state is gate:
                ask(OLGA, upgrade)
        except SwitchyardError:
            # A check refuses now and then on a loaded machine.
            continue


def killed_at(crew: Crew, step: str, asked: Callable[[], None]) -> None:
    """Start a worker that dies at a boundary; ask until it was there.

    A freeze may end by its deadline on a loaded machine, and a boundary that is passed once is then missed.
    """
    for _ in range(TRIES):
        hand, until = crew.start(f"{step}:exit"), time.monotonic() + PATIENCE_SECONDS
        while hand.poll() is None and time.monotonic() < until:
            asked()
            time.sleep(0.1)
        if hand.poll() is not None:
            crew.wait_killed()
            return
        hand.kill()
    raise AssertionError(f"{step} was never reached\n{crew.log()}")


def share(steps: Sequence[str], chunks: int, chunk: int) -> Iterator[str]:
    """The boundaries of one third, and so on: each service is taken through a few of them."""
    yield from steps[chunk::chunks]


def killed_in_turn(crew: Crew, steps: Sequence[str], visit: int = 1) -> None:
    """Let one worker after the other die, each at the next boundary."""
    for step in steps:
        crew.start(f"{step}:exit@{visit}")
        crew.wait_killed()


def test_killed_at_every_boundary_in_both_directions_nothing_is_lost(
    shard_hints: list[str], crew: Crew
) -> None:
    """Service after service: each dies at its share of the boundaries going forward, then coming back."""
    old = clients_of(shard_hints)
    with writing(*old.values()):
        killed_in_turn(crew, PREPARING)
        killed_in_turn(crew, (*COPYING, *FOLLOWING), visit=2)
        for number, upgrade in enumerate(shard_hints):
            for step in share(FORWARD, len(shard_hints), number):
                killed_at(crew, step, lambda: ask_all([upgrade], request_switch, State.READY))  # noqa: B023
        crew.start()
        for upgrade in shard_hints:
            reach_or_switch(upgrade, crew)
    for upgrade in shard_hints:
        judge_new(upgrade, old[upgrade], crew.log)

    for number, upgrade in enumerate(shard_hints):
        # Only the worker that dies over it follows what is written now.
        crew.hands[-1].kill()
        new = written_by_new_clients(old[upgrade].service, number)
        killed_in_turn(crew, (FOLLOWING[number],))
        for step in share(SWITCHING, len(shard_hints), number):
            killed_at(crew, step, lambda: ask_all([upgrade], request_rollback, State.REVERSIBLE))  # noqa: B023
        crew.start()
        carry_out(upgrade, request_rollback, State.REVERTED, crew.log)
        judge_old(upgrade, old[upgrade], new)


def written_by_new_clients(service: str, seed: int) -> Client:
    """Let a client of the new API create, change and delete what the old version can name, or keeps."""
    client, chance = Client("v2", seed, service, ("zones/z/rules",)), random.Random(seed)
    for _ in range(WRITES):
        client.write(chance)
    return client


def reach_or_switch(upgrade: str, crew: Crew) -> None:
    record = wiring.ports().upgrades.load(upgrade)
    if record.state is State.SYNCING:
        reach(upgrade, State.READY, crew.log)
    carry_out(upgrade, request_switch, State.REVERSIBLE, crew.log)

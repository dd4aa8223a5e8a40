"""Cascades of any depth and width come to their end, in bounded steps, whichever process dies on the way.

`CASCADE_WIDE=10000` grows 100,000 trees instead of some thousands.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count

import pytest

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.engine.constraints import carrying, sweeping
from migrations_app.engine.constraints.auditing import Auditing
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.failpoints import KILLED
from tests.integration.constraints.grove import HERE, ROOTS, TREES, Grove, planted
from tests.processes import Children

LEVELS, WIDE = 10, int(os.environ.get("CASCADE_WIDE", "400"))


@pytest.fixture
def grove(db: None, postgres: Postgres) -> Iterator[Grove]:
    with planted(postgres) as found:
        yield found


@pytest.mark.django_db(transaction=True)
def test_a_deep_and_wide_cascade_ends_though_its_worker_is_killed_time_and_again(
    transactional_db: None, grove: Grove, children: Children
) -> None:
    grove.plant(LEVELS, WIDE)
    grove.fell()
    kills = max(2, min(20, LEVELS * WIDE // (2 * sweeping.MOST)))
    for number in range(kills):
        # Now before a step commits, now after: it is done as a whole or not at all.
        place = ("sweep.before-commit", "sweep.after-commit")[number % 2]
        hand = _start_hand(children, SWITCHYARD_FAIL=f"{place}:exit@1")
        assert hand.wait(120) == KILLED, children.log("hand")[-2000:]
        assert grove.standing() != [], "it was killed in the middle"
    hand = _start_hand(children)
    end = time.monotonic() + 400
    while not grove.at_rest():
        assert time.monotonic() < end, children.log("hand")[-2000:]
        assert hand.poll() is None, children.log("hand")[-2000:]
        time.sleep(0.2)
    hand.send_signal(signal.SIGKILL)
    hand.wait()
    assert grove.standing() == []
    assert (
        list(Auditing(wiring.router(), wiring.peers(), wiring.arrangements().whereabouts).audit(TREES)) == []
    )


def test_a_step_takes_no_more_than_it_may_and_leaves_a_sign_of_what_follows(
    grove: Grove, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "MOST", 10)
    monkeypatch.setattr(carrying, "BATCH", 4)
    grove.plant(5, 10)
    grove.fell()
    sizes: list[int] = []
    sweep = sweeping.Sweeping.sweep

    def watched(self: sweeping.Sweeping, *args: object) -> sweeping.Swept:
        swept = sweep(self, *args)  # type: ignore[arg-type]
        sizes.append(swept.gone)
        return swept

    monkeypatch.setattr(sweeping.Sweeping, "sweep", watched)
    _until_at_rest(grove)
    assert (grove.standing(), max(sizes) <= 10, sum(sizes)) == ([], True, 51)


def test_what_is_referred_to_waits_and_everything_else_goes(grove: Grove) -> None:
    grove.plant(3, 250)
    held = [grove.tree(f"held{number}", above="trees/1-1") for number in range(3)]
    grove.tree("prop0", leans=held[0])
    grove.tree("prop1", leans=held[1], above="trees/2-1")
    grove.fell()
    grove.work(3)
    # A referrer that is deleted too holds nothing up.
    assert grove.standing() == ["trees/held0", "trees/prop0"]
    shadow = grove.reading(TREES.service, HERE).shadow("Tree", "trees/held0")
    assert shadow is not None
    assert shadow.state.value == "DELETING"

    grove.write(TREES.service, HERE, WriteRequest("delete", "Tree", "trees/prop0"), version="v1")
    _until_at_rest(grove)
    assert grove.standing() == []


def test_many_that_are_held_do_not_hide_those_that_may_go(
    grove: Grove, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying, "BATCH", 3)
    grove.plant(1, 1)
    for number in range(8):
        held = grove.tree(f"a-held{number}", above="trees/1-1")
        grove.tree(f"prop{number}", leans=held)
    for number in range(8):
        grove.tree(f"b-free{number}", above="trees/1-1")
    grove.fell()
    grove.work(3)
    assert [each for each in grove.standing() if "free" in each] == []
    assert len([each for each in grove.standing() if "held" in each]) == 8


def test_a_wide_unset_clears_everybody_in_batches(grove: Grove) -> None:
    grove.plant(1, 1)
    every = [WriteRequest("create", "Tree", f"trees/u{n}", body={"beside": "trees/1-1"}) for n in range(450)]
    for start in range(0, len(every), 200):
        grove.write(TREES.service, HERE, *every[start : start + 200], version="v1")
    grove.fell()
    _until_at_rest(grove)
    found = grove.reading(TREES.service, HERE).batch_get("Tree", [each.name for each in every])
    assert (len(found), {tuple(each.body) for each in found.values()}) == (450, {()})
    assert grove.reading(TREES.service, HERE).constraints.held(("", "", -1), 10) == ()


def _until_at_rest(grove: Grove) -> None:
    for turn in count():
        grove.work(1)
        if grove.at_rest():
            return
        assert turn < 30, [grove.reading(peer.service, HERE).constraints.moving() for peer in (ROOTS, TREES)]


def _start_hand(children: Children, **extra: str):  # type: ignore[no-untyped-def]
    command = [sys.executable, "-m", "tests.integration.constraints.hand"]
    return children.start("hand", command, **extra)

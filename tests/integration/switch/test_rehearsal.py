"""A rehearsal goes through the steps of a switch on connections that cannot write."""

from __future__ import annotations

from itertools import count

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.queries.rehearsals import rehearsal
from migrations_app.domain.switch.states import State
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.switch.steps import ORDER
from migrations_app.kernel.errors import InvariantBroken
from migrations_app.kernel.wordings import phrases_from_json
from migrations_app.ports.fence import FenceLocation
from tests.factories.due_keys import keys_due
from tests.integration.switch.secrets_upgrade import OLGA
from tests.integration.switch.secrets_upgrade import started as started
from tests.waiting import attempts

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_rehearsed_switch_tells_every_step_and_writes_nothing(started: str) -> None:
    controllers, epochs = wiring.controllers(), count(1_000_000_000)
    for _ in attempts():
        record = wiring.ports().upgrades.load(started)
        if record.state is State.READY:
            break
        for name in ("switch", "sync"):
            for key in keys_due(controllers[name]):
                lease = Lease(key, next(epochs), name)
                controllers[name].reconcile(key, Budget(2.0, wiring.clock()), lease)
    before = wiring.fence().state(FenceLocation.of(record.source))
    told = rehearsal(OLGA, started, "switch")
    steps = told["steps"]
    assert isinstance(steps, list)
    assert [step["step"] for step in steps if isinstance(step, dict)] == list(ORDER)
    assert told["stopped"] == ""
    predicted = told["predicted_freeze_ms"]
    assert isinstance(predicted, float)
    assert predicted > 0
    after = wiring.fence().state(FenceLocation.of(record.source))
    assert (after.mode, after.epoch) == (before.mode, before.epoch)
    with pytest.raises(InvariantBroken, match="read-only transaction"):
        wiring.reading_ports().feed.beat(record.source, "pulse")


def test_what_would_stop_it_is_told_in_phrases(started: str) -> None:
    told = rehearsal(OLGA, started, "rollback")
    phrases = told["stopped_phrases"]
    assert isinstance(phrases, list)
    assert told["stopped"]
    assert " ".join(map(str, phrases_from_json(phrases))) == told["stopped"]

"""The main job by a real Celery worker on real tables: started, copied, switched, gone back, under writes."""

from __future__ import annotations

import time

import pytest

from migrations_app import wiring
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.domain.switch.states import State
from migrations_app.models.registry import Deployment
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.upgrades import Direction
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, carry_out, reach, write, writing
from tests.integration.switch.secrets_upgrade import started as started
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_does_the_main_job(started: str, live_worker: Children) -> None:
    def log() -> str:
        return live_worker.log("worker")

    with writing(started) as acknowledged:
        reach(started, State.READY, log)
        record = carry_out(started, request_switch, State.REVERSIBLE, log)
        time.sleep(0.3)
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v1"
    target = wiring.store().read(record.target)
    for name, title in acknowledged.items():
        moved = target.get("Secret", name.replace("projects/p/", "projects/p/regions/eu-west1/"))
        assert moved is not None
        assert moved.body["displayName"] == title
    assert sum(wiring.store().counts(record.target, "Secret").values()) == 60 + len(acknowledged)

    new = "projects/p/regions/eu-west1/secrets/after-switch"
    abroad = "projects/p/regions/us-east2/secrets/abroad"
    write(record.target, new, displayName="After")
    write(record.target, abroad, displayName="Abroad")
    carry_out(started, request_rollback, State.REVERTED, log)
    assert Deployment.objects.get(pk=DEPLOYMENT).current_version == "v1alpha2"
    source = wiring.store().read(record.source)
    kept = source.get("Secret", "projects/p/secrets/after-switch")
    assert kept is not None
    assert kept.body["title"] == "After"
    # The old version cannot name it: it stands in the list of what rolling back costs.
    hidden = [
        quarantined.name
        for shard in range(4)
        for quarantined in wiring.ports().checkpoints.quarantined(ShardKey(started, Direction.REVERSE, shard))
    ]
    assert hidden == [abroad]

"""Renders one upgrade through every surface at one moment, and keeps a run of such moments as a file."""

from __future__ import annotations

import json
import os
import re
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from rest_framework.test import APIClient

from console.cli.upgrades.upgrade import describe_upgrade
from migrations_app.control.upgrade_state.repository.upgrades import tell_progress
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.rollouts import Rollout, RolloutItem
from migrations_app.models.upgrades import Upgrade
from tests.histories.laws import contradictions_between

RECORDED = Path(__file__).parent / "recorded"
WRITE = "RECORD_HISTORIES"
"""Set it to have the run of the tests written to `RECORDED`."""
Moment = dict[str, Any]


def metrics_of(text: str, upgrade: str) -> dict[str, float]:
    """Read the numbers of one upgrade from an answer of `/metrics`."""
    pattern = rf'^switchyard_(upgrade_\w+)\{{[^}}]*upgrade="{upgrade}"[^}}]*\}} (\S+)$'
    found = re.findall(pattern, text, re.MULTILINE)
    assert len(dict(found)) == len(found)
    return {name: float(value) for name, value in found}


def add_rollout(upgrade: str) -> None:
    """Put an upgrade into a rollout, so that there is one to look at."""
    row = Upgrade.objects.get(pk=upgrade)
    rollout = Rollout.objects.create(id=f"r{upgrade[:10]}", title="All", created_by="olga")
    RolloutItem.objects.create(
        rollout=rollout, wave=0, position=0, deployment=row.deployment, upgrade=row, state="running"
    )


def look(client: APIClient, upgrade: str) -> Moment:
    """Ask every surface for an upgrade as of one instant: in one snapshot of the database, while one clock stands still."""
    now = timezone.now()
    # Inside a transaction of the test no other process can change anything.
    is_alone = connection.in_atomic_block
    with pytest.MonkeyPatch.context() as clock, transaction.atomic():
        if not is_alone:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        clock.setattr(timezone, "now", lambda: now)
        moment = {"at": now.isoformat(), **_surfaces(client, upgrade)}
        transaction.set_rollback(True)
    return moment


def _surfaces(client: APIClient, upgrade: str) -> Moment:
    def ask(path: str) -> Any:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()

    page = ask(f"/api/v1/upgrades/{upgrade}")
    cells = ask("/api/v1/fleet")["cells"]
    items = [item for each in ask("/api/v1/rollouts")["items"] for wave in each["waves"] for item in wave]
    filling = ask("/api/v1/references/building")["items"]
    stalled = ask("/api/v1/upgrades?stalled=true")["items"]
    return {
        "page": page,
        "listed": next(each for each in ask("/api/v1/upgrades")["items"] if each["id"] == upgrade),
        "stalled": [each["id"] for each in stalled],
        "cell": next(each for each in cells if each["name"] == page["deployment"]),
        "overview": ask("/api/v1/overview"),
        "building": next((each for each in filling if each["upgrade_id"] == upgrade), None),
        "deployment": ask(f"/api/v1/deployments/{page['service']}/{page['region']}"),
        "rollout": next(each for each in items if each["upgrade_id"] == upgrade),
        "metrics": metrics_of(client.get("/metrics").content.decode(), upgrade),
        "text": describe_upgrade(page),
        "live": _live_of(upgrade),
    }


def _live_of(upgrade: str) -> dict[str, Any]:
    """Give what open pages and the fleet are told when the upgrade's progress is told now."""
    last = OutboxEvent.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    tell_progress(Upgrade.objects.get(pk=upgrade))
    told = dict(OutboxEvent.objects.filter(pk__gt=last).values_list("topic", "patch"))
    return {"upgrade": told[f"upgrade:{upgrade}"], "cell": told["fleet"]}


@dataclass
class History:
    """The moments of one run; each is checked when it is added."""

    name: str
    client: APIClient
    upgrade: str
    moments: list[Moment] = field(default_factory=list)

    def look(self) -> Moment:
        """Look once, refuse contradictions, and keep the moment."""
        moment = look(self.client, self.upgrade)
        assert (found := contradictions_between(moment)) == [], found
        self.moments.append(moment)
        return moment

    def kinds(self) -> list[str]:
        """Name the causes that the newest look found."""
        return [cause["kind"] for cause in self.look()["page"]["blockages"]]

    def keep(self) -> None:
        """Write the moments where that was asked for: the first one of each kind of picture."""
        if not os.environ.get(WRITE):
            return
        seen: dict[str, Moment] = {}
        for moment in self.moments:
            page = moment["page"]
            kinds = {cause["kind"] for cause in page["blockages"]}
            seen.setdefault(f"{page['state']} {sorted(kinds)} {page['stall'] is None}", moment)
        lines = ",\n".join(json.dumps(moment, sort_keys=True) for moment in seen.values())
        text = f'{{"history": "{self.name}", "moments": [\n{lines}\n]}}\n'
        (RECORDED / f"{self.name}.json").write_text(text.replace(f"{socket.gethostname()}:", "worker:"))

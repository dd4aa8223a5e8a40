"""The people of the demo, who do over REST what they would do at their screens."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from switchyard_client import Client, ClientError, models

PATIENCE_SECONDS = 1200.0
"""So long it may take on a machine that has too little processor; nothing ends sooner for that."""
LOOK_SECONDS = 1.0
Watch = Callable[[dict[str, Any]], None]


class Impatient(Exception):
    """It took too long; the message says where it stands."""


class People:
    """An operator and two approvers; `watch` is shown the upgrade whenever a person looks."""

    def __init__(self, home: Path, watch: Watch) -> None:
        kept = json.loads((home / "credentials.json").read_text())
        self._clients = {
            name: Client(kept["url"], account["token"], user_agent="switchyard-demo")
            for name, account in kept["accounts"].items()
        }
        self.operator = self._clients["operator"]
        self._watch = watch

    def plan(self, deployment: str, target: str) -> tuple[str, list[str]]:
        """Look at the dry run, then plan and start; give the upgrade and what it would do."""
        planned = models.NewUpgradeRequest(deployment=deployment, target_version=target)
        rehearsed = self.operator.plan_upgrade(planned, dry_run=True).value
        started = self.operator.plan_upgrade(replace(planned, start=True)).value
        assert isinstance(rehearsed, models.DryRun)
        assert isinstance(started, models.Upgrade)
        return started.id, rehearsed.would

    def see(self, upgrade: str) -> dict[str, Any]:
        """Look at an upgrade."""
        seen: dict[str, Any] = self.operator.request("GET", f"/api/v1/upgrades/{upgrade}").value
        self._watch(seen)
        return seen

    def wait(self, upgrade: str, *states: str) -> dict[str, Any]:
        """Watch until it is in one of these states.

        Raises: Impatient.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            seen = self.see(upgrade)
            if seen["state"] in states:
                return seen
            if time.monotonic() > until or seen["state"] in ("HALTED", "ABORTED"):
                raise Impatient(f"{seen['sentence']} (waited for {' or '.join(states)})")
            time.sleep(LOOK_SECONDS)

    def accept_removals(self, upgrade: str, service: str) -> list[str]:
        """Accept, by two persons, what the new version does not have; give it in words."""
        accepted: list[str] = []
        approver = self._clients["approver"]
        seen = self.see(upgrade)
        until = (datetime.now(UTC) + timedelta(days=30)).isoformat()
        for removal in self.operator.upgrade_removals(upgrade).value.items:
            if removal.accepted:
                continue
            wanted = {
                "before": seen["from_version"],
                "after": seen["to_version"],
                "rule": removal.rule,
                "path": removal.path,
                "reason": "The demo's clients know.",
                "until": until,
            }
            asked = self.operator.ask_waiver(service, wanted).value
            approver.approve_waiver(asked.id)
            accepted.append(removal.sentence)
        return accepted

    def approve(self, upgrade: str) -> None:
        """Ask for approval, and have both approvers read and approve it."""
        tag = self.operator.upgrade(upgrade).etag
        asked = self.operator.request_approval_upgrade(upgrade, {"comment": "demo"}, if_match=tag).value
        request = str(asked.readiness.approvals.request_id)
        for name in ("approver", "approver2"):
            client = self._clients[name]
            client.approve(request, {"comment": "read"}, if_match=client.approval(request).etag)

    def insist(self, upgrade: str, action: str, state: str) -> dict[str, Any]:
        """Ask until it is done: under live writes a guard may refuse for a moment.

        Raises: Impatient.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        last = ""
        while time.monotonic() < until:
            seen = self.see(upgrade)
            if seen["state"] == state:
                return seen
            if not seen["request"] and seen["state"] in ("READY", "REVERSIBLE"):
                try:
                    self._act(upgrade, action, f'"{seen["rev"]}"')
                except ClientError as refused:
                    last = str(refused)
            time.sleep(LOOK_SECONDS)
        raise Impatient(f"{seen['sentence']} Last refusal: {last or 'none'}")

    def report(self, upgrade: str) -> dict[str, Any]:
        """Export the report of an upgrade."""
        report: dict[str, Any] = self.operator.upgrade_report(upgrade).value
        return report

    def _act(self, upgrade: str, action: str, tag: str) -> None:
        actions = {
            "switch": self.operator.switch_upgrade,
            "rollback": self.operator.rollback_upgrade,
            "complete": self.operator.complete_upgrade,
        }
        actions[action](upgrade, if_match=tag)

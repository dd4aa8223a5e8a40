"""`swy upgrade ensure`: bring a deployment to a version, as far as is asked; again changes nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

import typer

from console.cli.approvals import Output
from console.cli.client import ConsoleClient, ConsoleProblem, read_credentials
from console.cli.declarations.kinds import full_deployment
from console.cli.exit_codes import NEEDS_APPROVAL, TIMED_OUT
from console.cli.output import errors, show_one

LONG_POLL_SECONDS = 20.0
VOTES_POLL_SECONDS = 2.0


class Until(StrEnum):
    """How far the upgrade shall come."""

    READY = "ready"
    SWITCHED = "switched"
    COMPLETE = "complete"


REACHED = {
    Until.READY: {"READY", "SWITCHING", "REVERSIBLE", "COMPLETED"},
    Until.SWITCHED: {"REVERSIBLE", "COMPLETED"},
    Until.COMPLETE: {"COMPLETED"},
}


class WaitingOver(Exception):
    """The time to wait is over."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(exit_code)
        self.exit_code = exit_code


@dataclass(slots=True)
class Goal:
    """What is wanted of a deployment, until when, and what was done for it so far."""

    deployment: str
    version: str
    until: Until
    ends: float
    plan: dict[str, Any]
    comment: str = ""
    ticket: str = ""
    votes: bool = True
    changed: bool = False
    upgrade_id: str = ""
    approval: str = ""
    reported: set[str] = field(default_factory=set)

    @property
    def left(self) -> float:
        """Tell how many seconds are left to wait."""
        return max(0.0, self.ends - time.monotonic())

    def tell(self, sentence: str) -> None:
        """Tell on standard error how it goes, each sentence once."""
        if sentence not in self.reported:
            self.reported.add(sentence)
            errors.print(sentence, markup=False)


def ensure(
    deployment: Annotated[str, typer.Argument(help="S@R, or services/S/deployments/R")],
    target_version: str,
    until: Annotated[Until, typer.Option(help="How far it shall come.")] = Until.SWITCHED,
    timeout: Annotated[float, typer.Option(help="Seconds to wait at most; 0: do not wait.")] = 3600.0,
    approve: Annotated[
        bool, typer.Option(help="Give your vote where you may vote on the request of somebody else.")
    ] = True,
    keep_old: Annotated[bool, typer.Option(help="Follow the new version's writes back.")] = True,
    rollback_hours: Annotated[int, typer.Option(help="How long rollback stays possible.")] = 168,
    comment: Annotated[str, typer.Option("-m", "--comment")] = "",
    ticket: str = "",
    output: Output = None,
) -> None:
    """Bring a deployment to a version: begin, wait, ask for votes, switch, complete; again changes nothing."""
    client, name = ConsoleClient(read_credentials()), full_deployment(deployment)
    plan = {
        "deployment": name,
        "target_version": target_version,
        "downgrade_sync": keep_old,
        "rollback_hours": rollback_hours,
        "comment": comment,
        "start": True,
    }
    goal = Goal(name, target_version, until, time.monotonic() + timeout, plan, comment, ticket, approve)
    code = 0
    try:
        _reach(client, goal)
    except WaitingOver as over:
        code = over.exit_code
    shown = result(client, goal)
    show_one(
        shown, output, f"{goal.upgrade_id or name}: {shown['outcome']}. {shown['sentence']}", "upgrade_id"
    )
    if code:
        raise typer.Exit(code)


def result(client: ConsoleClient, goal: Goal) -> dict[str, Any]:
    """Tell how the deployment is now, and whether anything was done."""
    upgrade = client.get(f"/api/v1/upgrades/{goal.upgrade_id}") if goal.upgrade_id else {}
    return {
        "deployment": goal.deployment,
        "version": goal.version,
        "until": goal.until.value,
        "outcome": "changed" if goal.changed else "unchanged",
        "upgrade_id": goal.upgrade_id,
        "state": upgrade.get("state", "COMPLETED"),
        "sentence": upgrade.get("sentence", f"{goal.deployment} serves {goal.version}."),
        "approval": goal.approval,
    }


def _reach(client: ConsoleClient, goal: Goal) -> None:
    """Take one step after the other until the goal is reached.

    Raises: Problem, WaitingOver.
    """
    goal.upgrade_id = _upgrade_of(client, goal)
    while goal.upgrade_id:
        answer = client.ask("GET", f"/api/v1/upgrades/{goal.upgrade_id}")
        upgrade, state = answer.body, answer.body["state"]
        goal.tell(upgrade["sentence"])
        if state in REACHED[goal.until]:
            return
        if state == "PLANNED":
            _act(client, goal, "start", answer.tag)
        elif state == "SYNCING":
            _wait_until(client, goal, Until.READY)
        elif state == "READY" and _votes_are_missing(upgrade):
            _care_for_votes(client, goal, upgrade, answer.tag)
        elif state in ("READY", "SWITCHING"):
            _switch(client, goal, upgrade, answer.tag)
        elif state == "REVERSIBLE":
            _act(client, goal, "complete", answer.tag)
        else:
            raise _conflict(
                goal.upgrade_id, f"Upgrade {goal.upgrade_id} is {state}: it takes a person to go on."
            )


def _upgrade_of(client: ConsoleClient, goal: Goal) -> str:
    """Find the upgrade that goes to the version, or begin one; none where the version is served already.

    Raises: Problem (`upgrade-running`) with the id of the upgrade that goes elsewhere.
    """
    _, service, _, region = goal.deployment.split("/")
    shown = client.get(f"/api/v1/deployments/{service}/{region}")
    running = shown["active_upgrade"]
    if running is not None:
        if running["to_version"] != goal.version:
            raise _conflict(
                running["id"],
                f"Upgrade {running['id']} takes {service}@{region} to {running['to_version']};"
                " finish or abort it first.",
            )
        return str(running["id"])
    if shown["current_version"] == goal.version:
        return ""
    planned = client.ask("POST", "/api/v1/upgrades", goal.plan).body
    goal.changed = True
    return str(planned["id"])


def _conflict(upgrade_id: str, sentence: str) -> ConsoleProblem:
    return ConsoleProblem(409, {"detail": sentence, "code": "upgrade-running", "upgrade_id": upgrade_id})


def _act(
    client: ConsoleClient, goal: Goal, action: str, tag: str, body: dict[str, Any] | None = None
) -> None:
    """Take an action, and wait for what it begins; look again where the upgrade changed meanwhile."""
    path = f"/api/v1/upgrades/{goal.upgrade_id}/{action}"
    try:
        answer = client.ask("POST", path, body or {}, tag=tag)
    except ConsoleProblem as problem:
        if problem.status == 412 or problem.body.get("code") == "already-asked":
            _pause(goal, VOTES_POLL_SECONDS / 4)
            return
        raise
    goal.changed = True
    if answer.location:
        _follow(client, goal, answer.location)


def _switch(client: ConsoleClient, goal: Goal, upgrade: dict[str, Any], tag: str) -> None:
    """Ask for the switch, or follow the one that was asked for."""
    if upgrade["operation_id"]:
        _follow(client, goal, f"/api/v1/operations/{upgrade['operation_id']}")
    elif upgrade["automatic"] or upgrade["state"] == "SWITCHING":
        _wait_until(client, goal, Until.SWITCHED)
    elif {each["verdict"] for each in upgrade["readiness"]["checks"]} & {"pending", "unknown"}:
        # What is not known yet stands in the way, but not for ever: the first full comparison takes its time.
        _pause(goal, VOTES_POLL_SECONDS / 4)
    else:
        _act(client, goal, "switch", tag)


def _wait_until(client: ConsoleClient, goal: Goal, milestone: Until) -> None:
    """Wait by an operation of the console."""
    path = f"/api/v1/upgrades/{goal.upgrade_id}/wait"
    _follow(client, goal, client.ask("POST", path, {"until": milestone.value}).location)


def _follow(client: ConsoleClient, goal: Goal, operation_path: str) -> None:
    """Wait until an operation has ended.

    Raises: Problem where it failed, WaitingOver.
    """
    while True:
        seconds = min(LONG_POLL_SECONDS, goal.left)
        operation = client.get(operation_path, wait=f"{seconds:.0f}s")
        if operation["state"] == "done":
            return
        if operation["state"] == "failed":
            raise ConsoleProblem(409, {**operation["error"], "upgrade_id": goal.upgrade_id})
        _pause(goal, 0.2)


def _pause(goal: Goal, seconds: float, exit_code: int = TIMED_OUT) -> None:
    """Let some time pass.

    Raises: WaitingOver.
    """
    if not goal.left:
        raise WaitingOver(exit_code)
    time.sleep(min(seconds, goal.left))


def _votes_are_missing(upgrade: dict[str, Any]) -> bool:
    votes = upgrade["readiness"]["approvals"]
    return int(votes["votes_given"]) < int(votes["needed"])


def _care_for_votes(client: ConsoleClient, goal: Goal, upgrade: dict[str, Any], tag: str) -> None:
    """Ask for the votes once, give one's own where that is allowed, and wait for the others."""
    request_id = upgrade["readiness"]["approvals"]["request_id"]
    if not request_id:
        _act(client, goal, "request-approval", tag, {"comment": goal.comment, "ticket": goal.ticket})
        return
    goal.approval = f"{str(client.http.base_url).rstrip('/')}/approvals/{request_id}"
    request = client.ask("GET", f"/api/v1/approvals/{request_id}")
    if request.body["state"] == "REJECTED":
        detail = f"The request was rejected: {goal.approval}"
        raise ConsoleProblem(
            409, {"detail": detail, "code": "approval-needed", "upgrade_id": goal.upgrade_id}
        )
    allowed = {each["action"] for each in request.body["actions"] if each["allowed"]}
    if goal.votes and "approve" in allowed:
        body = {"comment": goal.comment}
        client.ask("POST", f"/api/v1/approvals/{request_id}/approve", body, tag=request.tag)
        goal.changed = True
        return
    goal.tell(f"Votes are given at {goal.approval}")
    _pause(goal, VOTES_POLL_SECONDS, NEEDS_APPROVAL)

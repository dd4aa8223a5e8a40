"""`swy upgrade ensure`: bring a deployment to a version, as far as is asked; again changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from console.cli.client import ConsoleClient, ConsoleProblem, read_credentials
from console.cli.declarations.kinds import full_deployment
from console.cli.exit_codes import NEEDS_APPROVAL, TIMED_OUT
from console.cli.output import errors, show_one
from console.cli.upgrades.approvals import Output
from switchyard_client.errors import Conflict, OperationFailed, PreconditionFailed, WaitTimedOut
from switchyard_client.exchange import Response

if TYPE_CHECKING:
    from switchyard_client import models
    from switchyard_client.client import Client

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
        bool, typer.Option(help="Give your vote where you may vote on the request of another person.")
    ] = True,
    keep_old: Annotated[bool, typer.Option(help="Follow the new version's writes back.")] = True,
    rollback_hours: Annotated[int, typer.Option(help="How long rollback stays possible.")] = 168,
    comment: Annotated[str, typer.Option("-m", "--comment")] = "",
    ticket: str = "",
    output: Output = None,
) -> None:
    """Bring a deployment to a version: begin, wait, ask for votes, switch, complete; again changes nothing."""
    name = full_deployment(deployment)
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
    with ConsoleClient(read_credentials()).typed() as console:
        try:
            _reach(console, goal)
        except WaitingOver as over:
            code = over.exit_code
        shown = result(console, goal)
    show_one(
        shown, output, f"{goal.upgrade_id or name}: {shown['outcome']}. {shown['sentence']}", "upgrade_id"
    )
    if code:
        raise typer.Exit(code)


def result(console: Client, goal: Goal) -> dict[str, Any]:
    """Tell how the deployment is now, and whether anything was done."""
    upgrade = console.upgrade(goal.upgrade_id).value if goal.upgrade_id else None
    return {
        "deployment": goal.deployment,
        "version": goal.version,
        "until": goal.until.value,
        "outcome": "changed" if goal.changed else "unchanged",
        "upgrade_id": goal.upgrade_id,
        "state": upgrade.state if upgrade else "COMPLETED",
        "sentence": upgrade.sentence if upgrade else f"{goal.deployment} serves {goal.version}.",
        "approval": goal.approval,
    }


def _reach(console: Client, goal: Goal) -> None:
    """Take one step after the other until the goal is reached.

    Raises: Problem, WaitingOver, and what operations raise.
    """
    goal.upgrade_id = _upgrade_of(console, goal)
    while goal.upgrade_id:
        answer = console.upgrade(goal.upgrade_id)
        upgrade, state = answer.value, answer.value.state
        goal.tell(upgrade.sentence)
        if state in REACHED[goal.until]:
            return
        if state == "PLANNED":
            _act(console, goal, console.start_upgrade, answer.etag)
        elif state == "SYNCING":
            _wait_until(console, goal, Until.READY)
        elif state == "READY" and _votes_are_missing(upgrade):
            _care_for_votes(console, goal, upgrade, answer.etag)
        elif state in ("READY", "SWITCHING"):
            _switch(console, goal, upgrade, answer.etag)
        elif state == "REVERSIBLE":
            _act(console, goal, console.complete_upgrade, answer.etag)
        else:
            raise _conflict(
                goal.upgrade_id, f"Upgrade {goal.upgrade_id} is {state}: it takes a person to go on."
            )


def _upgrade_of(console: Client, goal: Goal) -> str:
    """Find the upgrade that goes to the version, or begin one; none where the version is served already.

    Raises: Problem (`upgrade-running`) with the id of the upgrade that goes elsewhere.
    """
    _, service, _, region = goal.deployment.split("/")
    shown = console.deployment(service, region).value
    running = shown.active_upgrade
    if running is not None:
        if running.to_version != goal.version:
            raise _conflict(
                running.id,
                f"Upgrade {running.id} takes {service}@{region} to {running.to_version};"
                " finish or abort it first.",
            )
        return running.id
    if shown.current_version == goal.version:
        return ""
    planned = console.plan_upgrade(goal.plan).value
    goal.changed = True
    # Nothing but a dry run is answered without an id.
    return cast("models.Upgrade", planned).id


def _conflict(upgrade_id: str, sentence: str) -> ConsoleProblem:
    return ConsoleProblem(409, {"detail": sentence, "code": "upgrade-running", "upgrade_id": upgrade_id})


def _act(
    console: Client,
    goal: Goal,
    action: Callable[..., Response[Any]],
    tag: str,
    body: dict[str, Any] | None = None,
) -> None:
    """Take an action, and wait for what it begins; look again where the upgrade changed meanwhile."""
    try:
        answer = action(goal.upgrade_id, body or {}, if_match=tag)
    except PreconditionFailed:
        _pause(goal, VOTES_POLL_SECONDS / 4)
        return
    except Conflict as conflict:
        if conflict.code != "already-asked":
            raise
        _pause(goal, VOTES_POLL_SECONDS / 4)
        return
    goal.changed = True
    if answer.location:
        _follow(console, goal, answer)


def _switch(console: Client, goal: Goal, upgrade: models.Upgrade, tag: str) -> None:
    """Ask for the switch, or follow the one that was asked for."""
    if upgrade.operation_id:
        _follow(console, goal, str(upgrade.operation_id))
    elif upgrade.automatic or upgrade.state == "SWITCHING":
        _wait_until(console, goal, Until.SWITCHED)
    elif {check.verdict for check in upgrade.readiness.checks} & {"pending", "unknown"}:
        # What is not known yet stands in the way, but not for ever: the first full comparison takes its time.
        _pause(goal, VOTES_POLL_SECONDS / 4)
    else:
        _act(console, goal, console.switch_upgrade, tag)


def _wait_until(console: Client, goal: Goal, milestone: Until) -> None:
    """Wait by an operation of the console."""
    _follow(console, goal, console.await_upgrade(goal.upgrade_id, {"until": milestone.value}))


def _follow(console: Client, goal: Goal, operation: Response[Any] | str) -> None:
    """Wait until an operation has ended.

    Raises: Problem where it failed, WaitingOver.
    """
    try:
        console.wait_for(operation, goal.left)
    except WaitTimedOut as over:
        raise WaitingOver(TIMED_OUT) from over
    except OperationFailed as failed:
        raise ConsoleProblem(409, {**failed.body, "upgrade_id": goal.upgrade_id}) from failed


def _pause(goal: Goal, seconds: float, exit_code: int = TIMED_OUT) -> None:
    """Let some time pass.

    Raises: WaitingOver.
    """
    if not goal.left:
        raise WaitingOver(exit_code)
    time.sleep(min(seconds, goal.left))


def _votes_are_missing(upgrade: models.Upgrade) -> bool:
    votes = upgrade.readiness.approvals
    return votes.votes_given < votes.needed


def _care_for_votes(console: Client, goal: Goal, upgrade: models.Upgrade, tag: str) -> None:
    """Ask for the votes once, give one's own where that is allowed, and wait for the others."""
    request_id = upgrade.readiness.approvals.request_id
    if not request_id:
        asked = {"comment": goal.comment, "ticket": goal.ticket}
        _act(console, goal, console.request_approval_upgrade, tag, asked)
        return
    goal.approval = f"{str(console.http.base_url).rstrip('/')}/approvals/{request_id}"
    request = console.approval(request_id)
    if request.value.state == "REJECTED":
        detail = f"The request was rejected: {goal.approval}"
        raise ConsoleProblem(
            409, {"detail": detail, "code": "approval-needed", "upgrade_id": goal.upgrade_id}
        )
    allowed = {action.action for action in request.value.actions if action.allowed}
    if goal.votes and "approve" in allowed:
        console.approve(request_id, {"comment": goal.comment}, if_match=request.etag)
        goal.changed = True
        return
    goal.tell(f"Votes are given at {goal.approval}")
    _pause(goal, VOTES_POLL_SECONDS, NEEDS_APPROVAL)

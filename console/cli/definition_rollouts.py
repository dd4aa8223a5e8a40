"""`swy service rollout`: a definition that takes the place of the served one in phases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one
from console.cli.service_changes import encoded_folder, service_of

app = typer.Typer(
    help="Change a definition in phases of servers and clients, each when nothing stands against it.",
    no_args_is_help=True,
)
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]


@app.command()
def start(
    directory: Annotated[
        Path, typer.Argument(help="The service folder that is to be served after the last phase.")
    ],
    plan_only: Annotated[
        bool, typer.Option("--plan-only", help="Plan the phases; begin them with `resume`.")
    ] = False,
    comment: Annotated[str, typer.Option("-m", "--comment", help="What for.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Plan the phases of a changed definition, and begin the first."""
    files = encoded_folder(directory)
    body = {"files": files, "note": comment, "start": not plan_only}
    _act(f"/api/v1/services/{service_of(directory)}/definition-rollouts", body, dry_run, output)


@app.command("list")
def list_rollouts(service: str, output: Output = None) -> None:
    """List the rollouts of definitions of a service, newest first."""
    rows = ConsoleClient(read_credentials()).every(f"/api/v1/services/{service}/definition-rollouts")
    machine = output is not None and output is not Form.TABLE
    shown = rows if machine else [{**row, "now": _now(row)} for row in rows]
    show(shown, ("id", "state", "now", "created_by", "created_at", "reason"), output, "id")


@app.command()
def resume(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Begin the first phase, or go on after a pause."""
    _act(f"/api/v1/definition-rollouts/{rollout}/start", {}, dry_run, output)


@app.command()
def pause(rollout: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Apply no further definition until it is resumed."""
    _act(f"/api/v1/definition-rollouts/{rollout}/pause", {}, dry_run, output)


@app.command()
def stop(
    rollout: str,
    comment: Annotated[str, typer.Option("-m", "--comment", help="Why.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """End it: the definition of the phase that is served stays."""
    _act(f"/api/v1/definition-rollouts/{rollout}/stop", {"reason": comment}, dry_run, output)


def _act(path: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    after = ConsoleClient(read_credentials()).ask("POST", path, body, dry_run=dry_run).body
    reason = f" {after['reason']}" if after["reason"] else ""
    show_one(after, output, f"{after['id']}: {after['state']}.{reason}")
    if output is None:
        for at, phase in enumerate(after["phases"], start=1):
            waits = f" Wait {phase['wait']}." if phase["wait"] else ""
            screen.print(f"  {at}. {phase['action']} ({phase['state']}){waits}", markup=False)
            for each in phase["lacking"]:
                screen.print(f"     {each}", markup=False)
    if dry_run:
        screen.print("A dry run: nothing was kept.")


def _now(row: dict[str, Any]) -> str:
    """Tell the phase that is not over."""
    return "" if row["phase"] is None else str(row["phases"][row["phase"]]["action"])

"""`swy usage brown-outs` and `swy usage keys`: refusals before a removal, and strategies of single unknown keys."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one

brown_outs = typer.Typer(
    help="Refuse a share of the requests that use something deprecated, before it is removed.",
    no_args_is_help=True,
)
keys = typer.Typer(help="What is done with single keys that a version does not know.", no_args_is_help=True)
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Moment = "such as 2027-01-31T09:00Z"


@brown_outs.command("list")
def list_brown_outs(service: str, output: Output = None) -> None:
    """List the brown-outs of a service with what they refused, newest first."""
    rows = ConsoleClient(read_credentials()).every(f"/api/v1/services/{service}/usage/brown-outs")
    machine = output is not None and output is not Form.TABLE
    shown = rows if machine else [{**row, "clients": _clients(row)} for row in rows]
    columns = ("id", "version", "place", "percent", "state", "begins_at", "ends_at", "refused", "clients")
    show(shown, columns, output, "id")


@brown_outs.command()
def create(
    service: str,
    version: str,
    place: Annotated[
        str, typer.Argument(help="A field such as Box.title, a method such as Box.delete, or the version.")
    ],
    percent: Annotated[float, typer.Option(help="The share of the requests that are refused.")],
    until: Annotated[str, typer.Option(help=f"When it ends, {Moment}.")],
    begin: Annotated[str, typer.Option("--from", help=f"When it begins, {Moment}; at once without.")] = "",
    sunset: Annotated[
        str, typer.Option(help="The day of the removal, where the definition does not say it.")
    ] = "",
    replaced_by: Annotated[
        str, typer.Option(help="What to use instead, where the definition does not say it.")
    ] = "",
    comment: Annotated[str, typer.Option("-m", "--comment", help="What clients must do.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Request a brown-out, and announce it; where a policy asks for approvals, once they are given."""
    body: dict[str, Any] = {
        "version": version, "place": place, "percent": percent, "ends_at": until, "replaced_by": replaced_by,
        "note": comment,
    }  # fmt: skip
    body |= {"begins_at": begin} if begin else {}
    body |= {"sunset": sunset} if sunset else {}
    _act_on_brown_out(f"/api/v1/services/{service}/usage/brown-outs", body, dry_run, output)


@brown_outs.command()
def approve(brown_out: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Approve a brown-out that another person requested."""
    _act_on_brown_out(f"/api/v1/brown-outs/{brown_out}/approve", {}, dry_run, output)


@brown_outs.command()
def stop(
    brown_out: str,
    comment: Annotated[str, typer.Option("-m", "--comment", help="Why.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Stop a brown-out at once, or take back one that did not begin."""
    _act_on_brown_out(f"/api/v1/brown-outs/{brown_out}/stop", {"reason": comment}, dry_run, output)


@keys.command("list")
def list_keys(service: str, output: Output = None) -> None:
    """List the strategies of single unknown keys of a service, newest first."""
    rows = ConsoleClient(read_credentials()).every(f"/api/v1/services/{service}/usage/key-strategies")
    show(rows, ("id", "version", "place", "strategy", "state", "until", "is_known", "set_by"), output, "id")


@keys.command("set")
def set_key(
    service: str,
    version: str,
    place: Annotated[str, typer.Argument(help="Type and path, such as Box.lid.shade or Box.parts[].note.")],
    strategy: Annotated[str, typer.Argument(help="strict, filter or pass")],
    until: Annotated[str, typer.Option(help=f"When it ends, {Moment}.")],
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True, help="Why: who still sends it.")],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Say what is done with one key while the definition does not know it, until an end."""
    body = {"version": version, "place": place, "strategy": strategy, "reason": comment, "until": until}
    _act_on_key(f"/api/v1/services/{service}/usage/key-strategies", body, dry_run, output)


@keys.command()
def end(key_strategy: str, dry_run: DryRun = False, output: Output = None) -> None:
    """End a strategy before its time: that of the deployment applies again."""
    _act_on_key(f"/api/v1/key-strategies/{key_strategy}/end", {}, dry_run, output)


def _act_on_brown_out(path: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    after = ConsoleClient(read_credentials()).ask("POST", path, body, dry_run=dry_run).body
    waits = f" It waits for {after['approvals_asked']}." if after["state"] == "requested" else ""
    text = (
        f"{after['id']} {after['place']}: {after['state']}, {after['percent']:g} % from {after['begins_at']} "
        f"until {after['ends_at']}, removed on {after['sunset']}.{waits}"
    )
    _tell(after, text, dry_run, output)


def _act_on_key(path: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    after = ConsoleClient(read_credentials()).ask("POST", path, body, dry_run=dry_run).body
    known = " The definition knows it now: it counts once the field is removed." if after["is_known"] else ""
    text = f"{after['id']} {after['place']}: {after['strategy']}, {after['state']} until {after['until']}.{known}"
    _tell(after, text, dry_run, output)


def _tell(after: dict[str, Any], text: str, dry_run: bool, output: Form | None) -> None:
    show_one(after, output, text)
    if dry_run:
        screen.print("A dry run: nothing was kept.")


def _clients(row: dict[str, Any]) -> str:
    counts: dict[str, int] = {}
    for refused in row["refused_clients"]:
        counts[refused["client"]] = counts.get(refused["client"], 0) + refused["requests"]
    return ", ".join(f"{client} {requests}" for client, requests in counts.items())

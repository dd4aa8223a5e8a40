"""`swy waivers`: findings of compatibility reports that are accepted until a day."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one

app = typer.Typer(help="Accepted findings of compatibility reports.", no_args_is_help=True)
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]


@app.command("list")
def listing(
    service: Annotated[str, typer.Argument(help="All waivers of one service.")] = "",
    tab: Annotated[
        str, typer.Option(help="Of all services: mine (awaiting me), asked (by me), open or decided.")
    ] = "open",
    output: Output = None,
) -> None:
    """List the waivers of a service, or those of all services that wait for a decision; newest first."""
    client = ConsoleClient(read_credentials())
    path = f"/api/v1/services/{service}/waivers" if service else f"/api/v1/waivers?tab={quote(tab)}"
    show(
        client.every(path),
        ("id", "service", "before", "after", "rule", "path", "state", "asked_by", "approved_by", "until"),
        output,
        "id",
    )


@app.command()
def ask(
    service: str,
    before: str,
    after: str,
    rule: Annotated[str, typer.Option(help="The rule of the finding, or loss-hidden or loss-no.")],
    path: Annotated[str, typer.Option(help="Its place, as the report names it.")],
    until: Annotated[str, typer.Option(help="When it ends, such as 2027-01-31T00:00Z.")],
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True, help="Why it is acceptable.")],
    where: Annotated[str, typer.Option(help="Where, or which way, as the report says.")] = "",
    client: Annotated[str, typer.Option(help="How clients read keys they do not know.")] = "filter",
    server: Annotated[str, typer.Option(help="How servers do.")] = "strict",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Ask that a finding be accepted; another person has to approve."""
    body = {
        "before": before, "after": after, "client": client, "server": server, "rule": rule, "path": path,
        "where": where, "reason": comment, "until": until,
    }  # fmt: skip
    _tell(f"/api/v1/services/{service}/waivers", body, dry_run, output)


@app.command()
def approve(waiver: str, dry_run: DryRun = False, output: Output = None) -> None:
    """Let a waiver count that another person asked for."""
    _tell(f"/api/v1/waivers/{waiver}/approve", {}, dry_run, output)


@app.command()
def end(waiver: str, dry_run: DryRun = False, output: Output = None) -> None:
    """End a waiver before its time, or refuse it."""
    _tell(f"/api/v1/waivers/{waiver}/end", {}, dry_run, output)


def _tell(path: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    after = ConsoleClient(read_credentials()).ask("POST", path, body, dry_run=dry_run).body
    show_one(
        after,
        output,
        f"{after['id']} {after['rule']} at {after['path']}: {after['state']} until {after['until']}.",
    )
    if dry_run:
        screen.print("A dry run: nothing was kept.")

"""`swy conversions`: debug sessions that record conversions."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.logs.entries import Cursor, Limit, Output, show_entries
from console.cli.output import screen, show, show_one

SESSION_COLUMNS = (
    "id",
    "state",
    "client",
    "resource",
    "recorded",
    "most_records",
    "started_by",
    "expires_at",
    "reason",
)
RECORD_COLUMNS = (
    "at", "direction", "source_version", "target_version", "type", "name", "output_name", "outcome", "caller",
    "request_id", "milliseconds",
)  # fmt: skip
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
app = typer.Typer(help="Record conversions for a while.", no_args_is_help=True)


@app.command()
def observe(
    service: str,
    region: str,
    reason: Annotated[str, typer.Option(help="Why; it is in the audit log.")],
    client: Annotated[str, typer.Option(help="An account whose conversions are recorded.")] = "",
    resource: Annotated[str, typer.Option(help="A resource, by its name in either version.")] = "",
    minutes: Annotated[int, typer.Option(min=1, max=60, help="How long.")] = 10,
    records: Annotated[int, typer.Option(min=1, max=1000, help="How many at most.")] = 100,
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Record the input, output and outcome of conversions of a client or of a resource."""
    wanted = {
        "client": client,
        "resource": resource,
        "minutes": minutes,
        "records": records,
        "reason": reason,
    }
    path = _sessions(service, region)
    found = ConsoleClient(read_credentials()).ask("POST", path, wanted, dry_run=dry_run).body
    told = (
        "A dry run: nothing was kept." if dry_run else f"{found['id']} records until {found['expires_at']}."
    )
    show_one(found, output, told)


@app.command()
def sessions(service: str, region: str, output: Output = None) -> None:
    """List the newest sessions."""
    found = ConsoleClient(read_credentials()).get(_sessions(service, region))
    show(found["items"], SESSION_COLUMNS, output, "id")


@app.command()
def records(
    service: str,
    region: str,
    session: str,
    limit: Limit = 50,
    cursor: Cursor = "",
    output: Output = None,
) -> None:
    """List what a session recorded, in order."""
    path = f"{service}/{region}/conversion-sessions/{session}/records"
    show_entries(path, RECORD_COLUMNS, output, limit, cursor=cursor)


@app.command()
def end(service: str, region: str, session: str, dry_run: DryRun = False) -> None:
    """End a session; what it recorded stays."""
    path = f"{_sessions(service, region)}/{session}"
    ConsoleClient(read_credentials()).ask("DELETE", path, dry_run=dry_run)
    screen.print("A dry run: nothing was kept." if dry_run else f"{session} has ended.")


def _sessions(service: str, region: str) -> str:
    return f"/api/v1/deployments/{service}/{region}/conversion-sessions"

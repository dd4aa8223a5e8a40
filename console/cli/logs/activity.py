"""`swy activity`: who called what of a deployment, and what its logs keep."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.logs.entries import Caller, Cursor, Limit, Output, Request, Since, Type, Until, show_entries
from console.cli.output import show_one

COLUMNS = (
    "at", "caller", "method", "type", "name", "version", "served", "status", "error", "milliseconds", "request_id",
)  # fmt: skip
app = typer.Typer(help="Who called what of a deployment.", no_args_is_help=True)


@app.command("list")
def list_activity(
    service: str,
    region: str,
    caller: Caller = "",
    method: Annotated[str, typer.Option(help="create, get, list … or a custom method")] = "",
    type_: Type = "",
    name: Annotated[str, typer.Option(help="A resource, or the parent of a collection.")] = "",
    version: Annotated[str, typer.Option(help="The version that was called.")] = "",
    status: Annotated[str, typer.Option(help="409, or 4xx for all of them")] = "",
    kind: Annotated[str, typer.Option(help="read or write")] = "",
    request: Request = "",
    since: Since = "",
    until: Until = "",
    limit: Limit = 50,
    cursor: Cursor = "",
    output: Output = None,
) -> None:
    """List answered requests, the newest first: all writes, and a share of the reads."""
    show_entries(
        f"{service}/{region}/activity", COLUMNS, output, limit,
        caller=caller, method=method, type=type_, name=name, version=version, status=status, kind=kind,
        request_id=request, since=since, until=until, cursor=cursor,
    )  # fmt: skip


@app.command()
def status(service: str, region: str, output: Output = None) -> None:
    """Show what the logs of a deployment keep, and what is known to be missing."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/deployments/{service}/{region}/logs")
    show_one(found, output, _sentence(found))


@app.command("set")
def set_logs(
    service: str,
    region: str,
    read_sampling: Annotated[float | None, typer.Option(min=0, max=1, help="Share of reads to log.")] = None,
    activity_days: Annotated[int | None, typer.Option(min=1, help="How long requests are kept.")] = None,
    change_days: Annotated[int | None, typer.Option(min=1, help="How long changes are kept.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")
    ] = False,
    output: Output = None,
) -> None:
    """Set what the logs of a deployment keep; what is left out stays as it is."""
    client, address = ConsoleClient(read_credentials()), f"/api/v1/deployments/{service}/{region}/logs"
    known = client.get(address)
    given = {"read_sampling": read_sampling, "activity_days": activity_days, "change_days": change_days}
    wanted = {key: known[key] if value is None else value for key, value in given.items()}
    found = client.ask("PUT", address, wanted, dry_run=dry_run, tag=f'"{known["rev"]}"').body
    show_one(found, output, _sentence(found))


def _sentence(found: dict[str, object]) -> str:
    missing = f"{found['dropped']} requests were dropped." if found["dropped"] else "None was dropped."
    processes = found["unfinished"]
    if isinstance(processes, list) and processes:
        missing += f" {len(processes)} processes ended before they wrote down their last requests."
    return (
        f"All writes and {float(str(found['read_sampling'])):.2%} of the reads are logged. Requests are kept for "
        f"{found['activity_days']} days, changes for {found['change_days']}. {found['logged']} were logged. {missing}"
    )

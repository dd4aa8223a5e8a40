"""`swy usage`: who still uses what of a version, and when it may go."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli import brown_outs
from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one

app = typer.Typer(help="Who still uses what of a version, and when it may be removed.", no_args_is_help=True)
app.add_typer(brown_outs.brown_outs, name="brown-outs")
app.add_typer(brown_outs.keys, name="keys")
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]


@app.command("show")
def show_usage(
    service: str,
    version: str,
    client: Annotated[str, typer.Option(help="Only what this client uses.")] = "",
    unused: Annotated[bool, typer.Option("--unused", help="Only what is proved unused.")] = False,
    output: Output = None,
) -> None:
    """List a version, its resource types and fields: by whom they are used, and when they may be removed."""
    query = {"version": version, **({"client": client} if client else {})}
    console = ConsoleClient(read_credentials())
    found = console.every(f"/api/v1/services/{service}/usage/places", **query)
    kept = [each for each in found if each["proved_unused"] or not unused]
    if output is not None and output is not Form.TABLE:
        show(kept, (), output, "place")
        return
    refusals = _brown_outs(console, service, version)
    rows = [{**_row(each), "brown_out": refusals.get(each["place"], "")} for each in kept]
    columns = ("kind", "place", "sent_by", "returned_to", "last_used_on", "brown_out", "removable")
    show(rows, columns, output, "place")


@app.command()
def announce(
    service: str,
    version: str,
    place: Annotated[str, typer.Argument(help="A field such as Box.title, a resource type, or the version.")],
    deadline: Annotated[str, typer.Option(help="The day of the removal, such as 2027-06-30.")],
    comment: Annotated[str, typer.Option("-m", "--comment", help="What users are to do.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Announce a removal to the notification channels, with the clients that use it now."""
    body = {"version": version, "place": place, "deadline": deadline, "note": comment}
    address = f"/api/v1/services/{service}/usage/deadlines"
    made = ConsoleClient(read_credentials()).ask("POST", address, body, dry_run=dry_run).body
    clients = ", ".join(made["clients"]) or "no client"
    show_one(made, output, f"{place} of {service} {version} goes on {made['deadline']}: used by {clients}.")
    if dry_run:
        screen.print("A dry run: nothing was announced.")


def _brown_outs(console: ConsoleClient, service: str, version: str) -> dict[str, str]:
    """Tell the brown-outs that are not over, by place."""
    rows = console.every(f"/api/v1/services/{service}/usage/brown-outs")
    return {
        row["place"]: f"{row['percent']:g} % {row['state']} until {row['ends_at']}, {row['refused']} refused"
        for row in reversed(rows)
        if row["version"] == version and row["state"] in ("requested", "announced", "running")
    }


def _row(of: dict[str, Any]) -> dict[str, Any]:
    if of["proved_unused"]:
        removable = f"now ({of['confidence']:.1%} confidence)"
    else:
        removable = f"{of['removable_on'] or 'unknown'}: {'; '.join(of['reasons'])}"
    return {
        **of,
        "sent_by": _names(of["senders"]),
        "returned_to": _names(of["readers"]),
        "removable": removable,
    }


def _names(clients: list[dict[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(each["client"] for each in clients))

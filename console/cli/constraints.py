"""`swy constraints`: what deployments have under way with each other, and whether their references hold."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one

Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
BASE = "/api/v1/constraints"

app = typer.Typer(help="References between deployments.", no_args_is_help=True)


@app.command()
def status(output: Output = None) -> None:
    """Show what is owed, blocked and being deleted, for every deployment."""
    found = ConsoleClient(read_credentials()).get(BASE)["items"]
    columns = ("deployment", "state", "owed", "blockades", "overdue", "deleting", "oldest_deleting", "reason")
    show([_row(each) for each in found], columns, output, "deployment")


@app.command()
def moving(service: str, region: str, output: Output = None) -> None:
    """Show what one deployment is deleting, and who may refer to it."""
    found = ConsoleClient(read_credentials()).get(f"{BASE}/{service}/{region}")["moving"]
    rows = [
        {
            **each,
            "sources": ", ".join(each["sources"]),
            "blocked_by": ", ".join(f"{one['name']}#{one['path']}" for one in each["blockers"]),
        }
        for each in found
    ]
    show(rows, ("type", "name", "state", "age_seconds", "sources", "blocked_by"), output, "name")


@app.command()
def subscriptions(service: str, region: str, output: Output = None) -> None:
    """Show whose deletions one deployment follows, and how far."""
    found = ConsoleClient(read_credentials()).get(f"{BASE}/{service}/{region}")["subscriptions"]
    rows = [{**each, "behind_seconds": _seconds(each["behind_seconds"])} for each in found]
    show(
        rows,
        ("service", "region", "state", "behind_seconds", "waiting", "position", "problem"),
        output,
        "service",
    )


@app.command()
def waits(service: str, region: str, output: Output = None) -> None:
    """Show for whom one deployment's confirmations and deletions wait."""
    found = ConsoleClient(read_credentials()).get(f"{BASE}/{service}/{region}")["waits"]
    show(found, ("work", "waits_for", "seconds", "quarantined"), output, "work")


@app.command()
def copies(output: Output = None) -> None:
    """Show how far every deployment has followed the regions it keeps read copies of."""
    found = ConsoleClient(read_credentials()).get(BASE)["items"]
    rows = [
        {"deployment": each["deployment"], **source, "behind_seconds": _seconds(source["behind_seconds"])}
        for each in found
        for source in each["read_copies"]
    ]
    rows += [
        {"deployment": each["deployment"], "state": "unknown", "problem": each["reason"]}
        for each in found
        if each["state"] == "unknown"
    ]
    columns = ("deployment", "region", "version", "state", "behind_seconds", "waiting", "problem")
    show(rows, columns, output, "deployment")


@app.command()
def policies(output: Output = None) -> None:
    """Show how far resources have been touched whose policy changed."""
    found = ConsoleClient(read_credentials()).get(BASE)["items"]
    rows = [
        {"deployment": each["deployment"], **change} for each in found for change in each["policy_changes"]
    ]
    show(rows, ("deployment", "scope", "looked", "changed", "open_seconds", "at"), output, "deployment")


@app.command()
def audit(service: str, region: str, output: Output = None) -> None:
    """Look whether what a deployment refers to is there, and its read copies are right; exits with 1 when not."""
    found: dict[str, Any] = ConsoleClient(read_credentials()).get(f"{BASE}/{service}/{region}/audit")
    show(found["findings"], ("source", "path", "target", "what", "reason"), output, "source")
    if found["findings"]:
        raise typer.Exit(1)


@app.command()
def evict(
    service: str,
    region: str,
    reason: Annotated[str, typer.Option(prompt=True, help="Why it does not come back.")],
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Ask for the eviction of a deployment that does not answer; two other administrators must agree."""
    client = ConsoleClient(read_credentials())
    path = f"{BASE}/{service}/{region}/evictions"
    _print(client.ask("POST", path, {"reason": reason}, dry_run=dry_run).body, output)
    if dry_run:
        screen.print("A dry run: nothing was kept.")


@app.command()
def evictions(service: str, region: str, output: Output = None) -> None:
    """List the evictions of a deployment."""
    found = ConsoleClient(read_credentials()).get(f"{BASE}/{service}/{region}/evictions")["items"]
    show(found, ("id", "state", "votes_given", "needed", "asked_by", "reason"), output, "id")


@app.command("approve-eviction")
def approve_eviction(
    eviction: str,
    comment: Annotated[str, typer.Option("-m", "--comment")] = "",
    output: Output = None,
) -> None:
    """Agree to an eviction; the last vote that is needed carries it out."""
    _vote("approve", eviction, comment, output)


@app.command("reject-eviction")
def reject_eviction(
    eviction: str,
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    output: Output = None,
) -> None:
    """Refuse an eviction; say why."""
    _vote("reject", eviction, comment, output)


def _vote(verdict: str, eviction: str, comment: str, output: Form | None) -> None:
    client = ConsoleClient(read_credentials())
    tag = client.ask("GET", f"/api/v1/evictions/{eviction}").tag
    path = f"/api/v1/evictions/{eviction}/{verdict}"
    _print(client.ask("POST", path, {"comment": comment}, tag=tag).body, output)


def _print(found: dict[str, Any], output: Form | None) -> None:
    text = (
        f"{found['id']}: {found['deployment']} {found['state']}, {found['votes_given']} of {found['needed']}."
    )
    show_one(found, output, text)


def _row(given: dict[str, Any]) -> dict[str, Any]:
    tally = given["tally"] or {}
    return {
        "deployment": given["deployment"],
        "state": given["state"],
        "owed": tally.get("owed", "?"),
        "blockades": tally.get("blockades", "?"),
        "overdue": tally.get("overdue_blockades", "?"),
        "deleting": tally.get("deleting", "?"),
        "oldest_deleting": round(tally["oldest_deleting_seconds"], 1) if tally else "?",
        "reason": given["reason"],
    }


def _seconds(given: float | None) -> float | str:
    return "?" if given is None else round(given, 1)

"""`swy approvals`, `swy approve`, `swy reject`: what waits for a decision, deciding it, or asking for more."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, screen, show, show_one

app = typer.Typer(help="What waits for a decision.", no_args_is_help=False, invoke_without_command=True)
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
MARKS = {"pass": "✓", "skipped": "–", "warn": "!", "pending": "…", "fail": "✕", "unknown": "?"}


@app.callback()
def listing(
    context: typer.Context,
    tab: Annotated[str, typer.Option(help="mine, asked, open or decided")] = "open",
    output: Output = None,
) -> None:
    """List requests for approval."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).every("/api/v1/approvals", tab=tab)
        show(found, ("id", "what", "asked_by", "state", "votes_given", "needed", "deadline"), output, "id")


@app.command("show")
def show_request(request: str, output: Output = None) -> None:
    """Show one request with its evidence then and now."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/approvals/{request}")
    show_one(found, output, approval_text(found))


def approval_text(found: dict[str, Any]) -> str:
    """Tell a request as the decision page does."""
    lines = [
        found["what"],
        f"Asked by {found['asked_by']}: {found['comment'] or 'no comment'} {found['ticket']}".rstrip(),
        f"{found['state']}: {found['votes_given']} of {found['needed']}, until {found['deadline']}",
    ]
    lines += [f"  {MARKS[check['verdict']]} {check['sentence']}" for check in found["evidence_now"]]
    lines += [f"  changed since it was asked: {each['check']}" for each in found["differences"]]
    lines += [
        f"  {vote['who']}: {vote['verdict']} {vote['comment']} {vote['void_reason']}".rstrip()
        for vote in found["votes"]
    ]
    lines += [f"  {each['to']} votes for {each['who']}" for each in found["delegations"]]
    return "\n".join([*lines, found["on_approve"], found["undo"]])


def approve(
    request: str,
    comment: Annotated[str, typer.Option("-m", "--comment")] = "",
    digest: Annotated[
        str, typer.Option(help="The evidence you looked at; the present one when left out.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Approve a request, or the open one of an upgrade."""
    _vote("approve", request, comment, digest, dry_run, output)


def reject(
    request: str,
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    digest: Annotated[
        str, typer.Option(help="The evidence you looked at; the present one when left out.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Reject a request, or the open one of an upgrade; say why."""
    _vote("reject", request, comment, digest, dry_run, output)


@app.command("request-changes")
def request_changes(
    request: str,
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    digest: Annotated[
        str, typer.Option(help="The evidence you looked at; the present one when left out.")
    ] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Ask for changes before you decide: votes wait for the answer."""
    _vote("request-changes", request, comment, digest, dry_run, output)


@app.command()
def answer(
    request: str,
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True)],
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Answer the changes that were asked for: everybody may vote again."""
    _tell(request, "answer", {"comment": comment}, dry_run, output)


@app.command()
def delegate(
    request: str,
    to: str,
    comment: Annotated[str, typer.Option("-m", "--comment")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    output: Output = None,
) -> None:
    """Let another person vote in your place; your own name takes it back."""
    _tell(request, "delegate", {"to": to, "comment": comment}, dry_run, output)


def _tell(request: str, what: str, body: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    client = ConsoleClient(read_credentials())
    path = f"/api/v1/approvals/{_request_of(client, request)}/{what}"
    _show(client.ask("POST", path, body, dry_run=dry_run).body, dry_run, output)


def _request_of(client: ConsoleClient, request: str) -> str:
    """Take a request's name, or an upgrade's for its open request."""
    if not request.startswith("u"):
        return request
    upgrade = client.get(f"/api/v1/upgrades/{request}")
    return str(upgrade["readiness"]["approvals"]["request_id"] or request)


def _show(after: dict[str, Any], dry_run: bool, output: Form | None) -> None:
    show_one(
        after, output, f"{after['what']}: {after['state']}, {after['votes_given']} of {after['needed']}."
    )
    if dry_run:
        screen.print("A dry run: nothing was kept.")


def _vote(verdict: str, request: str, comment: str, digest: str, dry_run: bool, output: Form | None) -> None:
    client = ConsoleClient(read_credentials())
    request = _request_of(client, request)
    tag = f'"{digest}"' if digest else client.ask("GET", f"/api/v1/approvals/{request}").tag
    path = f"/api/v1/approvals/{request}/{verdict}"
    _show(client.ask("POST", path, {"comment": comment}, tag=tag, dry_run=dry_run).body, dry_run, output)

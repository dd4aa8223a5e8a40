"""`swy audit` and `swy tokens`: who did what, and the secrets that act for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import wraps
from inspect import Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, ConsoleProblem, read_credentials
from console.cli.exit_codes import FAILED
from console.cli.files import read_text
from console.cli.output import screen, show, show_one
from console.cli.upgrades.approvals import Output

audit = typer.Typer(help="Who did what.", invoke_without_command=True)
tokens = typer.Typer(help="Secrets that act for you.", invoke_without_command=True)
MOST_ANCHORS = 5_000
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Who = Annotated[str, typer.Option(help="The account that acted.")]
Action = Annotated[str, typer.Option(help="An action, or a beginning such as upgrade.*")]
Outcome = Annotated[str, typer.Option(help="done, denied, failed or dry_run")]
Request = Annotated[str, typer.Option("--request", help="All that one request did.")]
Address = Annotated[str, typer.Option(help="Where it came from.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Without dry runs and sign-ins that succeeded.")]
Since = Annotated[str, typer.Option(help="From this moment on: 2026-03-01T00:00:00Z")]
Until = Annotated[str, typer.Option(help="Before this moment.")]


def filters(
    actor: Who = "",
    action: Action = "",
    target: str = "",
    service: str = "",
    region: str = "",
    outcome: Outcome = "",
    request: Request = "",
    address: Address = "",
    since: Since = "",
    until: Until = "",
    quiet: Quiet = False,
) -> dict[str, str]:
    """Say as the API is asked which entries are meant."""
    return {
        "actor": actor,
        "action": action,
        "target": target,
        "service": service,
        "region": region,
        "outcome": outcome,
        "request_id": request,
        "address": address,
        "since": since,
        "until": until,
        "quiet": "true" if quiet else "",
    }


def filtered(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `filters`; it takes what they say as `asked`."""
    options = signature(filters, eval_str=True).parameters
    own = [each for name, each in signature(command, eval_str=True).parameters.items() if name != "asked"]

    @wraps(command)
    def _command(**given: Any) -> None:
        command(asked=filters(**{name: given.pop(name) for name in options}), **given)

    needed = [each for each in own if each.default is each.empty]
    taken = [*needed, *options.values(), *(each for each in own if each not in needed)]
    _command.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    _command.__annotations__ = {each.name: each.annotation for each in taken}
    return _command


@audit.callback()
@filtered
def list_entries(
    context: typer.Context,
    asked: dict[str, str],
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    output: Output = None,
) -> None:
    """List entries of the ledger, newest first."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).get("/api/v1/audit", limit=limit, **asked)["items"]
        show(found, ("at", "actor", "action", "target", "outcome", "request_id"), output, "id")


@audit.command("export")
@filtered
def export(
    asked: dict[str, str],
    form: Annotated[str, typer.Option("--as", help="jsonl or csv")] = "jsonl",
) -> None:
    """Write every entry that matches to standard output, oldest first, as it comes; the export is itself an entry."""
    given = {name: value for name, value in asked.items() if value} | {"as": form}
    client = ConsoleClient(read_credentials())
    with client.http.stream("GET", "/api/v1/audit/export", params=given) as answer:
        if answer.status_code >= 400:
            answer.read()
            raise ConsoleProblem(answer.status_code, answer.json())
        for text in answer.iter_text():
            sys.stdout.write(text)


@audit.command("verify")
def verify(
    anchor: Annotated[
        Path | None,
        typer.Option(help="A file of signed heads that was kept outside; the chain has to be what they say."),
    ] = None,
    output: Output = None,
) -> None:
    """Compute the chain of the ledger again; exits with 1 when it is broken, cut or rewritten."""
    client = ConsoleClient(read_credentials())
    if anchor is None:
        found = client.get("/api/v1/audit/chain")
    else:
        found = client.ask("POST", "/api/v1/audit/chain", {"anchors": read_anchors(anchor)}).body
    broken = not found["intact"] and found["broken_at"] is not None
    told = f"Broken at {found['broken_at']}: {found['reason']}" if broken else "It is whole."
    compared = f"{found['anchors']} anchors, up to entry {found['anchored']}."
    show_one(
        found,
        output,
        f"{found['length']} entries, {found['unsealed']} being sealed, {compared} {told}",
        "digest",
    )
    if broken:
        raise typer.Exit(FAILED)


def read_anchors(path: Path) -> list[Any]:
    """Read signed heads from a file: one a line, or a single one; the newest where there are very many."""
    try:
        lines = [line for line in read_text(path).splitlines() if line.strip()]
        anchors = [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{path} cannot be read as anchors, a line of JSON each: {error}") from None
    if not anchors:
        raise typer.BadParameter(f"{path} holds no anchors.")
    return anchors[-MOST_ANCHORS:]


@tokens.callback()
def list_tokens(
    context: typer.Context,
    everybody: Annotated[bool, typer.Option("--all", help="All users' tokens.")] = False,
    output: Output = None,
) -> None:
    """List your tokens."""
    if context.invoked_subcommand is None:
        found = ConsoleClient(read_credentials()).get("/api/v1/tokens", all="true" if everybody else None)[
            "items"
        ]
        columns = ("id", "account", "name", "scopes", "networks", "expires_at", "last_used_at", "revoked_at")
        show(found, columns, output, "id")


@tokens.command("new")
def new_token(
    name: str,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="upgrade.plan, or upgrade.*; what you act with carries when left out"),
    ] = None,
    network: Annotated[
        list[str] | None, typer.Option(help="May be used from here only: 10.20.0.0/16")
    ] = None,
    days: Annotated[int, typer.Option(min=1, help="How long it is valid.")] = 30,
    account: Annotated[str, typer.Option(help="For another account, by one that manages access.")] = "",
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Make a token; its secret is shown this once."""
    wish: dict[str, Any] = {
        "name": name,
        **({"scopes": scope} if scope else {}),
        "networks": network or [],
        "expires_at": (datetime.now(UTC) + timedelta(days=days)).isoformat(),
    } | ({"account": account} if account else {})
    found = ConsoleClient(read_credentials()).ask("POST", "/api/v1/tokens", wish, dry_run=dry_run).body
    told = "A dry run: nothing was kept." if dry_run else f"{found['secret']}\nIt is shown this once."
    show_one(found, output, told)


@tokens.command("revoke")
def revoke_token(token: str, dry_run: DryRun = False) -> None:
    """Revoke a token; its bearer is refused from now on."""
    ConsoleClient(read_credentials()).ask("DELETE", f"/api/v1/tokens/{token}", dry_run=dry_run)
    screen.print("A dry run: nothing was kept." if dry_run else f"{token} is revoked.")

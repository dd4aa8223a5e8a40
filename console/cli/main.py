"""The entrance of `swy`: its commands, and what it exits with."""

from __future__ import annotations

import importlib
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from console.cli import (
    approvals,
    constraints,
    ledger,
    looking,
    registry,
    rollout,
    rules,
    upgrade,
    waivers,
)
from console.cli.client import DEFAULT_URL, Client, Credentials, Problem, keep_credentials, read_credentials
from console.cli.output import errors, screen, use_local_times

# What works on definitions by itself brings the machinery for it along, which takes longer than most commands do.
LATE = ("data", "schema")


class Promptly(TyperGroup):
    """The groups of commands, of which some are imported only when they are asked for."""

    def list_commands(self, context: Any) -> list[str]:
        """Name all of them, imported or not."""
        return [*super().list_commands(context), *LATE]

    def get_command(self, context: Any, name: str) -> Any:
        """Give a command, imported now if it is a late one."""
        if name not in LATE:
            return super().get_command(context, name)
        found = typer.main.get_command(importlib.import_module(f"console.cli.{name}").app)
        found.name = name
        return found


app = typer.Typer(
    cls=Promptly,
    no_args_is_help=True,
    help="The command line of Switchyard.",
    pretty_exceptions_enable=False,
)
app.add_typer(upgrade.app, name="upgrade")
app.add_typer(rollout.app, name="rollout")
app.add_typer(approvals.app, name="approvals")
app.add_typer(waivers.app, name="waivers")
app.add_typer(constraints.app, name="constraints")
app.add_typer(registry.regions, name="regions")
app.add_typer(registry.services, name="services")
app.add_typer(registry.deployments, name="deployments")
app.add_typer(registry.service, name="service")
app.add_typer(registry.deployment, name="deployment")
app.add_typer(registry.fleet, name="fleet")
app.add_typer(registry.meta, name="meta")
app.add_typer(rules.windows, name="windows")
app.add_typer(rules.policies, name="policies")
app.add_typer(rules.emergencies, name="emergencies")
app.add_typer(ledger.audit, name="audit")
app.add_typer(ledger.tokens, name="tokens")
app.add_typer(looking.compat, name="compat")
app.command("approve")(approvals.approve)
app.command("reject")(approvals.reject)
app.command("get")(looking.get)
app.command("find")(looking.find)
app.command("refs")(looking.refs)
app.command("deletion-check")(looking.deletion_check)
app.command("events")(looking.events)
app.command("demo")(looking.demo)


@app.callback()
def every_command(
    local: Annotated[bool, typer.Option("--local", help="Times of tables in this machine's zone.")] = False,
) -> None:
    """The command line of Switchyard."""
    use_local_times(local)


@app.command()
def login(
    url: Annotated[str, typer.Argument(help="Where the console is.")] = DEFAULT_URL,
    token: str = typer.Option(
        ..., prompt="Token (of credentials.json, or made under Access)", hide_input=True
    ),
) -> None:
    """Keep a console's address and a token of yours."""
    credentials = Credentials(url, token)
    account = Client(credentials).get("/api/v1/session")["account"]
    if account is None:
        raise Problem(401, {"detail": "The token is not known there."})
    keep_credentials(credentials)
    screen.print(f"Signed in at {url} as {account['name']}.")


@app.command()
def whoami() -> None:
    """Say as whom you act, and what you may do."""
    account: dict[str, Any] | None = Client(read_credentials()).get("/api/v1/session")["account"]
    if account is None:
        raise Problem(401, {"detail": "Nobody is signed in. Use swy login."})
    screen.print(f"{account['name']}: {', '.join(account['roles']) or 'no role'}")


def main() -> None:
    """Run a command; a refusal is told in its own words, with who can."""
    try:
        app()
    except Problem as problem:
        remedy = str(problem.body.get("remedy") or "")
        errors.print(str(problem) if remedy in str(problem) else f"{problem} {remedy}", markup=False)
        if problem.body.get("who_can"):
            errors.print("Who can: " + ", ".join(problem.body["who_can"]))
        sys.exit(problem.exit_code)

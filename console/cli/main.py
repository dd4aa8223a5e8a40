"""The entrance of `swy`: its commands, and what it exits with."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from console.cli import approvals, constraints, data, registry, rollout, rules, schema, upgrade, waivers
from console.cli.client import DEFAULT_URL, Client, Credentials, Problem, keep_credentials, read_credentials
from console.cli.output import errors, screen

app = typer.Typer(
    no_args_is_help=True, help="The command line of Switchyard.", pretty_exceptions_enable=False
)
app.add_typer(upgrade.app, name="upgrade")
app.add_typer(rollout.app, name="rollout")
app.add_typer(approvals.app, name="approvals")
app.add_typer(schema.app, name="schema")
app.add_typer(waivers.app, name="waivers")
app.add_typer(data.app, name="data")
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
app.command("approve")(approvals.approve)
app.command("reject")(approvals.reject)


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

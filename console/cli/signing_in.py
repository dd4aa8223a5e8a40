"""`swy login` and `swy whoami`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import (
    DEFAULT_URL,
    ConsoleClient,
    ConsoleCredentials,
    ConsoleProblem,
    keep_credentials,
    read_credentials,
)
from console.cli.output import screen


def login(
    url: Annotated[str, typer.Argument(help="Where the console is.")] = DEFAULT_URL,
    token: str = typer.Option(
        ..., prompt="Token (of credentials.json, or made under Access)", hide_input=True
    ),
) -> None:
    """Keep a console's address and a token of yours."""
    credentials = ConsoleCredentials(url, token)
    account = ConsoleClient(credentials).get("/api/v1/session")["account"]
    if account is None:
        raise ConsoleProblem(401, {"detail": "The token is not known there."})
    keep_credentials(credentials)
    screen.print(f"Signed in at {url} as {account['name']}.")


def whoami() -> None:
    """Say as whom you act, and what you may do."""
    account: dict[str, Any] | None = ConsoleClient(read_credentials()).get("/api/v1/session")["account"]
    if account is None:
        raise ConsoleProblem(401, {"detail": "You are not signed in. Use swy login."})
    screen.print(f"{account['name']}: {', '.join(account['roles']) or 'no role'}")

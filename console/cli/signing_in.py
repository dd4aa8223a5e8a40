"""`swy login` and `swy whoami`."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from console.cli.client import (
    DEFAULT_URL,
    ConsoleClient,
    ConsoleCredentials,
    ConsoleProblem,
    checked_url,
    keep_credentials,
    read_credentials,
)
from console.cli.output import screen, show_one
from console.cli.upgrades.approvals import Output

MAKE = "Make one under Access in the console, or with `swy tokens new`."


def login(
    url: Annotated[str, typer.Argument(help="Where the console is.")] = DEFAULT_URL,
    token: str = typer.Option(
        ..., prompt="Token (of credentials.json, or made under Access)", hide_input=True
    ),
) -> None:
    """Keep a console's address and a token of yours."""
    credentials = ConsoleCredentials(checked_url(url, "URL"), token)
    account = ConsoleClient(credentials).get("/api/v1/session")["account"]
    if account is None:
        raise ConsoleProblem(
            401, {"detail": f"The console at {url} does not know the token.", "remedy": MAKE}
        )
    keep_credentials(credentials)
    screen.print(f"Signed in at {url} as {account['name']}.")


def whoami(output: Output = None) -> None:
    """Say as whom you act, and what you may do."""
    account: dict[str, Any] | None = ConsoleClient(read_credentials()).get("/api/v1/session")["account"]
    if account is None:
        raise ConsoleProblem(401, {"detail": "You are not signed in.", "remedy": "Use `swy login`."})
    sentence = f"{account['name']}: {', '.join(account['roles']) or 'no role'}"
    if output is None:
        screen.print(sentence)
    else:
        show_one(account, output, sentence, "name")

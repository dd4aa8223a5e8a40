"""What the commands on logs share: their options, and the page of entries that they show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, show

Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
Type = Annotated[str, typer.Option("--type", help="A resource type.")]
Caller = Annotated[str, typer.Option(help="The account that called.")]
Request = Annotated[str, typer.Option("--request", help="All entries of this request id.")]
Since = Annotated[str, typer.Option(help="From this moment on: 2026-03-01T00:00:00Z")]
Until = Annotated[str, typer.Option(help="Before this moment.")]
Limit = Annotated[int, typer.Option(min=1, max=500)]
Cursor = Annotated[str, typer.Option(help="next_cursor of the page before.")]


def show_entries(path: str, columns: Sequence[str], output: Form | None, limit: int, **filters: str) -> None:
    """Show a page of entries of a log; filters that are empty restrict nothing."""
    found = ConsoleClient(read_credentials()).get(f"/api/v1/deployments/{path}", limit=limit, **filters)
    show(found["items"], columns, output, "id")
    if found["next_cursor"]:
        typer.echo(f"There is more: --cursor {found['next_cursor']}", err=True)

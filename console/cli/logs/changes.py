"""`swy changes`: what clients changed in the resources of a deployment."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.output import Form, show

Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
COLUMNS = ("at", "version", "operation", "type", "name", "revision", "caller", "request_id", "changed")


def changes(
    service: str,
    region: str,
    name: Annotated[str, typer.Argument(help="A name of the resource; left out, all resources.")] = "",
    uid: Annotated[str, typer.Option(help="The resource, in every version and under every name.")] = "",
    type_: Annotated[str, typer.Option("--type", help="A resource type.")] = "",
    version: Annotated[str, typer.Option(help="The version that stored the change.")] = "",
    operation: Annotated[str, typer.Option(help="create, update or delete")] = "",
    caller: Annotated[str, typer.Option(help="The account that made the change.")] = "",
    request: Annotated[str, typer.Option("--request", help="All that one request changed.")] = "",
    since: Annotated[str, typer.Option(help="From this moment on: 2026-03-01T00:00:00Z")] = "",
    until: Annotated[str, typer.Option(help="Before this moment.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=500)] = 50,
    cursor: Annotated[str, typer.Option(help="next_cursor of the page before.")] = "",
    output: Output = None,
) -> None:
    """List changes of resources with what was there before and after, the newest first."""
    asked = {
        "name": name, "uid": uid, "type": type_, "version": version, "operation": operation, "caller": caller,
        "request_id": request, "since": since, "until": until, "cursor": cursor,
    }  # fmt: skip
    found = ConsoleClient(read_credentials()).get(
        f"/api/v1/deployments/{service}/{region}/resource-changes",
        limit=limit,
        **{key: value for key, value in asked.items() if value},
    )
    show(found["items"], COLUMNS, output, "id")
    if found["next_cursor"]:
        typer.echo(f"There is more: --cursor {found['next_cursor']}", err=True)

"""`swy changes`: what clients changed in the resources of a deployment."""

from __future__ import annotations

from typing import Annotated

import typer

from console.cli.logs.entries import Caller, Cursor, Limit, Output, Request, Since, Type, Until, show_entries

COLUMNS = ("at", "version", "operation", "type", "name", "revision", "caller", "request_id", "changed")


def changes(
    service: str,
    region: str,
    name: Annotated[str, typer.Argument(help="A name of the resource; left out, all resources.")] = "",
    uid: Annotated[str, typer.Option(help="The resource, in every version and under every name.")] = "",
    type_: Type = "",
    version: Annotated[str, typer.Option(help="The version that stored the change.")] = "",
    operation: Annotated[str, typer.Option(help="create, update or delete")] = "",
    caller: Caller = "",
    request: Request = "",
    since: Since = "",
    until: Until = "",
    limit: Limit = 50,
    cursor: Cursor = "",
    output: Output = None,
) -> None:
    """List changes of resources with what was there before and after, the newest first."""
    show_entries(
        f"{service}/{region}/resource-changes", COLUMNS, output, limit,
        name=name, uid=uid, type=type_, version=version, operation=operation, caller=caller, request_id=request,
        since=since, until=until, cursor=cursor,
    )  # fmt: skip

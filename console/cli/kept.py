"""`swy kept`: types that a deployment keeps of versions before the one it serves, and their export."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.exit_codes import FAILED
from console.cli.output import Form, errors, screen, show

app = typer.Typer(help="Types that only an earlier version serves, and their export.", no_args_is_help=True)
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]
Deployment = Annotated[str, typer.Argument(help="SERVICE@REGION, or services/S/deployments/R")]


@app.command("list")
def listing(deployment: Deployment, output: Output = None) -> None:
    """List the types that have no place in the version served, or upgraded to: how many, and whether exported."""
    found = ConsoleClient(read_credentials()).every(_address(deployment))
    machine = output is not None and output is not Form.TABLE
    rows = found if machine else [_row(each) for each in found]
    show(rows, ("type", "version", "without", "stored", "exported"), output, "type")


@app.command()
def export(
    deployment: Deployment,
    type: Annotated[str, typer.Argument(help="The resource type, as its last version calls it.")],
    version: Annotated[str, typer.Argument(help="The last version that has it.")],
    to: Annotated[Path, typer.Option("--to", help="The file to write, a JSON document per line.")],
) -> None:
    """Export the resources of a kept type to a file; a whole export counts before the version retires."""
    if to.exists():
        raise typer.BadParameter(f"{to} exists already", param_hint="--to")
    client, digest, lines = ConsoleClient(read_credentials()), sha256(), 0
    part = to.with_name(f"{to.name}.part")
    with part.open("wb") as file:
        for chunk in client.download(f"{_address(deployment)}/{type}/{version}/export"):
            file.write(chunk)
            digest.update(chunk)
            lines += chunk.count(b"\n")
    noted = [
        each["export"]
        for each in client.every(_address(deployment))
        if (each["type"], each["version"]) == (type, version)
    ]
    if not noted or noted[0] is None or noted[0]["sha256"] != digest.hexdigest():
        errors.print(f"The console does not have this export as whole; what came is in {part}.")
        raise typer.Exit(FAILED)
    part.rename(to)
    screen.print(f"Exported {lines} resources of {type} as {version} shows them to {to}.")


def _address(deployment: str) -> str:
    if "@" in deployment:
        service, _, region = deployment.partition("@")
    else:
        _, service, _, region = deployment.split("/") if deployment.count("/") == 3 else ("", "", "", "")
    if not service or not region:
        raise typer.BadParameter(f"{deployment} is not SERVICE@REGION")
    return f"/api/v1/deployments/{service}/{region}/kept-types"


def _row(of: dict[str, Any]) -> dict[str, Any]:
    if of["exported"] is None:
        words = "unknown: the data cannot be read now"
    elif of["export"] is None:
        words = "nothing to export" if of["exported"] else "no"
    else:
        words = f"{of['export']['at'][:16]} by {of['export']['by']}"
        words += "" if of["exported"] else ", written since"
    return {**of, "stored": "unknown" if of["stored"] is None else of["stored"], "exported": words}

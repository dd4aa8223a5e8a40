"""`swy get`, `refs`, `deletion-check`, `compat check`, `events`, `demo`: look at one thing, and what hangs on it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.exit_codes import FAILED
from console.cli.output import Form, people_look, screen, show, show_one
from console.cli.upgrades.approvals import Output
from console.cli.upgrades.upgrade import full_name

compat = typer.Typer(help="What a version changes for those who use another.", no_args_is_help=True)
ROOT = Path(__file__).resolve().parents[2]
BUF_HELP = "Tell only what Buf would report in this category: FILE, PACKAGE, WIRE_JSON or WIRE."
# By the first letter of what was made: upgrades, requests for approval.
BY_LETTER = {"u": "upgrades", "a": "approvals"}


def get(
    name: Annotated[
        str,
        typer.Argument(
            help="SERVICE@REGION, services/SERVICE, rollouts/ID, or the id of an upgrade or a request"
        ),
    ],
    output: Output = None,
) -> None:
    """Show one thing whole, whatever it is."""
    found = ConsoleClient(read_credentials()).get(address_of(name))
    chosen = Form.YAML if output is None and people_look() else output
    show_one(found, chosen, str(found.get("sentence") or found.get("what") or name), _key(found))


def address_of(name: str) -> str:
    """Find the address of what a name names."""
    parts = full_name(name).split("/")
    if len(parts) == 4 and (parts[0], parts[2]) == ("services", "deployments"):
        return f"/api/v1/deployments/{parts[1]}/{parts[3]}"
    if len(parts) == 2 and parts[0] in ("services", "upgrades", "approvals", "rollouts", "operations"):
        return f"/api/v1/{parts[0]}/{parts[1]}"
    if len(parts) == 1 and (noun := BY_LETTER.get(name[:1])) and len(name) == 11:
        return f"/api/v1/{noun}/{name}"
    raise typer.BadParameter(
        "write SERVICE@REGION, services/SERVICE, rollouts/ID, or the id of an upgrade or a request"
    )


def _key(found: dict[str, Any]) -> str:
    return "name" if "name" in found else "id"


def refs(
    name: Annotated[str, typer.Argument(help="//SERVICE/REGION/NAME, or a plain name")],
    direction: Annotated[str, typer.Option(help="in, out or both")] = "both",
    depth: Annotated[int, typer.Option(min=1, max=4)] = 1,
    limit: Annotated[int, typer.Option(min=1, max=5000)] = 300,
    output: Output = None,
) -> None:
    """Show what refers to a resource, and what it refers to."""
    found = ConsoleClient(read_credentials()).get(
        "/api/v1/references", name=name, direction=direction, depth=depth, limit=limit
    )
    show(found["edges"], ("source", "kind", "path", "target", "version"), output, "source")
    for each in found["unknown"]:
        typer.echo(f"not known: {each['service']} @ {each['region']}: {each['reason']}", err=True)


def find(
    text: Annotated[str, typer.Argument(help="A whole name, or the last part of one.")] = "",
    kind: Annotated[str, typer.Option("--type", help="Of this resource type only, such as Secret.")] = "",
    service: Annotated[str, typer.Option(help="Of this service only.")] = "",
    region: Annotated[str, typer.Option(help="In this region only.")] = "",
    version: Annotated[str, typer.Option(help="As this version shows them.")] = "",
    output: Output = None,
) -> None:
    """Find resources by name, type, deployment or version, to look at what refers to them."""
    asked = {"text": text, "type": kind, "service": service, "region": region, "version": version}
    found = ConsoleClient(read_credentials()).get("/api/v1/references/search", **asked)
    show(found["items"], ("service", "region", "type", "name", "version"), output, "id")
    if found["more"]:
        typer.echo("more were found than are shown: narrow it down", err=True)
    for each in found["unknown"]:
        typer.echo(f"not known: {each['service']} @ {each['region']}: {each['reason']}", err=True)


def deletion_check(
    name: Annotated[str, typer.Argument(help="//SERVICE/REGION/NAME, or a plain name")],
    output: Output = None,
) -> None:
    """Tell whether a resource may be deleted; exits with 1 unless it is safe."""
    found = ConsoleClient(read_credentials()).get("/api/v1/deletion-check", name=name)
    lines = [found["sentence"]]
    lines += [f"  blocks: {each['source']} by {each['path']}" for each in found["blockers"]]
    lines += [f"  goes with it: {each['name']}" for each in found["cascades"]]
    lines += [f"  forgets it: {each['source']} at {each['path']}" for each in found["unsets"]]
    lines += [
        f"  not known: {each['service']} @ {each['region']}: {each['reason']}" for each in found["unknown"]
    ]
    show_one(found, output, "\n".join(lines), "verdict")
    if found["verdict"] != "safe":
        raise typer.Exit(FAILED)


@compat.command("check")
def check(
    service: str,
    before: str,
    after: str,
    client: Annotated[str, typer.Option(help="How clients read keys they do not know.")] = "filter",
    server: Annotated[str, typer.Option(help="How servers do.")] = "strict",
    policy: Annotated[str, typer.Option(help="The worst a step may do: no-loss or loss-ok.")] = "no-loss",
    buf: Annotated[str, typer.Option(help=BUF_HELP)] = "",
    sarif: Annotated[str, typer.Option(help="Also write it as SARIF here, for tools of code review.")] = "",
    output: Output = None,
) -> None:
    """Give the console's report of two versions; exits with 1 while something is to be accepted."""
    asked = {"before": before, "after": after, "client": client, "server": server, "policy": policy}
    asked |= {"buf": buf} if buf else {}
    console, place = ConsoleClient(read_credentials()), f"/api/v1/services/{service}/compatibility"
    found = console.get(place, **asked)
    if sarif:
        Path(sarif).write_text(json.dumps(console.get(place, **asked, **{"as": "sarif"}), indent=2) + "\n")
    lines = [found["sentence"]]
    for each in found["findings"]:
        weight = "handled" if each["handled"] else each["weight"]
        kinds = ", ".join(each["classes"]) + (f"; Buf: {', '.join(each['buf'])}" if each["buf"] else "")
        lines.append(f"  {weight:7} {each['rule']} {each['path']} ({kinds})")
        lines += [f"          {line}" for line in each["transform"].splitlines()]
    show_one(found, output, "\n".join(lines), "verdict")
    if found["to_accept"]:
        raise typer.Exit(FAILED)


def events(
    topics: Annotated[list[str], typer.Argument(help="fleet, approvals, audit, health, upgrade:ID …")],
    since: Annotated[int | None, typer.Option(help="Replay what came after this number first.")] = None,
    timeout: Annotated[float, typer.Option(help="Seconds to listen; 0: until it is stopped.")] = 0.0,
) -> None:
    """Listen to the live stream: a line of JSON an event; goes on where it was when the connection is lost."""
    client = ConsoleClient(read_credentials())
    for message in client.plain.events(topics, since, timeout or None):
        if message.op != "hello":
            print(json.dumps(message.body), flush=True)


def demo(
    example: Annotated[str, typer.Option(help="A folder of examples/, or a path.")] = "cloud-tasks",
    resources: Annotated[int, typer.Option(min=1)] = 50_000,
    writes_per_second: Annotated[float, typer.Option(min=0.0)] = 200.0,
    report: Annotated[str, typer.Option("--json", help="Where to write the report as JSON.")] = "",
) -> None:
    """Migrate a service under live writes, switch, roll back, switch again, on an installation of its own."""
    if not (ROOT / "console" / "manage.py").is_file():
        screen.print("The demo needs Switchyard itself: run `make demo` in a clone, or install `switchyard`.")
        raise typer.Exit(FAILED)
    words = [
        "--example",
        example,
        "--resources",
        str(resources),
        "--writes-per-second",
        str(writes_per_second),
    ]
    words += ["--json", report] if report else []
    raise typer.Exit(
        subprocess.run(
            [sys.executable, "-m", "console.manage", "demo", *words], cwd=ROOT, check=False
        ).returncode
    )

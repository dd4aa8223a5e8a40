"""`swy service apply` and `swy service waive`: a definition applied as a decision on what is served and stored."""

from __future__ import annotations

import base64
import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.exit_codes import CONFLICT
from console.cli.output import Form, screen, show_one
from migrations_app.kernel.errors import Invalid

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and keep nothing.")]
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]


class Summary(StrEnum):
    """The form of a check's summary."""

    TEXT = "text"
    MARKDOWN = "markdown"
    SARIF = "sarif"


SummaryForm = Annotated[
    Summary, typer.Option("--format", help="The form of the decisions on it, for checks.")
]


def apply_folder(directory: Path, dry_run: bool, form: Summary, output: Form | None) -> None:
    """Apply a service folder, or tell the decisions on it; exits with 6 when they are against it."""
    client = ConsoleClient(read_credentials())
    if form is not Summary.TEXT:
        _summary(send_folder(client, directory, True), form)
        if dry_run:
            return
    answer = send_folder(client, directory, dry_run)
    if form is Summary.TEXT:
        what = "changed" if answer["changed"] else "was so already"
        told = f"{answer['service']} {what}: {', '.join(answer['versions'])}"
        show_one(answer, output, told + (" (rehearsed)" if dry_run else ""), "service")
        for warning in answer["warnings"]:
            screen.print(f"  ! {warning}")
        if output is None:
            _tell(answer)
    if not answer["may_apply"]:
        raise typer.Exit(CONFLICT)


def waive(
    directory: Annotated[Path, typer.Argument(help="The service folder whose change is to be let through.")],
    version: Annotated[str, typer.Option(help="The version that changes in place.")],
    rule: Annotated[str, typer.Option(help="The rule of the decision, as a dry run names it.")],
    path: Annotated[str, typer.Option(help="Its place, as a dry run names it.")],
    until: Annotated[str, typer.Option(help="When it ends, such as 2027-01-31T00:00Z.")],
    comment: Annotated[str, typer.Option("-m", "--comment", prompt=True, help="Why it is acceptable.")],
    dry_run: DryRun = False,
    output: Output = None,
) -> None:
    """Ask that a change be let through for one apply; another person approves it with `swy waivers approve`."""
    files = encoded_folder(directory)
    service = str(service_of(directory))
    body = {
        "files": files, "version": version, "rule": rule, "path": path, "reason": comment, "until": until,
    }  # fmt: skip
    address = f"/api/v1/services/{service}/changeWaivers"
    made = ConsoleClient(read_credentials()).ask("POST", address, body, dry_run=dry_run).body
    show_one(
        made, output, f"{made['id']} {made['rule']} at {made['path']}: {made['state']} until {made['until']}."
    )
    if dry_run:
        screen.print("A dry run: nothing was kept.")


def send_folder(client: ConsoleClient, directory: Path, dry_run: bool) -> dict[str, Any]:
    """Send the files of a service folder."""
    files = encoded_folder(directory)
    found: dict[str, Any] = client.ask("POST", "/api/v1/services", {"files": files}, dry_run=dry_run).body
    return found


def encoded_folder(directory: Path) -> dict[str, str]:
    """Read the files of a service folder as the API takes them."""
    if not (directory / "service.yaml").is_file():
        raise typer.BadParameter(f"{directory} has no service.yaml")
    # Here, not above: a command that reads no folder does not wait for what reads one.
    from migrations_app.domain.schema.files.local_files import read_local_files

    try:
        contents = read_local_files(directory)
    except Invalid as error:
        raise typer.BadParameter(f"{error.message} {error.remedy}".rstrip()) from error
    return {name: base64.b64encode(content).decode() for name, content in contents.items()}


def service_of(directory: Path) -> str:
    """Read of which service a folder is."""
    from migrations_app.domain.schema.folder import SERVICE_FILE, read_service_name

    return read_service_name({SERVICE_FILE: (directory / SERVICE_FILE).read_bytes()})


def _summary(answer: dict[str, Any], form: Summary) -> None:
    from migrations_app.domain.compatibility.checks import decisions_sarif, markdown

    if form is Summary.MARKDOWN:
        print(markdown(answer), end="")
    else:
        print(json.dumps(decisions_sarif(answer), indent=2))
    if not answer["may_apply"]:
        raise typer.Exit(CONFLICT)


def _tell(answer: dict[str, Any]) -> None:
    from migrations_app.domain.compatibility.checks import reason, sentence, steps_of, way_line

    if not answer["decisions"]:
        return
    for each in answer["decisions"]:
        place = f"{each['version']}/{each['path']}"
        change = f" ({each['change']})" if each["change"] else ""
        screen.print(f"{each['verdict']} {each['rule']} {place}{change}", markup=False)
        if why := reason(each):
            screen.print(f"    {why}", markup=False)
        for at, step in enumerate(steps_of(each), start=1):
            screen.print(f"    {at}. {step}", markup=False)
        if each["advice"]:
            screen.print(f"    {each['advice']}", markup=False)
    screen.print(sentence(answer), markup=False)
    if answer["advice"] and not all(each["verdict"] == "allowed" for each in answer["decisions"]):
        screen.print(answer["advice"]["sentence"], markup=False)
        for way in answer["advice"]["ways"]:
            screen.print(f"  {way_line(way)}", markup=False)

"""`swy report`: run sheets of upgrades as signed files."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from console.cli.client import ConsoleClient, read_credentials
from console.cli.exit_codes import FAILED, REFUSED
from console.cli.files import STANDARD_INPUT
from console.cli.output import errors, screen, show, show_one
from console.cli.upgrades.approvals import Output
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.signed_files import is_public_key, verify_file

app = typer.Typer(help="Run sheets of upgrades as signed files.", no_args_is_help=True)
PLACE = "/api/v1/report-keys"
File = Annotated[Path, typer.Option("--output-file", "-o", help="The file to write; - for standard output.")]


class SheetFormat(StrEnum):
    """The formats of a run sheet."""

    HTML = "html"
    MARKDOWN = "md"


@app.command("get")
def get_report(
    upgrade: str,
    file: File,
    at: Annotated[
        str, typer.Option(help="As of this moment, such as 2026-03-01T14:00:00Z; now when left out.")
    ] = "",
    format: Annotated[SheetFormat, typer.Option(help="The format.")] = SheetFormat.HTML,
) -> None:
    """Write the run sheet of an upgrade as of a moment into a file: self-contained, and signed."""
    client = ConsoleClient(read_credentials())
    query = {"as": format.value, **({"at": at} if at else {})}
    content = b"".join(client.download(f"/api/v1/upgrades/{upgrade}/run-sheet", **query))
    if str(file) == STANDARD_INPUT:
        sys.stdout.write(content.decode())
        return
    try:
        file.write_bytes(content)
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be written: {error}") from None
    screen.print(f"{file}: {len(content):,} bytes.", markup=False)


@app.command("verify")
def verify_report(
    file: Annotated[Path, typer.Argument(help="The file.")],
    keys: Annotated[
        Path | None,
        typer.Option("--keys", help="A file that `swy report keys` wrote; without it the console is asked."),
    ] = None,
    output: Output = None,
) -> None:
    """Tell whether a file was changed since it was signed; exits with 1 when it was."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise typer.BadParameter(f"{file} cannot be read: {error}") from None
    known = _keys_of(keys) if keys else ConsoleClient(read_credentials()).get(PLACE)["items"]
    try:
        signature = verify_file(data, [each["key"] for each in known])
    except Invalid as error:
        errors.print(f"{file}: {error}", markup=False)
        raise typer.Exit(FAILED) from None
    what, at = signature.subject.split(" ")
    current = any(each["current"] for each in known if each["key"] == signature.key)
    verified = {"file": str(file), "subject": what, "as_of": at, "key": signature.key, "current_key": current}
    earlier = "" if current else " It is an earlier key of the installation."
    text = f"{file}: unchanged. {what} as of {at}, signed with the key {signature.key}.{earlier}"
    show_one(verified, output, text, key="file")


@app.command("keys")
def list_keys(
    file: Annotated[
        Path | None, typer.Option("--output-file", "-o", help="Write them into a file for `verify --keys`.")
    ] = None,
) -> None:
    """List the public keys that files of the console are verified with."""
    known = ConsoleClient(read_credentials()).get(PLACE)["items"]
    if file is None:
        show(known, ("key", "current"), None, "key")
        return
    file.write_text(json.dumps({"items": known}, indent=2) + "\n")
    screen.print(f"{file}: {len(known)} {'key' if len(known) == 1 else 'keys'}.", markup=False)


def _keys_of(path: Path) -> list[dict[str, Any]]:
    """Read a file of keys: what `swy report keys -o` wrote, or a key a line."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path} cannot be read: {error}") from None
    try:
        items = json.loads(text)["items"]
    except (ValueError, KeyError, TypeError):
        items = [{"key": line.strip(), "current": True} for line in text.splitlines() if line.strip()]
    wrong = [each for each in items if not isinstance(each, dict) or not is_public_key(str(each.get("key")))]
    if wrong or not items:
        errors.print(f"{path} holds no public keys as `swy report keys -o FILE` writes them.", markup=False)
        raise typer.Exit(REFUSED)
    return [{"key": each["key"], "current": bool(each.get("current"))} for each in items]

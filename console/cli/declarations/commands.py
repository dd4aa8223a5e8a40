"""`swy apply`, `swy diff` and `swy export`: the console as files declare it."""

from __future__ import annotations

import difflib
import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml

from console.cli.client import ConsoleClient, read_credentials
from console.cli.declarations.documents import DocumentsRefused, read_documents
from console.cli.declarations.plan import (
    ChangeRefused,
    ObjectOutcome,
    Ownership,
    PlannedChange,
    carry_out,
    note_made,
    plan_changes,
)
from console.cli.declarations.table import BY_WORD, KINDS
from console.cli.exit_codes import CONFLICT, DIFFERS, REFUSED
from console.cli.output import Form, errors, people_look, show

Files = Annotated[
    list[Path],
    typer.Option("-f", "--file", help="A YAML or JSON file, a folder of them, or - for standard input."),
]
Owner = Annotated[
    str, typer.Option(help="Note under this label what is created, so that --prune may remove it later.")
]
Prune = Annotated[
    bool,
    typer.Option("--prune", help="Remove what you created under --owner and these files declare no longer."),
]
Output = Annotated[Form | None, typer.Option("-o", "--output", help="json, yaml, table or name")]


class ExportForm(StrEnum):
    """The forms of an export."""

    YAML = "yaml"
    JSON = "json"


def apply(
    file: Files,
    owner: Owner = "",
    prune: Prune = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what differs, and write nothing.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check everything, and write nothing.")] = False,
    output: Output = None,
) -> None:
    """Make the console what documents declare: all of them or nothing; again changes nothing."""
    _run(file, Ownership(owner, prune), writes=not (diff or dry_run), shows=diff, output=output)


def diff(file: Files, owner: Owner = "", prune: Prune = False, output: Output = None) -> None:
    """Show how the console differs from what documents declare; exits with 2 when it does."""
    _run(file, Ownership(owner, prune), writes=False, shows=True, output=output)


def export(
    kinds: Annotated[
        list[str] | None, typer.Argument(metavar="[KIND]…", help="All kinds when left out.")
    ] = None,
    output: Annotated[ExportForm, typer.Option("-o", "--output")] = ExportForm.YAML,
) -> None:
    """Write what the console has as documents; applied again they change nothing."""
    unknown = [each for each in kinds or () if each.lower() not in BY_WORD]
    if unknown:
        known = ", ".join(kind.plural for kind in KINDS)
        raise typer.BadParameter(f"there is no kind {unknown[0]!r}; the kinds are {known}")
    chosen = {BY_WORD[each.lower()].kind for each in kinds or ()} or {kind.kind for kind in KINDS}
    client = ConsoleClient(read_credentials())
    documents: list[dict[str, Any]] = []
    for kind in (kind for kind in KINDS if kind.kind in chosen):
        for kept in kind.list(client):
            name = {} if kind.nameless else {"name": kept.name}
            documents.append({"kind": kind.kind, **name, "spec": kept.spec})
    if output is ExportForm.JSON:
        print(json.dumps(documents, indent=2))
    elif documents:
        print(yaml.safe_dump_all(documents, sort_keys=False, explicit_start=True, allow_unicode=True), end="")


def _run(files: list[Path], ownership: Ownership, *, writes: bool, shows: bool, output: Form | None) -> None:
    if ownership.prune and not ownership.owner:
        raise typer.BadParameter("--prune needs --owner: only what was created under it is removed")
    client = ConsoleClient(read_credentials())
    try:
        changes = plan_changes(client, read_documents(files), ownership)
        if writes:
            carry_out(client, changes)
    except DocumentsRefused as refused:
        errors.print("\n".join(refused.problems), markup=False)
        raise typer.Exit(REFUSED) from refused
    except ChangeRefused as refused:
        errors.print("\n".join(refused.lines()), markup=False)
        if refused.problem.body.get("who_can"):
            errors.print("Who can: " + ", ".join(refused.problem.body["who_can"]), markup=False)
        errors.print("Nothing was written.", markup=False)
        raise typer.Exit(refused.problem.exit_code) from refused
    if writes and ownership.owner:
        note_made(client, changes, ownership.owner)
    _show(changes, output, shows=shows)
    if writes and any(each.outcome is ObjectOutcome.KEPT for each in changes):
        raise typer.Exit(CONFLICT)
    if not writes and any(each.differs for each in changes):
        raise typer.Exit(DIFFERS)


def _show(changes: list[PlannedChange], output: Form | None, *, shows: bool) -> None:
    rows = [
        {"outcome": each.outcome.value, "kind": each.kind.kind, "name": each.name, "reason": each.reason}
        | ({"diff": difference(each)} if shows else {})
        for each in changes
    ]
    as_text = shows and (output is Form.TABLE or (output is None and people_look()))
    if as_text:
        for row in rows:
            print(f"{row['outcome']:<10}{row['kind']} {row['name']} {row['reason']}".rstrip())
            print("".join(f"  {line}\n" for line in row["diff"].splitlines()), end="")
        return
    show(rows, ("outcome", "kind", "name", "reason"), output, "name")


def difference(change: PlannedChange) -> str:
    """Write how an object differs, line by line; empty where it does not."""
    if not change.differs or change.outcome is ObjectOutcome.KEPT:
        return ""
    before = change.before.spec if change.before else {}
    after = {} if change.outcome is ObjectOutcome.DELETED else change.after
    lines = difflib.unified_diff(_lines(before), _lines(after), "console", "declared", lineterm="")
    return "\n".join(lines) or "url: another address"


def _lines(spec: dict[str, Any]) -> list[str]:
    return yaml.safe_dump(spec, sort_keys=True, allow_unicode=True).splitlines() if spec else []

"""`swy schema compat`: what a change between or within versions would break, with an exit code for CI."""

from __future__ import annotations

import json
from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from console.cli.definitions.progress import progress
from console.cli.exit_codes import FAILED, USAGE
from console.cli.output import errors, screen
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.assess import Assessment, assess, assess_in_place, document
from migrations_app.domain.compatibility.buf import Category
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.compatibility.sentences import (
    WIRE_ADVICE,
    DifferencePlaces,
    reader_of,
    wire_sentence,
)
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Strategy
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import ServiceFolder, read_folder
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import Missing, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject

_REMOVALS = (
    CompatibilityRule.RESOURCE_REMOVED,
    CompatibilityRule.METHOD_REMOVED,
    CompatibilityRule.PATTERN_REMOVED,
    CompatibilityRule.KEY_REMOVED,
    CompatibilityRule.SYMBOL_REMOVED,
)
_MANY = 20


class Admits(StrEnum):
    """The worst that a step may do."""

    NO_LOSS = "no-loss"
    LOSS_OK = "loss-ok"


def compat(
    folder: Annotated[Path, typer.Argument(help="The service folder, with its service.yaml.")],
    before: Annotated[str, typer.Argument(help="The older version, or the one that changed in place.")],
    after: Annotated[str | None, typer.Argument(help="The newer version.")] = None,
    against: Annotated[
        Path | None, typer.Option(help="The folder as it was, to judge a change in place.")
    ] = None,
    client: Annotated[
        Strategy, typer.Option(help="How clients read keys they do not know.")
    ] = Strategy.FILTER,
    server: Annotated[Strategy, typer.Option(help="How servers do.")] = Strategy.STRICT,
    policy: Annotated[Admits, typer.Option(help="The worst that a step may do.")] = Admits.NO_LOSS,
    buf: Annotated[
        Category | None, typer.Option(help="Tell only what Buf would report in this category.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Tell also what the conversions handle, one by one.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The whole report as JSON.")] = False,
) -> None:
    """Compare two versions, or one version with itself as it was; exits with 1 when something breaks."""
    admitted = OutcomePolicy.LOSS_OK if policy is Admits.LOSS_OK else OutcomePolicy.NO_LOSS
    setting = Setting(client, server, admitted, lens=against is None)
    try:
        found, places = _assessed(folder, before, after, against, setting)
        if buf is not None:
            places.buf.require_verdict()
    except SwitchyardError as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(USAGE) from error
    if as_json:
        print(json.dumps(_as_json(found, places), indent=2))
    else:
        _tell(found, places, buf, everything=everything)
    if found.verdict == "breaking":
        raise typer.Exit(FAILED)


def _assessed(
    folder: Path, before: str, after: str | None, against: Path | None, setting: Setting
) -> tuple[Assessment, DifferencePlaces]:
    now = read_folder(folder).refuse_errors()
    if against is not None:
        was = read_folder(against).refuse_errors()
        old, new = _schema(was, before), _schema(now, after or before)
        return assess_in_place(old, new, setting), DifferencePlaces((old, new), (was.files, now.files))
    if after is None:
        raise Missing(
            "Name a second version.", code="version", remedy="Or give the folder as it was: --against."
        )
    with progress("Comparing") as step:
        step("conversions")
        compiled = compile_service(now)
        found = assess(compiled, before, after, setting, watch=step)
    schemas = compiled.schema(before), compiled.schema(after)
    return found, DifferencePlaces(schemas, (now.files, now.files))


def _schema(folder: ServiceFolder, version: str) -> Schema:
    try:
        return folder.schemas[version]
    except KeyError:
        known = ", ".join(folder.schemas)
        raise Missing(
            f"{folder.service} has no version {version}.", code="version", remedy=f"It has {known}."
        ) from None


def _as_json(found: Assessment, places: DifferencePlaces) -> JsonObject:
    """Write the whole report, each finding with its sentence and the places that declare it."""
    whole, reader = document(found), reader_of(found.report, found.setting)
    written: list[Json] = [
        {**each, "sentence": reader.sentence(difference), "places": list[Json](places.of(difference.path))}
        for each, difference in zip(_findings(whole), found.report.differences, strict=True)
    ]
    return {**whole, "findings": written}


def _findings(whole: JsonObject) -> list[JsonObject]:
    found = whole["findings"]
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, dict)]


def _tell(found: Assessment, places: DifferencePlaces, buf: Category | None, *, everything: bool) -> None:
    reader = reader_of(found.report, found.setting)
    for each in found.report.differences:
        if (each.handled and not everything) or (buf is not None and buf not in each.buf):
            continue
        where = " → ".join(places.of(each.path))
        screen.print(f"{where}: {reader.sentence(each)}" if where else reader.sentence(each), markup=False)
        screen.print(f"    {each}", markup=False)
        screen.print(f"    {each.advice}", markup=False)
        for at, step in enumerate(each.plan, start=1):
            screen.print(f"    {at}. {step}", markup=False)
        if each.transform:
            screen.print(f"    or in a new version: {each.transform}", markup=False)
        if each.losing:
            screen.print(f"    lost by: {', '.join(each.losing)}", markup=False)
    for finding in found.wire:
        change = f"{finding.before} → {finding.after or 'nothing'}"
        screen.print(wire_sentence(finding), markup=False)
        screen.print(f"    wire {finding.rule} {finding.type} {finding.number}; {change}", markup=False)
        screen.print(f"    {WIRE_ADVICE[finding.rule]}", markup=False)
    for loss in found.losses:
        if loss.kept == "no":
            screen.print(f"{loss.way}: {loss.path} is given up ({loss.op})", markup=False)
    if buf is None and not everything:
        _tell_handled(found)
    screen.print(found.sentence, markup=False)


def _tell_handled(found: Assessment) -> None:
    """Count what the conversions handle, and name what goes: its clients have nothing left in the new version."""
    handled = [each for each in found.report.differences if each.handled]
    for rule in _REMOVALS:
        paths = list(dict.fromkeys(each.path for each in handled if each.rule is rule))
        if paths:
            more = f" and {len(paths) - _MANY} more" if len(paths) > _MANY else ""
            screen.print(f"handled {rule}: {', '.join(paths[:_MANY])}{more}", markup=False)
    counts = Counter(str(each.rule) for each in handled if each.rule not in _REMOVALS)
    if counts:
        told = ", ".join(f"{count} {rule}" for rule, count in counts.most_common())
        screen.print(f"handled beside these: {told}. --all lists each.", markup=False)
    kept = Counter(each.way for each in found.losses if each.kept in ("bag", "witness"))
    for way, count in kept.items():
        screen.print(
            f"{way}: {count} values are kept as hidden values, as `swy schema report` lists.", markup=False
        )

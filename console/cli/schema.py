"""`swy schema`: service folders checked, explained and reported on; needs no server."""

from __future__ import annotations

import json
import runpy
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from console.cli.compatibility import compat
from console.cli.definitions.interruption import INTERRUPTED, TERMINATED, Terminated, terminable
from console.cli.definitions.progress import progress
from console.cli.definitions.proposals import propose
from console.cli.definitions.refusals import print_findings, print_refusal
from console.cli.files import read_text
from console.cli.output import errors, screen
from migrations_app.domain.conversion.compile.resources import resource_source
from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.hooks import NO_HOOKS, Hooks
from migrations_app.domain.conversion.laws.check_report import failure_lines, golden_lines
from migrations_app.domain.conversion.laws.goldens import goldens
from migrations_app.domain.conversion.laws.verify import LawResult, checks, count_checks
from migrations_app.domain.conversion.metadata.findings import EdgeInvalid
from migrations_app.domain.conversion.reports.explain import explain
from migrations_app.domain.conversion.reports.loss import coverage, losses
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.conversion.states import ABSENT, State
from migrations_app.domain.schema.folder import ServiceFolder, read_folder
from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import JsonObject, canonical, decode

app = typer.Typer(no_args_is_help=True, help="Check, explain and report on the versions of a service.")
app.command("compat")(compat)
app.command("propose")(propose)

Folder = Annotated[Path, typer.Argument(help="The service folder, with its service.yaml.")]
Imports = Annotated[
    list[Path] | None, typer.Option("--import", help="The folder of a service that this one refers to.")
]


HooksFile = Annotated[
    Path | None, typer.Option("--hooks", help="A Python file of yours with HOOKS, the code that edges call.")
]


def _compile(folder: Path, imports: list[Path] | None, hooks: Path | None = None) -> CompiledService:
    """Compile a folder, or tell what is wrong with it and stop."""
    try:
        others = [compile_service(read_folder(path)) for path in imports or []]
        return compile_service(read_folder(folder), {each.service: each for each in others}, hooks_of(hooks))
    except EdgeInvalid as error:
        print_findings(error.findings)
    except Invalid as error:
        print_refusal(error)
    raise typer.Exit(1)


def hooks_of(path: Path | None) -> Hooks:
    """Run a file that the user names; folders and servers never bring code."""
    try:
        found = runpy.run_path(str(path)).get("HOOKS") if path else NO_HOOKS
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}.", remedy="Name a Python file.") from error
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1].lineno
        line = error.lineno if isinstance(error, SyntaxError) else line
        raise Invalid(f"{path}:{line}: {type(error).__name__}: {error}.", remedy="Fix the file.") from error
    if not isinstance(found, Hooks):
        raise Invalid(f"{path} has no HOOKS.", remedy="Write HOOKS = Hooks({…}).")
    return found


@app.command("verify")
def verify_command(
    folder: Folder,
    count: Annotated[
        int,
        typer.Option("--documents", "--count", min=1, help="Documents per type, pair of versions and law."),
    ] = 100,
    seed: Annotated[int, typer.Option(help="Where the made-up documents begin.")] = 0,
    law: Annotated[list[str] | None, typer.Option(help="Only this law; may be repeated.")] = None,
    accept: Annotated[bool, typer.Option(help="Take the present conversions as goldens.")] = False,
    imports: Imports = None,
    hooks: HooksFile = None,
) -> None:
    """Check the laws over generated and recorded documents, and the goldens byte for byte."""
    compiled = _compile(folder, imports, hooks)
    for finding in compiled.findings:
        screen.print(str(finding), markup=False)
    if not any(compiled.ways()):
        why = "its edges convert nothing" if compiled.edges else "it has no edges"
        screen.print(f"{compiled.service}: {why}, so there was nothing to check.")
        return
    results: list[LawResult] = []
    try:
        with terminable():
            for result in _verified(compiled, count, seed, law or []):
                results.append(result)
                if result.failure:
                    errors.print("\n".join(failure_lines(result.failure)), markup=False)
    except KeyboardInterrupt as stop:
        screen.print(_summary_so_far(results, count_checks(compiled, law or [])), markup=False)
        raise typer.Exit(TERMINATED if isinstance(stop, Terminated) else INTERRUPTED) from None
    broken = _check_goldens(compiled, folder, accept=accept)
    failed = sum(1 for each in results if each.failure)
    screen.print(_summary(results, failed, broken))
    if failed or broken:
        raise typer.Exit(1)


def _verified(compiled: CompiledService, count: int, seed: int, laws: list[str]) -> Iterable[LawResult]:
    try:
        with progress("Checking", count_checks(compiled, laws)) as step:
            for check in checks(compiled, count=count, seed=seed, laws=laws):
                step(check.title)
                yield check.run()
    except SwitchyardError as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(1) from error


def _summary_so_far(results: list[LawResult], planned: int) -> str:
    """Say what holds of what was checked to its end; the rest is unknown."""
    failed = sum(1 for each in results if each.failure)
    head = f"Stopped after {len(results)} of {planned} type and version pairs; of the rest nothing is known."
    return f"{head} So far: {_summary(results, failed, 0)}" if results else head


def _summary(results: list[LawResult], failed: int, broken: int) -> str:
    checks = sum(each.documents for each in results)
    laws = len({each.law for each in results})
    verdict = f"{failed} laws broken, {broken} goldens differ" if failed or broken else "all hold"
    hidden = sum(each.hidden for each in results)
    aside = f" ({hidden} of documents that the other version hides)" if hidden else ""
    return f"{laws} laws, {len(results)} type and version pairs, {checks} checks{aside}: {verdict}."


def _check_goldens(compiled: CompiledService, folder: Path, *, accept: bool) -> int:
    made = list(goldens(compiled))
    if accept:
        for golden in made:
            path = folder / golden.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(golden.made)
        screen.print(f"{len(made)} goldens accepted.")
        return 0
    differ = [golden for golden in made if golden.kept is not None and not golden.is_same]
    for golden in differ:
        errors.print("\n".join(golden_lines(golden)), markup=False)
    if not any(golden.kept for golden in made):
        screen.print("No goldens yet; --accept keeps them.")
    return len(differ)


@app.command("explain")
def explain_command(
    folder: Folder,
    resource_type: str,
    source: str,
    target: str,
    document: Annotated[
        Path | None, typer.Argument(help="A JSON file: {name, body}, or a body with its name.")
    ] = None,
    code: Annotated[bool, typer.Option(help="Show the generated Python instead.")] = False,
    sql: Annotated[bool, typer.Option(help="Show the SQL instead, if there is one.")] = False,
    imports: Imports = None,
    hooks: HooksFile = None,
) -> None:
    """Show what happens to one document, step by step, or the code that does it."""
    compiled = _compile(folder, imports, hooks)
    try:
        routes = compiled.routes(resource_type, source, target)
        name, body = _read_document(document) if document else ("", {})
        if document:
            routes = tuple(each for each in routes if _takes(each, body)) or routes
        for converter in routes:
            _show_code(converter, code=code, sql=sql)
        if document:
            converter = routes[0]
            for step in explain(converter, name, body):
                places = f"{step.source or '–'} → {step.target or '–'}"
                values = f"{_shown(step.before)} → {_shown(step.after)}"
                screen.print(f"{step.op:12} {places:40} {values}  {step.bag}".rstrip(), markup=False)
            made = converter.forward(name, body)
            screen.print(json.dumps({"name": made.name, "body": made.body}, indent=2), markup=False)
    except SwitchyardError as error:
        errors.print(str(error), markup=False)
        raise typer.Exit(1) from error


def _takes(converter: TypeConverter, body: JsonObject) -> bool:
    """Tell whether a document of a type that splits goes this way."""
    guard = converter.hops[0].guard if converter.hops else None
    return guard is None or guard.holds(body)


def _show_code(converter: TypeConverter, *, code: bool, sql: bool) -> None:
    if code:
        screen.print(resource_source(converter.hops), markup=False)
    if sql:
        plan = converter.sql
        text = f"{plan.name_expression}\n{plan.body_expression}" if plan else "There is no SQL for it."
        screen.print(text, markup=False)


def _read_document(path: Path) -> tuple[str, JsonObject]:
    try:
        read = decode(read_text(path).encode())
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}.", remedy="Name a JSON file.") from error
    except Invalid as error:
        raise Invalid(f"{path}: {error.message}", code=error.code, remedy="Fix the file.") from error
    if isinstance(read, dict):
        body = read.get("body")
        return str(read.get("name", "")), body if isinstance(body, dict) else read
    raise Invalid(f"{path} is no document.", remedy="Write {name: …, body: {…}}.")


def _shown(state: State) -> str:
    return "absent" if state is ABSENT else canonical(state).decode()[:60]


@app.command("report")
def report_command(folder: Folder, imports: Imports = None, hooks: HooksFile = None) -> None:
    """Report on versions and edges: what sources left open, what assessed the fields, what each way cannot show."""
    compiled = _compile(folder, imports, hooks)
    screen.print(f"{compiled.service}: {' → '.join(compiled.versions)}, hub {compiled.hub}")
    _report_sources(compiled.folder)
    for finding in compiled.findings:
        screen.print(f"  {finding}", markup=False)
    for (source, target), edge in compiled.edges.items():
        counted = ", ".join(f"{count} {by}" for by, count in coverage(edge).items())
        screen.print(f"\n{source} → {target}: {counted}", markup=False)
        ways = {f"{source} → {target}": True, f"{target} → {source}": False}
        for way in (way for way, forward in ways.items() if not edge.edge.converts(forward=forward)):
            screen.print(f"  {way}: does not convert, as its transformationDirection says", markup=False)
        for loss in losses(edge):
            if edge.edge.converts(forward=ways[loss.way]):
                screen.print(f"  {loss.way}: {loss.path} ({loss.op}) {_KEPT[loss.kept]}", markup=False)
        for plan in edge.plans if edge.edge.converts(forward=True) else ():
            routes = compiled.routes(plan.source_type, source, target)
            converter = next(each for each in routes if each.target_type == plan.target_type)
            how = "nothing changes" if converter.identity else "SQL" if converter.sql else "Python"
            into = f" → {plan.target_type}" if len(routes) > 1 or plan.guard_back else ""
            screen.print(f"  {plan.source_type}{into}: {how}", markup=False)


def _report_sources(folder: ServiceFolder) -> None:
    """Say what each version holds, and what its sources could not tell."""
    for version, schema in folder.schemas.items():
        screen.print(f"  {version}: {len(schema.types)} types, {len(schema.resources)} of resources")
        unknown: dict[str, list[str]] = {}
        for loss in schema.losses:
            unknown.setdefault(loss.what, []).append(loss.path)
        for what, paths in unknown.items():
            more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
            screen.print(f"    not told by its sources: {what} ({', '.join(paths[:3])}{more})", markup=False)
    for each in folder.findings:
        screen.print(f"  {each}", markup=False)


_KEPT = {
    "bag": "waits in the bag",
    "witness": "waits in the bag while its image is unchanged",
    "no": "is given up",
    "hidden": "that the other version cannot write are hidden there",
}

"""The table of measures: what is counted, its value now, and its goal.

Every count is of the product (console, celery_worker, migrations_app) without the migrations of the database.

- A module *reaches* another by imports, also through others. Modules of control are counted, since a vote may use any
  of them; domain, ports, adapters and wiring are not. Commands are modules in a `commands` package, which were
  `migrations_app/actions` before. Both are upper bounds: a reached module need not run for a vote.
- *Climbs* are imports from a layer into a higher one, of all `layers` contracts in .importlinter.
- A resource write *reaches* modules of `migrations_app.engine.serving` from `writing`, without leaving that package.
- *Wide folders* have more than 25 modules side by side, `__init__` not counted; those of the front end with tests.
- A module of adapters *fills no port* when it imports nothing of ports and wiring imports no class of it.
- *Class names* are those of public classes at the top of a module, `Command` of Django left out.
- *Comparisons* are those of the `code` of a caught error with a string, or a named or written tuple or set of strings.
- *Refused words* (refused_words.txt) count where they are the whole name of a module, class, function, field of a
  class, or error code.
- *Declarations* of what goes over the wire: serializers of DRF, Structs of msgspec in control and web, and object
  types in frontend/src/wire that are written by hand. The goal is Structs alone.
- *Hand-chosen answer types*: calls of the API in frontend/src whose answer is not typed by the OpenAPI: with a type
  argument, with a cast, or by `fetch` past src/api/client.ts.
- *Paths under conformance* are those of /api/v1 whose operations all are requested in tests/integration/conformance.
- *Files for one field* name `last_approver_may_run`, a field of approval policies.
- *Lines of tests* of the front end are those of its unit tests and of what they share; *lines with behaviour* are those of
  modules whose syntax tree has a condition, a loop, a hook, a handler, a calculation or a class. Generated types do not
  count, nor do lines that are blank, a comment or part of an import (frontend/scripts/behaviour.mjs).
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

import django

from tests.structure import front_end, words
from tests.structure.modules import (
    APP,
    climbs,
    modules,
    portless_adapters,
    reach,
    repeated_classes,
    wide_folders,
)

VOTE = f"{APP}.control.approvals.commands.cast_vote"
WRITE = f"{APP}.engine.serving.writing"
MOST_MODULES = 25
MACHINES = 9
LEAST_TESTS = 0.5


@dataclass(frozen=True)
class Measure:
    """One row: what is counted, the value, whether the goal is reached, and what was counted, by name."""

    what: str
    value: str
    goal: str
    is_reached: bool
    names: Sequence[str] = ()


def at_most(what: str, names: Sequence[str], most: int) -> Measure:
    """Measure what shall be few."""
    goal = f"<= {most}" if most else "0"
    return Measure(what, str(len(names)), goal, len(names) <= most, names)


def measures() -> list[Measure]:
    """Measure everything."""
    return [
        measure for part in (_reached, _modules, _words, _wire, _front_end, _wiring) for measure in part()
    ]


def _reached() -> list[Measure]:
    control = reach(VOTE, lambda name: name.startswith(f"{APP}.control."))
    commands = sorted(name for name in control if ".commands" in name)
    serving = sorted(reach(WRITE, lambda name: name.startswith(f"{APP}.engine.serving.")))
    return [
        at_most("modules of control that cast_vote reaches", sorted(control), 12),
        at_most("of these, commands", commands, 12),
        at_most("climbs, in all layers", [f"{low} -> {high}" for low, high in climbs()], 0),
        at_most("modules that a resource write reaches in engine.serving", serving, 8),
        at_most("files for one field of an approval policy", words.files_with_a_policy_field(), 10),
    ]


def _modules() -> list[Measure]:
    wide = [f"{folder}: {count}" for folder, count in wide_folders(MOST_MODULES).items()]
    repeated = [f"{name}: {', '.join(where)}" for name, where in repeated_classes().items()]
    return [
        at_most(f"folders with more than {MOST_MODULES} modules", wide, 0),
        at_most("modules in adapters that fill no port", portless_adapters(), 0),
        at_most("class names used more than once", repeated, 5),
    ]


def _words() -> list[Measure]:
    tables, diagrams = words.state_machines()
    has_all = tables == diagrams == MACHINES
    return [
        at_most("comparisons of error.code with literals", words.code_comparisons(), 0),
        Measure(
            "state machines with a table, and a diagram",
            f"{tables}, {diagrams}",
            f"{MACHINES}, {MACHINES}",
            has_all,
        ),
        at_most("refused words as identifiers", words.refused_identifiers(), 0),
    ]


def _wire() -> list[Measure]:
    structs, paths = words.structs(), paths_under_conformance()
    covered = [path for path, is_covered in paths.items() if is_covered]
    missing = [path for path, is_covered in paths.items() if not is_covered]
    return [
        at_most("wire declarations: serializers", words.serializers(), 0),
        Measure("wire declarations: Structs", str(len(structs)), "> 0", bool(structs), structs),
        at_most("wire declarations: types of the front end", front_end.hand_written_types(), 0),
        Measure(
            "paths under response conformance", f"{len(covered)} of {len(paths)}", "all", not missing, missing
        ),
    ]


def _front_end() -> list[Measure]:
    wide = [f"{folder}: {count}" for folder, count in front_end.wide_folders(MOST_MODULES).items()]
    tests = front_end.tests_per_line()
    return [
        at_most(f"front end: folders with more than {MOST_MODULES} modules", wide, 0),
        at_most("front end: calls with hand-chosen answer types", front_end.chosen_answers(), 0),
        at_most("front end: upward imports", front_end.upward_imports(), 0),
        at_most("front end: files in import cycles", front_end.cycles(), 0),
        at_most("front end: hand-made tables", front_end.hand_made_tables(), 0),
        at_most("front end: forms without the form library", front_end.hand_made_forms(), 0),
        at_most(f"front end: lines > {front_end.LONGEST} characters", front_end.long_lines(), 0),
        Measure(
            "front end: lines of tests for a line with behaviour",
            f"{tests:.2f}",
            f">= {LEAST_TESTS}",
            tests >= LEAST_TESTS,
        ),
    ]


def _wiring() -> list[Measure]:
    found = {name: each.lines for name, each in modules().items() if name.startswith(f"{APP}.wiring")}
    sizes = sorted((f"{lines} {name}" for name, lines in found.items()), reverse=True)
    return [
        Measure(
            "wiring: modules, longest",
            f"{len(found)}, {max(found.values())}",
            "<= 150",
            max(found.values()) <= 150,
            sizes,
        )
    ]


def paths_under_conformance() -> dict[str, bool]:
    """Tell of every path of /api/v1 whether all of its operations are requested and compared."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    django.setup()
    from tests.integration.conformance.openapi import declared
    from tests.integration.conformance.operations import CONTROL, DATA, OWN

    requested = {*OWN, *DATA, *CONTROL}
    paths: dict[str, bool] = {}
    for operation in sorted(declared()):
        path = operation.partition(" ")[2]
        paths[path] = paths.get(path, True) and operation in requested
    return paths


def written(found: Sequence[Measure], *, names: bool = False) -> str:
    """Write the table, with what was counted where the goal is not reached and names are asked for."""
    wide = max(len(each.what) for each in found)
    rows = [f"{'measure':<{wide}}  {'now':>11}  {'goal':>7}"]
    for each in found:
        rows.append(
            f"{each.what:<{wide}}  {each.value:>11}  {each.goal:>7}  {'' if each.is_reached else 'not reached'}".rstrip()
        )
        if names and not each.is_reached:
            rows += [f"    {name}" for name in each.names]
    return "\n".join(rows)

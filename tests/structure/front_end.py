"""The imports and lines of the front end; eslint and prettier hold the same in `make test STAGES=front-end`."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import bootstrap
from tests.structure.modules import ROOT

SOURCE = ROOT / "frontend/src"
GENERATED = SOURCE / "wire/schema.ts"
LONGEST = 140
IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']*)["']""")
TYPES_ALONE = re.compile(r"^(?:import|export) type [^;]*;", re.MULTILINE)
CLIENT = SOURCE / "api/client.ts"
CHOSEN_ANSWER = re.compile(
    r"""\b(?:send|get|read|write|rehearse)(?:\.\w+)?<[^<>\n]*(?:<[^<>\n]*>[^<>\n]*)*>\("""
    r"""|(?<![\w."'`])fetch\("""
    r"""|\bawait (?:read|write|rehearse)(?:\.\w+)?\([^;]*?\)\s*as\b(?! const)"""
)
"""A call whose answer has a type that was chosen where it is called, or none: not that of the OpenAPI."""
DECLARATION = re.compile(r"^export (?:interface (\w+)|type (\w+) = \{)", re.MULTILINE)


@cache
def imports(*, types: bool = True) -> dict[Path, frozenset[Path]]:
    """Give for each file of the front end the files that it imports, for types alone too; tests are not among them."""
    files = [
        path
        for path in sorted(SOURCE.rglob("*.ts*"))
        if ".test." not in path.name and "test" not in path.parts
    ]
    return {path: frozenset(_targets(path, types=types)) for path in files}


def layers() -> list[str]:
    """Read the layers from eslint.config.js, lowest first."""
    text = (ROOT / "frontend/eslint.config.js").read_text()
    match = re.search(r"const LAYERS = \[([^\]]*)\]", text)
    assert match, "eslint.config.js names no LAYERS"
    return re.findall(r'"(\w+)"', match[1])


def upward_imports() -> list[str]:
    """List the imports from a layer into a higher one."""
    order = {layer: at for at, layer in enumerate(layers())}
    return sorted(
        f"{path.relative_to(SOURCE)} -> {target.relative_to(SOURCE)}"
        for path, targets in imports().items()
        for target in targets
        if (low := _layer(path, order)) is not None
        and (high := _layer(target, order)) is not None
        and low < high
    )


def cycles() -> list[str]:
    """List the files that import themselves through others; imports of types alone make no cycle, as for eslint."""
    return sorted(str(path.relative_to(SOURCE)) for path in imports(types=False) if path in _reach(path))


def long_lines() -> list[str]:
    """List the lines that are longer than 140 characters; the generated types do not count."""
    return [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in sorted(SOURCE.rglob("*.ts*"))
        if path != GENERATED
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > LONGEST
    ]


def wide_folders(most: int) -> dict[str, int]:
    """Count the modules side by side, tests too, in each folder that has more than so many."""
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in SOURCE.rglob("*.ts*"))
    return {folder: count for folder, count in sorted(counts.items()) if count > most}


def hand_made_tables() -> list[str]:
    """List the tables that are written as JSX: parts/tables makes the tables of all pages."""
    return _elements("table")


def hand_made_forms() -> list[str]:
    """List the forms that are written as JSX: parts/forms makes the forms of all pages, by the form library."""
    return _elements("form")


def hand_written_types() -> list[str]:
    """List the object types in src/wire that are written by hand."""
    return [
        first or second
        for path in sorted((SOURCE / "wire").glob("*.ts"))
        if path != GENERATED
        for first, second in DECLARATION.findall(path.read_text())
    ]


def tests_per_line() -> float:
    """Give the lines of tests for each line of a module with behaviour; `frontend/scripts/behaviour.mjs` says what that is."""
    npm = bootstrap.node()
    if not (ROOT / "frontend/node_modules/typescript").exists():
        subprocess.run([*npm, "ci"], cwd=ROOT / "frontend", capture_output=True, check=True)
    done = subprocess.run(
        ["node", "scripts/behaviour.mjs"], cwd=ROOT / "frontend", capture_output=True, text=True, check=True
    )
    counted = json.loads(done.stdout)
    return float(counted["tests"] / counted["code"])


def chosen_answers() -> list[str]:
    """List the calls of the API whose answer has a type that was chosen where it is called."""
    return [
        f"{path.relative_to(SOURCE)}:{text.count(chr(10), 0, match.start()) + 1}"
        for path in imports()
        if path != CLIENT
        for text in (path.read_text(),)
        for match in CHOSEN_ANSWER.finditer(text)
    ]


def _targets(path: Path, *, types: bool) -> list[Path]:
    text = path.read_text()
    found = []
    for name in IMPORT.findall(text if types else TYPES_ALONE.sub("", text)):
        base = (path.parent / name).resolve()
        for candidate in (
            base,
            *(Path(f"{base}{end}") for end in (".ts", ".tsx", "/index.ts", "/index.tsx")),
        ):
            if candidate.is_file() and candidate.suffix in (".ts", ".tsx"):
                found.append(candidate)
                break
    return found


def _reach(path: Path) -> set[Path]:
    reached: set[Path] = set()
    pending = [*imports(types=False)[path]]
    while pending:
        file = pending.pop()
        if file not in reached:
            reached.add(file)
            pending.extend(imports(types=False).get(file, ()))
    return reached


def _layer(path: Path, order: dict[str, int]) -> int | None:
    parts = path.relative_to(SOURCE).parts
    return order.get(parts[0]) if len(parts) > 1 else len(order)


def _elements(name: str) -> list[str]:
    """List the elements of JSX with a name, by file and line, without tests and the folder of parts that makes them."""
    opening = re.compile(rf"<{name}(?=[\s>]|$)")
    return [
        f"{path.relative_to(SOURCE)}:{number}"
        for path in sorted(SOURCE.rglob("*.tsx"))
        if ".test." not in path.name and path.parent != SOURCE / f"parts/{name}s"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if opening.search(line)
    ]

"""The pages of docs/reference that are written from the code, so that they cannot lie."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import typer

from console.cli.application import app
from console.cli.exit_codes import EXIT_CODES
from console.env import HOME, ROOT, Env
from console.generated_pages.server_texts import CATALOGUE, server_catalogue
from console.generated_pages.state_machines_page import state_machines_page
from console.generated_pages.versioning_page import versioning_page
from migrations_app.domain.registry.changes import CHANGE_RULES
from migrations_app.domain.registry.rules import RULES
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.web.violations import Reason

FOLDER = ROOT / "docs" / "reference"
ERROR_CODES = Path(__file__).with_name("error_codes.txt")
_CODE = re.compile(r'code(?:="| = ")([a-z0-9][a-z0-9-]*)"')


def _default(value: object) -> str:
    if value == HOME:
        return "`.switchyard`"
    if not isinstance(value, bool) and value in ("", 0, MISSING, ()):
        return "–"
    if isinstance(value, tuple):
        return f"`{','.join(value)}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def settings_page() -> str:
    """Describe every setting: one row a variable."""
    rows = [
        f"| `{each.metadata['name']}` | {_default(each.default)} | {each.metadata['doc']} |"
        for each in fields(Env)
    ]
    return "\n".join(
        [
            "# Settings",
            "",
            "Every setting is an environment variable, read once at start by `console/env.py`. A wrong value",
            "stops the process with a sentence that names it. This page is written by `make reference`.",
            "",
            "Each variable may be given as a file instead: `<variable>_FILE` holds its path, such as",
            "`SWITCHYARD_SECRET_KEY_FILE=/run/secrets/secret_key`. The variable itself goes before the file.",
            "",
            "| variable | default | what it is |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _branches(kind: type[SwitchyardError], depth: int = 0) -> list[str]:
    doc = (kind.__doc__ or "").strip().splitlines()[0]
    lines = [f"{'  ' * depth}- **{kind.__name__}** (`{kind.default_code}`): {doc}"]
    for branch in kind.__subclasses__():
        if branch.__module__ == SwitchyardError.__module__:
            lines += _branches(branch, depth + 1)
    return lines


def error_codes() -> list[str]:
    """Find every stable error code in the code."""
    sources = (ROOT / "migrations_app").rglob("*.py")
    return sorted({code for path in sources for code in _CODE.findall(path.read_text())})


def explained_codes() -> dict[str, tuple[str, str]]:
    """Read the cause and the remedy of each error code: a line each, `code | cause | remedy`."""
    lines = [line.split(" | ") for line in ERROR_CODES.read_text().splitlines()]
    return {code: (cause, remedy) for code, cause, remedy in lines}


def errors_page() -> str:
    """Describe the error tree, and every code with its cause and remedy."""
    explained = explained_codes()
    return "\n".join(
        [
            "# Errors",
            "",
            "Every error says what, where and what to do. Its kind says what to do next; its `code` is stable, so",
            "programs may rely on it. This page is written by `make reference`.",
            "",
            *_branches(SwitchyardError),
            "",
            "## Codes",
            "",
            "The message and the remedy of a refusal name the things concerned; here they are in general. Codes that begin",
            "with `guard-` name a [readiness check](../explanation/the-switch.md) that fails; codes of breached rules of the registry are",
            "in [their own table](registry-rules.md).",
            "",
            "| code | cause | remedy |",
            "|---|---|---|",
            *(_row(code, *explained.get(code, ("", ""))) for code in error_codes()),
            "",
            "## Violations",
            "",
            "`errors` of a refused request names every field that is wrong: its place in the body (`path`), a message,",
            "what mends it (`remedy`) and the reason as a `code`. Those of a field that breaks its declaration are:",
            "",
            *(f"- `{reason.value}`" for reason in Reason),
            "",
        ]
    )


def _row(code: str, cause: str, remedy: str) -> str:
    texts = (text.replace("|", r"\|").replace("<", "&lt;") for text in (cause, remedy))
    return f"| `{code}` | {' | '.join(texts)} |"


def rules_page() -> str:
    """List the rules of the registry, as the code checks them."""
    rows = [*((rule.name, rule.sentence) for rule in RULES), *CHANGE_RULES.items()]
    return "\n".join(
        [
            "# Rules of the registry",
            "",
            "Checked in one place (`migrations_app/domain/registry/`) for the Meta API, the console's API, the",
            "command line and applied folders alike. A refusal carries the rule's name as its code (`reason` in the",
            "Meta API). A change is refused for the breaches it brings, never for those that were there before it.",
            "This page is written by `make reference`.",
            "",
            "| rule | sentence |",
            "|---|---|",
            *(f"| `{name}` | {sentence} |" for name, sentence in rows),
            "",
        ]
    )


def cli_page() -> str:
    """Describe every command of `swy`."""
    lines = [
        "# The command line",
        "",
        "`swy` speaks the REST API of a running console. Tables on a terminal, JSON lines otherwise, `-o` chooses.",
        "`SWITCHYARD_URL` and `SWITCHYARD_TOKEN` go before what `swy login` kept. A file is named, or `-` for standard",
        "input. This page is written by `make reference`.",
        "",
        "| exit code | meaning |",
        "|---|---|",
        *(f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items()),
        "",
    ]
    lines += _commands(typer.main.get_command(app), "swy")
    return "\n".join([*lines, ""])


def _commands(command: Any, name: str) -> list[str]:
    lines: list[str] = []
    inner = _inner(command)
    if not inner or command.callback is not None:
        usage = " ".join([name, *(_parameter(each) for each in command.params if each.name != "help")])
        lines += [f"- `{usage}`: {(command.help or '').strip().splitlines()[0] if command.help else ''}"]
    for each in sorted(inner):
        lines += _commands(inner[each], f"{name} {each}")
    return lines


def _inner(command: Any) -> dict[str, Any]:
    if not hasattr(command, "list_commands"):
        return {}
    context = typer.Context(command)
    return {name: command.get_command(context, name) for name in command.list_commands(context)}


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    flag = max(parameter.opts, key=len)
    shown = flag if getattr(parameter, "is_flag", False) else f"{flag} …"
    return shown if parameter.required else f"[{shown}]"


def pages() -> dict[Path, str]:
    """Write every generated page; a test holds the committed ones against this."""
    return {
        FOLDER / "settings.md": settings_page(),
        FOLDER / "errors.md": errors_page(),
        FOLDER / "registry-rules.md": rules_page(),
        FOLDER / "cli.md": cli_page(),
        FOLDER / "state-machines.md": state_machines_page(),
        FOLDER / "versioning-metadata.md": versioning_page(),
        CATALOGUE: server_catalogue(),
    }

"""The pages of docs/reference that are written from the code, so that they cannot lie."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from pathlib import Path

from console.env import HOME, ROOT, Env
from migrations_app.kernel.errors import SwitchyardError

FOLDER = ROOT / "docs" / "reference"
_CODE = re.compile(r'code="([a-z0-9][a-z0-9-]*)"')


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


def errors_page() -> str:
    """Describe the error tree and list every code."""
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
            *(f"- `{code}`" for code in error_codes()),
            "",
        ]
    )


def pages() -> dict[Path, str]:
    """Write every generated page; a test holds the committed ones against this."""
    return {FOLDER / "settings.md": settings_page(), FOLDER / "errors.md": errors_page()}

"""What `swy` brings along before it does anything."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
import typer

from console.cli.application import app
from console.cli.command_table import COMMANDS, VERSION
from console.env import ROOT

LIBRARIES = ("typer", "click", "rich", "httpx", "yaml", "msgspec", "django", "migrations_app")
SCRIPT = "import sys; from console.cli.main import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"


def modules_of(*words: str) -> tuple[str, set[str]]:
    """Run `swy` in a process of its own; give what it printed, and the packages that it imported."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], check=True, capture_output=True, text=True, cwd=ROOT
    )
    return done.stdout, {*done.stderr.split()}


@pytest.mark.parametrize("word", ["--help", "--version"])
def test_the_help_and_the_version_import_no_library_and_no_command(word: str) -> None:
    printed, modules = modules_of(word)
    assert printed.startswith(f"swy {VERSION}\n" if word == "--version" else "Usage: swy ")
    assert [name for name in modules if name.partition(".")[0] in LIBRARIES] == []
    assert {name for name in modules if name.startswith("console.")} == {
        "console.cli",
        "console.cli.main",
        "console.cli.command_table",
        "console.cli.exit_codes",
    }


def test_a_command_imports_its_own_module_and_no_machinery_of_conversions() -> None:
    _, modules = modules_of("upgrade", "--help")
    assert "console.cli.upgrades.upgrade" in modules
    assert [name for name in modules if name.startswith(("migrations_app.domain", "django"))] == []
    assert {"console.cli.schema", "console.cli.registry", "console.cli.ledger"} & modules == set()


def test_the_table_says_of_each_command_what_the_command_says() -> None:
    group = typer.main.get_command(app)
    context = typer.Context(group)
    said = {name: group.get_command(context, name).help.splitlines()[0] for name in COMMANDS}  # type: ignore[attr-defined]
    assert said == {name: entry.summary for name, entry in COMMANDS.items()}


def test_the_version_is_that_of_the_product() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == VERSION

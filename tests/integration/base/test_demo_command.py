"""`swy demo`: it hands on what it was asked for, and what the demo came to."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.cli import looking
from tests.swy import Swy

SCRIPT = "import json, sys; print(json.dumps(sys.argv[1:])); sys.exit(3)"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that takes the place of the checkout."""
    monkeypatch.setattr(looking, "ROOT", tmp_path)
    return tmp_path


def test_the_demo_runs_from_a_checkout_with_what_was_asked_for(
    checkout: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (checkout / "console").mkdir()
    (checkout / "console" / "__init__.py").touch()
    (checkout / "console" / "manage.py").write_text(SCRIPT)
    done = Swy("http://localhost:1", "swy_none").run("demo", "--resources", "40", "--json", "report.json")
    assert done.returncode == 3
    assert capfd.readouterr().out == (
        '["demo", "--example", "cloud-tasks", "--resources", "40", "--writes-per-second", "200.0",'
        ' "--json", "report.json"]\n'
    )


@pytest.mark.usefixtures("checkout")
def test_without_a_checkout_it_says_where_to_run_it() -> None:
    done = Swy("http://localhost:1", "swy_none").run("demo")
    assert (done.returncode, "run `make demo` in a clone" in done.stdout) == (1, True)

"""What `swy` prints where no terminal is: nothing is cut."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from console.cli.files import read_text
from console.cli.output import Form, errors, screen, show


def test_a_table_that_is_not_on_a_terminal_is_as_wide_as_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    long = "services/" + "audit.example.com/" * 12 + "end"
    show(
        [{"name": long, "is_open": True}, {"name": "b", "is_open": False}],
        ("name", "is_open"),
        Form.TABLE,
        "name",
    )
    assert capsys.readouterr().out.splitlines() == [
        f"{'name':<{len(long)}}  is open",
        f"{long}  yes",
        "b",
    ]


def test_standard_input_is_read_where_a_file_is_named_by_a_dash(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x").write_text("of the file")
    monkeypatch.setattr("sys.stdin", io.StringIO("of the input"))
    assert (read_text(Path("-")), read_text(tmp_path / "x")) == ("of the input", "of the file")


def test_sentences_go_to_the_stream_that_they_are_for(capsys: pytest.CaptureFixture[str]) -> None:
    screen.print("Done.")
    errors.print("Refused: [x]", markup=False)
    assert capsys.readouterr() == ("Done.\n", "Refused: [x]\n")
    assert isinstance(screen.console, Console)


def test_on_a_narrow_terminal_the_name_stays_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = io.StringIO()
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(
        "console.cli.output.console_of", lambda stderr: Console(file=drawn, width=60, soft_wrap=True)
    )
    row = {
        "service": "secrets.example.com",
        "region": "us-west2",
        "sentence": "serves v1alpha2; v1 is available " * 3,
    }
    show([row], ("service", "region", "sentence"), Form.TABLE, "service")
    lines = drawn.getvalue().splitlines()
    assert sum("secrets.example.com" in line for line in lines) == 1
    assert max(map(len, lines)) <= 60
    assert "available" in drawn.getvalue()

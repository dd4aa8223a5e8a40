"""Comparing the benchmarks of two commits: which figures belong together, and their ratios."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import against


def test_figures_are_compared_where_the_text_around_them_is_the_same() -> None:
    before = ["copied 1_000 rows in 2.0 s (v1)\nonly before 7\n", "copied 1_000 rows in 4.0 s (v1)\n"]
    after = ["copied 1_000 rows in 1.5 s (v1)\nonly after 7\n"]
    assert against.ratios(before, after) == ["copied = rows in ×0.50 s (v1)"]


def test_a_line_that_comes_again_is_compared_with_its_counterpart() -> None:
    before, after = (
        '{"seconds": 2}\n"seconds": 10,\n"seconds": 0,\n',
        '{"seconds": 3}\n"seconds": 5,\n"seconds": 4,\n',
    )
    ratios = [line.rstrip() for line in against.ratios([before], [after])]
    assert ratios == ['("seconds": ×1.50)', '"seconds": ×0.50', '"seconds": from 0']


def test_outputs_without_figures_are_said_to_have_none() -> None:
    assert against.ratios(["done\n"], ["done\n"]) == ["nothing that both print has figures"]


def test_a_commit_is_measured_in_a_checkout_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def git(*words: str) -> None:
        identity = ["-c", "user.name=ann", "-c", "user.email=ann@example.com"]
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--quiet")
    program = tmp_path / "benchmarks" / "__main__.py"
    program.parent.mkdir()
    for seconds in ("4.0", "2.0"):
        program.write_text(f"import sys\nprint(sys.argv[1], 'took {seconds} s')\n")
        git("add", ".")
        git("commit", "--quiet", "-m", seconds)
    monkeypatch.setattr(against, "ROOT", tmp_path)
    assert against.compare(["copying"], [], "HEAD~1", rounds=2)
    assert capfd.readouterr().out.splitlines()[-1] == "copying took ×0.50 s"
    listed = subprocess.run(
        ["git", "worktree", "list"], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert len(listed.stdout.splitlines()) == 1

"""How `swy` is called: other words for its commands, wrong words, and a console that is not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.cli.exit_codes import FAILED, USAGE
from tests.processes import free_port
from tests.swy import Done, Swy


@pytest.fixture(autouse=True)
def no_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "switchyard" / "credentials.json"


def run(*words: str, url: str = "") -> Done:
    return Swy(url or f"http://127.0.0.1:{free_port()}", "swy_x").run(*words)


@pytest.mark.parametrize(
    "words",
    [
        ["upgrade", "get", "--help"],
        ["upgrades", "show", "--help"],
        ["rollouts", "get", "--help"],
        ["regions", "show", "--help"],
        ["deployment", "list", "--help"],
        ["deployment", "show", "--help"],
        ["services", "waive", "--help"],
        ["token", "create", "--help"],
        ["approvals", "list", "--help"],
        ["policy", "remove", "--help"],
    ],
)
def test_one_verb_works_for_every_noun(words: list[str]) -> None:
    done = run(*words)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "noun", ["approvals", "audit", "emergencies", "fleet", "policies", "tokens", "windows"]
)
def test_a_noun_that_lists_by_itself_takes_the_word(noun: str) -> None:
    done = run(noun, "list")

    assert done.returncode == FAILED
    assert "does not answer" in done.stderr


def test_the_help_shows_the_words_of_a_noun_alone() -> None:
    shown = run("deployment", "--help").stdout

    assert "switch" in shown
    assert "watch" not in shown


@pytest.mark.parametrize(
    ("words", "meant"),
    [(["upgade", "list"], "upgrade"), (["approvls"], "approvals"), (["upgrade", "shw"], "show")],
)
def test_a_wrong_word_names_the_near_one(words: list[str], meant: str) -> None:
    done = run(*words)

    assert done.returncode == USAGE
    assert f"Did you mean '{meant}'?" in done.stderr
    assert "swy" in done.stderr.splitlines()[0]
    assert "python" not in done.stderr


def test_a_word_that_is_near_none_leads_to_the_help() -> None:
    done = run("frobnicate")

    assert done.returncode == USAGE
    assert "`swy --help` lists them" in done.stderr


def test_a_console_that_is_not_there_is_named_with_what_to_do() -> None:
    done = run("upgrade", "list")

    assert done.returncode == FAILED
    assert "does not answer" in done.stderr
    assert "See whether it runs, or name another one: `swy login URL`, or SWITCHYARD_URL." in done.stderr


@pytest.mark.parametrize("url", ["ftp://x", "nonsense", "http://"])
def test_an_address_that_is_none_is_named_with_where_it_stands(url: str) -> None:
    done = run("whoami", url=url)

    assert done.returncode == USAGE
    assert f"SWITCHYARD_URL: '{url}' is no address of a console." in done.stderr


def test_kept_credentials_that_cannot_be_read_are_named(no_credentials: Path) -> None:
    no_credentials.parent.mkdir()
    no_credentials.write_text("{bad")

    done = run("whoami")

    assert done.returncode == USAGE
    assert f"{no_credentials} cannot be read. Use `swy login`, which writes it again." in done.stderr

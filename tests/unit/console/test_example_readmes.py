"""Every example says its story, and its commands: each is one of `swy`, and the data that it makes can be made."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from console.cli.application import app
from console.cli.sample_data import SampleData, named_in_every_version
from console.env import ROOT
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.schema.folder import read_folder

EXAMPLES = ROOT / "examples"
FOLDERS = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")
COMMANDS: Any = typer.main.get_command(app)
MADE = 60


def readme(folder: str) -> str:
    return (EXAMPLES / folder / "README.md").read_text()


def commands(folder: str) -> Iterator[list[str]]:
    """Give the commands of a page, without `swy`."""
    for block in re.findall(r"```sh\n(.*?)```", readme(folder), re.DOTALL):
        for line in block.splitlines():
            program, *arguments = shlex.split(line, comments=True)
            assert program == "swy", line
            yield arguments


def context_of(arguments: list[str]) -> typer.Context:
    """Parse a command as `swy` does, without running it."""
    command, context, name = COMMANDS, typer.Context(COMMANDS, info_name="swy"), "swy"
    while hasattr(command, "list_commands") and arguments:
        name, *arguments = arguments
        command = command.get_command(context, name)
        assert command is not None, name
        if hasattr(command, "list_commands"):
            context = typer.Context(command, parent=context, info_name=name)
    return command.make_context(name, arguments, parent=context)


@pytest.mark.parametrize("folder", FOLDERS)
def test_an_example_has_a_story_data_and_what_to_look_at(folder: str) -> None:
    text = readme(folder)
    assert re.findall(r"(?m)^## (.+)$", text) == ["Story", "Data", "Look at"]
    local = [link for link in LINK.findall(text) if "://" not in link]
    assert [link for link in local if not (EXAMPLES / folder / link).exists()] == []
    assert f"({folder}/README.md)" in (EXAMPLES / "README.md").read_text()


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_commands_of_an_example_are_commands_of_swy(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = [context_of(arguments) for arguments in commands(folder)]
    assert len(found) >= 2


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_data_of_an_example_can_be_made(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    generated = [
        context_of(arguments).params
        for arguments in commands(folder)
        if arguments[:2] == ["data", "generate"]
    ]
    assert generated
    for asked in generated:
        service = read_folder(Path(asked["folder"]))
        version = asked["version"] or next(iter(service.schemas))
        fits = named_in_every_version(service, version)
        data = SampleData(service.schemas[version], asked["seed"], asked["region"], asked["under"], fits)
        wanted = tuple(name for name in asked["types"].split(",") if name)
        made = list(data.samples(MADE, wanted))
        assert len(made) == MADE, asked
        assert len({sample.name for sample in made}) == MADE, asked


def test_what_is_made_has_a_name_in_the_versions_that_it_converts_to() -> None:
    """Of delivery the first letters of an id and the kind, which are chosen apart, decide the name in v2 together."""
    service = read_folder(ROOT / "examples/delivery")
    to_v2 = compile_service(service).typed("v1", "v2")
    data = SampleData(service.schemas["v1"], 1, "eu-west1", "", named_in_every_version(service, "v1"))
    made = list(data.samples(MADE, ("Target",)))
    assert len(made) == MADE
    names = [to_v2.forward(each.type, each.name, each.document).name for each in made]
    assert {name.split("/")[2] for name in names} == {"httpTargets", "queueTargets"}

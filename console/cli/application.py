"""The application that Typer runs: each command is imported when it is called."""

from __future__ import annotations

import importlib
from copy import copy
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from console.cli.client import ConsoleProblem, problem_of
from console.cli.command_table import COMMANDS, OTHER_NOUN, OTHER_VERB, PAIRS, VERSION
from console.cli.exit_codes import FAILED, OK, USAGE
from console.cli.output import errors, use_local_times
from switchyard_client.errors import ClientError


class VerbGroup(TyperGroup):
    """The verbs of a noun, also by the words that other nouns have for them."""

    def get_command(self, context: Any, name: str) -> Any:
        """Find a command by its name, or by another word for it."""
        found = super().get_command(context, name)
        return found or super().get_command(context, OTHER_VERB.get(name, name))

    def parse_args(self, context: Any, args: list[str]) -> list[str]:
        """Take `list` as the noun alone, where that lists."""
        lists_alone = self.invoke_without_command and super().get_command(context, "list") is None
        if lists_alone and args[:1] == ["list"]:
            args = args[1:]
        return super().parse_args(context, args)


def nearest(name: str, names: list[str]) -> str:
    """Name the command that was meant; empty where none is near."""
    return next(iter(get_close_matches(name, names, 1)), "")


def copy_hidden(command: Any) -> Any:
    """Give a command that the help leaves out."""
    hidden = copy(command)
    hidden.hidden = True
    return hidden


class LazyGroup(TyperGroup):
    """The commands of the table, of which the one that is called is imported."""

    def list_commands(self, context: Any) -> list[str]:
        """Name all of them, imported or not."""
        return [*COMMANDS]

    def get_command(self, context: Any, name: str) -> Any:
        """Import a command; a noun that has none of its own is found in the other number."""
        name = OTHER_NOUN.get(name, name)
        if name not in COMMANDS:
            return None
        command, other = self._imported(context, name), PAIRS.get(name)
        if other is not None:
            # Hidden: the help of each shows what is its own.
            for verb, each in self._imported(context, other).commands.items():
                if command.get_command(context, verb) is None:
                    command.add_command(copy_hidden(each), verb)
        return command

    def resolve_command(self, context: Any, args: list[str]) -> Any:
        """Find the command that is called; name the nearest one for a word that is none."""
        name = args[0]
        if self.get_command(context, name) is None and not name.startswith("-"):
            near = nearest(name, [*COMMANDS, *OTHER_NOUN])
            meant = f" Did you mean '{near}'?" if near else " `swy --help` lists them."
            context.fail(f"No such command '{name}'.{meant}")
        return super().resolve_command(context, args)

    def _imported(self, context: Any, name: str) -> Any:
        entry = COMMANDS[name]
        found = getattr(importlib.import_module(f"console.cli.{entry.module}"), entry.attribute)
        host = typer.Typer()
        host.callback()(_no_options)
        if isinstance(found, typer.Typer):
            cls = found.info.cls if isinstance(found.info.cls, type) else VerbGroup
            host.add_typer(found, name=name, cls=cls)
        else:
            host.command(name)(found)
        return typer.main.get_command(host).get_command(context, name)  # type: ignore[attr-defined]


def _no_options() -> None:
    """Make a group also of what has one command alone."""


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    help="The command line of Switchyard.",
    pretty_exceptions_enable=False,
)


def print_version(asked: bool) -> None:
    """Print the version, and end."""
    if asked:
        print(f"swy {VERSION}")
        raise typer.Exit(OK)


@app.callback()
def every_command(
    local: Annotated[bool, typer.Option("--local", help="Times of tables in this machine's zone.")] = False,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=print_version)
    ] = False,
) -> None:
    """The command line of Switchyard."""
    use_local_times(local)


def run() -> int:
    """Run the command of this process's arguments, and tell what it exits with."""
    try:
        return int(app(prog_name="swy", standalone_mode=False) or OK)
    except ConsoleProblem as problem:
        print_problem(problem)
        return problem.exit_code
    except ClientError as error:
        print_problem(problem_of(error))
        return problem_of(error).exit_code
    except typer.Abort:
        errors.print("Aborted.")
        return FAILED
    except Exception as error:
        # Typer's own refusals of arguments and options: each knows how to show itself.
        if not hasattr(error, "exit_code") or not hasattr(error, "show"):
            raise
        error.show()
        return USAGE


def print_problem(problem: ConsoleProblem) -> None:
    """Tell a refusal in its own words, with who can."""
    remedy = str(problem.body.get("remedy") or "")
    errors.print(str(problem) if remedy in str(problem) else f"{problem} {remedy}", markup=False)
    for violation in problem.body.get("errors") or ():
        errors.print(f"  {violation['path']}: {violation['message']}", markup=False)
    if problem.body.get("who_can"):
        errors.print("Who can: " + ", ".join(problem.body["who_can"]))

"""How `swy` shows things: tables for people, JSON lines for programs, or what `-o` asks for."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from rich.console import Console

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
_zone: dict[str, tzinfo | None] = {"of": UTC}


@cache
def console_of(stderr: bool) -> Console:
    """Give the console that draws on a stream; imported when something is drawn."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


class Screen:
    """A stream that sentences are printed to."""

    def __init__(self, *, stderr: bool) -> None:
        self._stderr = stderr

    @property
    def console(self) -> Console:
        """Give what draws bars and tables on it."""
        return console_of(self._stderr)

    def print(self, *texts: object, markup: bool = True) -> None:
        """Print texts; markup is read in those that are written with it."""
        self.console.print(*texts, markup=markup)

    def print_json(self, data: Any) -> None:
        """Print a value as JSON with colours."""
        self.console.print_json(data=data)


screen = Screen(stderr=False)
errors = Screen(stderr=True)


class Form(StrEnum):
    """The forms of `-o`."""

    TABLE = "table"
    JSON = "json"
    YAML = "yaml"
    NAME = "name"


def use_local_times(local: bool) -> None:
    """Show the times of tables in this machine's zone, or in UTC."""
    _zone["of"] = None if local else UTC


def people_look() -> bool:
    """Tell whether a person looks at a terminal that can draw."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def show(items: Sequence[Mapping[str, Any]], columns: Sequence[str], form: Form | None, key: str) -> None:
    """Show a list."""
    chosen = form or (Form.TABLE if sys.stdout.isatty() else Form.JSON)
    if chosen is Form.JSON:
        for item in items:
            print(json.dumps(item))
    elif chosen is Form.YAML:
        print(yaml.safe_dump([dict(item) for item in items], sort_keys=False), end="")
    elif chosen is Form.NAME:
        for item in items:
            print(item[key])
    else:
        _print_table(items, columns)


def _print_table(items: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> None:
    """Draw a table on a terminal; elsewhere write it as wide as it is, so that nothing is cut."""
    heads = [column.replace("_", " ") for column in columns]
    rows = [[in_words(item.get(column, "")) for column in columns] for item in items]
    if not sys.stdout.isatty():
        widths = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
        for row in (heads, *rows):
            print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for at, head in enumerate(heads):
        # A name that is broken cannot be copied: the other columns make room for it.
        table.add_column(head, overflow="fold", no_wrap=at == 0)
    for row in rows:
        table.add_row(*row)
    screen.print(table)


def show_one(item: Mapping[str, Any], form: Form | None, sentence: str, key: str = "id") -> None:
    """Show one thing: to people by its sentence, to programs whole."""
    chosen = form or (Form.TABLE if sys.stdout.isatty() else Form.JSON)
    if chosen is Form.TABLE:
        screen.print(sentence)
    elif chosen is Form.YAML:
        print(yaml.safe_dump(dict(item), sort_keys=False), end="")
    elif chosen is Form.NAME:
        print(item[key])
    else:
        print(json.dumps(item))


def in_words(value: Any) -> str:
    """Write a value as a table shows it."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, str) and _INSTANT.fullmatch(value):
        return f"{datetime.fromisoformat(value).astimezone(_zone['of']):%Y-%m-%d %H:%M:%S %Z}"
    return "" if value is None else str(value)

"""How `swy` shows things: tables for people, JSON lines for programs, or what `-o` asks for."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Any

import yaml
from rich.console import Console
from rich.table import Table

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
_zone: dict[str, tzinfo | None] = {"of": UTC}

screen = Console(highlight=False, soft_wrap=True)
errors = Console(stderr=True, highlight=False, soft_wrap=True)


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
        table = Table(box=None, pad_edge=False)
        for column in columns:
            table.add_column(column.replace("_", " "), overflow="fold")
        for item in items:
            table.add_row(*(in_words(item.get(column, "")) for column in columns))
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

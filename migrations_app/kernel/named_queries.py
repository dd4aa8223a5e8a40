"""Reads SQL files of named queries: `-- name: take` opens each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType


@cache
def named_queries(path: Path) -> Mapping[str, str]:
    """Give the queries of a file by their names."""
    found: dict[str, str] = {}
    for part in path.read_text().split("-- name: ")[1:]:
        name, _, query = part.partition("\n")
        found[name.strip()] = query.strip()
    return MappingProxyType(found)

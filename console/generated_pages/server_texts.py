"""The texts of the server that the console can word in other languages: found in the code, by their English form."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path

from console.env import ROOT
from migrations_app.kernel.messages import COUNT, SEVERAL, catalogued, counted, message

CATALOGUE = ROOT / "frontend" / "src" / "words" / "catalogues" / "server.json"
MODULE = message.__module__


def server_texts() -> list[str]:
    """Find the key of every message in the code, sorted.

    Raises: ValueError where a key is not written out.
    """
    sources = sorted((ROOT / "migrations_app").rglob("*.py"))
    return sorted({key for path in sources for key in keys_in(path, path.read_text())})


def keys_in(path: Path, source: str) -> Iterator[str]:
    """Find the keys of the messages in one module."""
    if MODULE not in source:
        return
    tree = ast.parse(source)
    names = {
        name.asname or name.name: name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == MODULE
        for name in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        called = names.get(node.func.id)
        if called in (message.__name__, catalogued.__name__):
            yield _literal(path, node.args[0])
        elif called == counted.__name__:
            yield SEVERAL.join(_literal(path, form) for form in node.args[1:3])


def _literal(path: Path, node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(
        f"{path}:{node.lineno}: a message is written out where it is made, with {{{COUNT}}} and other places."
    )


def server_catalogue() -> str:
    """Write the catalogue of these texts in English, each under its key."""
    return json.dumps({key: key for key in server_texts()}, indent=2, ensure_ascii=False) + "\n"

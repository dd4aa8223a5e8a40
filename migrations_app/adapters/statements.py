"""Reads the named SQL statements that lie in files beside their adapters."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import LiteralString

from psycopg import abc, sql

_MARK = "-- name: "


class Composed(sql.Composed):
    """A statement that is written out once."""

    _text: bytes | None = None

    def as_bytes(self, context: abc.AdaptContext | None = None) -> bytes:
        """Give the text; identifiers are written alike on every connection."""
        if self._text is None:
            self._text = super().as_bytes(context)
        return self._text


class Statements:
    """The statements of one file, each under the name in the `-- name: …` line above it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._texts: dict[str, LiteralString] = {}
        whole = path.read_text()
        self.digest = sha256(whole.encode()).hexdigest()[:16]
        for part in whole.split(_MARK)[1:]:
            name, _, text = part.partition("\n")
            self._texts[name.strip()] = text.strip().rstrip(";")
        self._composed: dict[tuple[str, tuple[tuple[str, str], ...]], sql.Composed] = {}

    def __call__(self, name: str, **identifiers: str) -> sql.Composed:
        """Compose a statement, filling its `{placeholders}` with quoted identifiers."""
        key = (name, tuple(identifiers.items()))
        found = self._composed.get(key)
        if found is None:
            parts = {label: sql.Identifier(value) for label, value in identifiers.items()}
            found = self._composed[key] = Composed(list(self.template(name).format(**parts)))
        return found

    def template(self, name: str) -> sql.SQL:
        """Give a statement whose placeholders the caller fills."""
        return sql.SQL(self._texts[name])

"""How pieces of SQL over jsonb are written."""

from __future__ import annotations

from collections.abc import Sequence

EMPTY = "'{}'::jsonb"


class NotPushable(Exception):
    """A part of the plan that SQL cannot do exactly."""


def lit(text: str) -> str:
    """Write a text literal; one with characters that jsonb or SQL cannot hold has no SQL."""
    if "\x00" in text or "\\" in text:
        raise NotPushable("a text that needs escapes")
    return "'" + text.replace("'", "''") + "'"


def keys_array(keys: Sequence[str]) -> str:
    """Write an array of keys."""
    return f"ARRAY[{', '.join(map(lit, keys))}]::text[]"


def path(source: str, keys: Sequence[str]) -> str:
    """Read a value by keys; SQL NULL when it is absent."""
    if any(key.lstrip("-").isdigit() for key in keys):
        raise NotPushable("a key that an array would take for a place")
    return f"({source} -> {' -> '.join(map(lit, keys))})"


def member(source: str, key: str) -> str:
    """Ask whether an object has a key."""
    return f"{source} ? {lit(key)}"


def present(value: str) -> str:
    """Ask whether a value is there; JSON null is."""
    return f"({value}) IS NOT NULL"


def concat(parts: Sequence[str]) -> str:
    """Lay objects over each other."""
    if len(parts) == 1:
        return parts[0]
    return f"({' || '.join(f'({part})' for part in parts)})"

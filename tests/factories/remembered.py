"""What a set-up writes to the control database, made once in this process and copied back for every further test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, transaction

Rows = dict[str, bytes]


@dataclass(frozen=True)
class Made:
    """The tables a set-up changed, as they were before and after it, and the data databases it named."""

    before: Rows
    after: Rows
    databases: Sequence[str]


_MADE: dict[str, Made] = {}


def remembered(what: str, databases: Sequence[str], make: Callable[[], None]) -> None:
    """Make a set-up; from the second time on copy its rows, which name the databases of now."""
    found, here = _MADE.get(what), _rows()
    if found is None or any(here[table] != rows for table, rows in found.before.items()):
        make()
        after = {table: rows for table, rows in _rows().items() if rows != here[table]}
        _MADE[what] = Made({table: here[table] for table in after}, after, databases)
        return
    _write(found.after, dict(zip(found.databases, databases, strict=True)))


def _rows() -> Rows:
    found = {}
    with connection.cursor() as cursor:
        for table in _tables():
            with cursor.copy(f'COPY "{table}" TO STDOUT') as copied:
                found[table] = b"".join(bytes(part) for part in copied)
    return found


def _write(rows: Rows, names: Mapping[str, str]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        # They were checked when they were made; sequences only ever go on.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, text in rows.items():
            for old, new in names.items():
                text = text.replace(old.encode(), new.encode())
            cursor.execute(f'DELETE FROM "{table}"')
            with cursor.copy(f'COPY "{table}" FROM STDIN') as copying:
                copying.write(text)


def _tables() -> list[str]:
    return sorted(model._meta.db_table for model in apps.get_app_config("switchyard").get_models())

"""What a set-up writes to the control database, made once in this process and copied back for every further test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, transaction
from django.db.models import AutoField

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
    found = _MADE.get(what)
    if found is not None:
        names = dict(zip(found.databases, databases, strict=True))
        if _rows(found.before) == _named(found.before, names):
            _write(_named(found.after, names))
            return
    here = _rows(_tables())
    make()
    after = {table: rows for table, rows in _rows(_tables()).items() if rows != here[table]}
    _MADE[what] = Made({table: here[table] for table in after}, after, databases)


def _rows(tables: Iterable[str]) -> Rows:
    found = {}
    with connection.cursor() as cursor:
        for table in tables:
            with cursor.copy(f'COPY "{table}" TO STDOUT') as copied:
                found[table] = b"".join(bytes(part) for part in copied)
    return found


def _named(rows: Rows, names: Mapping[str, str]) -> Rows:
    """Name the databases of now in the rows of earlier ones."""
    named = dict(rows)
    for old, new in names.items():
        named = {table: text.replace(old.encode(), new.encode()) for table, text in named.items()}
    return named


def _write(rows: Rows) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        # They were checked when they were made.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table, text in rows.items():
            cursor.execute(f'DELETE FROM "{table}"')
            with cursor.copy(f'COPY "{table}" FROM STDIN') as copying:
                copying.write(text)
        # A test of migrations may have made the table again since, with a sequence that begins at 1.
        for table, column in _numbered(rows):
            cursor.execute(
                f'SELECT setval(sequence, greatest(nextval(sequence), (SELECT max({column}) FROM "{table}"))) '
                f"FROM pg_get_serial_sequence('{table}', '{column}') sequence"
            )


def _numbered(tables: Iterable[str]) -> list[tuple[str, str]]:
    """List the tables whose keys come from a sequence, with the key's column."""
    keys = {model._meta.db_table: model._meta.pk for model in apps.get_app_config("switchyard").get_models()}
    found = [(table, keys[table]) for table in tables]
    return [(table, key.column) for table, key in found if isinstance(key, AutoField)]


def _tables() -> list[str]:
    return sorted(model._meta.db_table for model in apps.get_app_config("switchyard").get_models())

"""Copies the control tables that serving resources reads, where they changed, into a replica, as they were at one moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import IsolationLevel, sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Connection, Databases
from migrations_app.kernel.named_queries import named_queries
from migrations_app.ports.regions.registry_replica import ReplicaState

SQL = named_queries(Path(__file__).with_name("replica.sql"))
STATEMENT_SECONDS = 30
OVERTAKEN_SECONDS = 10.0
"""An older snapshot never replaces a newer one of the last seconds; later it does, as after a restored backup."""
_SESSION = (
    f"-c statement_timeout={STATEMENT_SECONDS}s -c default_transaction_read_only=on -c timezone=UTC"
    " -c idle_in_transaction_session_timeout=60s"
)
Column = tuple[str, str, bool]


SCHEMA = "switchyard_replica"


@dataclass(frozen=True, slots=True)
class ReplicatedTable:
    """A table; `where` selects its rows, `masked` columns are copied as an empty text."""

    where: str = ""
    masked: frozenset[str] = field(default_factory=frozenset)


_PREFIX = "switchyard_"
REPLICATED: Mapping[str, ReplicatedTable] = {
    f"{_PREFIX}{name}": table
    for name, table in {
        "region": ReplicatedTable(),
        "service": ReplicatedTable(),
        "servicedefinition": ReplicatedTable(),
        "serviceversion": ReplicatedTable(),
        "import": ReplicatedTable(),
        "deployment": ReplicatedTable(),
        "namespace": ReplicatedTable(),
        "preparednamespace": ReplicatedTable(),
        "resourcetype": ReplicatedTable(),
        "registryhead": ReplicatedTable(),
        # As many as a cache of the registry follows before it reads everything again.
        "registrychange": ReplicatedTable(
            "seq > (SELECT coalesce(max(seq), 0) - 1000 FROM switchyard_registrychange)"
        ),
        "upgrade": ReplicatedTable(),
        "eviction": ReplicatedTable(),
        "versionretirement": ReplicatedTable(),
        "brownout": ReplicatedTable(),
        "keystrategy": ReplicatedTable(),
        "fixturemark": ReplicatedTable(),
        "logsettings": ReplicatedTable(),
        "account": ReplicatedTable(masked=frozenset({"password"})),
        "token": ReplicatedTable(),
        "rolebinding": ReplicatedTable(),
        "maderole": ReplicatedTable(),
    }.items()
}


class ReplicaCopies:
    """Copies from the control database at `control_url` into the data database `alias`."""

    def __init__(self, control_url: str, databases: Databases, alias: str) -> None:
        self._url, self._databases, self._alias = control_url, databases, alias
        self._control: psycopg.Connection[tuple[object, ...]] | None = None

    def step(self) -> int:
        """Copy the tables that changed since the last step; give how many.

        Once: what a replica holds is what the control tables held at one moment, also when a step is cut off.
        Raises: psycopg.Error, DatabaseBusy.
        """
        with self._snapshot() as control:
            columns = {name: _columns(control, "", name) for name in REPLICATED}
            marks = {
                name: f"{_value(control, 'mark', table=name)} {named(each)}" for name, each in columns.items()
            }
            # Nothing waits for the control database while a transaction is open here: it would hold up change feeds.
            seq, taken = _value(control, "seq"), int(str(_value(control, "taken")))
            with self._databases.transaction(self._alias) as replica:
                if not _may_copy(replica, taken):
                    return 0
                changed = _changed(replica, marks)
                for name in changed:
                    _copy(control, replica, name, REPLICATED[name], columns[name])
                saved = {"source": control.info.dbname, "seq": seq, "marks": Jsonb(marks), "taken": taken}
                replica.execute(SQL["save"].encode(), saved)
                return len(changed)

    def close(self) -> None:
        """Close the connection to the control database."""
        if self._control is not None:
            self._control.close()
            self._control = None

    @contextmanager
    def _snapshot(self) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
        if self._control is None or self._control.closed:
            self._control = psycopg.connect(
                self._url, options=_SESSION, connect_timeout=5, keepalives_idle=5, keepalives_interval=2,
                keepalives_count=3, tcp_user_timeout=10_000, autocommit=True,
            )  # fmt: skip
            self._control.isolation_level = IsolationLevel.REPEATABLE_READ
        try:
            with self._control.transaction():
                yield self._control
        except psycopg.OperationalError:
            self.close()
            raise


def replica_state(databases: Databases, alias: str) -> ReplicaState | None:
    """Read how old the replica in a data database is; None where there is none.

    Raises: DatabaseBusy.
    """
    with databases.connection(alias) as connection:
        if not connection.rows(SQL["exists"].encode())[0][0]:
            return None
        found = connection.rows(SQL["state"].encode())
    return ReplicaState(float(str(found[0][0])), int(str(found[0][1]))) if found else None


def _may_copy(replica: Connection, taken: int) -> bool:
    """Tell whether no other process copies now, or copied what is newer than what was read here."""
    if not replica.rows(SQL["lock"].encode())[0][0]:
        return False
    replica.execute(SQL["prepare"].encode())
    state = replica.rows(SQL["state"].encode())
    return not state or float(str(state[0][0])) >= OVERTAKEN_SECONDS or int(str(state[0][3])) <= taken


def _changed(replica: Connection, marks: dict[str, str]) -> list[str]:
    """List the tables whose marks are not those of the last copy."""
    state = replica.rows(SQL["state"].encode())
    known = state[0][2] if state else None
    return [name for name, mark in marks.items() if not isinstance(known, dict) or known.get(name) != mark]


def named(columns: list[Column]) -> str:
    """Name the columns of a table, so that a migration copies it again."""
    return ",".join(f"{name} {type_}" for name, type_, _ in columns)


def _value(control: psycopg.Connection[tuple[object, ...]], query: str, **names: str) -> object:
    named = {key: sql.Identifier(name) for key, name in names.items()}
    row = control.execute(sql.SQL(SQL[query]).format(**named)).fetchone()
    return row[0] if row else None


def _columns(connection: psycopg.Connection[tuple[object, ...]], schema: str, table: str) -> list[Column]:
    rows = connection.execute(SQL["columns"].encode(), {"schema": schema, "table": table}).fetchall()
    return [(str(name), str(type_), bool(is_key)) for name, type_, is_key in rows]


def _copy(
    control: psycopg.Connection[tuple[object, ...]],
    replica: Connection,
    name: str,
    table: ReplicatedTable,
    columns: list[Column],
) -> None:
    """Replace what the replica has of a table; made again where its columns are others."""
    place = sql.Identifier(SCHEMA, name)
    if _columns(replica, SCHEMA, name) != columns:
        replica.execute(sql.SQL("DROP TABLE IF EXISTS {}").format(place))
        parts = [sql.SQL("{} {}").format(sql.Identifier(each), sql.SQL(type_)) for each, type_, _ in columns]
        keys = [sql.Identifier(each) for each, _, is_key in columns if is_key]
        parts.append(sql.SQL("PRIMARY KEY ({})").format(sql.SQL(", ").join(keys)))
        replica.execute(sql.SQL("CREATE TABLE {} ({})").format(place, sql.SQL(", ").join(parts)))
    replica.execute(sql.SQL("DELETE FROM {}").format(place))
    chosen = [sql.SQL("''") if each in table.masked else sql.Identifier(each) for each, _, _ in columns]
    where = sql.SQL(f" WHERE {table.where}" if table.where else "")
    selected = sql.SQL("SELECT {} FROM {}{}").format(sql.SQL(", ").join(chosen), sql.Identifier(name), where)
    listed = sql.SQL(", ").join(sql.Identifier(each) for each, _, _ in columns)
    reading = sql.SQL("COPY ({}) TO STDOUT").format(selected)
    writing = sql.SQL("COPY {} ({}) FROM STDIN").format(place, listed)
    with control.cursor().copy(reading) as source, replica.cursor().copy(writing) as target:
        for block in source:
            target.write(block)

"""The data databases: pools of connections, one per alias and process, and the named statements that run on them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, LiteralString, TypeAlias
from weakref import WeakKeyDictionary

import msgspec
import psycopg
from psycopg import IsolationLevel, ProgrammingError, abc, sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.types.json import set_json_dumps, set_json_loads
from psycopg_pool import ConnectionPool, PoolTimeout

from migrations_app.kernel import json
from migrations_app.kernel.errors import DatabaseBusy
from migrations_app.kernel.messages import message
from migrations_app.kernel.named_queries import named_queries
from migrations_app.kernel.tracing import SpanKind, tracer

Row: TypeAlias = tuple[object, ...]
Rows: TypeAlias = list[Row]
Parameters: TypeAlias = "tuple[object, ...] | dict[str, object] | None"
Statement: TypeAlias = "bytes | sql.SQL | sql.Composed"

# A cursor also keeps the rows it fetched last: one that fetched many is let go.
_MOST_KEPT = 200

# What PostgreSQL keeps as JSON is JSON: no error message for broken text is needed.
_loads = msgspec.json.Decoder().decode

TRUSTED_SECONDS = 2.0
_LONGEST_BEGINNING = 2_000
"""So much of a statement is looked at for its verb."""

# Short by design: a transaction held open anywhere in the server stalls every change feed.
_SESSION = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "idle_in_transaction_session_timeout": "15s",
        "transaction_timeout": "120s",
        "jit": "off",
        # Data lie on SSDs, mostly cached: with PostgreSQL's own 4 each page of a comparison read whole tables.
        "random_page_cost": "1.1",
        "timezone": "UTC",
        # What the fence demands of writers, also of those that are a single statement.
        "default_transaction_isolation": r"read\ committed",
    }.items()
)


class TracedCursor(psycopg.Cursor[Row]):
    """A cursor that opens a span for each statement inside of another span."""

    def execute(
        self, query: Any, params: Any = None, *, prepare: bool | None = None, binary: bool | None = None
    ) -> TracedCursor:
        """Run a statement; its text, which may hold values, is not kept."""
        if not tracer().ids()[0]:
            return super().execute(query, params, prepare=prepare, binary=binary)
        verb = verb_of(query.as_bytes(self) if isinstance(query, sql.Composable) else query)
        database = self.connection.info.dbname
        attributes = {"db.system.name": "postgresql", "db.namespace": database, "db.operation.name": verb}
        with tracer().span(f"{verb} {database}", attributes, kind=SpanKind.CLIENT):
            return super().execute(query, params, prepare=prepare, binary=binary)


class Connection(psycopg.Connection[Row]):
    """A connection to a data database."""

    traced: ClassVar[bool] = False
    """Whether the connections that this process opens open spans; set before the first."""

    _kept: psycopg.Cursor[Row] | None = None

    def rows(self, statement: Statement, parameters: Parameters = None) -> Rows:
        """Run a statement and fetch its rows, with a cursor that is kept: making one costs as much as asking."""
        cursor = self._kept = self._kept or self.cursor()
        found = cursor.execute(statement, parameters).fetchall()
        if len(found) > _MOST_KEPT:
            self._kept = None
        return found

    def run(self, statement: Statement, parameters: Parameters = None) -> int:
        """Run a statement for what it does; tell how many rows it met."""
        cursor = self._kept = self._kept or self.cursor()
        return cursor.execute(statement, parameters).rowcount


class Databases:
    """Hands out connections to the data databases by alias. `url_of` tells an alias's address."""

    def __init__(
        self,
        url_of: Callable[[str], str],
        *,
        size: int = 12,
        patience_seconds: float = 10.0,
        read_only: bool = False,
    ) -> None:
        self._session = f"{_SESSION} -c default_transaction_read_only=on" if read_only else _SESSION
        self._read_only = read_only
        self._url_of = url_of
        self._size = size
        self._patience = patience_seconds
        self._pools: dict[tuple[int, str], ConnectionPool[Connection]] = {}
        self._lock = Lock()

    @contextmanager
    def connection(self, alias: str) -> Iterator[Connection]:
        """Lend a connection in autocommit; callers open transactions on it.

        Raises: Busy (`database-busy`) when the pool has none to lend, or the database does not answer.
        """
        pool = self._pool(alias)
        try:
            connection = pool.getconn()
        except (PoolTimeout, psycopg.OperationalError) as error:
            raise DatabaseBusy(
                message("The data database {database} does not answer.", database=alias),
                remedy=message("Look at its health; nothing was written."),
                database=alias,
            ) from error
        try:
            yield connection
        finally:
            pool.putconn(connection)

    @contextmanager
    def transaction(self, alias: str) -> Iterator[Connection]:
        """Lend a connection inside one READ COMMITTED transaction."""
        with self.connection(alias) as connection, connection.transaction():
            yield connection

    def close(self, alias: str | None = None) -> None:
        """Close the pools of this process, or that of one alias."""
        with self._lock:
            for key in [key for key in self._pools if alias in (None, key[1])]:
                pool = self._pools.pop(key)
                if key[0] == os.getpid():
                    pool.close()

    def _pool(self, alias: str) -> ConnectionPool[Connection]:
        # A forked child must not share its parent's sockets, so the process is part of the key.
        key = (os.getpid(), alias)
        pool = self._pools.get(key)
        if pool is None:
            with self._lock:
                pool = self._pools.get(key)
                if pool is None:
                    pool = self._pools[key] = self._open(alias)
        return pool

    def _open(self, alias: str) -> ConnectionPool[Connection]:
        url = self._url_of(alias)
        return ConnectionPool(
            url_for_reading(url) if self._read_only else url,
            connection_class=Connection,
            kwargs={"autocommit": True, "application_name": "switchyard", "options": self._session},
            configure=_configure,
            min_size=0,
            max_size=self._size,
            timeout=self._patience,
            max_idle=60.0,
            open=True,
            check=_checked,
            name=f"data-{alias}",
        )


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
        self._texts: dict[str, LiteralString] = {}
        self.digest = sha256(path.read_bytes()).hexdigest()[:16]
        for name, text in named_queries(path).items():
            self._texts[name] = text.rstrip(";")
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


_asked: WeakKeyDictionary[Connection, float] = WeakKeyDictionary()


def _checked(connection: Connection) -> None:
    """Ask a connection whether it still lives, unless it was lent a moment ago: half of all questions are this."""
    now = time.monotonic()
    if now - _asked.get(connection, -TRUSTED_SECONDS) >= TRUSTED_SECONDS:
        ConnectionPool.check_connection(connection)
    _asked[connection] = now


def verb_of(statement: str | bytes) -> str:
    """Give the first word of a statement in capitals, after the comments that it begins with; "" where there is none."""
    beginning = statement[:_LONGEST_BEGINNING]
    text = beginning.decode(errors="replace") if isinstance(beginning, bytes) else beginning
    words = (line.split() for line in text.splitlines() if not line.lstrip().startswith("--"))
    return next((line[0].upper() for line in words if line), "")


def _configure(connection: Connection) -> None:
    if Connection.traced:
        connection.cursor_factory = TracedCursor
    set_json_dumps(json.encode, connection)
    set_json_loads(_loads, connection)
    connection.isolation_level = IsolationLevel.READ_COMMITTED


def parts_of_address(url: str) -> dict[str, str]:
    """Take an address apart: `host` and `port` with commas where there are several, `dbname`, `user`, `password`, options.

    Raises: ValueError, without a part of the address: it may hold a password.
    """
    try:
        return {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError:
        raise ValueError("not an address that PostgreSQL understands") from None


def url_for_reading(url: str) -> str:
    """Give the address for sessions that only read: libpq takes none of them for a `read-write` one, wherever it asks."""
    if parts_of_address(url).get("target_session_attrs") == "read-write":
        return make_conninfo(url, target_session_attrs="primary")
    return url

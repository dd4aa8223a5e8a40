"""The roles of the databases: the owner migrates, the application may not alter the ledger, a third keeps the data.

Roles, passwords and databases are read from the addresses that the processes use, so there is nothing to set twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import errors, sql

from migrations_app.adapters.databases import parts_of_address
from migrations_app.kernel.named_queries import named_queries

SQL = named_queries(Path(__file__).with_suffix(".sql"))
READ_ONLY = ("django_migrations", "switchyard_ledgerseal")
"""Tables of which the application writes nothing itself: seals are made by a function of the owner."""
APPEND_ONLY = ("switchyard_ledgerentry", "switchyard_ledgeranchor", "switchyard_accountchange")
"""Tables to which the application only adds."""


@dataclass(frozen=True, slots=True)
class DatabaseAddress:
    """What a database URL says of server, database and role."""

    url: str
    server: tuple[str, str]
    """Its hosts and ports: several, parted by commas, are one that is replicated."""
    database: str
    role: str
    password: str

    @classmethod
    def of(cls, url: str) -> DatabaseAddress:
        """Read a URL as libpq does; a socket's folder in the query counts as the host."""
        parts = parts_of_address(url)
        return cls(
            url,
            (parts.get("host", ""), parts.get("port", "5432")),
            *(parts.get(name, "") for name in ("dbname", "user", "password")),
        )

    def in_database(self, database: str) -> str:
        """Give the URL of another database of the same server, for the same role."""
        parts = urlsplit(self.url)
        return parts._replace(path=f"/{database}").geturl()


class DatabaseRoles:
    """The roles that the addresses of the databases name."""

    def __init__(self, owner_url: str, application_url: str, data_urls: Mapping[str, str]) -> None:
        self._owner, self._application = DatabaseAddress.of(owner_url), DatabaseAddress.of(application_url)
        self._data = {alias: DatabaseAddress.of(url) for alias, url in sorted(data_urls.items())}

    def prepare(self) -> list[str]:
        """Make the roles and data databases that are missing, and grant each role what it needs and nothing else.

        Gives a sentence for each thing that an administrator has to do: on another server, or with more rights.
        Once: every statement may be repeated; what stands is granted again.
        """
        owner, left = self._owner, list[str]()
        with psycopg.connect(owner.url, autocommit=True) as connection:
            if self._application.role == owner.role:
                left.append(
                    f"The processes use the owner's role {owner.role}, which may alter the ledger: give DATABASE_URL "
                    "a role of its own."
                )
            else:
                left += _login(connection, self._application)
                _grant_control(connection, self._application)
            for alias, data in self._data.items():
                if data.server != owner.server:
                    left.append(f"The data database {alias} is on another server, where nothing was granted.")
                elif data.role != owner.role:
                    left += _prepare_data(connection, owner, data)
        return list(dict.fromkeys(left))


def _login(connection: psycopg.Connection, address: DatabaseAddress) -> list[str]:
    """Make the role or set its password; only the SCRAM verifier of the password is sent."""
    row = connection.execute(SQL["login_exists"].encode(), [address.role]).fetchone()
    if row is not None and row[0]:
        return [f"The role {address.role} may make roles or is a superuser; take that from it."]
    if not address.password:
        return (
            []
            if row
            else [f"There is no role {address.role}, and no password in its address to make it with."]
        )
    verifier = connection.pgconn.encrypt_password(
        address.password.encode(), address.role.encode(), b"scram-sha-256"
    )
    query = "change_login" if row else "create_login"
    return _attempt(
        connection, query, role=sql.Identifier(address.role), password=sql.Literal(verifier.decode())
    )


def _grant_control(connection: psycopg.Connection, application: DatabaseAddress) -> None:
    role, database = sql.Identifier(application.role), sql.Identifier(application.database)
    with connection.transaction():
        for name in ("close_database", "grant_connect", "use_schema", "close_schema", "grant_tables"):
            _run(connection, name, role=role, database=database)
        for name in ("grant_sequences", "grant_later_tables", "grant_later_sequences"):
            _run(connection, name, role=role)
        for query, tables in (("allow_select", READ_ONLY), ("allow_insert", APPEND_ONLY)):
            for table in tables:
                _run(connection, "protect", role=role, table=sql.Identifier(table))
                _run(connection, query, role=role, table=sql.Identifier(table))


def _prepare_data(connection: psycopg.Connection, owner: DatabaseAddress, data: DatabaseAddress) -> list[str]:
    """Let a role keep namespaces in a data database; those of before become its own."""
    role, database = sql.Identifier(data.role), sql.Identifier(data.database)
    left = _login(connection, data)
    if connection.execute(SQL["database_exists"].encode(), [data.database]).fetchone() is None:
        left += _attempt(connection, "create_database", database=database)
    if data.database != owner.database:
        left += _attempt(connection, "close_database", database=database)
    # It sees how long transactions of others are open: the change feed does not pass them.
    for name in ("grant_namespaces", "grant_statistics", "grant_replica_mode"):
        left += _attempt(connection, name, role=role, database=database)
    with psycopg.connect(owner.in_database(data.database), autocommit=True) as there:
        rows = there.execute(SQL["foreign_objects"].encode(), {"role": data.role}).fetchall()
        left += _each(there, (str(statement) for (statement,) in rows))
    return left


def _each(connection: psycopg.Connection, statements: Iterable[str]) -> list[str]:
    left = []
    for statement in statements:
        try:
            connection.execute(statement.encode())
        except errors.InsufficientPrivilege:
            left.append(f"Let an administrator run: {statement};")
    return left


def _run(connection: psycopg.Connection, name: str, **places: sql.Composable) -> None:
    connection.execute(sql.SQL(SQL[name]).format(**places))


def _attempt(connection: psycopg.Connection, name: str, **places: sql.Composable) -> list[str]:
    try:
        _run(connection, name, **places)
    except errors.InsufficientPrivilege:
        shown = {key: sql.SQL("…") if key == "password" else value for key, value in places.items()}
        statement = sql.SQL(SQL[name]).format(**shown).as_string()
        return [f"Let an administrator run: {statement};"]
    return []

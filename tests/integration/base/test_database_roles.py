"""The roles of the databases: what the processes' role may do in the control database, and the data role elsewhere."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import errors, sql

from console.embedded.postgres import Postgres
from console.env import ROOT, WrongEnvironment, read_env
from migrations_app.adapters.database_roles import APPEND_ONLY, READ_ONLY, DatabaseAddress, DatabaseRoles

WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER")


@dataclass(frozen=True)
class Installation:
    """Addresses of a control and a data database with roles of their own."""

    owner: str
    application: str
    data: str

    def environment(self, **extra: str) -> dict[str, str]:
        """Give the environment of a command."""
        given = {"DATABASE_URL": self.application, "SWITCHYARD_DATA_URLS": f"default={self.data}"}
        return os.environ | given | {"SWITCHYARD_OWNER_URL": self.owner} | extra


def manage(command: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command of manage.py."""
    return subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


@pytest.fixture(scope="module")
def installation(postgres: Postgres) -> Iterator[Installation]:
    """A migrated control database whose roles were made from its addresses."""
    mark = secrets.token_hex(4)
    control, data = f"roles_{mark}", f"roles_{mark}_data"
    names = [f"app_{mark}", f"data_{mark}"]
    made = Installation(
        postgres.url(control), as_role(postgres, control, names[0]), as_role(postgres, data, names[1])
    )
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(control)))
        try:
            for command in ("migrate", "roles"):
                done = manage(command, made.environment())
                assert done.returncode == 0, done.stderr
                assert command == "migrate" or done.stderr == ""
            yield made
        finally:
            for name in (control, data):
                connection.execute(
                    sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
                )
            for name in names:
                connection.execute(
                    sql.SQL("REVOKE SET ON PARAMETER session_replication_role FROM {}").format(
                        sql.Identifier(name)
                    )
                )
                connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(name)))


def as_role(postgres: Postgres, database: str, role: str) -> str:
    """Give an address with a role that has a password of its own."""
    address = DatabaseAddress.of(postgres.url(database))
    return address.url.replace(
        f"{address.role}:{address.url.split(':', 2)[2].split('@')[0]}@",
        f"{role}:{secrets.token_urlsafe(16)}@",
    )


def test_the_role_of_the_processes_may_write_each_table_but_the_ledger(installation: Installation) -> None:
    role = DatabaseAddress.of(installation.application).role
    with psycopg.connect(installation.owner) as owner:
        rows = owner.execute(
            "SELECT relname, array_agg(w) FILTER (WHERE has_table_privilege(%s, c.oid, w)), "
            "has_table_privilege(%s, c.oid, 'SELECT'), pg_get_userbyid(relowner) "
            "FROM pg_class c, unnest(%s::text[]) w WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
            "GROUP BY c.oid, relname, relowner",
            [role, role, list(WRITES)],
        ).fetchall()
        attributes = owner.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication FROM pg_roles WHERE rolname = %s",
            [role],
        ).fetchone()
    may = {name: {*(writes or ())} for name, writes, _, _ in rows}
    assert all(reads for _, _, reads, _ in rows)
    assert {owner for *_, owner in rows} == {"switchyard"}
    assert {*READ_ONLY, *APPEND_ONLY} < {*may}
    for name, writes in may.items():
        expected = {"INSERT", "UPDATE", "DELETE"}
        if name in (*READ_ONLY, *APPEND_ONLY):
            expected = {"INSERT"} if name in APPEND_ONLY else set()
        assert writes == expected, name
    assert attributes == (False,) * 5


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE switchyard_ledgerentry SET actor = 'bob'",
        "DELETE FROM switchyard_ledgerentry",
        "TRUNCATE switchyard_ledgerentry CASCADE",
        "UPDATE switchyard_ledgerseal SET digest = ''",
        "DELETE FROM switchyard_ledgerseal",
        "INSERT INTO switchyard_ledgerseal VALUES (99, '', '', 1)",
        "DELETE FROM switchyard_ledgeranchor",
        "DELETE FROM django_migrations",
        "ALTER TABLE switchyard_ledgerentry DISABLE TRIGGER ALL",
        "DROP TRIGGER ledger_append_only ON switchyard_ledgerentry",
        "DROP TABLE switchyard_ledgerentry CASCADE",
        "CREATE OR REPLACE FUNCTION switchyard_ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN END'",
        "SET session_replication_role = replica",
        "SET log_min_error_statement = error",
        "CREATE TABLE public.anything (x int)",
        "CREATE TEMP TABLE switchyard_ledgerseal (seq bigint)",
        "CREATE SCHEMA anything",
        "CREATE ROLE anybody",
    ],
)
def test_the_role_of_the_processes_cannot_reach_round_the_ledger(
    installation: Installation, statement: str
) -> None:
    with psycopg.connect(installation.application) as connection:
        connection.execute(ENTRY)
        connection.commit()
        with pytest.raises(errors.InsufficientPrivilege):
            connection.execute(statement.encode())


ENTRY = """
INSERT INTO switchyard_ledgerentry (at, actor_kind, actor, token, address, request_id, action, target_kind, target,
    service, region, outcome, reason) VALUES (now(), 'user', 'ann', '', '', '', 'x', 'y', '', '', '', 'done', '')"""


def test_what_it_writes_is_sealed_by_the_owner(installation: Installation) -> None:
    with psycopg.connect(installation.application) as connection:
        connection.execute(ENTRY)
        connection.commit()
        row = connection.execute(
            "SELECT count(*) - (SELECT count(*) FROM switchyard_ledgerseal) FROM switchyard_ledgerentry"
        ).fetchone()
    assert row == (0,)


def test_the_data_role_keeps_namespaces_and_cannot_enter_the_control_database(
    installation: Installation,
) -> None:
    with psycopg.connect(installation.data, autocommit=True) as data:
        data.execute(
            "CREATE SCHEMA mine; CREATE TABLE mine.t (x int); SET session_replication_role = replica"
        )
        for statement in ("CREATE ROLE anybody", "CREATE TABLE public.t (x int)"):
            with pytest.raises(errors.InsufficientPrivilege):
                data.execute(statement.encode())
    control = DatabaseAddress.of(installation.data).in_database(
        DatabaseAddress.of(installation.owner).database
    )
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(control).close()


def test_namespaces_of_an_earlier_version_become_the_data_roles_own(installation: Installation) -> None:
    data = DatabaseAddress.of(installation.data)
    with psycopg.connect(
        DatabaseAddress.of(installation.owner).in_database(data.database), autocommit=True
    ) as before:
        before.execute(
            "CREATE SCHEMA switchyard; CREATE SCHEMA old_v1; CREATE TABLE old_v1.thing (id bigserial, x int);"
            "CREATE INDEX ON old_v1.thing (x); CREATE TABLE switchyard.fence (x int); CREATE SEQUENCE old_v1.free;"
            "CREATE FUNCTION old_v1.hold(a int[]) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';"
            "CREATE TYPE old_v1.state AS ENUM ('a'); CREATE VIEW old_v1.seen AS SELECT * FROM old_v1.thing"
        )
    assert (
        DatabaseRoles(installation.owner, installation.application, {"default": installation.data}).prepare()
        == []
    )
    with psycopg.connect(installation.data, autocommit=True) as now:
        now.execute("ALTER TABLE old_v1.thing ADD y int; INSERT INTO old_v1.thing (x) VALUES (1)")
        now.execute(
            "CREATE OR REPLACE FUNCTION old_v1.hold(a int[]) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 2; END'"
        )
        now.execute("DROP SCHEMA old_v1 CASCADE; DROP SCHEMA switchyard CASCADE")


def test_one_role_for_everything_is_named(installation: Installation) -> None:
    (sentence,) = DatabaseRoles(installation.owner, installation.owner, {}).prepare()
    assert sentence.startswith("The processes use the owner's role switchyard, which may alter the ledger")


def test_a_process_that_serves_refuses_the_owners_address() -> None:
    given = {"DATABASE_URL": "postgresql:///x", "REDIS_URL": "redis:///", "SWITCHYARD_SECRET_KEY": "s" * 40}
    read_env(given).serve()
    with pytest.raises(WrongEnvironment, match="SWITCHYARD_OWNER_URL is set"):
        read_env({**given, "SWITCHYARD_OWNER_URL": "postgresql:///x"}).serve()

"""Brings a deployment's coordination rows, which it keeps for and with others, to the data database it moves to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from psycopg import sql

from migrations_app.adapters.databases import Connection, Databases, Row, Statements
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace

COORDINATION = Statements(Path(__file__).parent / "sql" / "dealings.sql")
# What changes until the source's database is shut; each goes across whole, since its rows are few.
MUTABLE = (
    "shadow",
    "barred_name",
    "blockade",
    "confirm_due",
    "owner_reference",
    "barred_reference",
    "ownee_check",
)
EVER = datetime(2000, 1, 1, tzinfo=UTC)
# A transaction of the target's that stays open would hold every change feed of that server back.
AT_ONCE = 20_000


Place = tuple[datetime, str]


def bring_outcomes(databases: Databases, source: Namespace, target: Namespace) -> datetime:
    """Bring the outcomes of attempts ahead, in batches; tell since when there may be more of them.

    An outcome is written once and never changed, so that many of them can cross before anybody waits. One that
    is not seen yet is of a transaction that is open now, and is noted no earlier than that began.
    """
    with databases.connection(source.database) as origin:
        since = cast(datetime, _row(origin.execute(COORDINATION("quiet_since")).fetchone())[0])
        place: Place | None = (EVER, "")
        while place is not None:
            with databases.transaction(target.database) as other:
                place = _bring_batch(origin, other, source.deployment, place)
    return since


def carry_over(
    databases: Databases, source: FenceLocation, target: Connection, since: datetime | None
) -> None:
    """Put the coordination rows of a shut source in the place of the target's, within the target's transaction.

    `since` is what `bring_outcomes` gave; without it all outcomes go across now.
    """
    deployment = source.deployment
    with databases.connection(source.database) as origin:
        for table in MUTABLE:
            columns = _columns(origin, f"switchyard.{table}")
            target.execute(COORDINATION("clear", table=table), (deployment,))
            named = {"table": sql.Identifier(table), "columns": columns}
            out = COORDINATION.template("out").format(**named, deployment=sql.Literal(deployment))
            _pipe(origin, out, target, COORDINATION.template("in").format(**named))
        place: Place | None = (since or EVER, "")
        while place is not None:
            place = _bring_batch(origin, target, deployment, place)


def count(connection: Connection, deployment: str) -> int:
    """Count what crosses while writers wait."""
    return cast(
        int, _row(connection.execute(COORDINATION("count"), {"deployment": deployment}).fetchone())[0]
    )


def _bring_batch(origin: Connection, target: Connection, deployment: str, after: Place) -> Place | None:
    """Bring the next outcomes; tell the last one's place, or None when there was none."""
    columns = _columns(origin, "switchyard.ref_attempt")
    out = COORDINATION.template("outcomes_out").format(
        columns=columns,
        deployment=sql.Literal(deployment),
        at=sql.Literal(after[0]),
        token=sql.Literal(after[1]),
        limit=sql.Literal(AT_ONCE),
    )
    target.execute(COORDINATION("outcomes_staging"))
    target.execute(COORDINATION("outcomes_empty"))
    _pipe(origin, out, target, COORDINATION.template("outcomes_in").format(columns=columns))
    target.execute(COORDINATION.template("outcomes_keep").format(columns=columns))
    return cast("Place | None", target.execute(COORDINATION("outcomes_last")).fetchone())


def _pipe(origin: Connection, out: sql.Composed, target: Connection, into: sql.Composed) -> None:
    with (
        origin.cursor() as reading,
        target.cursor() as writing,
        reading.copy(out) as source,
        writing.copy(into) as sink,
    ):
        for block in source:
            sink.write(block)


def _columns(connection: Connection, table: str) -> sql.Composed:
    """Name the columns of a table, whose order differs where an earlier release made it."""
    rows = connection.execute(COORDINATION("columns"), (table,)).fetchall()
    return sql.SQL(", ").join(sql.Identifier(str(row[0])) for row in rows)


def _row(row: Row | None) -> Row:
    assert row is not None
    return row

"""The fence on PostgreSQL: compare-and-set on one row, under the lock that every writer shares."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from psycopg import errors, sql

from migrations_app.adapters.databases import Connection, Databases, Statements
from migrations_app.adapters.fence.refusal import LONGEST_FREEZE_SECONDS, refusal
from migrations_app.adapters.fence.watching import Watches, orphaned
from migrations_app.adapters.refusals import translated
from migrations_app.adapters.store.constraint_transfer import carry_over
from migrations_app.adapters.store.preparing import prepare_shared
from migrations_app.adapters.store.rows import fence_missing, fence_of, lock_key
from migrations_app.kernel.errors import Busy, Conflict, Invalid, Missing, SwitchyardError
from migrations_app.kernel.messages import message
from migrations_app.ports.fence import FenceLocation, FenceState, Mode
from migrations_app.ports.namespaces import Namespace

_FENCE = Statements(Path(__file__).parent / "sql" / "fence.sql")
_TRY_MILLISECONDS = 300


class PostgresFence:
    """Reads and moves the fences of the data databases."""

    def __init__(self, databases: Databases) -> None:
        self._databases = databases
        # Aliases whose fence table was seen once; it is never dropped.
        self._furnished: set[str] = set()
        self._watches = Watches(databases)

    def state(self, site: FenceLocation) -> FenceState:
        """Read the fence, aborting a freeze that has expired or that no process is left to end."""
        found = self._look(site)
        self._watches.look(found)
        if not found.expired and not self._orphaned(found):
            return found
        try:
            self._move(_FENCE("abort"), found, {"expired": found.expired}, patience_seconds=0.0)
        except Busy:
            # Another process holds the lock, to abort or to flip: the next look tells.
            return found
        return self._look(site)

    def open_first(self, site: FenceLocation, version: str, *, mode: Mode = Mode.OPEN) -> FenceState:
        """Set the fence up, unless there is one."""
        with translated(_missing_namespace(site)), self._databases.connection(site.database) as connection:
            prepare_shared(connection)
            connection.execute(_FENCE("open_first"), (site.key, version, mode.value))
        return self.state(site)

    def freeze(
        self,
        source: Namespace,
        expected: FenceState,
        *,
        deadline_seconds: float = 5.0,
        patience_seconds: float = 3.0,
    ) -> FenceState:
        """Refuse writes until the deadline."""
        if not 0 < deadline_seconds <= LONGEST_FREEZE_SECONDS:
            raise Invalid(
                message(
                    "A freeze lasts at most {longest_freeze_seconds} s.",
                    longest_freeze_seconds=f"{LONGEST_FREEZE_SECONDS:.0f}",
                ),
                code="freeze-too-long",
            )
        statement = _FENCE("freeze", schema=source.schema)
        asked: dict[str, object] = {"seconds": deadline_seconds, "ring": source.ring}
        with translated(_missing_namespace(expected.site)):
            self._watches.take(expected.site, expected.epoch + 1)
        try:
            if not self._move(statement, expected, asked, patience_seconds):
                self._refuse(expected)
        except SwitchyardError:
            self._watches.drop(expected.site)
            raise
        return self._look(expected.site)

    def withdraw(self, expected: FenceState) -> FenceState:
        """Refuse any freeze that was decided on this state."""
        return self._beside("withdraw", expected)

    def prove(self, expected: FenceState) -> FenceState:
        """Note that parity was proved within this freeze."""
        return self._beside("prove", expected)

    def flip(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """Make the target's version the active one."""
        if FenceLocation.of(source) != FenceLocation.of(target):
            raise Conflict(
                message("The namespaces have two fences; close the source first."), code="two-databases"
            )
        return self._turn(source, target, expected, follower, Mode.OPEN)

    def close(self, source: Namespace, target: Namespace, expected: FenceState, follower: str) -> FenceState:
        """Shut the source's database for good, in favour of the target's."""
        return self._turn(source, target, expected, follower, Mode.CLOSED)

    def abort(self, expected: FenceState) -> FenceState:
        """Let the same version be written again."""
        if not self._move(_FENCE("abort"), expected, {"expired": False}, patience_seconds=3.0):
            self._refuse(expected)
        self._watches.drop(expected.site)
        return self._look(expected.site)

    def open_other(
        self,
        target: Namespace,
        closed: FenceState,
        expected: FenceState,
        *,
        outcomes_since: datetime | None = None,
    ) -> FenceState:
        """Open the target's fence after the source's was closed, with the deployment's constraint rows in its database."""
        source = self._look(closed.site)
        if source.mode is not Mode.CLOSED or source.active_version != target.version:
            raise Conflict(
                message(
                    "The fence in {database} is not closed for {version}.",
                    database=closed.site.database,
                    version=target.version,
                ),
                code="other-not-closed",
            )
        # The epoch grows over both fences, so that the published number never decreases.
        asked: dict[str, object] = {"target": target.version, "closed": source.epoch}

        def bring(connection: Connection) -> None:
            # In the commit that opens: before it no process would change them there, after it any process.
            if closed.site.database != expected.site.database:
                carry_over(self._databases, closed.site, connection, outcomes_since)

        if not self._move(_FENCE("open_other"), expected, asked, patience_seconds=3.0, then=bring):
            found = self._look(expected.site)
            if not found.writable(target.version):
                self._refuse(expected)
        return self._look(expected.site)

    def _turn(
        self, source: Namespace, target: Namespace, expected: FenceState, follower: str, becomes: Mode
    ) -> FenceState:
        asked: dict[str, object] = {
            "becomes": becomes.value,
            "target": target.version,
            "follower": follower,
        }
        statement = _FENCE("flip", schema=source.schema)
        if not self._move(statement, expected, asked, patience_seconds=1.0):
            self._refuse(expected, self._laggards(source, follower))
        self._watches.drop(expected.site)
        return self._look(expected.site)

    def _beside(self, statement: str, expected: FenceState) -> FenceState:
        """Run one compare-and-set that no writer needs to be waited for."""
        site = expected.site
        with translated(_missing_namespace(site)), self._databases.transaction(site.database) as connection:
            connection.execute(_FENCE("durable"))
            moved = connection.execute(_FENCE(statement), _asked(expected)).rowcount
        if not moved:
            self._refuse(expected)
        return self._look(site)

    def _orphaned(self, found: FenceState) -> bool:
        if found.mode is not Mode.FROZEN or self._watches.mine(found):
            return False
        with (
            translated(_missing_namespace(found.site)),
            self._databases.connection(found.site.database) as connection,
        ):
            return orphaned(connection, found)

    def _move(
        self,
        statement: sql.Composed,
        expected: FenceState,
        asked: dict[str, object],
        patience_seconds: float,
        then: Callable[[Connection], None] = lambda connection: None,
    ) -> bool:
        """Run one compare-and-set under the exclusive lock; tell whether the row was as expected.

        If it was, `then` has its part in the same commit.
        """
        site = expected.site
        give_up = time.monotonic() + patience_seconds
        pause = 0.02
        while True:
            try:
                with (
                    translated(_missing_namespace(site)),
                    self._databases.transaction(site.database) as connection,
                ):
                    _drain(connection, site)
                    moved = connection.execute(statement, _asked(expected) | asked).rowcount == 1
                    if moved:
                        then(connection)
                    return moved
            except Busy as error:
                if not isinstance(error.__cause__, errors.LockNotAvailable):
                    raise
                if time.monotonic() + pause > give_up:
                    raise Busy(
                        message(
                            "Writers of {deployment} did not pause within {patience_seconds} s.",
                            deployment=site.deployment,
                            patience_seconds=f"{patience_seconds:.1f}",
                        ),
                        code="fence-busy",
                        remedy=message("See who holds a write transaction open."),
                    ) from error
            # Writers queue behind each try; the growing pause lets them through.
            time.sleep(pause * random.uniform(0.7, 1.3))  # noqa: S311
            pause = min(pause * 2, 0.5)

    def _look(self, site: FenceLocation) -> FenceState:
        with translated(_missing_namespace(site)), self._databases.connection(site.database) as connection:
            if site.database not in self._furnished:
                if connection.execute(_FENCE("exists")).fetchone() != (True,):
                    raise Missing(fence_missing(site), code="fence-missing")
                self._furnished.add(site.database)
            row = connection.execute(_FENCE("state"), (site.key,)).fetchone()
        if row is None:
            raise Missing(fence_missing(site), code="fence-missing")
        return fence_of(site, row)

    def _laggards(self, source: Namespace, follower: str) -> list[int]:
        statement = _FENCE("laggards", schema=source.schema)
        asked = {"deployment": source.fence_key, "follower": follower}
        with translated(source), self._databases.connection(source.database) as connection:
            rows = connection.execute(statement, asked).fetchall()
        return [int(str(row[0])) for row in rows]

    def _refuse(self, expected: FenceState, laggards: list[int] | None = None) -> None:
        raise refusal(expected, self._look(expected.site), laggards)


def _drain(connection: Connection, site: FenceLocation) -> None:
    connection.execute(_FENCE("impatient"), (f"{_TRY_MILLISECONDS}ms",))
    connection.execute(_FENCE("drain"), (lock_key(site.key),))


def _asked(expected: FenceState) -> dict[str, object]:
    return {
        "deployment": expected.site.key,
        "mode": expected.mode.value,
        "active": expected.active_version,
        "epoch": expected.epoch,
    }


def _missing_namespace(site: FenceLocation) -> Namespace:
    return Namespace(site.deployment, "", site.database, "switchyard")

"""The rows of a deployment's dealings with others, on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from psycopg import sql
from psycopg.types.json import Jsonb

from migrations_app.adapters.databases import Row, Rows, Statements
from migrations_app.adapters.store.owners import PostgresOwners
from migrations_app.kernel.errors import AttemptExpired, AttemptResolved
from migrations_app.kernel.messages import message
from migrations_app.ports.constraints import (
    ATTEMPTS_KEPT,
    TOKEN_LIFE,
    AttemptOutcome,
    Blockade,
    ConstraintTally,
    HeldReference,
    Owed,
)
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import Reference, ReferenceKind, Shadow, ShadowState

CONSTRAINTS = Statements(Path(__file__).parent / "sql" / "constraints.sql")
LEAST_UID = "00000000-0000-0000-0000-000000000000"
GREATEST_UID = "ffffffff-ffff-ffff-ffff-ffffffffffff"
Ask = Callable[[sql.Composed, dict[str, object]], Rows]


class PostgresConstraints:
    """Reads and writes the rows of one deployment; `ask` runs a statement and `run` one without rows."""

    def __init__(self, namespace: Namespace, ask: Ask, run: Ask) -> None:
        self._namespace, self._ask_rows, self._run_rows = namespace, ask, run
        self._entered = False

    def now(self) -> datetime:
        """Tell the time of the data database."""
        return cast(datetime, self.ask("now")[0][0])

    def outcome(self, token: str) -> AttemptOutcome | None:
        """Tell how an attempt ended."""
        rows = self.ask("outcome", token=token)
        return AttemptOutcome(str(rows[0][0])) if rows else None

    def blockades(self, *uids: UUID) -> tuple[Blockade, ...]:
        """List the blockades of resources."""
        return tuple(map(_blockade, self.ask("blockades", uids=list(uids))))

    def overdue(self, limit: int) -> tuple[Blockade, ...]:
        """List blockades whose outcome is to be asked for."""
        return tuple(map(_blockade, self.ask("overdue", limit=limit)))

    def standing(self, seconds: float, limit: int) -> tuple[Blockade, ...]:
        """List blockades that were put up at least so long ago."""
        return tuple(map(_blockade, self.ask("standing", seconds=seconds, limit=limit)))

    def owed(self, limit: int) -> tuple[Owed, ...]:
        """List owed confirmations."""
        rows = cast("list[tuple[str, str, datetime]]", self.ask("owed", limit=limit))
        return tuple(Owed(*row) for row in rows)

    def shadow_of(self, uid: UUID) -> Shadow | None:
        """Read the shadow of a resource by its uid."""
        rows = self.ask("shadow_of", uid=uid)
        return _shadow(rows[0]) if rows else None

    def moving(self, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List shadows that are not ACTIVE."""
        return tuple(map(_shadow, self.ask("moving", after=after or LEAST_UID, limit=limit)))

    def deleting_for(self, source: str, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List DELETING shadows that a deployment may refer to."""
        rows = self.ask("deleting_for", source=source, after=after or LEAST_UID, limit=limit)
        return tuple(map(_shadow, rows))

    def held(self, after: tuple[str, str, int], limit: int) -> tuple[HeldReference, ...]:
        """List what the resources refer to."""
        type_, name, ordinal = after
        statement = CONSTRAINTS("held", schema=self._namespace.schema)
        rows = self._ask_rows(statement, {"type": type_, "name": name, "ordinal": ordinal, "limit": limit})
        return tuple(
            HeldReference(*cast("tuple[Any, Any, Any]", row[:3]), reference_from(row[3:])) for row in rows
        )

    def sources(self) -> tuple[str, ...]:
        """List the deployments that refer to anything here."""
        return tuple(str(row[0]) for row in self.ask("sources"))

    def tally(self) -> ConstraintTally:
        """Count what is under way."""
        return ConstraintTally(*cast("tuple[Any, ...]", self.ask("tally")[0]))

    def draw(self) -> str:
        """Draw a token."""
        return str(self.ask("draw")[0][0])

    def commit_attempt(self, token: str, *targets: str) -> None:
        """Note that the attempt commits with this transaction, and what is owed then."""
        self.enter()
        told = {"token": token, "life": TOKEN_LIFE.total_seconds(), "targets": list(targets)}
        ((old, decided),) = self.ask("commit_attempt", **told)
        if old:
            raise AttemptExpired(message("The attempt began too long ago."))
        if not decided:
            raise AttemptResolved(message("The attempt was settled meanwhile."))

    def abort_attempt(self, token: str) -> AttemptOutcome:
        """Settle an attempt as aborted unless it was settled before."""
        self.enter()
        rows = self.ask("decide", token=token, outcome=AttemptOutcome.ABORTED.value)
        return AttemptOutcome.ABORTED if rows else self.outcome(token) or AttemptOutcome.ABORTED

    def owe(self, token: str, target: str) -> None:
        """Note that a confirmation is owed."""
        self.run("owe", token=token, target=target)

    def paid(self, target: str, *tokens: str) -> None:
        """Forget owed confirmations."""
        self.run("paid", target=target, tokens=list(tokens))

    def block(self, token: str, source: str, kinds: Mapping[UUID, str], resolve_after_seconds: float) -> None:
        """Put up blockades."""
        told = {"uids": list(kinds), "kinds": list(kinds.values()), "seconds": resolve_after_seconds}
        self.run("block", token=token, source=source, **told)

    def unblock(self, source: str, *tokens: str) -> int:
        """Take down the blockades of tokens."""
        return self.run("unblock", source=source, tokens=list(tokens))

    def ask_later(self, token: str, seconds: float) -> None:
        """Ask for an outcome later."""
        self.run("ask_later", token=token, seconds=seconds)

    def release(self, source: str, after: str, limit: int) -> str:
        """Forget what an evicted deployment holds."""
        if not after:
            self.run("release_blockades", source=source)
            self.run("release_owed", source=source)
            self.run("release_checks", source=source)
        rows = self.ask("page_end", after=after or LEAST_UID, limit=limit)
        upto = str(rows[0][0]) if rows else ""
        self.run("release_sources", source=source, after=after or LEAST_UID, upto=upto or GREATEST_UID)
        return upto

    def write(self, *shadows: Shadow) -> None:
        """Write shadows by their uids."""
        if not shadows:
            return
        self.run("write", shadows=Jsonb([self._shadow_columns(each) for each in shadows]))
        # Only what is being deleted bars names, and that never becomes ACTIVE again.
        dying = [each for each in shadows if each.state is ShadowState.DELETING]
        if dying:
            barred = [
                {"version": version, "type": type_, "name": name, "uid": str(each.uid)}
                for each in dying
                for version, (type_, name) in self._names(each).items()
            ]
            self.run("unbar", uids=[each.uid for each in dying])
            self.run("bar", names=Jsonb(barred))

    def _shadow_columns(self, shadow: Shadow) -> dict[str, object]:
        return {
            "uid": str(shadow.uid),
            "type": shadow.type,
            "name": shadow.name,
            "names": self._names(shadow) if shadow.state is not ShadowState.ACTIVE else {},
            "state": shadow.state.value,
            "ref_epoch": shadow.ref_epoch,
            "delete_id": shadow.delete_id,
            "sources": list(shadow.sources),
            "root": shadow.root,
        }

    def _names(self, shadow: Shadow) -> Mapping[str, tuple[str, str]]:
        # A shadow that began in another version is called as it was there; what it says of itself counts.
        return {self._namespace.version: (shadow.type, shadow.name), **shadow.names}

    def finalise(self, *uids: UUID) -> None:
        """Forget shadows with their names and blockades."""
        for statement in ("forget", "unbar", "forget_blockades"):
            self.run(statement, uids=list(uids))

    def lock_shadows(self, *uids: UUID) -> dict[UUID, Shadow]:
        """Lock shadows by uid."""
        self.enter()
        found = map(_shadow, self.ask("lock_shadows_of", uids=list(uids)))
        return {each.uid: each for each in found if each.uid}

    def prune(self, limit: int) -> int:
        """Forget the outcomes of old attempts."""
        return self.run("prune", kept=ATTEMPTS_KEPT.total_seconds(), limit=limit)

    def forget_active(self, *uids: UUID) -> None:
        """Forget the shadows of resources that go without a trace."""
        self.run("forget_active", uids=list(uids))

    def entered(self) -> None:
        """Note that this transaction wrote in the namespace, and so passed the fence."""
        self._entered = True

    def enter(self) -> None:
        """Pass the fence, as every write of the namespace does."""
        if not self._entered:
            self._entered = True
            statement = CONSTRAINTS("enter", schema=self._namespace.schema)
            self._run_rows(statement, {})

    @property
    def owners(self) -> PostgresOwners:
        """The owner references."""
        return PostgresOwners(self)

    def ask(self, statement: str, **asked: object) -> Rows:
        """Run a statement that reads."""
        return self._ask_rows(CONSTRAINTS(statement), {"deployment": self._namespace.deployment, **asked})

    def run(self, statement: str, **asked: object) -> int:
        """Run a statement that writes, behind the fence; tell how many rows it changed."""
        self.enter()
        rows = self._run_rows(CONSTRAINTS(statement), {"deployment": self._namespace.deployment, **asked})
        return cast(int, rows[0][0])


def shadow_from(type_: str, name: str, row: Row) -> Shadow:
    """Build a shadow from the columns after its type and name."""
    state, ref_epoch, delete_id, sources, uid, names, root, since = cast("tuple[Any, ...]", row)
    known = {version: (str(each[0]), str(each[1])) for version, each in names.items()}
    return Shadow(
        type_, name, ShadowState(state), ref_epoch, delete_id, tuple(sources), uid, known, root, since
    )


def reference_from(row: Row) -> Reference:
    """Build a reference from its columns."""
    path, kind, service, region, version, type_, name = cast("tuple[str, str, str, str, str, str, str]", row)
    return Reference(path, ReferenceKind(kind), service, region, version, type_, name)


def _shadow(row: Row) -> Shadow:
    return shadow_from(str(row[0]), str(row[1]), row[2:])


def _blockade(row: Row) -> Blockade:
    return Blockade(*cast("tuple[Any, ...]", row))

"""The rows of a deployment's dealings with others, in memory: the twin of those on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from migrations_app.adapters.memory_owners import MemoryLink, MemoryOwners, TransactionTable
from migrations_app.domain.constraints.shadows import SHADOW
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import AttemptExpired, AttemptResolved
from migrations_app.kernel.messages import message
from migrations_app.kernel.uids import new_uid
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
from migrations_app.ports.owners import OwneeCheck
from migrations_app.ports.stored import Reference, Shadow, ShadowState

Barred = tuple[str, str, str]


@dataclass(slots=True)
class MemoryDealings:
    """The committed rows of one deployment."""

    shadows: dict[UUID, Shadow] = field(default_factory=dict)
    barred: dict[Barred, UUID] = field(default_factory=dict)
    blockades: dict[tuple[str, UUID], Blockade] = field(default_factory=dict)
    established: dict[tuple[str, UUID], datetime] = field(default_factory=dict)
    attempts: dict[str, tuple[AttemptOutcome, datetime]] = field(default_factory=dict)
    owed: dict[tuple[str, str], Owed] = field(default_factory=dict)
    links: dict[UUID, MemoryLink] = field(default_factory=dict)
    bars: dict[UUID, bool] = field(default_factory=dict)
    checks: dict[tuple[UUID, str], OwneeCheck] = field(default_factory=dict)

    def copy(self) -> MemoryDealings:
        """Take what a snapshot reads."""
        return MemoryDealings(
            dict(self.shadows),
            dict(self.barred),
            dict(self.blockades),
            dict(self.established),
            dict(self.attempts),
            dict(self.owed),
            dict(self.links),
            dict(self.bars),
            dict(self.checks),
        )


class MemoryConstraints:
    """Reads and writes the rows of one deployment; `enter` passes the fence and locks a row."""

    def __init__(
        self,
        namespace: Namespace,
        kept: MemoryDealings,
        clock: Clock,
        enter: Callable[[str], None],
        references: Callable[[], Mapping[tuple[str, str], tuple[Reference, ...]]],
    ) -> None:
        self._namespace, self._clock, self._enter = namespace, clock, enter
        self._references = references
        self._shadows = TransactionTable(kept.shadows)
        self._barred = TransactionTable(kept.barred)
        self._blockades = TransactionTable(kept.blockades)
        self._established = TransactionTable(kept.established)
        self._attempts = TransactionTable(kept.attempts)
        self._owed = TransactionTable(kept.owed)
        self._links, self._bars = TransactionTable(kept.links), TransactionTable(kept.bars)
        self._checks = TransactionTable(kept.checks)
        self.owners = MemoryOwners(self._links, self._bars, self._checks, clock, enter)

    def now(self) -> datetime:
        """Tell the time."""
        return self._clock.now()

    def outcome(self, token: str) -> AttemptOutcome | None:
        """Tell how an attempt ended."""
        found = self._attempts.get(token)
        return found[0] if found else None

    def blockades(self, *uids: UUID) -> tuple[Blockade, ...]:
        """List the blockades of resources."""
        mine = [each for each in self._blockades.values() if each.uid in uids]
        return tuple(sorted(mine, key=lambda each: each.token))

    def overdue(self, limit: int) -> tuple[Blockade, ...]:
        """List blockades whose outcome is to be asked for."""
        due = [each for each in self._blockades.values() if each.resolve_after <= self.now()]
        return tuple(sorted(due, key=lambda each: each.resolve_after)[:limit])

    def standing(self, seconds: float, limit: int) -> tuple[Blockade, ...]:
        """List blockades that were put up at least so long ago."""
        until = self.now() - timedelta(seconds=seconds)
        old = sorted((at, key) for key, at in self._established.items() if at <= until)
        found = (self._blockades.get(key) for _, key in old[:limit])
        return tuple(each for each in found if each is not None)

    def owed(self, limit: int) -> tuple[Owed, ...]:
        """List owed confirmations."""
        return tuple(sorted(self._owed.values(), key=lambda each: each.since)[:limit])

    def shadow_of(self, uid: UUID) -> Shadow | None:
        """Read the shadow of a resource by its uid."""
        return self._shadows.get(uid)

    def barred(self, type_: str, name: str) -> Shadow | None:
        """Find what is being deleted under a name."""
        uid = self._barred.get((self._namespace.version, type_, name))
        found = self._shadows.get(uid) if uid else None
        return replace(found, type=type_, name=name) if found else None

    def moving(self, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List shadows that are not ACTIVE."""
        moving = [each for each in self._shadows.values() if each.state is not ShadowState.ACTIVE]
        beyond = [each for each in moving if str(each.uid) > after]
        return tuple(sorted(beyond, key=lambda each: str(each.uid))[:limit])

    def deleting_for(self, source: str, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List DELETING shadows that a deployment may refer to."""
        moving = self.moving(after, len(self._shadows.items()) + 1)
        mine = [each for each in moving if each.state is ShadowState.DELETING and source in each.sources]
        return tuple(mine[:limit])

    def held(self, after: tuple[str, str, int], limit: int) -> tuple[HeldReference, ...]:
        """List what the resources refer to."""
        found = [
            HeldReference(type_, name, ordinal, reference)
            for (type_, name), references in self._references().items()
            for ordinal, reference in enumerate(references)
            if reference.kind.value in ("BLOCK", "CASCADE", "UNSET") and (type_, name, ordinal) > after
        ]
        return tuple(sorted(found, key=lambda each: (each.type, each.name, each.ordinal))[:limit])

    def sources(self) -> tuple[str, ...]:
        """List the deployments that refer to anything here."""
        return tuple(sorted({source for each in self._shadows.values() for source in each.sources}))

    def tally(self) -> ConstraintTally:
        """Count what is under way."""
        now, moving = self.now(), self.moving(limit=1_000_000)
        dying = [each for each in moving if each.state is ShadowState.DELETING]
        return ConstraintTally(
            len(self._owed.items()),
            _age(now, [each.since for each in self._owed.values()]),
            len(self._blockades.items()),
            _age(now, self._established.values()),
            len(self.overdue(1_000_000)),
            len(moving) - len(dying),
            len(dying),
            _age(now, [each.since for each in dying if each.since]),
        )

    def draw(self) -> str:
        """Draw a token."""
        return f"{int(self.now().timestamp())}-{new_uid()}"

    def commit_attempt(self, token: str, *targets: str) -> None:
        """Note that the attempt commits with this transaction, and what is owed then."""
        self._enter(f"attempt {token}")
        if self.now() - TOKEN_LIFE > datetime.fromtimestamp(int(token.partition("-")[0]), self.now().tzinfo):
            raise AttemptExpired(message("The attempt began too long ago."))
        if self._attempts.get(token) is not None:
            raise AttemptResolved(message("The attempt was settled meanwhile."))
        self._attempts.written[token] = (AttemptOutcome.COMMITTED, self.now())
        for target in targets:
            self.owe(token, target)

    def abort_attempt(self, token: str) -> AttemptOutcome:
        """Settle an attempt as aborted unless it was settled before."""
        self._enter(f"attempt {token}")
        found = self._attempts.get(token)
        if found is None:
            found = self._attempts.written[token] = (AttemptOutcome.ABORTED, self.now())
        return found[0]

    def owe(self, token: str, target: str) -> None:
        """Note that a confirmation is owed."""
        self._enter(f"owed {token}")
        if self._owed.get((token, target)) is None:
            self._owed.written[token, target] = Owed(token, target, self.now())

    def paid(self, target: str, *tokens: str) -> None:
        """Forget owed confirmations."""
        for token in sorted(tokens):
            self._enter(f"owed {token}")
            self._owed.written[token, target] = None

    def block(self, token: str, source: str, kinds: Mapping[UUID, str], resolve_after_seconds: float) -> None:
        """Put up blockades."""
        self._enter(f"blockade {token}")
        later = self.now() + timedelta(seconds=resolve_after_seconds)
        for uid, kind in kinds.items():
            if self._blockades.get((token, uid)) is None:
                self._blockades.written[token, uid] = Blockade(token, uid, source, kind, later)
                self._established.written[token, uid] = self.now()

    def unblock(self, source: str, *tokens: str) -> int:
        """Take down the blockades of tokens."""
        for token in sorted(tokens):
            self._enter(f"blockade {token}")
        count = self._blockades.drop(lambda _, each: each.source == source and each.token in tokens)
        self._established.drop(lambda key, _: self._blockades.get(key) is None)
        return count

    def ask_later(self, token: str, seconds: float) -> None:
        """Ask for an outcome later."""
        self._enter(f"blockade {token}")
        later = self.now() + timedelta(seconds=seconds)
        for key, each in self._blockades.items():
            if each.token == token:
                self._blockades.written[key] = replace(each, resolve_after=later)

    def release(self, source: str, after: str, limit: int) -> str:
        """Forget what an evicted deployment holds."""
        self._enter(f"evicted {source}")
        self._blockades.drop(lambda _, each: each.source == source)
        self._established.drop(lambda key, _: self._blockades.get(key) is None)
        self._owed.drop(lambda key, _: key[1] == source)
        self._checks.drop(lambda key, _: key[1] == source)
        uids = sorted((uid for uid, _ in self._shadows.items() if str(uid) > after), key=str)
        for uid in uids[:limit]:
            found = self._shadows.get(uid)
            if found is not None and source in found.sources:
                left = tuple(each for each in found.sources if each != source)
                self._shadows.written[uid] = replace(found, sources=left, ref_epoch=found.ref_epoch + 1)
        return str(uids[limit - 1]) if len(uids) >= limit else ""

    def write(self, *shadows: Shadow) -> None:
        """Write shadows by their uids."""
        for each in sorted(shadows, key=lambda one: str(one.uid)):
            self._write(each)

    def _write(self, shadow: Shadow) -> None:
        assert shadow.uid is not None
        self._enter(f"shadow {shadow.uid}")
        before = self._shadows.get(shadow.uid)
        SHADOW.check_step(before.state if before else None, shadow.state)
        names = {self._namespace.version: (shadow.type, shadow.name), **shadow.names}
        since = before.since if before and before.state is shadow.state else self.now()
        kept = names if shadow.state is not ShadowState.ACTIVE else {}
        self._shadows.written[shadow.uid] = replace(shadow, names=kept, since=since)
        self._barred.drop(lambda _, uid: uid == shadow.uid)
        if shadow.state is ShadowState.DELETING:
            for version, (type_, name) in names.items():
                self._barred.written[version, type_, name] = shadow.uid

    def finalise(self, *uids: UUID) -> None:
        """Forget shadows with their names and blockades."""
        for uid in sorted(uids):
            self._enter(f"shadow {uid}")
            self._shadows.written[uid] = None
        self._barred.drop(lambda _, each: each in uids)
        self._blockades.drop(lambda key, _: key[1] in uids)
        self._established.drop(lambda key, _: key[1] in uids)

    def lock_shadows(self, *uids: UUID) -> dict[UUID, Shadow]:
        """Lock shadows by uid."""
        for uid in sorted(uids):
            self._enter(f"shadow {uid}")
        return {uid: found for uid in uids if (found := self._shadows.get(uid)) is not None}

    def prune(self, limit: int) -> int:
        """Forget the outcomes of old attempts."""
        old = self.now() - ATTEMPTS_KEPT
        keys = [key for key, (_, at) in self._attempts.items() if at < old][:limit]
        return self._attempts.drop(lambda key, _: key in keys)

    def forget_active(self, *uids: UUID) -> None:
        """Forget the shadows of resources that go without a trace."""
        for uid in uids:
            found = self._shadows.get(uid)
            if found is not None and found.state is ShadowState.ACTIVE:
                self._shadows.written[uid] = None

    def commit(self) -> None:
        """Put everything in place."""
        for each in (self._shadows, self._barred, self._blockades, self._established, self._attempts):
            each.commit()
        self._owed.commit()
        self._links.commit()
        self._bars.commit()
        self._checks.commit()


def _age(now: datetime, times: list[datetime]) -> float:
    return (now - min(times)).total_seconds() if times else 0.0

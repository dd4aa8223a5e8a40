"""The rows of a deployment's dealings with others, in memory: the twin of those on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID, uuid4

from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Stale
from migrations_app.ports.constraints import (
    ATTEMPTS_KEPT,
    TOKEN_LIFE,
    Blockade,
    HeldReference,
    Outcome,
    Owed,
    Tally,
)
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.owners import OwnerLink
from migrations_app.ports.stored import Reference, Shadow, ShadowState

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Barred = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """An owner reference with when it was made and when its owner is asked."""

    link: OwnerLink
    since: datetime
    ask_at: datetime


@dataclass(slots=True)
class MemoryDealings:
    """The committed rows of one deployment."""

    shadows: dict[UUID, Shadow] = field(default_factory=dict)
    barred: dict[Barred, UUID] = field(default_factory=dict)
    blockades: dict[tuple[str, UUID], Blockade] = field(default_factory=dict)
    established: dict[tuple[str, UUID], datetime] = field(default_factory=dict)
    attempts: dict[str, tuple[Outcome, datetime]] = field(default_factory=dict)
    owed: dict[tuple[str, str], Owed] = field(default_factory=dict)
    links: dict[UUID, MemoryLink] = field(default_factory=dict)
    bars: dict[UUID, bool] = field(default_factory=dict)

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
        )


@dataclass(slots=True)
class _Table(Generic[K, V]):
    """One table with the uncommitted writes of a transaction over it."""

    committed: dict[K, V]
    written: dict[K, V | None] = field(default_factory=dict)

    def get(self, key: K) -> V | None:
        return self.written[key] if key in self.written else self.committed.get(key)

    def items(self) -> list[tuple[K, V]]:
        merged: dict[K, V | None] = {**self.committed, **self.written}
        return [(key, value) for key, value in merged.items() if value is not None]

    def values(self) -> list[V]:
        return [value for _, value in self.items()]

    def drop(self, chosen: Callable[[K, V], bool]) -> int:
        keys = [key for key, value in self.items() if chosen(key, value)]
        self.written.update(dict.fromkeys(keys))
        return len(keys)

    def commit(self) -> None:
        for key, value in self.written.items():
            if value is None:
                self.committed.pop(key, None)
            else:
                self.committed[key] = value


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
        self._shadows = _Table(kept.shadows)
        self._barred = _Table(kept.barred)
        self._blockades = _Table(kept.blockades)
        self._established = _Table(kept.established)
        self._attempts = _Table(kept.attempts)
        self._owed = _Table(kept.owed)
        self._links, self._bars = _Table(kept.links), _Table(kept.bars)
        self.owners = MemoryOwners(self._links, self._bars, clock, enter)

    def now(self) -> datetime:
        """Tell the time."""
        return self._clock.now()

    def outcome(self, token: str) -> Outcome | None:
        """Tell how an attempt ended."""
        found = self._attempts.get(token)
        return found[0] if found else None

    def blockades(self, uid: UUID) -> tuple[Blockade, ...]:
        """List the blockades of a resource."""
        mine = [each for each in self._blockades.values() if each.uid == uid]
        return tuple(sorted(mine, key=lambda each: each.token))

    def overdue(self, limit: int) -> tuple[Blockade, ...]:
        """List blockades whose outcome is to be asked for."""
        due = [each for each in self._blockades.values() if each.resolve_after <= self.now()]
        return tuple(sorted(due, key=lambda each: each.resolve_after)[:limit])

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

    def tally(self) -> Tally:
        """Count what is under way."""
        now, moving = self.now(), self.moving(limit=1_000_000)
        dying = [each for each in moving if each.state is ShadowState.DELETING]
        return Tally(
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
        return f"{int(self.now().timestamp())}-{uuid4()}"

    def commit_attempt(self, token: str) -> None:
        """Note that the attempt commits with this transaction."""
        self._enter(f"attempt {token}")
        if self.now() - TOKEN_LIFE > datetime.fromtimestamp(int(token.partition("-")[0]), self.now().tzinfo):
            raise Stale("The attempt began too long ago.", code="token-old")
        if self._attempts.get(token) is not None:
            raise Stale("The attempt was settled meanwhile.", code="attempt-resolved")
        self._attempts.written[token] = (Outcome.COMMITTED, self.now())

    def abort_attempt(self, token: str) -> Outcome:
        """Settle an attempt as aborted unless it was settled before."""
        self._enter(f"attempt {token}")
        found = self._attempts.get(token)
        if found is None:
            found = self._attempts.written[token] = (Outcome.ABORTED, self.now())
        return found[0]

    def owe(self, token: str, target: str) -> None:
        """Note that a confirmation is owed."""
        self._enter(f"owed {token}")
        if self._owed.get((token, target)) is None:
            self._owed.written[token, target] = Owed(token, target, self.now())

    def paid(self, token: str, target: str) -> None:
        """Forget an owed confirmation."""
        self._enter(f"owed {token}")
        self._owed.written[token, target] = None

    def block(self, token: str, uid: UUID, source: str, kind: str, resolve_after_seconds: float) -> None:
        """Put up a blockade."""
        self._enter(f"blockade {token}")
        if self._blockades.get((token, uid)) is None:
            later = self.now() + timedelta(seconds=resolve_after_seconds)
            self._blockades.written[token, uid] = Blockade(token, uid, source, kind, later)
            self._established.written[token, uid] = self.now()

    def unblock(self, token: str, source: str) -> int:
        """Take down the blockades of a token."""
        self._enter(f"blockade {token}")
        count = self._blockades.drop(lambda _, each: (each.token, each.source) == (token, source))
        self._established.drop(lambda key, _: self._blockades.get(key) is None)
        return count

    def ask_later(self, token: str, seconds: float) -> None:
        """Ask for an outcome later."""
        self._enter(f"blockade {token}")
        later = self.now() + timedelta(seconds=seconds)
        for key, each in self._blockades.items():
            if each.token == token:
                self._blockades.written[key] = replace(each, resolve_after=later)

    def write(self, shadow: Shadow) -> None:
        """Write a shadow by its uid."""
        assert shadow.uid is not None
        self._enter(f"shadow {shadow.uid}")
        before = self._shadows.get(shadow.uid)
        names = {self._namespace.version: (shadow.type, shadow.name), **shadow.names}
        since = before.since if before and before.state is shadow.state else self.now()
        kept = names if shadow.state is not ShadowState.ACTIVE else {}
        self._shadows.written[shadow.uid] = replace(shadow, names=kept, since=since)
        self._barred.drop(lambda _, uid: uid == shadow.uid)
        if shadow.state is ShadowState.DELETING:
            for version, (type_, name) in names.items():
                self._barred.written[version, type_, name] = shadow.uid

    def finalise(self, uid: UUID) -> None:
        """Forget a shadow with its names and blockades."""
        self._enter(f"shadow {uid}")
        self._shadows.written[uid] = None
        self._barred.drop(lambda _, each: each == uid)
        self._blockades.drop(lambda key, _: key[1] == uid)
        self._established.drop(lambda key, _: key[1] == uid)

    def lock_shadow(self, uid: UUID) -> Shadow | None:
        """Lock a shadow by its uid."""
        self._enter(f"shadow {uid}")
        return self._shadows.get(uid)

    def prune(self, limit: int) -> int:
        """Forget the outcomes of old attempts."""
        old = self.now() - ATTEMPTS_KEPT
        keys = [key for key, (_, at) in self._attempts.items() if at < old][:limit]
        return self._attempts.drop(lambda key, _: key in keys)

    def forget_active(self, uid: UUID) -> None:
        """Forget the shadow of a resource that goes without a trace."""
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


class MemoryOwners:
    """Owner references of a deployment, in memory."""

    def __init__(
        self,
        links: _Table[UUID, MemoryLink],
        bars: _Table[UUID, bool],
        clock: Clock,
        enter: Callable[[str], None],
    ) -> None:
        self._links, self._bars, self._clock, self._enter = links, bars, clock, enter

    def of(self, uid: UUID) -> tuple[OwnerLink, ...]:
        """List those of a resource."""
        return self._sorted(lambda each: each.link.uid == uid)

    def due(self, limit: int) -> tuple[OwnerLink, ...]:
        """List those whose owner is to be asked."""
        now = self._clock.now()
        return self._sorted(lambda each: each.ask_at <= now)[:limit]

    def hurry(self, owner: str, version: str) -> int:
        """Ask the owner of a deployment anew where another version of it is named."""
        outdated = [each for each in self._links.values() if each.link.owner == owner]
        outdated = [each for each in outdated if each.link.owner_version != version]
        for each in outdated:
            self.confirm(each.link, 0.0)
        return len(outdated)

    def owned_by(self, owner: str, uids: Sequence[UUID]) -> tuple[OwnerLink, ...]:
        """List those that were confirmed for these owners."""
        return self._sorted(lambda each: each.link.owner == owner and each.link.owner_uid in uids)

    def link(self, link: OwnerLink) -> None:
        """Note a new reference."""
        self._enter(f"link {link.ref_id}")
        self._links.written[link.ref_id] = MemoryLink(link, self._clock.now(), self._clock.now())

    def confirm(self, link: OwnerLink, ask_after_seconds: float) -> bool:
        """Write what the owner confirmed."""
        self._enter(f"link {link.ref_id}")
        found = self._links.get(link.ref_id)
        if found is not None:
            later = self._clock.now() + timedelta(seconds=ask_after_seconds)
            self._links.written[link.ref_id] = MemoryLink(link, found.since, later)
        return found is not None

    def ask_later(self, ref_id: UUID, seconds: float) -> None:
        """Ask the owner later."""
        found = self._links.get(ref_id)
        if found is not None:
            self.confirm(found.link, seconds)

    def drop(self, ref_id: UUID) -> bool:
        """Forget a reference."""
        self._enter(f"link {ref_id}")
        return self._links.drop(lambda key, _: key == ref_id) > 0

    def forget(self, uid: UUID) -> None:
        """Forget all references of a resource."""
        self._links.drop(lambda _, each: each.link.uid == uid)

    def bar(self, ref_id: UUID) -> None:
        """Note that a reference was denied."""
        self._enter(f"bar {ref_id}")
        self._bars.written[ref_id] = True

    def is_barred(self, ref_id: UUID) -> bool:
        """Tell whether a reference was denied."""
        return self._bars.get(ref_id) is not None

    def _sorted(self, chosen: Callable[[MemoryLink], bool]) -> tuple[OwnerLink, ...]:
        now = self._clock.now()
        found = sorted((each for each in self._links.values() if chosen(each)), key=lambda each: each.ask_at)
        return tuple(replace(each.link, age_seconds=(now - each.since).total_seconds()) for each in found)


def _age(now: datetime, times: list[datetime]) -> float:
    return (now - min(times)).total_seconds() if times else 0.0

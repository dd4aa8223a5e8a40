"""Owner references of a deployment in memory, over tables that keep what a transaction has not committed apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Generic, TypeVar
from uuid import UUID

from migrations_app.kernel.clock import Clock
from migrations_app.ports.owners import OwneeCheck, OwnerLink

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class MemoryLink:
    """An owner reference with when it was made and when its owner is asked."""

    link: OwnerLink
    since: datetime
    ask_at: datetime


@dataclass(slots=True)
class TransactionTable(Generic[K, V]):
    """One table with the uncommitted writes of a transaction over it."""

    committed: dict[K, V]
    written: dict[K, V | None] = field(default_factory=dict)

    def get(self, key: K) -> V | None:
        """Read what the transaction sees."""
        return self.written[key] if key in self.written else self.committed.get(key)

    def items(self) -> list[tuple[K, V]]:
        """List what the transaction sees."""
        merged: dict[K, V | None] = {**self.committed, **self.written}
        return [(key, value) for key, value in merged.items() if value is not None]

    def values(self) -> list[V]:
        """List the rows the transaction sees."""
        return [value for _, value in self.items()]

    def drop(self, chosen: Callable[[K, V], bool]) -> int:
        """Delete the chosen rows; tell how many."""
        keys = [key for key, value in self.items() if chosen(key, value)]
        self.written.update(dict.fromkeys(keys))
        return len(keys)

    def commit(self) -> None:
        """Put what was written in place."""
        for key, value in self.written.items():
            if value is None:
                self.committed.pop(key, None)
            else:
                self.committed[key] = value


class MemoryOwners:
    """Owner references of a deployment, in memory."""

    def __init__(
        self,
        links: TransactionTable[UUID, MemoryLink],
        bars: TransactionTable[UUID, bool],
        checks: TransactionTable[tuple[UUID, str], OwneeCheck],
        clock: Clock,
        enter: Callable[[str], None],
    ) -> None:
        self._links, self._bars, self._checks = links, bars, checks
        self._clock, self._enter = clock, enter

    def of(self, uid: UUID) -> tuple[OwnerLink, ...]:
        """List those of a resource."""
        return self._sorted(lambda each: each.link.uid == uid)

    def due(self, limit: int) -> tuple[OwnerLink, ...]:
        """List those whose owner is to be asked."""
        now = self._clock.now()
        return self._sorted(lambda each: each.ask_at <= now)[:limit]

    def hurry(self, owner: str, version: str) -> int:
        """Ask the owner of a deployment again where another version of it is named."""
        outdated = [each for each in self._links.values() if each.link.owner == owner]
        outdated = [each for each in outdated if each.link.owner_version != version]
        for each in outdated:
            self.confirm(each.link, 0.0)
        return len(outdated)

    def recheck(self, owner: str, uids: Sequence[UUID]) -> int:
        """Ask again the owners that have to refer to what they own."""
        now = self._clock.now()
        required = [each for each in self._links.values() if each.link.requires and each.ask_at > now]
        required = [
            each for each in required if (each.link.owner, each.link.owner_uid in uids) == (owner, True)
        ]
        for each in required:
            self.confirm(each.link, 0.0)
        return len(required)

    def checks(self, limit: int) -> tuple[OwneeCheck, ...]:
        """List the checks that others have not been asked for yet."""
        return tuple(sorted(self._checks.values(), key=lambda each: each.since)[:limit])

    def note_checks(self, uid: UUID, *targets: str) -> None:
        """Note that deployments are to ask again about an owner."""
        for target in sorted(targets):
            self._enter(f"check {uid} {target}")
            self._checks.written[uid, target] = OwneeCheck(uid, target, self._clock.now())

    def drop_checks(self, *checks: OwneeCheck) -> None:
        """Forget checks that were not noted again."""
        for each in checks:
            self._enter(f"check {each.uid} {each.target}")
        self._checks.drop(lambda _, each: each in checks)

    def page(self, after: UUID, limit: int) -> tuple[OwnerLink, ...]:
        """List all in the order of their ids."""
        found = self._sorted(lambda each: each.link.ref_id > after)
        return tuple(sorted(found, key=lambda each: each.ref_id))[:limit]

    def owned_by(self, owner: str, uids: Sequence[UUID]) -> tuple[OwnerLink, ...]:
        """List those that were confirmed for these owners."""
        return self._sorted(lambda each: each.link.owner == owner and each.link.owner_uid in uids)

    def owning(self, owner: str, uids: Sequence[UUID]) -> set[UUID]:
        """Tell which of these owners own anything here."""
        return {each.owner_uid for each in self.owned_by(owner, uids) if each.owner_uid}

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

    def forget(self, *uids: UUID) -> None:
        """Forget all references of resources."""
        self._links.drop(lambda _, each: each.link.uid in uids)

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

"""Owner references as a deployment keeps them beside its resources: each addition has an id of its own.

Source: the model `owner_ref`: by name alone, or by the owner's uid alone, a reused name or a late message loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class OwnerLink:
    """One owner reference of a resource here; `owner_uid` is filled in once the owner confirmed it.

    `type`, `name` and `version` are the ownee as it was stored when it was linked.
    """

    ref_id: UUID
    uid: UUID
    type: str
    name: str
    version: str
    owner: str
    owner_type: str
    owner_version: str
    owner_name: str
    requires: bool = False
    unset: bool = False
    owner_uid: UUID | None = None
    age_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class OwneeCheck:
    """A deployment that is to ask again whether a resource here, which refers to less than before, owns something there."""

    uid: UUID
    target: str
    since: datetime


class OwnerReading(Protocol):
    """Reads the owner references of one deployment."""

    def of(self, uid: UUID) -> tuple[OwnerLink, ...]:
        """List those of a resource."""
        ...

    def due(self, limit: int) -> tuple[OwnerLink, ...]:
        """List those whose owner is to be asked, longest waiting first."""
        ...

    def page(self, after: UUID, limit: int) -> tuple[OwnerLink, ...]:
        """List all, in the order of their ids, those after `after`."""
        ...

    def owned_by(self, owner: str, uids: Sequence[UUID]) -> tuple[OwnerLink, ...]:
        """List those that an owner's deployment confirmed for these owners."""
        ...

    def owning(self, owner: str, uids: Sequence[UUID]) -> set[UUID]:
        """Tell which of these owners of a deployment own anything here."""
        ...

    def checks(self, limit: int) -> tuple[OwneeCheck, ...]:
        """List the checks that other deployments have not been asked for yet, longest waiting first."""
        ...


class Owners(OwnerReading, Protocol):
    """Writes them, and the bars of those that were denied, within a transaction."""

    def link(self, link: OwnerLink) -> None:
        """Note a new reference; its owner is to be asked at once."""
        ...

    def confirm(self, link: OwnerLink, ask_after_seconds: float) -> bool:
        """Write what the owner confirmed, if the reference is still there; tell whether it is."""
        ...

    def ask_later(self, ref_id: UUID, seconds: float) -> None:
        """Ask the owner no sooner than that."""
        ...

    def hurry(self, owner: str, version: str) -> int:
        """Ask at once about references to an owner's deployment that name another version; tell how many."""
        ...

    def recheck(self, owner: str, uids: Sequence[UUID]) -> int:
        """Ask at once whether these owners of a deployment still refer to what has to be referred to; tell how many."""
        ...

    def note_checks(self, uid: UUID, *targets: str) -> None:
        """Note that these deployments are to ask again about an owner; one that is noted already counts from now."""
        ...

    def drop_checks(self, *checks: OwneeCheck) -> None:
        """Forget checks that were asked for, unless they were noted again meanwhile."""
        ...

    def drop(self, ref_id: UUID) -> bool:
        """Forget a reference; tell whether it was there."""
        ...

    def forget(self, *uids: UUID) -> None:
        """Forget all references of resources."""
        ...

    def bar(self, ref_id: UUID) -> None:
        """Note that a reference was denied for good: it is never confirmed afterwards."""
        ...

    def is_barred(self, ref_id: UUID) -> bool:
        """Tell whether a reference was denied."""
        ...

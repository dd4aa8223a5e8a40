"""What a deployment keeps of its dealings with others: attempts, blockades, owed confirmations, moving shadows.

These rows stand beside the resources, in the same data database, and are kept by the deployment and the
uid of the resource: neither changes with a version, so that a switch leaves them as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol
from uuid import UUID

from migrations_app.ports.owners import OwnerReading, Owners
from migrations_app.ports.stored import Reference, Shadow

TOKEN_LIFE = timedelta(hours=24)
"""A token older than this is not committed any more."""
ATTEMPTS_KEPT = timedelta(days=30)
"""So long the outcome of an attempt is remembered."""


class AttemptOutcome(StrEnum):
    """How an attempt ended."""

    COMMITTED = "COMMITTED"
    ABORTED = "ABORTED"


@dataclass(frozen=True, slots=True)
class Blockade:
    """A reference that another deployment announced: until its token is settled, it may exist or not."""

    token: str
    uid: UUID
    source: str
    kind: str
    resolve_after: datetime


@dataclass(frozen=True, slots=True)
class Owed:
    """A confirmation that is owed to another deployment."""

    token: str
    target: str
    since: datetime


@dataclass(frozen=True, slots=True)
class HeldReference:
    """A reference that a resource of this deployment holds; `ordinal` is its place among those of the resource."""

    type: str
    name: str
    ordinal: int
    reference: Reference


@dataclass(frozen=True, slots=True)
class ConstraintTally:
    """How much is under way; ages in seconds, 0 when there is none."""

    owed: int = 0
    oldest_owed_seconds: float = 0.0
    blockades: int = 0
    oldest_blockade_seconds: float = 0.0
    overdue_blockades: int = 0
    pending_deletes: int = 0
    deleting: int = 0
    oldest_deleting_seconds: float = 0.0


class ConstraintReading(Protocol):
    """Reads the rows of one deployment."""

    def now(self) -> datetime:
        """Tell the time of the data database."""
        ...

    def outcome(self, token: str) -> AttemptOutcome | None:
        """Tell how an attempt ended, if it did."""
        ...

    def blockades(self, *uids: UUID) -> tuple[Blockade, ...]:
        """List the blockades of resources."""
        ...

    def overdue(self, limit: int) -> tuple[Blockade, ...]:
        """List blockades whose outcome is to be asked for, longest waiting first."""
        ...

    def standing(self, seconds: float, limit: int) -> tuple[Blockade, ...]:
        """List blockades that were put up at least so long ago, oldest first."""
        ...

    def owed(self, limit: int) -> tuple[Owed, ...]:
        """List owed confirmations, longest waiting first."""
        ...

    def shadow_of(self, uid: UUID) -> Shadow | None:
        """Read the shadow of a resource by its uid; None when nothing happened to it yet."""
        ...

    def moving(self, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List shadows that are not ACTIVE, in the order of their uids, those after `after`."""
        ...

    def deleting_for(self, source: str, after: str = "", limit: int = 100) -> tuple[Shadow, ...]:
        """List DELETING shadows that a deployment may refer to, in the order of their uids."""
        ...

    def held(self, after: tuple[str, str, int], limit: int) -> tuple[HeldReference, ...]:
        """List what the active version's resources refer to, all kinds that hold, in order of (type, name, ordinal)."""
        ...

    def sources(self) -> tuple[str, ...]:
        """List the deployments that refer, or referred, to anything here."""
        ...

    def tally(self) -> ConstraintTally:
        """Count what is under way."""
        ...

    @property
    def owners(self) -> OwnerReading:
        """The owner references."""
        ...


class Constraints(ConstraintReading, Protocol):
    """Writes the rows of one deployment, within a transaction of its active namespace."""

    def draw(self) -> str:
        """Draw a token for an attempt, with the data database's time in it."""
        ...

    def commit_attempt(self, token: str, *targets: str) -> None:
        """Note that the attempt commits with this transaction, and that its confirmation is owed to these.

        Raises: Stale (`attempt-resolved`) when it was settled otherwise, (`attempt-expired`) when it is too old.
        """
        ...

    def abort_attempt(self, token: str) -> AttemptOutcome:
        """Settle an attempt as aborted unless it was settled before; tell how it is settled."""
        ...

    def owe(self, token: str, target: str) -> None:
        """Note that a confirmation is owed."""
        ...

    def paid(self, target: str, *tokens: str) -> None:
        """Forget confirmations that were owed to a deployment."""
        ...

    def block(self, token: str, source: str, kinds: Mapping[UUID, str], resolve_after_seconds: float) -> None:
        """Put up a blockade of a kind on each of some resources; done again, it changes nothing."""
        ...

    def unblock(self, source: str, *tokens: str) -> int:
        """Take down the blockades that one deployment put up with these tokens; tell how many."""
        ...

    def ask_later(self, token: str, seconds: float) -> None:
        """Ask for the outcome of a blockade's token no sooner than that."""
        ...

    def release(self, source: str, after: str, limit: int) -> str:
        """Forget what a deployment that was evicted holds: its blockades, what is owed to it, and that it is a source.

        The last of a page of shadows, in the order of their uids; tell after which to go on, nothing at the end.
        """
        ...

    def write(self, *shadows: Shadow) -> None:
        """Write shadows by their uids; one that is being deleted bars its names."""
        ...

    def finalise(self, *uids: UUID) -> None:
        """Forget shadows with their names and blockades."""
        ...

    def lock_shadows(self, *uids: UUID) -> dict[UUID, Shadow]:
        """Lock those shadows that are there, by uid, until the end of the transaction, behind the fence."""
        ...

    @property
    def owners(self) -> Owners:
        """The owner references, written in this transaction."""
        ...

    def prune(self, limit: int) -> int:
        """Forget the outcomes of attempts that are too old to matter; tell how many."""
        ...

"""Read copies: what a namespace keeps of resources that other regions own, and how far it has followed each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from migrations_app.domain.regions.read_copies import ComparisonStage as ComparisonStage
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import NOTHING, WordedMessage
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import BatchResult, Put, Removal, ReplicationToken


@dataclass(frozen=True, slots=True)
class CopySource:
    """Where one namespace stands with one region that owns what it keeps copies of.

    `position` is a place in the source's changes, in its own words; `cursor` one in the comparison. The copies
    are as the source had them at `level_at` or later. `waiting` counts the changes that were known to wait
    there when it last answered, at `heard_at`; `problem` says why it did not since.
    """

    region: str
    position: str = ""
    stage: ComparisonStage = ComparisonStage.THEIRS
    cursor: str = ""
    compared_at: datetime | None = None
    level_at: datetime | None = None
    heard_at: datetime | None = None
    waiting: int = 0
    problem: WordedMessage = NOTHING
    rev: int = 0


@dataclass(frozen=True, slots=True)
class FeedLook:
    """One look at the feeds of the database `watched`: since when each deployment there has not moved.

    `moved` names who keeps copies, and of which region, of those that did move since the look before.
    """

    watched: str
    at: datetime
    rests_since: Mapping[str, datetime]
    moved: Sequence[tuple[Namespace, str]] = ()


@dataclass(frozen=True, slots=True)
class ResourceIdentity:
    """What identifies a resource and its state, without its body."""

    type: str
    name: str
    uid: UUID
    revision: int


@dataclass(frozen=True, slots=True)
class OwnedIdentity(ResourceIdentity):
    """What identifies a resource that the deployment itself owns, and `metadata.syncing` as the row has it."""

    syncing: Json = None


@dataclass(frozen=True, slots=True)
class CopyScope:
    """Resources of a type: those under the name `prefix` (itself too), for the region `reader`; all when empty."""

    type: str
    prefix: str = ""
    reader: str = ""


class Copies(Protocol):
    """Keeps read copies in namespaces.

    A copy has its owner's revision, carries no references and leaves no tombstone: only the owner's revisions
    count. It appears in the feed with the origin `@region`. Never does it take the place of a resource that the
    deployment owns itself.
    """

    def source(self, namespace: Namespace, region: str) -> CopySource:
        """Read where a namespace stands with a source; a fresh one (`rev` 0) when it never asked it."""
        ...

    def sources(self, namespace: Namespace) -> tuple[CopySource, ...]:
        """Read where a namespace stands with every source it ever asked, by region."""
        ...

    def note(self, namespace: Namespace, source: CopySource) -> CopySource:
        """Keep where a namespace stands.

        Raises: Stale (`copies-moved`) when another worker was here since it was read.
        """
        ...

    def bring(
        self,
        namespace: Namespace,
        source: CopySource,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken | None = None,
    ) -> tuple[CopySource, BatchResult]:
        """Write copies, and where the namespace stands after them, in one transaction.

        Only what is newer than the copy there is written, and only copies of this source are removed; at most
        one change per (type, name). A namespace that is not the active one needs a warrant.

        Raises: Stale (`copies-moved`, `version-not-active`, `warrant-void`) · Busy (`frozen`); nothing is written.
        """
        ...

    def note_look(self, place: Namespace, look: FeedLook) -> None:
        """Note in the database of a namespace when its sources were looked at, and since when each has not moved.

        From then on copies that were caught up after that, and have been followed without a problem, are told as level at the
        time of the last look. Replaces what the same watch noted before.
        """
        ...

    def forget(self, namespace: Namespace, source: CopySource) -> None:
        """Forget a source that nothing is kept of any more.

        Raises: Stale (`copies-moved`) when another worker was here since it was read.
        """
        ...

    def held(
        self, namespace: Namespace, region: str, type: str, after: str, limit: int
    ) -> tuple[ResourceIdentity, ...]:
        """List the copies of what a region owns, in the order of their names."""
        ...

    def known(self, namespace: Namespace, region: str, type: str, names: Sequence[str]) -> dict[str, int]:
        """Tell the revisions of those of the names that are copies of what a region owns."""
        ...

    def owned(
        self, namespace: Namespace, scope: CopyScope, after: str, limit: int
    ) -> tuple[OwnedIdentity, ...]:
        """List what the deployment itself owns, in the order of names."""
        ...


@dataclass(frozen=True, slots=True)
class CopiesLeft:
    """Regions whose copies a namespace lacks: those that still come, and those of deployments that do not serve."""

    coming: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


class Levels(Protocol):
    """Tells what would be missed if one namespace took the place of another."""

    def left(self, origin: Namespace, passive: Namespace) -> CopiesLeft:
        """Name the regions whose copies `passive` lacks, or has older than `origin`."""
        ...

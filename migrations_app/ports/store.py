"""Where a deployment keeps one version's resources, and the contract that every backend fulfils."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from migrations_app.domain.parity.digest import Digest
from migrations_app.ports.constraints import ConstraintReading, Constraints
from migrations_app.ports.conversions import Convert, ConvertText, SqlConversion
from migrations_app.ports.fence import FenceState
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.part_copies import PartCopies
from migrations_app.ports.references.referrer_queries import ReferrerQueries
from migrations_app.ports.stored import (
    ABSENT,
    BatchResult,
    CollectionStep,
    Copied,
    Draft,
    KeyRange,
    Layout,
    Listing,
    Put,
    Query,
    Reference,
    ReferenceKind,
    ReferencePath,
    Referrer,
    Removal,
    ReplicationToken,
    Shadow,
    ShadowState,
    SortKey,
    StoredResource,
    Tombstone,
)

__all__ = [
    "ABSENT",
    "BatchResult",
    "CollectionStep",
    "Copied",
    "Digest",
    "Draft",
    "FencedReading",
    "KeyRange",
    "Layout",
    "Listing",
    "Namespace",
    "NeedsSnapshot",
    "Put",
    "Query",
    "Reading",
    "Reference",
    "ReferenceKind",
    "ReferencePath",
    "Referrer",
    "Removal",
    "ReplicationToken",
    "Shadow",
    "ShadowState",
    "Snapshot",
    "SortKey",
    "Store",
    "StoredResource",
    "Tombstone",
    "Transaction",
]


class Reading(ReferrerQueries, Protocol):
    """What can be read of one namespace."""

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource."""
        ...

    def batch_get(self, type: str, names: Sequence[str]) -> dict[str, StoredResource]:
        """Read those of the names that exist."""
        ...

    def present(self, type: str, names: Sequence[str]) -> set[str]:
        """Tell which of the names exist, without reading what they hold."""
        ...

    def list(self, query: Query) -> Listing:
        """List resources of a type.

        Raises: Invalid (`cursor-broken`) for a cursor of another query.
        """
        ...

    def references(self, type: str, name: str) -> tuple[Reference, ...]:
        """Tell what a resource refers to."""
        ...

    def references_of(self, type: str, names: Sequence[str]) -> dict[str, tuple[Reference, ...]]:
        """Tell what several resources refer to; those that refer to nothing are left out."""
        ...

    def referrers(
        self, service: str, name: str, *, limit: int = 1000, kinds: Sequence[str] = ()
    ) -> tuple[Referrer, ...]:
        """Tell who in this namespace refers to a resource of a service, by an index; of these kinds, or of any."""
        ...

    def referrers_of(
        self,
        service: str,
        names: Sequence[str],
        kinds: Sequence[str],
        *,
        each: int,
        most: int,
        staying: bool = False,
    ) -> tuple[Referrer, ...]:
        """Tell who refers to any of these, in no order: at most `each` for one name, and `most` for all.

        `staying` leaves out who is being deleted itself.
        """
        ...

    def shadow(self, type: str, name: str) -> Shadow | None:
        """Read the shadow of a resource; it may outlive the resource while it is being deleted."""
        ...

    def shadows(self, type: str, names: Sequence[str]) -> dict[str, Shadow]:
        """Read the shadows, by name, of those of the resources that exist."""
        ...

    @property
    def constraints(self) -> ConstraintReading:
        """The rows of the deployment's dealings with others."""
        ...


class Snapshot(Reading, Protocol):
    """One consistent view of a namespace together with the fence that guards it."""

    @property
    def fence(self) -> FenceState:
        """The fence as of this snapshot."""
        ...


class NeedsSnapshot(Exception):
    """The question takes more than one statement: ask it in a snapshot."""


class FencedReading(Reading, Protocol):
    """A read of a namespace that answers one `get`, `batch_get` or `list`, and comes with the fence of that instant.

    Raises: Stale (`version-not-active`) when another version is active than was expected · NeedsSnapshot for a
    second question, for any other one, and when the answer does not tell of the fence.
    """

    @property
    def asked(self) -> bool:
        """Whether the question was answered."""
        ...


class Transaction(Reading, Protocol):
    """Writes that commit together. Reading sees one's own writes.

    The first write waits for the fence. When it refuses: Stale (`version-not-active`) when another version
    is active, Busy (`frozen`) in a freeze or when closed; the transaction is then lost.
    """

    def put(self, draft: Draft, expected: int | None = None, *, alone: bool = False) -> StoredResource:
        """Write a resource, its references and its shadow.

        `expected` is the revision it must have, `ABSENT` to create, None to write in either case. A name
        that existed before continues the revision of its tombstone. `alone` promises that the transaction
        wrote and locked nothing before and does nothing after; then it may be committed when this returns.

        Raises: Conflict (`already-exists`, `being-deleted`) · Missing (`not-found`) · Stale
        (`revision-conflict`, with `found`).
        """
        ...

    def delete(self, type: str, name: str, expected: int | None = None) -> StoredResource:
        """Delete a resource with its references and shadow; tell what it was.

        Raises: Missing (`not-found`) · Stale (`revision-conflict`).
        """
        ...

    def delete_all(self, type: str, names: Sequence[str]) -> int:
        """Delete those of the resources that exist, with all that is kept of them; tell how many went."""
        ...

    def lock_all(self, keys: Sequence[tuple[str, str]]) -> None:
        """Lock the shadows of many resources, by type and name, as `lock` does that of one."""
        ...

    def lock(self, type: str, name: str, *, shared: bool = False) -> Shadow | None:
        """Lock a shadow until the end of the transaction, against every other `lock` and `put_shadow`.

        Who only makes sure that a resource stays takes the lock `shared` with others of the same intent.
        """
        ...

    def hold(self, targets: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShadowState]:
        """Lock the shadows of resources shared, one after the other, and tell their states by then.

        Shape: by (type, name); what does not exist is left out, also if its deletion is under way.
        """
        ...

    def put_shadow(self, shadow: Shadow) -> None:
        """Write a shadow as given."""
        ...

    @property
    def constraints(self) -> Constraints:
        """The rows of the deployment's dealings with others, written in this transaction."""
        ...


class Store(PartCopies, Protocol):
    """Namespaces of resources with growing revisions.

    Every write of a resource raises its revision by one and appears in the change feed of its namespace,
    by every writer; only what `copy` brings is left out of the feed.
    """

    def prepare(self, namespace: Namespace, layouts: Sequence[Layout]) -> None:
        """Create a namespace or bring it up to these layouts; what is there already stays. Repeatable."""
        ...

    def is_current(self, namespace: Namespace) -> bool:
        """Tell whether a namespace is built as `prepare` builds it today; an earlier release may have made it."""
        ...

    def drop(self, namespace: Namespace) -> None:
        """Remove a namespace with all it holds. Repeatable."""
        ...

    def drop_part(self, namespace: Namespace) -> bool:
        """Remove a bounded part of an unused namespace, with the last part the namespace; each its own commit.

        Tells whether something is left. Repeatable; a namespace that is gone has nothing left.
        Raises: Busy when a reader still uses what is to go.
        """
        ...

    def types(self, namespace: Namespace) -> tuple[str, ...]:
        """Tell the resource types that a namespace is prepared for; none if it does not exist."""
        ...

    def read(self, namespace: Namespace) -> Reading:
        """Read a namespace, each call for itself."""
        ...

    def snapshot(self, namespace: Namespace) -> AbstractContextManager[Snapshot]:
        """Read a namespace and its fence as of one instant."""
        ...

    def fenced_read(self, namespace: Namespace, active: str | None) -> AbstractContextManager[FencedReading]:
        """Read a namespace by one question, if `active` is the version that is active; None for any."""
        ...

    def transaction(self, namespace: Namespace) -> AbstractContextManager[Transaction]:
        """Write: commits at the end of the block, rolls back on an exception."""
        ...

    def page(self, namespace: Namespace, key_range: KeyRange) -> tuple[StoredResource, ...]:
        """Read the resources of a key range in the order of their names' bytes, at most its limit."""
        ...

    def bound(self, namespace: Namespace, type: str, shard: int) -> str | None:
        """Tell the greatest name of a shard: the end that a copy fixes at its start."""
        ...

    def counts(self, namespace: Namespace, type: str) -> dict[int, int]:
        """Count resources per shard; a shard with none may be left out."""
        ...

    def size(self, namespace: Namespace) -> int:
        """Tell roughly how many bytes the namespace takes."""
        ...

    def bring_outcomes(self, source: Namespace, target: Namespace) -> datetime:
        """Bring the outcomes of attempts (`ports.constraints`) to another database ahead of a move.

        They never change once they are there. Tells since when there may be more of them. Repeatable.
        """
        ...

    def constraint_rows(self, namespace: Namespace) -> int:
        """Count the rows of the deployment's dealings with others that a move carries while writers wait."""
        ...

    def apply(
        self, namespace: Namespace, changes: Sequence[Put | Removal], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring followed changes into a passive namespace; they appear in its feed with their origin.

        Only what is newer than the resource or its tombstone is kept, so that any order and any repetition
        ends the same. At most one change per (type, name).

        Raises: Stale (`warrant-void`) when the fence says otherwise; nothing was written.
        """
        ...

    def apply_through(
        self,
        source: Namespace,
        target: Namespace,
        type: str,
        announced: Mapping[str, int],
        target_type: str,
        convert: Convert,
        replication_token: ReplicationToken,
        text: ConvertText | None = None,
    ) -> BatchResult | None:
        """Bring followed resources as they are now, converted one by one, without making values of anything else.

        `announced` has of each name the revision that the feed told. Names that are gone are left out: a later
        change deletes them. All of them or nothing: raises whatever `convert` raises, before anything is
        written. None when two of them get one name. Guard and feed as in `apply`.

        Raises: Busy (`revision-behind`) when a resource is older than announced · Stale (`warrant-void`).
        """
        ...

    def copy(
        self, namespace: Namespace, page: Sequence[Put], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring a page of a backfill, all of one type; the same guard as `apply`, but not in the feed.

        Fastest with some thousands, ordered by name.
        """
        ...

    def copy_within(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        target_type: str,
        plan: SqlConversion,
        replication_token: ReplicationToken,
        convert: Convert,
    ) -> Copied | None:
        """Copy a page without taking it out of the database, converted by the expressions of a plan.

        `plan` is what the converter offers for databases (`Converter.sql`), with `references`; resources that it is
        unsure about are converted by `convert`, and what that raises is raised before anything is written. None
        when the store cannot: another database, or shards that cannot be copied beside each other. The references
        at the plan's trails are replaced for what was written. Guard and feed as in `copy`.
        """
        ...

    def copy_through(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        target_type: str,
        convert: Convert,
        replication_token: ReplicationToken,
        text: ConvertText | None = None,
    ) -> Copied | None:
        """Copy a page, converted one by one, without making values of what a conversion does not touch.

        All of the page or nothing of it: raises whatever `convert` raises, before anything is written. None when
        the store has no shorter way than `page` and `copy`, or cannot copy these shards beside each other. Guard
        and feed as in `copy`.
        """
        ...

    def names_by_uid(self, namespace: Namespace, type: str, uids: Sequence[UUID]) -> dict[UUID, str]:
        """Tell the names of resources by uid; fast only for a layout with `by_uid`."""
        ...

    def digests(
        self,
        namespace: Namespace,
        type: str,
        by: Literal["shard", "origin_shard", "uid"],
    ) -> dict[int, Digest]:
        """Fingerprint a type in groups: by shard, by origin shard, or by a bucket of the uid (the same in
        every version). A group with nothing in it is left out.
        """
        ...

    def tombstones(
        self, namespace: Namespace, type: str, after: str = "", limit: int = 1000
    ) -> tuple[Tombstone, ...]:
        """Read tombstones in the order of their names."""
        ...

"""The store in memory: the twin of the one on PostgreSQL, for simulation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Literal
from uuid import UUID

from migrations_app.adapters.memory_constraints import MemoryConstraints, MemoryDealings
from migrations_app.adapters.memory_database import MemoryDatabases, MemoryNamespace
from migrations_app.adapters.store.memory.fenced_reads import MemoryFencedRead
from migrations_app.adapters.store.memory.reading import MemoryLooks, MemorySnapshot
from migrations_app.adapters.store.memory.work import MemoryTransaction
from migrations_app.domain.parity.digest import Digest, digest_of
from migrations_app.domain.resources.shards import fnv1a64, shard_of
from migrations_app.domain.sync import check_announced
from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.conversions import Convert, Converted, ConvertText, SqlConversion, SqlPart
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import (
    BatchResult,
    Copied,
    FencedReading,
    KeyRange,
    Layout,
    Put,
    Reading,
    Reference,
    Removal,
    ReplicationToken,
    Snapshot,
    StoredResource,
    Tombstone,
    Transaction,
)


class MemoryStore:
    """Keeps namespaces in memory."""

    def __init__(self, databases: MemoryDatabases) -> None:
        self._databases = databases

    def prepare(self, namespace: Namespace, layouts: Sequence[Layout]) -> None:
        """Create a namespace or bring it up to these layouts."""
        kept = self._databases.database(namespace.database).namespaces
        kept.setdefault(namespace.schema, MemoryNamespace()).layouts.update(
            {layout.type: layout for layout in layouts}
        )

    def is_current(self, namespace: Namespace) -> bool:
        """Tell whether a namespace is built as `prepare` builds it today: always, if it is there."""
        return namespace.schema in self._databases.database(namespace.database).namespaces

    def drop(self, namespace: Namespace) -> None:
        """Remove a namespace with all it holds."""
        self._databases.database(namespace.database).namespaces.pop(namespace.schema, None)

    def drop_part(self, namespace: Namespace) -> bool:
        """Remove one type with its resources, or with the last the namespace."""
        found = self._databases.database(namespace.database).namespaces.get(namespace.schema)
        if not found or not found.layouts:
            self.drop(namespace)
            return False
        gone = min(found.layouts)
        del found.layouts[gone]
        found.resources = {key: each for key, each in found.resources.items() if key[0] != gone}
        return True

    def types(self, namespace: Namespace) -> tuple[str, ...]:
        """Tell the resource types that a namespace is prepared for."""
        found = self._databases.database(namespace.database).namespaces.get(namespace.schema)
        return tuple(sorted(found.layouts)) if found else ()

    def read(self, namespace: Namespace) -> Reading:
        """Read a namespace, each call for itself."""
        return MemoryLooks(
            namespace,
            lambda: self._databases.namespace(namespace),
            lambda: self._constraints(namespace, self._databases.constraint_rows(namespace)),
        )

    @contextmanager
    def snapshot(self, namespace: Namespace) -> Iterator[Snapshot]:
        """Read a namespace and its fence as of one instant."""
        yield self._seen(namespace)

    @contextmanager
    def fenced_read(self, namespace: Namespace, active: str | None) -> Iterator[FencedReading]:
        """Read a namespace by one question."""
        yield MemoryFencedRead(self._seen(namespace), active)

    @contextmanager
    def transaction(self, namespace: Namespace) -> Iterator[Transaction]:
        """Write: commits at the end of the block, rolls back on an exception."""
        with self._databases.working(namespace) as work:
            transaction = MemoryTransaction(self._databases, namespace, work)
            yield transaction
            transaction.commit()

    def page(self, namespace: Namespace, key_range: KeyRange) -> tuple[StoredResource, ...]:
        """Read the resources of a key range in the order of their names' bytes."""
        found = [
            resource
            for resource in self._owned(namespace, key_range.type)
            if resource.shard == key_range.shard
            and resource.name.encode() > key_range.after.encode()
            and (key_range.upto is None or resource.name.encode() <= key_range.upto.encode())
        ]
        page = found[: key_range.limit]
        return tuple(replace(each, body={}, metadata={}) if key_range.bare else each for each in page)

    def bound(self, namespace: Namespace, type: str, shard: int) -> str | None:
        """Tell the greatest name of a shard."""
        names = [found.name for found in self._owned(namespace, type) if found.shard == shard]
        return max(names, key=str.encode, default=None)

    def counts(self, namespace: Namespace, type: str) -> dict[int, int]:
        """Count resources per shard."""
        shards = sorted(resource.shard for resource in self._owned(namespace, type))
        return {shard: len(list(group)) for shard, group in groupby(shards)}

    def size(self, namespace: Namespace) -> int:
        """Tell roughly how many bytes the namespace takes."""
        return 1000 * len(self._databases.namespace(namespace).resources)

    def bring_outcomes(self, source: Namespace, target: Namespace) -> datetime:
        """Bring nothing ahead: in memory everything crosses at once."""
        return self._databases.clock.now()

    def constraint_rows(self, namespace: Namespace) -> int:
        """Count the dealings with others."""
        kept = self._databases.constraint_rows(namespace)
        mutable = (kept.shadows, kept.barred, kept.blockades, kept.owed, kept.links, kept.bars, kept.checks)
        return sum(len(rows) for rows in mutable)

    def apply(
        self, namespace: Namespace, changes: Sequence[Put | Removal], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring followed changes into a passive namespace, in its feed too."""
        return self._follow(namespace, changes, replication_token, capture=True)

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
        """Bring followed resources as they are now."""
        found = self.read(source).batch_get(type, list(announced))
        for name, resource in found.items():
            check_announced(type, name, resource.revision, announced)
        puts = [_put(each, target_type, _converted(each, convert, text)) for each in found.values()]
        if len({put.name for put in puts}) < len(puts):
            return None
        return self.apply(target, puts, replication_token)

    def copy(
        self, namespace: Namespace, page: Sequence[Put], replication_token: ReplicationToken
    ) -> BatchResult:
        """Bring a page of a backfill, out of the feed."""
        return self._follow(namespace, page, replication_token, capture=False)

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
        """Tell that there is no conversion within memory."""
        return None

    def copy_parts_within(
        self,
        source: Namespace,
        target: Namespace,
        key_range: KeyRange,
        parts: Sequence[SqlPart],
        replication_token: ReplicationToken,
    ) -> Copied | None:
        """Tell that there is no conversion within memory."""
        return None

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
        """Copy shards beside each other; for one alone there is no shorter way."""
        if not key_range.beside or key_range.upto is None:
            return None
        end = key_range.upto.encode()
        names = [found.name.encode() for found in self._of_type(source, key_range.type)]
        open_ = [name for name in names if min(key_range.afters.values()).encode() < name <= end]
        last = (open_[: key_range.limit * source.ring // len(key_range.afters)] or [end])[-1]
        page = [
            found
            for found in self._owned(source, key_range.type)
            if found.shard in key_range.afters and key_range.afters[found.shard] < found.name
            if found.name.encode() <= last
        ]
        puts = [_put(found, target_type, _converted(found, convert, text)) for found in page]
        written = self.copy(target, puts, replication_token).written
        shares = Counter(found.shard for found in page)
        return Copied(len(page), written, last.decode() if last < end else None, shares)

    def names_by_uid(self, namespace: Namespace, type: str, uids: Sequence[UUID]) -> dict[UUID, str]:
        """Tell the names of resources by uid."""
        wanted = set(uids)
        return {found.uid: found.name for found in self._of_type(namespace, type) if found.uid in wanted}

    def digests(
        self, namespace: Namespace, type: str, by: Literal["shard", "origin_shard", "uid"]
    ) -> dict[int, Digest]:
        """Fingerprint a type in groups."""
        groups: dict[int, list[tuple[str, int]]] = {}
        for resource in self._owned(namespace, type):
            bucket = fnv1a64(resource.uid.bytes) % namespace.ring
            group = {"shard": resource.shard, "origin_shard": resource.origin_shard, "uid": bucket}[by]
            groups.setdefault(group, []).append((str(resource.uid), resource.revision))
        return {group: digest_of(pairs) for group, pairs in groups.items()}

    def tombstones(
        self, namespace: Namespace, type: str, after: str = "", limit: int = 1000
    ) -> tuple[Tombstone, ...]:
        """Read tombstones in the order of their names."""
        found = self._databases.namespace(namespace).tombstones.values()
        mine = [grave for grave in found if grave.type == type and grave.name.encode() > after.encode()]
        return tuple(sorted(mine, key=lambda grave: grave.name.encode())[:limit])

    def _seen(self, namespace: Namespace) -> MemorySnapshot:
        with self._databases.lock:
            kept = self._databases.namespace(namespace).copy()
            constraints = self._constraints(namespace, self._databases.constraint_rows(namespace).copy())
            fence = self._databases.fence(FenceLocation.of(namespace))
        return MemorySnapshot(namespace, kept, constraints, fence)

    def _constraints(self, namespace: Namespace, kept: MemoryDealings) -> MemoryConstraints:
        references = self._databases.namespace(namespace).references
        return MemoryConstraints(namespace, kept, self._databases.clock, _no_writes, lambda: references)

    def _owned(self, namespace: Namespace, type_: str) -> list[StoredResource]:
        """What this deployment owns: read copies are nothing that a version brings along."""
        return [each for each in self._of_type(namespace, type_) if each.owning_region in namespace.own]

    def _of_type(self, namespace: Namespace, type_: str) -> list[StoredResource]:
        found = self._databases.namespace(namespace).resources.values()
        mine = [resource for resource in found if resource.type == type_]
        return sorted(mine, key=lambda resource: resource.name.encode())

    def _follow(
        self,
        namespace: Namespace,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken,
        *,
        capture: bool,
    ) -> BatchResult:
        if not changes:
            return BatchResult(0, 0, 0)
        if len({(change.type, change.name) for change in changes}) < len(changes):
            raise Invalid(message("A batch brings at most one change of a resource."), code="batch-repeats")
        written = removed = 0
        with self._databases.lock, self._databases.working(namespace) as work:
            self._databases.begin_write(namespace, work, replication_token)
            transaction = MemoryTransaction(
                self._databases, namespace, work, replication_token.source_version, capture
            )
            for change in changes:
                if isinstance(change, Removal):
                    removed += transaction.bury(change)
                else:
                    written += transaction.bring(change, shard_of(change.name, namespace.ring))
            transaction.commit()
        return BatchResult(written, removed, len(changes) - written - removed)


def _no_writes(row: str) -> None:
    raise AssertionError(f"{row} is written outside a transaction")


@dataclass(frozen=True, slots=True)
class _ConvertedText:
    """A resource that was converted as text, which refers to nothing."""

    type: str
    name: str
    body: JsonObject
    references: tuple[Reference, ...] = ()


def _converted(resource: StoredResource, convert: Convert, text: ConvertText | None) -> Converted:
    if text is None:
        return convert(resource.name, resource.body)
    name, data = text(resource.name, json.encode(resource.body))
    body = json.decode(data)
    assert isinstance(body, dict)
    return _ConvertedText(resource.type, name, body)


def _put(found: StoredResource, type_: str, made: Converted) -> Put:
    return Put(
        type_,
        made.name,
        found.uid,
        found.revision,
        found.shard,
        made.body,
        found.metadata,
        found.owning_region,
        found.create_time,
        found.update_time,
        made.references,
    )

"""Read copies in memory: the twin of those in PostgreSQL namespaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from migrations_app.adapters.memory_database import MemoryDatabases
from migrations_app.adapters.store.memory.work import MemoryTransaction
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import Stale
from migrations_app.kernel.messages import message
from migrations_app.ports.copies import (
    ComparisonStage,
    CopyScope,
    CopySource,
    FeedLook,
    OwnedIdentity,
    ResourceIdentity,
)
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.stored import BatchResult, Put, Removal, ReplicationToken, StoredResource


class MemoryCopies:
    """Keeps read copies beside what the deployment owns."""

    def __init__(self, databases: MemoryDatabases) -> None:
        self._databases = databases

    def source(self, namespace: Namespace, region: str) -> CopySource:
        """Read where a namespace stands with a source."""
        known = self._databases.namespace(namespace).sources.get(region)
        return self._as_of_look(namespace, known) if known else CopySource(region)

    def sources(self, namespace: Namespace) -> tuple[CopySource, ...]:
        """Read where a namespace stands with every source."""
        known = sorted(self._databases.namespace(namespace).sources.items())
        return tuple(self._as_of_look(namespace, each) for _, each in known)

    def note(self, namespace: Namespace, source: CopySource) -> CopySource:
        """Keep where a namespace stands."""
        with self._databases.lock:
            self._expect(namespace, source)
            noted = replace(source, rev=source.rev + 1)
            self._databases.namespace(namespace).sources[source.region] = noted
            return noted

    def note_look(self, place: Namespace, look: FeedLook) -> None:
        """Note since when sources have not moved."""
        database = self._databases.database(place.database)
        with self._databases.lock:
            for namespace, region in look.moved:
                sources = self._databases.namespace(namespace).sources
                if region in sources:
                    sources[region] = self._as_of_look(namespace, sources[region])
            for deployment, watched in list(database.feed_rests):
                if watched == look.watched and deployment not in look.rests_since:
                    del database.feed_rests[deployment, watched]
            for deployment, since in look.rests_since.items():
                database.feed_rests[deployment, look.watched] = since
            database.feed_looks[look.watched] = max(look.at, database.feed_looks.get(look.watched, look.at))

    def _as_of_look(self, namespace: Namespace, known: CopySource) -> CopySource:
        database = self._databases.database(namespace.database)
        source = namespace.deployment.rpartition("/")[0] + f"/{known.region}"
        rests = {watched: since for (each, watched), since in database.feed_rests.items() if each == source}
        if (
            known.level_at is None
            or known.stage is not ComparisonStage.FOLLOW
            or known.problem
            or known.waiting
        ):
            return known
        if not rests or max(rests.values()) > known.level_at:
            return known
        at = min(database.feed_looks[watched] for watched in rests)
        return replace(known, level_at=max(known.level_at, at), heard_at=max(known.heard_at or at, at))

    def bring(
        self,
        namespace: Namespace,
        source: CopySource,
        changes: Sequence[Put | Removal],
        replication_token: ReplicationToken | None = None,
    ) -> tuple[CopySource, BatchResult]:
        """Write copies, and where the namespace stands after them."""
        written = removed = 0
        with self._databases.lock, self._databases.working(namespace) as work:
            if changes:
                self._databases.begin_write(namespace, work, replication_token)
            transaction = MemoryTransaction(self._databases, namespace, work, f"@{source.region}")
            for change in changes:
                if isinstance(change, Removal):
                    removed += transaction.drop_copy(change, source.region)
                else:
                    written += transaction.put_copy(change, shard_of(change.name, namespace.ring))
            noted = self.note(namespace, source)
            transaction.commit()
        return noted, BatchResult(written, removed, len(changes) - written - removed)

    def forget(self, namespace: Namespace, source: CopySource) -> None:
        """Forget a source."""
        with self._databases.lock:
            self._expect(namespace, source)
            del self._databases.namespace(namespace).sources[source.region]

    def held(
        self, namespace: Namespace, region: str, type: str, after: str, limit: int
    ) -> tuple[ResourceIdentity, ...]:
        """List copies."""
        found = [each for each in self._of(namespace, type, after) if each.owning_region == region]
        return _held(found[:limit])

    def known(self, namespace: Namespace, region: str, type: str, names: Sequence[str]) -> dict[str, int]:
        """Tell the revisions of copies."""
        wanted = set(names)
        return {
            each.name: each.revision
            for each in self._of(namespace, type, "")
            if each.name in wanted and each.owning_region == region
        }

    def owned(
        self, namespace: Namespace, scope: CopyScope, after: str, limit: int
    ) -> tuple[OwnedIdentity, ...]:
        """List what the deployment itself owns."""
        found = [
            each
            for each in self._of(namespace, scope.type, after)
            if each.owning_region in namespace.own
            and (not scope.prefix or f"{each.name}/".startswith(f"{scope.prefix}/"))
            and (not scope.reader or scope.reader in regions_of(each))
        ]
        return tuple(
            OwnedIdentity(each.type, each.name, each.uid, each.revision, each.metadata.get("syncing"))
            for each in found[:limit]
        )

    def _expect(self, namespace: Namespace, source: CopySource) -> None:
        if self.source(namespace, source.region).rev != source.rev:
            raise Stale(
                message("Another worker copies from {region}.", region=source.region), code="copies-moved"
            )

    def _of(self, namespace: Namespace, type_: str, after: str) -> list[StoredResource]:
        found = self._databases.namespace(namespace).resources.values()
        mine = [each for each in found if each.type == type_ and each.name.encode() > after.encode()]
        return sorted(mine, key=lambda each: each.name.encode())


def regions_of(resource: StoredResource) -> tuple[str, ...]:
    """List the regions that a resource says it is kept in."""
    syncing = resource.metadata.get("syncing")
    listed = syncing.get("regions") if isinstance(syncing, dict) else None
    return tuple(str(each) for each in listed) if isinstance(listed, list) else ()


def _held(found: Sequence[StoredResource]) -> tuple[ResourceIdentity, ...]:
    return tuple(ResourceIdentity(each.type, each.name, each.uid, each.revision) for each in found)

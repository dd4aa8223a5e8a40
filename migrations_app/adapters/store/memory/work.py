"""Transactions of the store in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from migrations_app.adapters.memory_constraints import MemoryConstraints
from migrations_app.adapters.memory_database import (
    Key,
    MemoryDatabases,
    MemoryNamespace,
    MemoryWork,
    position_of,
)
from migrations_app.adapters.refusals import refuse_copy
from migrations_app.adapters.store.memory.reading import MemoryReading
from migrations_app.domain.resources.shards import shard_of
from migrations_app.kernel.errors import (
    AlreadyExists,
    BeingDeleted,
    NotFound,
    RevisionConflict,
)
from migrations_app.kernel.messages import message
from migrations_app.ports.feed import Change, FeedOperation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.store import (
    ABSENT,
    Draft,
    Put,
    Reference,
    Removal,
    Shadow,
    ShadowState,
    StoredResource,
    Tombstone,
)


class MemoryTransaction(MemoryReading):
    """Gathers writes over a namespace and puts them in place at the commit."""

    def __init__(
        self,
        databases: MemoryDatabases,
        namespace: Namespace,
        work: MemoryWork,
        origin: str = "",
        capture: bool = True,
    ) -> None:
        super().__init__(namespace)
        self._databases = databases
        self._work = work
        self._origin = origin
        self._capture = capture
        self._resources: dict[Key, StoredResource | None] = {}
        self._graves: dict[Key, Tombstone] = {}
        self._references: dict[Key, tuple[Reference, ...]] = {}
        self._changes: list[Change] = []
        self._constraints: MemoryConstraints | None = None

    @property
    def constraints(self) -> MemoryConstraints:
        """The rows of the deployment's dealings with others."""
        if self._constraints is None:
            self._constraints = MemoryConstraints(
                self._namespace,
                self._databases.constraint_rows(self._namespace),
                self._databases.clock,
                self._enter,
                lambda: self._view().references,
            )
        return self._constraints

    def get(self, type: str, name: str) -> StoredResource | None:
        """Read one resource, as this transaction has left it."""
        key = (type, name)
        return self._resources[key] if key in self._resources else self._committed(type).get(key)

    def put(self, draft: Draft, expected: int | None = None, *, alone: bool = False) -> StoredResource:
        """Write a resource, its references and its shadow."""
        self._begin(draft.type, draft.name)
        found = self.get(draft.type, draft.name)
        refuse_copy(self._namespace, found)
        now = self._databases.clock.now()
        if found is not None and expected in (None, found.revision):
            origin = found.origin_shard if draft.origin_shard is None else draft.origin_shard
            written = replace(
                found,
                revision=found.revision + 1,
                body=draft.body,
                metadata=draft.metadata,
                owning_region=draft.owning_region,
                origin_shard=origin,
                update_time=now,
            )
        elif found is None and expected in (None, ABSENT):
            self._refuse_barred(draft.type, draft.name)
            shard = shard_of(draft.name, self._namespace.ring)
            written = StoredResource(
                draft.type,
                draft.name,
                draft.uid,
                self._grave_revision((draft.type, draft.name)) + 1,
                shard,
                shard if draft.origin_shard is None else draft.origin_shard,
                draft.body,
                draft.metadata,
                draft.owning_region,
                now,
                now,
            )
        else:
            if expected == ABSENT:
                self._refuse_barred(draft.type, draft.name)
            self._explain(draft.type, draft.name, found, expected)
        self._keep(written)
        if draft.references is not None:
            self._references[draft.type, draft.name] = draft.references
        return written

    def delete(self, type: str, name: str, expected: int | None = None) -> StoredResource:
        """Delete a resource with its references and shadow."""
        self._begin(type, name)
        found = self.get(type, name)
        refuse_copy(self._namespace, found)
        if found is None or expected not in (None, found.revision):
            self._explain(type, name, found, expected)
        self._discard(found, found.revision + 1)
        self.constraints.forget_active(found.uid)
        return found

    def delete_all(self, type: str, names: Sequence[str]) -> int:
        """Delete those of the resources that exist, with all that is kept of them."""
        there = [name for name in sorted(set(names)) if self.get(type, name) is not None]
        for name in there:
            self.constraints.owners.forget(self.delete(type, name).uid)
        return len(there)

    def lock_all(self, keys: Sequence[tuple[str, str]]) -> None:
        """Lock the shadows of many resources."""
        for type_, name in sorted(keys):
            self.lock(type_, name)

    def lock(self, type: str, name: str, *, shared: bool = False) -> Shadow | None:
        """Lock a shadow."""
        found = self.shadow(type, name)
        if found is not None:
            self._begin(f"shadow {type}", name, shared=shared)
        return found

    def hold(self, targets: Sequence[tuple[str, str]]) -> dict[tuple[str, str], ShadowState]:
        """Lock shadows shared."""
        for type_, name in targets:
            self._begin(f"shadow {type_}", name, shared=True)
        shadows = {key: self.shadow(*key) for key in targets if self.get(*key) is not None}
        return {key: shadow.state for key, shadow in shadows.items() if shadow is not None}

    def put_shadow(self, shadow: Shadow) -> None:
        """Write a shadow as given."""
        self._begin(f"shadow {shadow.type}", shadow.name)
        if shadow.uid is None:
            found = self.shadow(shadow.type, shadow.name)
            shadow = replace(shadow, uid=found.uid if found else None)
        self.constraints.write(shadow)

    def bring(self, change: Put, shard: int) -> int:
        """Write what a follower brings if it is newer; tell how many."""
        key = (change.type, change.name)
        self._databases.lock_row(self._namespace, self._work, *key)
        found = self.get(*key)
        newest = max(found.revision if found else 0, self._grave_revision(key))
        if newest >= change.revision:
            return 0
        self._keep(_brought(change, shard))
        if change.references is not None:
            self._references[key] = change.references
        return 1

    def bury(self, change: Removal) -> int:
        """Remove what a follower says is gone if it is older; tell how many."""
        key = (change.type, change.name)
        self._databases.lock_row(self._namespace, self._work, *key)
        found = self.get(*key)
        if found is not None and found.revision < change.revision:
            self._discard(found, change.revision)
            return 1
        if found is None and change.uid is not None and self._grave_revision(key) < change.revision:
            now = self._databases.clock.now()
            self._graves[key] = Tombstone(change.type, change.name, change.uid, change.revision, now)
        return 0

    def put_copy(self, change: Put, shard: int) -> int:
        """Write a read copy if it is newer and none of our own; tell how many."""
        self._databases.lock_row(self._namespace, self._work, change.type, change.name)
        found, own = self.get(change.type, change.name), self._namespace.own
        if change.owning_region in own:
            return 0
        if found is not None and (found.owning_region in own or found.revision >= change.revision):
            return 0
        self._keep(_brought(change, shard))
        return 1

    def drop_copy(self, change: Removal, region: str) -> int:
        """Remove a read copy of a region if it is older; tell how many."""
        self._databases.lock_row(self._namespace, self._work, change.type, change.name)
        found = self.get(change.type, change.name)
        if found is None or found.owning_region != region or found.revision >= change.revision:
            return 0
        self._resources[change.type, change.name] = None
        self._note(FeedOperation.DELETE, found, change.revision)
        return 1

    def commit(self) -> None:
        """Put everything in place at once."""
        with self._databases.lock:
            kept = self._databases.namespace(self._namespace)
            for key, resource in self._resources.items():
                if resource is None:
                    kept.resources.pop(key, None)
                else:
                    kept.resources[key] = resource
            if self._constraints is not None:
                self._constraints.commit()
                self._constraints = None
            kept.tombstones.update(self._graves)
            kept.references.update(self._references)
            kept.changes.extend(self._changes)

    def _committed(self, type_: str) -> dict[Key, StoredResource]:
        return self._of_view(self._databases.namespace(self._namespace), type_)

    def _view(self) -> MemoryNamespace:
        view = self._databases.namespace(self._namespace).copy()
        for key, resource in self._resources.items():
            if resource is None:
                view.resources.pop(key, None)
            else:
                view.resources[key] = resource
        view.references.update(self._references)
        view.tombstones.update(self._graves)
        return view

    def _begin(self, kind: str, name: str, *, shared: bool = False) -> None:
        with self._databases.lock:
            if not self._work.fenced:
                self._databases.begin_write(self._namespace, self._work)
            self._databases.lock_row(self._namespace, self._work, kind, name, shared=shared)

    def _enter(self, row: str) -> None:
        self._begin("constraint_rows", row)

    def _keep(self, resource: StoredResource) -> None:
        self._resources[resource.type, resource.name] = resource
        self._note(FeedOperation.PUT, resource, resource.revision)

    def _discard(self, found: StoredResource, revision: int) -> None:
        key = (found.type, found.name)
        revision = max(revision, self._grave_revision(key))
        now = self._databases.clock.now()
        self._resources[key] = None
        self._references[key] = ()
        self._graves[key] = Tombstone(found.type, found.name, found.uid, revision, now)
        self._note(FeedOperation.DELETE, found, revision)

    def _note(self, operation: FeedOperation, resource: StoredResource, revision: int) -> None:
        if not self._capture:
            return
        database = self._databases.database(self._namespace.database)
        place = (self._work.xid, database.next_seq)
        database.next_seq += 1
        self._changes.append(
            Change(
                position_of(place),
                operation,
                resource.type,
                resource.name,
                resource.uid,
                resource.shard,
                revision,
                self._origin,
                self._databases.clock.now(),
            )
        )

    def _grave_revision(self, key: Key) -> int:
        grave = self._graves.get(key) or self._databases.namespace(self._namespace).tombstones.get(key)
        return grave.revision if grave else 0

    def _refuse_barred(self, type_: str, name: str) -> None:
        if self.constraints.barred(type_, name) is not None:
            raise BeingDeleted(message("{name} is still being deleted.", name=name), name=name)

    def _explain(self, type_: str, name: str, found: StoredResource | None, expected: int | None) -> NoReturn:
        if found is None:
            raise NotFound(message("There is no {type} {name}.", type=type_, name=name), name=name)
        if expected == ABSENT:
            raise AlreadyExists(message("{name} exists already.", name=name), name=name)
        raise RevisionConflict(
            message(
                "{name} is at revision {revision}, not {expected}.",
                name=name,
                revision=found.revision,
                expected=str(expected),
            ),
            remedy=message("Read it again, then decide again."),
            name=name,
            found=found.revision,
        )


def _brought(change: Put, shard: int) -> StoredResource:
    return StoredResource(
        change.type,
        change.name,
        change.uid,
        change.revision,
        shard,
        change.origin_shard,
        change.body,
        change.metadata,
        change.owning_region,
        change.create_time,
        change.update_time,
    )

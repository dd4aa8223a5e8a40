"""The values that a store keeps and is asked with: resources, references, shadows, pages and changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from migrations_app.domain.constraints.shadows import ShadowState as ShadowState
from migrations_app.domain.filters.ast import Filter
from migrations_app.domain.regions.placement import region_of
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject

ABSENT = 0
"""The expected revision of a resource that must not exist yet."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How one resource type is kept: its indexes, whether it is also found by uid, and what no log may show.

    `indexes` are field paths into the body (`spec.region`). Ask for `by_uid` when conversion cannot tell
    the name of a deleted resource from its name in the other version. `sensitive` are the paths that
    `domain.schema.sensitive` lists; None leaves them as they are.
    """

    type: str
    indexes: tuple[str, ...] = ()
    by_uid: bool = False
    sensitive: tuple[tuple[str, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class StoredResource:
    """One stored resource. `body` is the storage document with its bag; treat it as read-only."""

    type: str
    name: str
    uid: UUID
    revision: int
    shard: int
    origin_shard: int
    body: JsonObject
    metadata: JsonObject
    owning_region: str
    create_time: datetime
    update_time: datetime


class ReferenceKind(StrEnum):
    """What a reference does to its source when its target is deleted."""

    BLOCK = "BLOCK"
    CASCADE = "CASCADE"
    UNSET = "UNSET"
    OWNER = "OWNER"
    WEAK = "WEAK"


@dataclass(frozen=True, slots=True)
class Reference:
    """One outgoing reference, from the field at `path`."""

    path: str
    kind: ReferenceKind
    target_service: str
    target_region: str
    target_version: str
    target_type: str
    target_name: str

    @property
    def named_region(self) -> str:
        """The region that the target's name tells, if it tells one."""
        try:
            return region_of(self.target_name) or ""
        except Invalid:
            return ""

    @property
    def lives_in(self) -> str:
        """The region the target lives in: that of its name, else the one its owner told when this was written."""
        return self.named_region or self.target_region


class CollectionStep(StrEnum):
    """A step into all that a list or a map holds."""

    ITEM = "[]"
    ENTRY = "{}"


@dataclass(frozen=True, slots=True)
class ReferencePath:
    """A place in the documents of a type where a reference may stand, and what it is then.

    `steps` lead there from the top; `places` is, for each step, where its field stands among its object's.
    `reference` is the reference but for its path and the name it holds.
    """

    steps: tuple[str | CollectionStep, ...]
    places: tuple[int, ...]
    reference: Reference


@dataclass(frozen=True, slots=True)
class Referrer:
    """Who refers: a resource of this namespace and one of its references."""

    type: str
    name: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class Shadow:
    """What a deployment keeps about a resource for those who refer to it.

    `sources` are the deployments that refer to it from elsewhere. `names` are its type and name by version,
    filled in once it is being deleted: after that there is no document to convert. `root` is the name of what
    was asked to be deleted, when this goes with it, and `since` when its state last changed.
    """

    type: str
    name: str
    state: ShadowState = ShadowState.ACTIVE
    ref_epoch: int = 0
    delete_id: int = 0
    sources: tuple[str, ...] = ()
    uid: UUID | None = field(default=None, compare=False)
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict, compare=False)
    root: str = field(default="", compare=False)
    since: datetime | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a client wants written. The store fills shard, revision and times.

    `origin_shard` is the shard of the name in the version the namespace was converted from, if it has one.
    `references` replace those there; None leaves them as they are.
    """

    type: str
    name: str
    uid: UUID
    body: JsonObject
    metadata: JsonObject = field(default_factory=dict)
    owning_region: str = ""
    origin_shard: int | None = None
    references: tuple[Reference, ...] | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """A converted resource that a follower brings, with the revision and times it has at its source."""

    type: str
    name: str
    uid: UUID
    revision: int
    origin_shard: int
    body: JsonObject
    metadata: JsonObject
    owning_region: str
    create_time: datetime
    update_time: datetime
    references: tuple[Reference, ...] | None = None


@dataclass(frozen=True, slots=True)
class Removal:
    """A deletion that a follower brings, with the revision and the shard it has at its source."""

    type: str
    name: str
    uid: UUID | None
    revision: int
    origin_shard: int


@dataclass(frozen=True, slots=True)
class ReplicationToken:
    """A follower's right to write a passive namespace: which version it comes from, at which fence epoch.

    The database refuses it when the fence of the written namespace has another active version or epoch, or
    when the namespace is the active one itself. In a closed database none is, so that the same version can be
    brought there from elsewhere.
    """

    source_version: str
    epoch: int


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What became of a batch: how many were written or removed, how many were known already or newer."""

    written: int
    removed: int
    ignored: int


@dataclass(frozen=True, slots=True)
class KeyRange:
    """A keyset page: of one type and shard, names after `after` up to and including `upto`.

    `beside` are other shards to be copied with it, each after a name of its own; `limit` is then about as many as
    are read of all of them. Only a backfill's pages, with an `upto`, are asked for so. `bare` leaves the documents out:
    body and metadata are empty then, for callers that ask what is there and at which revision.
    """

    type: str
    shard: int
    after: str = ""
    upto: str | None = None
    limit: int = 5000
    beside: tuple[tuple[int, str], ...] = ()
    bare: bool = False

    @property
    def afters(self) -> dict[int, str]:
        """Tell after which name each shard is read."""
        return {self.shard: self.after, **dict(self.beside)}


@dataclass(frozen=True, slots=True)
class Copied:
    """One page that was copied inside the store.

    `last` is the key to go on after, and None when the key range is finished; `shares` tells of a key range with shards
    beside it how many were read of each shard.
    """

    read: int
    written: int
    last: str | None
    shares: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SortKey:
    """One key of an ordering: a field path of the body, or `name`."""

    path: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """A list request. `parent` is a name whose segments may be `-`; empty means everywhere.

    `narrowing` is a bound filter: a store may leave out what surely does not fulfil it, and the caller
    evaluates it on what comes. Ties are broken by name. `after` is the opaque cursor of an earlier listing
    of the same query; `beyond` is a name, after which a listing by name alone begins; `before` is one from
    which it goes backwards. `named` is a whole name, whose segments may be `-` as well.
    """

    type: str
    parent: str = ""
    narrowing: Filter | None = None
    order: tuple[SortKey, ...] = ()
    after: str = ""
    beyond: str = ""
    before: str = ""
    limit: int = 100
    total: bool = False
    named: str = ""


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a list: `next` is the cursor to go on with, empty at the end; `total` only if asked for."""

    resources: tuple[StoredResource, ...]
    next: str = ""
    total: int | None = None


@dataclass(frozen=True, slots=True)
class Tombstone:
    """What is left of a deleted resource: its revision, which a re-created one continues."""

    type: str
    name: str
    uid: UUID
    revision: int
    time: datetime

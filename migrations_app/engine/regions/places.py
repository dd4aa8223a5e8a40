"""One namespace and the region it keeps copies of: how that is asked, and its answers as changes to write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from migrations_app.domain.resources.shards import shard_of
from migrations_app.engine.constraints.messages import ConstraintMessage, read, write
from migrations_app.engine.regions.messages import OwnedResource, RemovedCopy
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.fence import Fence, FenceLocation, Mode
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Store
from migrations_app.ports.stored import Put, Removal, ReplicationToken

T = TypeVar("T", bound=ConstraintMessage)


class Away(Exception):
    """The other region gave no answer, or refused: nothing is known of it now."""

    def __init__(self, error: SwitchyardError) -> None:
        super().__init__(error.message)
        self.words = error.words


@dataclass(frozen=True, slots=True)
class ReadCopyNamespace:
    """A namespace of `here` that keeps, in its version, copies of what `there` owns."""

    here: Peer
    there: Peer
    version: str
    namespace: Namespace

    def ask(self, peers: Peers, action: str, body: ConstraintMessage, kind: type[T]) -> T:
        """Ask the owner.

        Raises: Away.
        """
        try:
            return read(peers.call(self.here, self.there, action, write(body)), kind)
        except SwitchyardError as error:
            raise Away(error) from error


def changes_of(
    place: ReadCopyNamespace,
    store: Store,
    resources: Iterable[OwnedResource],
    gone: Iterable[RemovedCopy] = (),
) -> Sequence[Put | Removal]:
    """Turn an answer into what is to be written, at most one change a resource.

    Types that this version does not know, and what the owner does not own, are left out.
    """
    types, found = set(store.types(place.namespace)), dict[tuple[str, str], Put | Removal]()
    for lost in gone:
        for type_, name in _named(place, store, types, lost):
            found[type_, name] = Removal(type_, name, lost.uid, lost.revision, 0)
    for each in resources:
        if each.type in types and each.owner == place.there.region:
            found[each.type, each.name] = _put(place, each)
    return list(found.values())


def replication_token_for(fence: Fence, namespace: Namespace) -> ReplicationToken | None:
    """Ask for the right to write a namespace; none is needed for the active one."""
    state = fence.state(FenceLocation.of(namespace))
    if state.active_version == namespace.version and state.mode is not Mode.CLOSED:
        return None
    return ReplicationToken(state.active_version, state.epoch)


def _named(
    place: ReadCopyNamespace, store: Store, types: Iterable[str], gone: RemovedCopy
) -> Iterable[tuple[str, str]]:
    """Tell the copy that is gone: by its name, or by its uid where the document decided its name."""
    if gone.name:
        return [(gone.type, gone.name)] if gone.type in types else []
    if gone.uid is None:
        return []
    return [
        (type_, name)
        for type_ in sorted(types)
        for name in store.names_by_uid(place.namespace, type_, [gone.uid]).values()
    ]


def _put(place: ReadCopyNamespace, each: OwnedResource) -> Put:
    return Put(
        type=each.type,
        name=each.name,
        uid=each.uid,
        revision=each.revision,
        origin_shard=shard_of(each.name, place.namespace.ring),
        body=cast(JsonObject, each.body),
        metadata=cast(JsonObject, each.metadata),
        owning_region=each.owner,
        create_time=each.created,
        update_time=each.updated,
    )

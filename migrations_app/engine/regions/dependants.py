"""Which keys of work depend on what is written in a namespace, and on what deployments have under way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from migrations_app.domain.schema.words import is_searchable
from migrations_app.domain.work_classes import WorkClass
from migrations_app.engine.constraints.subscribed import key_of as following_key
from migrations_app.engine.regions.copying import key_of
from migrations_app.engine.registry.policies import holder_types
from migrations_app.engine.sync.data_flow import flows
from migrations_app.engine.sync.resting_shards import FIRST
from migrations_app.engine.sync.shard_pipeline import ends
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.ports.checkpoints import ShardKey
from migrations_app.ports.locks import WokenKey
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_work import ReferenceWork
from migrations_app.ports.regions.directory import Directory, Served
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.upgrades import UpgradeRecord


class Dependants:
    """Names who follows the feed of a namespace: read copies elsewhere, its search index, syncing metadata.

    `imports` names the services that a service imports, `regions` the regions of a service; `upgrades` lists those
    under way.
    """

    def __init__(
        self,
        directory: Directory,
        hosted: Callable[[], Sequence[Peer]],
        imports: Callable[[str], Sequence[str]],
        regions: Callable[[str], Sequence[str]],
        upgrades: Callable[[], Iterable[UpgradeRecord]] = tuple,
    ) -> None:
        self._directory, self._hosted = directory, hosted
        self._imports, self._regions, self._upgrades = imports, regions, upgrades

    def of(self, namespaces: Sequence[Namespace]) -> list[WokenKey]:
        """List the keys that have to look when these namespaces were written, each once."""
        hosted = self._hosted() if namespaces else ()
        found = [
            key
            for deployment in dict.fromkeys(each.deployment for each in namespaces)
            for key in self._followers(Peer.parse(deployment), hosted)
        ]
        return list(dict.fromkeys(found))

    def of_upgrades(self, written: Sequence[Namespace]) -> list[WokenKey]:
        """List the keys of upgrades that follow these namespaces: of each the first shard, which follows for those at rest."""
        places = {(each.database, each.schema) for each in written}
        followed = (
            (record, ends(record, record.direction)[0])
            for record in self._upgrades()
            if flows(record, record.direction)
        )
        return [
            WokenKey("sync", str(ShardKey(record.id, record.direction, FIRST)), WorkClass.CATCH_UP)
            for record, origin in followed
            if (origin.database, origin.schema) in places
        ]

    def of_new(self, namespaces: Sequence[Namespace]) -> list[WokenKey]:
        """List the keys that fill these namespaces with what other regions own.

        They rest while nothing is written, and an upgrade's new namespace has no copies yet: the switch would wait for
        them as long as they rest.
        """
        receivers = [Peer.parse(each) for each in dict.fromkeys(each.deployment for each in namespaces)]
        return [
            WokenKey("read-copies", key_of(here, region), WorkClass.READ_COPIES)
            for here in receivers
            for region in self._regions(here.service)
            if region != here.region
        ]

    def of_reference_work(self, under_way: Mapping[str, ReferenceWork]) -> list[WokenKey]:
        """List the keys that go on with what deployments have under way."""
        hosted = self._hosted() if under_way else ()
        found: list[WokenKey] = []
        for deployment, waiting in under_way.items():
            there = Peer.parse(deployment)
            if waiting.owed:
                found.append(WokenKey("pending", deployment, WorkClass.CONSTRAINT_ANSWERS))
            if not waiting.deleting:
                continue
            found.append(WokenKey("deleting", deployment, WorkClass.CONSTRAINT_ANSWERS))
            found += [
                WokenKey(
                    "subscribed-deletions", following_key(peer, there.region), WorkClass.CONSTRAINT_ANSWERS
                )
                for peer in hosted
                if peer != there and self._heeds(peer.service, there.service)
            ]
        return list(dict.fromkeys(found))

    def _followers(self, source: Peer, hosted: Sequence[Peer]) -> Iterator[WokenKey]:
        for peer in hosted:
            if peer.service == source.service and peer != source:
                yield WokenKey("read-copies", key_of(peer, source.region), WorkClass.READ_COPIES)
        try:
            served = self._directory.served(source.region, source.service)
        except (Missing, Conflict):
            return  # taken away meanwhile: it has no index, and nothing of it holds a policy
        if _is_searchable(served):
            yield WokenKey("search", source.deployment, WorkClass.UPKEEP)
        if any(holder_types(served.compiled.schema(version)) for version in served.namespaces):
            for peer in hosted:
                if peer.region == source.region and self._heeds(peer.service, source.service):
                    yield WokenKey("syncing-meta", peer.deployment, WorkClass.READ_COPIES)

    def _heeds(self, service: str, holder: str) -> bool:
        return service == holder or holder in self._imports(service)


def _is_searchable(served: Served) -> bool:
    return any(
        is_searchable(each)
        for version in served.namespaces
        for each in served.compiled.schema(version).resources.values()
    )

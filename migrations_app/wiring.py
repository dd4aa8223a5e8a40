"""The only place that plugs adapters into the engine."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from django.conf import settings
from django.db import connections

from migrations_app.adapters import pulses, upgrade_blockage_watch
from migrations_app.adapters.anchoring import LedgerWatch
from migrations_app.adapters.approval_keeping import ApprovalKeeping, EvictionKeeping
from migrations_app.adapters.compatibility_runs import CompatibilityRuns
from migrations_app.adapters.conversions import DefinedConversions
from migrations_app.adapters.databases import Databases
from migrations_app.adapters.deletion_watches import DeletionWatches
from migrations_app.adapters.dispatch.celery import CeleryDispatch, producer
from migrations_app.adapters.feed.postgres import PostgresFeed
from migrations_app.adapters.feed.signals import FeedSignals, hanging_up
from migrations_app.adapters.fence.postgres import PostgresFence
from migrations_app.adapters.health_watch import HealthWatch
from migrations_app.adapters.hooks.courier import Courier
from migrations_app.adapters.housekeeping import Housekeeping
from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.peers.by_region import PeersByRegion
from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.peers.local import LocalPeers
from migrations_app.adapters.registry_doors.http import HttpRegistry, registry_at
from migrations_app.adapters.registry_doors.local import LocalRegistry
from migrations_app.adapters.registry_keeping import RegistryKeeping
from migrations_app.adapters.registry_mirror import RegistryMirror
from migrations_app.adapters.registry_watch import RegistryWatch
from migrations_app.adapters.repositories.evictions import DjangoReturns, KnownEvictions
from migrations_app.adapters.repositories.fixtures import DjangoFixtureMarks
from migrations_app.adapters.repositories.hosted import hosted, places_in_use
from migrations_app.adapters.repositories.places import DjangoPlaces, moving_places
from migrations_app.adapters.repositories.registry_surroundings import RegistrySurroundings
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.adapters.repositories.shadow_reads import add_shadow_reads
from migrations_app.adapters.repositories.sync import DjangoCheckpoints
from migrations_app.adapters.repositories.upgrades import DjangoUpgrades
from migrations_app.adapters.repositories.usage import add_usage_and_hang_up
from migrations_app.adapters.retiring import Retiring
from migrations_app.adapters.rollout_keeping import RolloutKeeping
from migrations_app.adapters.search.postgres import PostgresSearch
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.adapters.shadow_reads import SampledShadowReads
from migrations_app.adapters.store.comparing import PostgresComparing
from migrations_app.adapters.store.copying import PostgresCopies
from migrations_app.adapters.store.postgres import PostgresStore
from migrations_app.adapters.store.reference_work import PostgresReferenceWork
from migrations_app.adapters.store.touching import PostgresTouches
from migrations_app.adapters.throttle.postgres import Limits as Throttling
from migrations_app.adapters.throttle.postgres import PostgresThrottle
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.adapters.used_tokens.postgres import PostgresUsedTokens
from migrations_app.engine.constraints.abroad import Abroad
from migrations_app.engine.constraints.arranging import Arranging
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.constraints.owners import Owning
from migrations_app.engine.constraints.pending import PendingController
from migrations_app.engine.constraints.returning import Returning
from migrations_app.engine.constraints.subscribed import SubscribedController
from migrations_app.engine.controller import Controller, Rest
from migrations_app.engine.parity.ease import Ease
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.copying import CopyController
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.engine.regions.describing import Describing
from migrations_app.engine.regions.feed_watch import FeedWatch
from migrations_app.engine.regions.leaving import LeavingController
from migrations_app.engine.regions.levels import CopyLevels
from migrations_app.engine.regions.owned import OwnedServer
from migrations_app.engine.regions.touching import TouchController, TouchPorts
from migrations_app.engine.registry.placements import Placements
from migrations_app.engine.safety_net import SafetyNet
from migrations_app.engine.serving.fixtures import FixturesController
from migrations_app.engine.serving.graph import ReferenceGraph
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.shadow_reading import ShadowReading
from migrations_app.engine.switch.director import Director
from migrations_app.engine.switch.pruning import PruneController
from migrations_app.engine.sync.company import LeasedCrew
from migrations_app.engine.sync.lane import Yard
from migrations_app.engine.sync.search import SearchController
from migrations_app.engine.sync.shard import SyncController
from migrations_app.kernel.clock import Clock, SystemClock
from migrations_app.ports.peers import Peer, Peers


def clock() -> Clock:
    """Give the clock."""
    return SystemClock()


@cache
def leases() -> PostgresLeases:
    """Give the leases on keys of work."""
    return PostgresLeases()


@cache
def dispatch() -> CeleryDispatch:
    """Give the way to wake workers."""
    return CeleryDispatch(producer(settings.SWITCHYARD.redis_url), leases(), controllers, pulses.threads)


@cache
def databases() -> Databases:
    """Give the connections to the data databases."""
    return Databases(settings.SWITCHYARD.data_url)


@cache
def store() -> PostgresStore:
    """Give the store of the data databases."""
    return PostgresStore(databases(), feed_signals().note)


@cache
def feed_signals() -> FeedSignals:
    """Give what tells that data databases were written to; processes that serve start it."""
    return FeedSignals(hanging_up(lambda database: dispatch().poke(FeedWatch.name, database)))


@cache
def copies() -> PostgresCopies:
    """Give the read copies in the data databases."""
    return PostgresCopies(databases(), feed_signals().note)


@cache
def touches() -> PostgresTouches:
    """Give the touches of what stands under changed policies."""
    return PostgresTouches(databases())


@cache
def feed() -> PostgresFeed:
    """Give the change feeds of the data databases."""
    return PostgresFeed(databases())


@cache
def fence() -> PostgresFence:
    """Give the fences of the data databases."""
    return PostgresFence(databases())


@cache
def surroundings() -> RegistrySurroundings:
    """Give the registry as it is asked over and over: policies, imports, deployments."""
    return RegistrySurroundings()


def registry_door() -> LocalRegistry:
    """Give the registry to an EnvRegistry that runs where the registry itself is served."""
    return LocalRegistry()


@cache
def directory() -> RegistryDirectory:
    """Give the directory of deployments."""
    return RegistryDirectory(store(), fence())


@cache
def placements() -> Placements:
    """Give the placement of resources: owning region and read copies from a name alone."""
    return Placements(directory(), store(), feed(), surroundings())


@cache
def service_tokens() -> ServiceTokens:
    """Give what signs and checks the tokens of deployments."""
    return ServiceTokens(
        ServiceKeys.of(settings.SECRET_KEY, settings.SWITCHYARD.service_key, settings.SWITCHYARD.peer_keys),
        used=PostgresUsedTokens(),
    )


@cache
def http_peers() -> HttpPeers:
    """Give the way to ask the deployments of other processes."""
    env = settings.SWITCHYARD
    return HttpPeers(service_tokens(), env.peer_urls.get, answer_seconds=env.peer_seconds)


@cache
def yard() -> Yard:
    """Give the ports that copying, proving and switching work with."""
    env = settings.SWITCHYARD
    return Yard(
        store=store(),
        feed=feed(),
        fence=fence(),
        checkpoints=DjangoCheckpoints(),
        upgrades=DjangoUpgrades(),
        conversions=DefinedConversions(),
        throttle=PostgresThrottle(
            databases(), Throttling(commit_milliseconds=env.throttle_commit_ms, question=env.throttle_query)
        ),
        clock=clock(),
        levels=CopyLevels(copies(), regions_of),
        comparing=PostgresComparing(databases()),
    )


@cache
def router() -> Router:
    """Give what sends reads and writes to the namespace that answers them."""
    return Router(directory(), store(), fence(), feed=feed())


@cache
def mixin() -> MixinServer:
    """Give what deployments served here answer to their peers."""
    owned = OwnedServer(router(), store(), feed(), copies())
    describing = Describing(
        router(), store=store(), copies=copies(), touches=touches(), regions=regions_of, clock=clock()
    )
    more = {**owned.actions, "describeCopies": describing.describe}
    return MixinServer(router(), owning(), more=more, evicted=evictions())


@cache
def evictions() -> KnownEvictions:
    """Give what knows the evicted deployments."""
    return KnownEvictions()


@cache
def returns() -> DjangoReturns:
    """Give what knows the evicted deployments that were registered anew."""
    return DjangoReturns()


@cache
def owning() -> Owning:
    """Give what keeps owner references true."""
    return Owning(router(), peers(), arrangements())


@cache
def peers() -> Peers:
    """Give the way to ask other deployments, served here or elsewhere."""
    return PeersByRegion(settings.SWITCHYARD.serves, LocalPeers(mixin), http_peers())


@cache
def arrangements() -> Arranging:
    """Give the way to arrange with others what is about to be written."""
    return Arranging(router(), peers(), regions_of, follow_up)


def hosted_here() -> Sequence[Peer]:
    """List the deployments whose work this process takes."""
    return hosted(settings.SWITCHYARD.serves)


def looked_at() -> list[tuple[str, str]]:
    """List the (region, service) pairs whose databases are looked at here."""
    return sorted(((peer.region, peer.service) for peer in hosted_here()), key=lambda pair: pair[::-1])


def reference_graph() -> ReferenceGraph:
    """Give the graph of references over what is looked at here; the others are asked."""
    here = looked_at()
    seen = {Peer(service, region) for region, service in here}
    return ReferenceGraph(router(), here, Abroad(router(), peers(), seen.__contains__))


def follow_up(here: Peer) -> None:
    """Make due what pays the confirmations of a deployment and goes on with its deletions."""
    for controller in ("pending", "deleting"):
        dispatch().poke(controller, here.deployment)


def interests_of(here: Peer) -> Sequence[Peer]:
    """List whose deletions concern a deployment: what it imports in all regions, and its own service elsewhere."""
    services = (*surroundings().imports(here.service), here.service)
    return [
        p for service in services for region in regions_of(service) if (p := Peer(service, region)) != here
    ]


def regions_of(service: str) -> list[str]:
    """Name the regions a service is deployed in."""
    return [each.region_id for each in surroundings().deployments(service) if not each.is_disabled]


def registered_of(service: str) -> list[str]:
    """Name the regions a service is registered in, also where it is disabled."""
    return [each.region_id for each in surroundings().deployments(service)]


@cache
def reading_yard() -> Yard:
    """Give the same ports over connections that cannot write, for rehearsals."""
    pools = Databases(settings.SWITCHYARD.data_url, size=2, read_only=True)
    reading = replace(yard(), store=PostgresStore(pools), feed=PostgresFeed(pools))
    return replace(reading, fence=PostgresFence(pools), comparing=PostgresComparing(pools))


@cache
def resource_servers() -> ResourceServers:
    """Give the servers of resources in every version."""
    return ResourceServers(directory(), router(), feed(), arrangements(), search(), placements(), copies())


@cache
def search() -> PostgresSearch:
    """Give the search indexes of the data databases."""
    return PostgresSearch(databases())


@cache
def usage() -> BufferedUsage:
    """Give the notes of who uses what."""
    return BufferedUsage(add_usage_and_hang_up)


@cache
def retiring() -> Retiring:
    """Give the versions that retire."""
    return Retiring()


@cache
def shadow_reads() -> SampledShadowReads:
    """Give what compares a sample of live reads with the answers after the switch."""
    compare = ShadowReading(directory(), store()).compare
    return SampledShadowReads(compare, add_shadow_reads, hang_up=connections.close_all)


def feed_watch() -> FeedWatch:
    """Give what watches the change feeds."""
    return FeedWatch(
        feed=feed(),
        copies=copies(),
        reference_work=PostgresReferenceWork(databases()),
        dispatch=dispatch(),
        places=lambda: places_in_use(settings.SWITCHYARD.serves),
        dependants=Dependants(directory(), hosted_here, surroundings().imports),
        clock=clock(),
    )


@cache
def controllers() -> Mapping[str, Controller]:
    """Give every controller by its name; a room adds its own here."""
    rest, serves = Rest(lambda: len(hosted_here()), clock()), settings.SWITCHYARD.serves
    returning = Returning(router(), peers(), arrangements(), returns(), clock())
    copying = CopyPorts(store(), copies(), fence(), directory())
    every: tuple[Controller, ...] = (
        SafetyNet(controllers, leases(), lambda queue, count: dispatch().wake(queue, count)),
        Housekeeping(leases()),
        RegistryKeeping(leases()),
        HealthWatch(leases()),
        LedgerWatch(leases()),
        Courier(leases()),
        upgrade_blockage_watch.UpgradeBlockageWatch(leases()),
        SyncController(yard(), crew=LeasedCrew(leases(), f"{socket.gethostname()}:{os.getpid()}:beside")),
        ParityController(yard(), ease=Ease(settings.SWITCHYARD.proof_percent / 100, clock())),
        Director(yard()),
        RolloutKeeping(leases()),
        ApprovalKeeping(leases()),
        EvictionKeeping(leases(), peers()),
        DeletionWatches(leases(), reference_graph),
        CompatibilityRuns(),
        PruneController(store(), feed(), DjangoPlaces(), yard().throttle),
        PendingController(router(), peers(), hosted_here, owning(), evictions(), returning, rest),
        DeletingController(router(), peers(), arrangements(), hosted_here, rest=rest),
        SearchController(store(), feed(), search(), directory(), hosted_here, clock(), rest),
        FixturesController(router(), DjangoFixtureMarks(), hosted_here, arrangements(), placements(), rest),
        SubscribedController(
            router(), peers(), arrangements(), hosted_here, interests_of, clock(), rest, serves
        ),
        TouchController(
            router(),
            TouchPorts(store=store(), feed=feed(), copies=copies(), touches=touches(), directory=directory()),
            placements(),
            hosted_here,
            lambda service: (service, *surroundings().imports(service)),
            clock(),
            rest,
        ),
        CopyController(
            copying,
            peers(),
            hosted_here,
            regions_of,
            clock(),
            beside=moving_places,
            rest=rest,
            is_watched=serves,
        ),
        feed_watch(),
        RegistryWatch(dispatch(), controllers, surroundings().imports),
        LeavingController(copying, hosted_here, registered_of, clock(), rest),
    )
    mirror = (RegistryMirror(leases(), other),) if (other := mirrored()) else ()
    return {each.name: each for each in (*every, *mirror)}


def mirrored() -> HttpRegistry | None:
    """Give the registry that this console mirrors, when it does."""
    env = settings.SWITCHYARD
    return registry_at(env.meta_url, env.meta_token) if env.meta_url else None

"""The registry as the data plane asks it: which deployments there are, and where their data is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache

from django.conf import settings

from migrations_app.adapters.logs.activity_buffer import BufferedActivity
from migrations_app.adapters.registry_replica.copying import replica_state
from migrations_app.adapters.registry_replica.follower import RegistryReplica, reads_replica
from migrations_app.adapters.repositories.hosted import hosted
from migrations_app.adapters.repositories.known_evictions import DjangoReturns, KnownEvictions
from migrations_app.adapters.repositories.log_settings import ReadSamplingRows
from migrations_app.adapters.repositories.retirements import RecentBrownOuts, Retiring
from migrations_app.adapters.repositories.served import RegistryDirectory
from migrations_app.engine.registry.meta_client import MetaClient
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.regions.registry_replica import ReplicaReading
from migrations_app.ports.registry_cache import RegistryCache
from migrations_app.wiring.control_ports import control_ports
from migrations_app.wiring.meta_clients import registry_at
from migrations_app.wiring.peer_calls import signing
from migrations_app.wiring.storage import activity, databases, fence, store


@cache
def registry_cache() -> RegistryCache:
    """Give the registry as it is asked over and over: policies, imports, deployments."""
    return control_ports().registry_cache()


@cache
def directory() -> RegistryDirectory:
    """Give the directory of deployments."""
    return RegistryDirectory(store(), fence())


@cache
def evictions() -> KnownEvictions:
    """Give what knows the evicted deployments."""
    return KnownEvictions()


@cache
def returns() -> DjangoReturns:
    """Give what knows the evicted deployments that were registered again."""
    return DjangoReturns()


def hosted_here() -> Sequence[Peer]:
    """List the deployments whose work this process takes."""
    return hosted(settings.SWITCHYARD.serves)


def looked_at() -> list[tuple[str, str]]:
    """List the (region, service) pairs whose databases are looked at here."""
    return sorted(((peer.region, peer.service) for peer in hosted_here()), key=lambda pair: pair[::-1])


def interests_of(here: Peer) -> Sequence[Peer]:
    """List whose deletions concern a deployment: what it imports in all regions, and its own service elsewhere."""
    services = (*registry_cache().imports(here.service), here.service)
    return [
        p for service in services for region in regions_of(service) if (p := Peer(service, region)) != here
    ]


def regions_of(service: str) -> list[str]:
    """Name the regions a service is deployed in."""
    return [each.region_id for each in registry_cache().deployments(service) if not each.is_disabled]


def registered_of(service: str) -> list[str]:
    """Name the regions a service is registered in, also where it is disabled."""
    return [each.region_id for each in registry_cache().deployments(service)]


def mirrored() -> MetaClient | None:
    """Give the registry that this console mirrors, when it does."""
    env = settings.SWITCHYARD
    if not env.meta_url:
        return None
    signs = signing(env.meta_sender, env.meta_audience) if env.meta_sender else env.meta_token
    return registry_at(env.meta_url, signs)


@cache
def retiring() -> Retiring:
    """Give the versions that retire."""
    return Retiring()


@cache
def brown_outs() -> RecentBrownOuts:
    """Give the brown-outs that are announced or running."""
    return RecentBrownOuts()


@cache
def registry_replica() -> ReplicaReading | None:
    """Give the replica of the registry that this process serves resources by, where a setting names one."""
    env = settings.SWITCHYARD
    return RegistryReplica(env.database_url, databases(), env.replica) if env.replica else None


def reading_registry() -> AbstractContextManager[None]:
    """Give the block in which the registry is read as resources are served: by the replica, where there is one."""
    replica = registry_replica()
    return nullcontext() if replica is None else replica.reading()


def reads_registry_replica() -> bool:
    """Tell whether this thread reads the registry by the replica now."""
    return reads_replica()


def registry_age_seconds() -> float | None:
    """Tell how old the registry is that resources are served by; None where it is the registry itself."""
    replica = registry_replica()
    return None if replica is None else replica.age_seconds()


def replica_age_seconds(database: str) -> float | None:
    """Tell how old the replica of the registry in a data database is; None where there is none.

    Raises: DatabaseBusy.
    """
    found = replica_state(databases(), database)
    return None if found is None else found.age_seconds


@cache
def activity_notes() -> BufferedActivity:
    """Give the notes of requests for the activity logs; which reads are noted is read as resources are served."""

    rows = ReadSamplingRows()

    def samplings() -> Mapping[str, float]:
        with reading_registry():
            return rows.by_deployment()

    return BufferedActivity(activity(), samplings, default_sampling=rows.default)

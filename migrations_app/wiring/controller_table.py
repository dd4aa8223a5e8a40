"""Every controller by its name."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator, Mapping
from functools import cache

from django.conf import settings

from migrations_app.adapters.repositories.fixtures import DjangoFixtureMarks
from migrations_app.adapters.repositories.hosted import places_in_use
from migrations_app.adapters.repositories.places import DjangoPlaces, is_filled, moving_places
from migrations_app.adapters.store.reference_work import PostgresReferenceWork
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.constraints.pending import PendingController
from migrations_app.engine.constraints.returning import Returning
from migrations_app.engine.constraints.subscribed import SubscribedController
from migrations_app.engine.controller import RESTING, Controller, Rest
from migrations_app.engine.parity.duty_cycle import DutyCycle
from migrations_app.engine.parity.watch import ParityController
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.copying import CopyController
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.engine.regions.feed_watch import FeedWatch
from migrations_app.engine.regions.leaving import LeavingController
from migrations_app.engine.regions.touching import TouchController, TouchPorts
from migrations_app.engine.safety_net import SafetyNet
from migrations_app.engine.serving.fixtures import FixturesController
from migrations_app.engine.switch.director import Director
from migrations_app.engine.switch.pruning import PruneController
from migrations_app.engine.sync.lease_pool import NeighbourLeasePool
from migrations_app.engine.sync.search import SearchController
from migrations_app.engine.sync.shard import SyncController
from migrations_app.wiring.control_ports import control_ports
from migrations_app.wiring.registry import (
    directory,
    evictions,
    hosted_here,
    interests_of,
    regions_of,
    registered_of,
    registry_cache,
    returns,
)
from migrations_app.wiring.replication import ports
from migrations_app.wiring.serving import arrangements, owning, peers, placements, router
from migrations_app.wiring.storage import copies, databases, feed, fence, search, store, touches
from migrations_app.wiring.work import clock, dispatch, leases, register_controllers


def feed_watch() -> FeedWatch:
    """Give what watches the change feeds."""
    return FeedWatch(
        feed=feed(),
        copies=copies(),
        reference_work=PostgresReferenceWork(databases()),
        dispatch=dispatch(),
        places=lambda: places_in_use(settings.SWITCHYARD.serves),
        place=lambda *of: places_in_use(settings.SWITCHYARD.serves, of),
        dependants=Dependants(
            directory(), hosted_here, registry_cache().imports, regions_of, lambda: ports().upgrades.syncing()
        ),
        clock=clock(),
    )


@cache
def controllers() -> Mapping[str, Controller]:
    """Give every controller by its name."""
    every = (*_control(), *_replication(), *_constraints(), *_regions())
    return {each.name: each for each in every}


def _control() -> Iterator[Controller]:
    """List what makes work due, and what looks after the control database and tells people and systems."""
    yield SafetyNet(controllers, leases(), lambda queue, count: dispatch().wake(queue, count), clock())
    yield from control_ports().controllers()


def _replication() -> Iterator[Controller]:
    """List what copies, verifies and switches, and what follows the change feeds."""
    rest = _rest()
    yield SyncController(
        ports(), crew=NeighbourLeasePool(leases(), f"{socket.gethostname()}:{os.getpid()}:beside")
    )
    yield ParityController(ports(), ease=DutyCycle(settings.SWITCHYARD.proof_percent / 100, clock()))
    yield Director(ports())
    yield PruneController(store(), feed(), DjangoPlaces(), ports().throttle, clock())
    yield SearchController(
        store(),
        feed(),
        search(),
        directory(),
        hosted_here,
        clock(),
        rest,
        beside=moving_places,
        is_filled=is_filled,
    )
    yield FixturesController(router(), DjangoFixtureMarks(), hosted_here, arrangements(), placements(), rest)
    yield feed_watch()


def _constraints() -> Iterator[Controller]:
    """List what keeps references between deployments true."""
    rest, serves = _rest(), settings.SWITCHYARD.serves
    returning = Returning(router(), peers(), arrangements(), returns(), clock())
    yield PendingController(router(), peers(), hosted_here, owning(), evictions(), returning, rest)
    yield DeletingController(router(), peers(), arrangements(), hosted_here, rest=rest)
    yield SubscribedController(
        router(), peers(), arrangements(), hosted_here, interests_of, clock(), rest, serves
    )


def _regions() -> Iterator[Controller]:
    """List what keeps read copies and syncing metadata current."""
    rest = _rest()
    copying = CopyPorts(store(), copies(), fence(), directory())
    yield TouchController(
        router(),
        TouchPorts(store=store(), feed=feed(), copies=copies(), touches=touches(), directory=directory()),
        placements(),
        hosted_here,
        lambda service: (service, *registry_cache().imports(service)),
        clock(),
        rest,
    )
    yield CopyController(
        copying,
        peers(),
        hosted_here,
        regions_of,
        clock(),
        beside=moving_places,
        rest=rest,
        is_watched=settings.SWITCHYARD.serves,
    )
    yield LeavingController(copying, hosted_here, registered_of, clock(), rest)


@cache
def _rest() -> Rest:
    return Rest(lambda: leases().count_keys(RESTING), clock())


register_controllers(controllers)

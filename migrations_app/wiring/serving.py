"""Serving of resources: the router, requests to other deployments, the servers of every version."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from migrations_app.adapters.peers.by_region import PeersByRegion
from migrations_app.adapters.peers.local import LocalPeers
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.engine.constraints.arranging import Arranging
from migrations_app.engine.constraints.mixin import MixinServer
from migrations_app.engine.constraints.owners import Owning
from migrations_app.engine.regions.describing import Describing
from migrations_app.engine.regions.holder_policies import ACTION, HolderPolicies, describe_holder
from migrations_app.engine.regions.owned import OwnedServer
from migrations_app.engine.registry.placements import Placements
from migrations_app.engine.service_hooks.responses import HookedResponses
from migrations_app.engine.serving.routing import Router
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.wiring.peer_calls import http_peers
from migrations_app.wiring.registry import (
    directory,
    evictions,
    regions_of,
    registry_cache,
)
from migrations_app.wiring.service_hooks import hooked_writes, service_hooks
from migrations_app.wiring.storage import copies, feed, fence, search, store, touches
from migrations_app.wiring.work import clock, dispatch


@cache
def router() -> Router:
    """Give what sends reads and writes to the namespace that answers them."""
    return Router(directory(), store(), fence(), feed=feed())


@cache
def owning() -> Owning:
    """Give what keeps owner references true."""
    return Owning(router(), peers(), arrangements())


@cache
def mixin() -> MixinServer:
    """Give what deployments served here answer to their peers."""
    owned = OwnedServer(router(), store(), feed(), copies())
    describing = Describing(
        router(), store=store(), copies=copies(), touches=touches(), regions=regions_of, clock=clock()
    )
    more = {**owned.actions, "describeCopies": describing.describe, ACTION: describe_holder(router())}
    return MixinServer(router(), owning(), more=more, evicted=evictions())


@cache
def peers() -> Peers:
    """Give the way to ask other deployments, served here or elsewhere."""
    return PeersByRegion(settings.SWITCHYARD.serves, LocalPeers(mixin), http_peers())


@cache
def placements() -> Placements:
    """Give the placement of resources: owning region and read copies from a name alone."""
    asking = HolderPolicies(router(), peers(), regions_of)
    return Placements(directory(), store(), feed(), registry_cache(), ask=asking.ask)


@cache
def arrangements() -> Arranging:
    """Give the way to arrange with others what is about to be written."""
    return Arranging(router(), peers(), regions_of, follow_up)


def follow_up(here: Peer) -> None:
    """Make due what pays the confirmations of a deployment and goes on with its deletions."""
    for controller in ("pending", "deleting"):
        dispatch().poke(controller, here.deployment)


@cache
def resource_servers() -> ResourceServers:
    """Give the servers of resources in every version."""
    return ResourceServers(
        directory=directory(),
        router=router(),
        feed=feed(),
        arrangements=arrangements(),
        search=search(),
        placing=placements(),
        copies=copies(),
        code=hooked_writes(),
    )


def hooked_responses() -> HookedResponses | None:
    """Give the response hooks installed in this process; None when there are none."""
    hooks = service_hooks()
    return HookedResponses(*hooks, resource_servers()) if hooks else None


@cache
def usage() -> BufferedUsage:
    """Give the notes of who uses what."""
    return BufferedUsage(UsageRows().add_and_hang_up)

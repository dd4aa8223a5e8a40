"""Calls between the deployments of different processes: their tokens, and the way over HTTP."""

from __future__ import annotations

from functools import cache, partial

from django.conf import settings

from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.registry_clients.http import SignCall
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.adapters.used_tokens.postgres import PostgresUsedTokens
from migrations_app.ports.regions.peers import NamedRegistry, Peer


@cache
def service_tokens() -> ServiceTokens:
    """Give what signs and checks the tokens of deployments."""
    return ServiceTokens(
        ServiceKeys.of(settings.SECRET_KEY, settings.SWITCHYARD.service_key, settings.SWITCHYARD.peer_keys),
        used=PostgresUsedTokens(),
    )


@cache
def sender_tokens() -> ServiceTokens:
    """Give what checks the tokens of those that ask the Meta API: keys may be good for it alone."""
    env = settings.SWITCHYARD
    keys = ServiceKeys.of(settings.SECRET_KEY, env.service_key, {**env.peer_keys, **env.meta_keys})
    return ServiceTokens(keys, used=PostgresUsedTokens())


@cache
def signing(sender: str, registry: str) -> SignCall:
    """Give what signs the calls of another registry: the same for the same names, so that its client is one."""
    return partial(service_tokens().sign, Peer.parse(sender), NamedRegistry(registry))


@cache
def http_peers() -> HttpPeers:
    """Give the way to ask the deployments of other processes."""
    env = settings.SWITCHYARD
    return HttpPeers(service_tokens(), env.peer_urls.get, answer_seconds=env.peer_seconds)

"""Calls between the deployments of different processes: their tokens, and the way over HTTP."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.adapters.used_tokens.postgres import PostgresUsedTokens


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

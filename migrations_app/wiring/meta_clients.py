"""The one client of each registry in this process, by the kind of its address."""

from __future__ import annotations

from functools import cache

from migrations_app.adapters.egress.grpc_client import PLAIN, SECURE
from migrations_app.adapters.registry_clients.grpc_registry import GrpcRegistry
from migrations_app.adapters.registry_clients.http import HttpRegistry, SignCall
from migrations_app.engine.registry.meta_client import MetaClient


@cache
def registry_at(url: str, token: str | SignCall) -> MetaClient:
    """Give the one registry at an address, for the token of an account or for what signs one for each call."""
    if url.partition("://")[0] in (PLAIN, SECURE):
        return GrpcRegistry(url, token)
    return HttpRegistry(url, token)

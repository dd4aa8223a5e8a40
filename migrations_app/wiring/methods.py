"""Custom methods: the handlers installed in this process or named by settings, and the threads that run them."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import connections

from migrations_app.adapters.extensions import installed_extensions
from migrations_app.adapters.methods.backends import HandlersInTurn, HttpBackends
from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.methods.threads import HandlerThreads
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.engine.methods.peer_deployments import OwnerRegions
from migrations_app.engine.methods.server import MethodServer
from migrations_app.wiring.peer_calls import http_peers
from migrations_app.wiring.serving import resource_servers


def method_server() -> MethodServer:
    """Give the server of custom methods."""
    env = settings.SWITCHYARD
    owners = OwnerRegions(env.serves, http_peers(), env.peer_seconds)
    return MethodServer(resource_servers(), method_handlers(), _handler_threads(), owners)


@cache
def method_handlers() -> HandlersInTurn:
    """Give the handlers of custom methods, in the process and behind addresses."""
    registered = RegisteredHandlers.of(installed_extensions().methods)
    # By the tokens' key alone: backends check the tokens themselves, so that none is noted here as used.
    tokens = ServiceTokens(ServiceKeys.of(settings.SECRET_KEY, settings.SWITCHYARD.service_key))
    return HandlersInTurn((registered, HttpBackends(settings.SWITCHYARD.method_backends, tokens)))


@cache
def _handler_threads() -> HandlerThreads:
    return HandlerThreads(connections.close_all)

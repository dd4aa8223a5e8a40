"""The server of custom methods with the handlers that are installed in this process."""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.db import connections

from migrations_app.adapters.extensions import installed_methods
from migrations_app.adapters.methods.backends import HandlersInTurn, HttpBackends
from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.methods.threads import HandlerThreads
from migrations_app.adapters.service_tokens import ServiceKeys, ServiceTokens
from migrations_app.engine.methods.server import MethodServer
from migrations_app.engine.serving.servers import ResourceServers


@cache
def _installed() -> tuple[HandlersInTurn, HandlerThreads]:
    registered = RegisteredHandlers.of(installed_methods())
    # By the tokens' key alone: backends check the tokens themselves, so that none is noted here as used.
    tokens = ServiceTokens(ServiceKeys.of(settings.SECRET_KEY, settings.SWITCHYARD.service_key))
    backends = HttpBackends(settings.SWITCHYARD.method_backends, tokens)
    return HandlersInTurn((registered, backends)), HandlerThreads(connections.close_all)


def method_server(servers: ResourceServers) -> MethodServer:
    """Give the server of this process over its resource servers."""
    return MethodServer(servers, *_installed())

"""The server of custom methods with the handlers that are installed in this process."""

from __future__ import annotations

from functools import cache

from django.db import connections

from migrations_app.adapters.extensions import installed_methods
from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.methods.threads import HandlerThreads
from migrations_app.engine.methods.server import MethodServer
from migrations_app.engine.serving.servers import ResourceServers


@cache
def _installed() -> tuple[RegisteredHandlers, HandlerThreads]:
    return RegisteredHandlers.of(installed_methods()), HandlerThreads(connections.close_all)


def method_server(servers: ResourceServers) -> MethodServer:
    """Give the server of this process over its resource servers."""
    return MethodServer(servers, *_installed())

"""The service hooks of this process: what its extensions list, and the threads that run them."""

from __future__ import annotations

from functools import cache

from django.db import connections

from migrations_app.adapters.extensions import installed_extensions
from migrations_app.adapters.service_hooks.registered import RegisteredHooks
from migrations_app.adapters.service_hooks.threads import HookThreads
from migrations_app.engine.service_hooks.writes import HookedWrites


@cache
def service_hooks() -> tuple[RegisteredHooks, HookThreads] | None:
    """Give the hooks that are installed, and what runs them; None when there are none."""
    services = installed_extensions().service_hooks
    return (RegisteredHooks.of(services), HookThreads(connections.close_all)) if services else None


def hooked_writes() -> HookedWrites | None:
    """Give the write hooks; None when there are none, so that writes cost nothing more."""
    hooks = service_hooks()
    return HookedWrites(*hooks) if hooks else None

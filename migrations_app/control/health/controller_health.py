"""Whether the controllers get turns: how long due keys wait, and which controllers stand still."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.health.turns import waiting_controllers
from migrations_app.domain.health import Component

STALE_SECONDS = 60.0
OWN_WORKER = "webhooks"
"""The controller whose workers do nothing else: that it moves says nothing about the others."""
NAMED = 8


def controllers_component() -> Component:
    """Name the controllers that stand still; the part is down when all do that have something to do."""
    waiting = waiting_controllers(STALE_SECONDS)
    stale = [each for each in waiting if each.stale]
    if not stale:
        return Component("controllers", "ok", "Every controller with due keys gets turns.")
    names = ", ".join(f"{each.controller} ({each.seconds:.0f} s)" for each in stale[:NAMED])
    more = f" and {len(stale) - NAMED} more" if len(stale) > NAMED else ""
    others = [each for each in waiting if each.controller != OWN_WORKER]
    return Component(
        "controllers",
        "down" if len(others) > 1 and all(each.stale for each in others) else "degraded",
        f"No turn for {STALE_SECONDS:.0f} s and more: {names}{more}.",
        timezone.now() - timedelta(seconds=max(each.seconds for each in stale)),
        "Look at the workers of their queues: whether they run, and what their threads wait for.",
    )

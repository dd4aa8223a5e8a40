"""Whether the controllers get turns: how long due keys wait, and which controllers stand still."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from migrations_app.control.health.turns import waiting_controllers
from migrations_app.domain.health import Component
from migrations_app.kernel.messages import message

STALE_SECONDS = 60.0
OWN_WORKER = "webhooks"
"""The controller whose workers do nothing else: that it moves says nothing about the others."""
NAMED = 8


def controllers_component() -> Component:
    """Name the controllers that stand still; the part is down when all do that have something to do."""
    waiting = waiting_controllers(STALE_SECONDS)
    stale = [each for each in waiting if each.stale]
    if not stale:
        return Component("controllers", "ok", message("Every controller with due tasks runs."))
    names = ", ".join(f"{each.controller} ({each.seconds:.0f} s)" for each in stale[:NAMED])
    more = len(stale) - NAMED
    standing = {"seconds": f"{STALE_SECONDS:.0f}", "controllers": names}
    others = [each for each in waiting if each.controller != OWN_WORKER]
    return Component(
        "controllers",
        "down" if len(others) > 1 and all(each.stale for each in others) else "degraded",
        message("Not run for {seconds} s or more: {controllers}.", **standing)
        if more <= 0
        else message(
            "Not run for {seconds} s or more: {controllers} and {more} more.", more=more, **standing
        ),
        timezone.now() - timedelta(seconds=max(each.seconds for each in stale)),
        message("Look at the workers of their queues: whether they run, and what their threads wait for."),
    )

"""The brown-outs of a service, with what they refused."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.control.usage.repository.brown_outs import brown_outs_as_json
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.json import JsonObject


def brown_outs_of(actor: Actor, service: str) -> list[JsonObject]:
    """List the brown-outs of a service, newest first.

    Raises: Denied.
    """
    require(actor, "registry.read", Target("service", service=service))
    return brown_outs_as_json(service, timezone.now())

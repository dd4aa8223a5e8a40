"""Versions of services that retire, as everybody may know who sees the fleet."""

from __future__ import annotations

from migrations_app.adapters.repositories.retirements import Retirement, retirements
from migrations_app.domain.access import Actor, require_reach


def retiring_versions(actor: Actor) -> list[Retirement]:
    """List the versions of services that have a last day.

    Raises: Denied.
    """
    reach = require_reach(actor, "fleet.read")
    return [each for each in retirements() if reach.covers(each.service)]

"""Versions of services that retire, as everybody may know who sees the fleet."""

from __future__ import annotations

from migrations_app.adapters.retiring import Retirement, retirements
from migrations_app.domain.access import Actor, require


def retiring_versions(actor: Actor) -> list[Retirement]:
    """List the versions of services that have a last day.

    Raises: Denied.
    """
    require(actor, "fleet.read")
    return retirements()

"""Choose the time zone in which the console shows times, for every browser one signs in with."""

from __future__ import annotations

from migrations_app.domain.access import Actor
from migrations_app.models.access import Account


def choose_zone(actor: Actor, zone: str) -> None:
    """Keep one of `SHOWN_ZONES` with the account of the caller."""
    Account.objects.filter(username=actor.name).update(shown_zone=zone)

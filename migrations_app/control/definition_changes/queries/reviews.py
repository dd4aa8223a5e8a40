"""Which definitions of a service were applied or refused, with the decisions on them."""

from __future__ import annotations

from migrations_app.control.definition_changes.repository.reviews import reviews_of
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.json import Json


def definition_reviews(actor: Actor, service: str) -> list[Json]:
    """List the definitions of a service that were applied or refused, newest first.

    Raises: Denied.
    """
    require(actor, "registry.read", Target("service", service=service))
    return [*reviews_of(service)]

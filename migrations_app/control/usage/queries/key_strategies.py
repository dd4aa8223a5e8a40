"""The strategies of single unknown keys of a service."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.usage.repository.key_strategies import key_strategy_as_json
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.places import field_at, segments_of
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.retirements import KeyStrategy


def key_strategies(actor: Actor, service: str) -> list[JsonObject]:
    """List the strategies of single keys of a service, newest first.

    Raises: Denied.
    """
    require(actor, "registry.read", Target("service", service=service))
    now = timezone.now()
    rows = KeyStrategy.objects.filter(service=service)
    return [key_strategy_as_json(row, now, is_known=is_known(row)) for row in rows]


def is_known(row: KeyStrategy) -> bool:
    """Tell whether the served definition has the field, so that the strategy does not count."""
    try:
        schema = compiled_service(row.service).schema(row.version)
    except SwitchyardError:
        # The version went since.
        return False
    return row.type in schema.resources and field_at(schema, row.type, segments_of(row.path)) is not None

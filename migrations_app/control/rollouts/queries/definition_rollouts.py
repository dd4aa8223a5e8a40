"""Rollouts of definitions to be read, and where they lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from migrations_app.control.rollouts.definition_rows import (
    definition_rollouts_of,
    target_of_definition_rollout,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.json import JsonObject
from migrations_app.models.rollouts import DefinitionRollout


def definition_rollouts(actor: Actor, service: str) -> list[JsonObject]:
    """List the rollouts of definitions of a service, newest first.

    Raises: Denied.
    """
    require(actor, "registry.read", Target("service", service=service))
    return definition_rollouts_of(service)


def of_definition_rollout(parts: Mapping[str, Any]) -> Sequence[Target]:
    """Locate a rollout: it counts for its service in every region."""
    return [target_of_definition_rollout(row) for row in DefinitionRollout.objects.filter(pk=parts["id"])]

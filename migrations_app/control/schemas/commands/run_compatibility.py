"""Ask for a comparison of two versions that a worker makes, and that is followed as an operation."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.schemas.controller import KIND, CompatibilityRuns
from migrations_app.domain.access import Actor, Target, require
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.wiring import dispatch


def run_compatibility(actor: Actor, service: str, asked: Mapping[str, str]) -> JsonObject:
    """Begin to compare two versions; gives the operation that tells how far it is and what came of it.

    Shape: `asked` has before, after, client, server and policy, as the report itself is asked.
    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    target = Target("service", service, service)
    require(actor, "registry.read", target)
    if asked["before"] == asked["after"]:
        raise Invalid(message("Compare two different versions."), code="versions")
    compiled = compiled_service(service)
    for version in (asked["before"], asked["after"]):
        compiled.schema(version)
    with transaction.atomic():
        operation = begin_operation(actor, KIND, target, {"asked": dict(asked), "compared": 0, "last": ""})
        dispatch().poke(CompatibilityRuns.name, str(operation["id"]))
    return operation

"""What a client of one version of a service meets in another."""

from __future__ import annotations

from migrations_app.adapters.conversions import compiled_service
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.kernel.json import JsonObject


def compatibility(actor: Actor, service: str, before: str, after: str, setting: Setting) -> JsonObject:
    """Report on two versions of a service, from its current definition.

    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    require(actor, "registry.read", Target("service", service=service))
    shown = document(assess(compiled_service(service), before, after, setting))
    del shown["wire"]  # between versions packages differ, so numbers mean nothing
    return shown

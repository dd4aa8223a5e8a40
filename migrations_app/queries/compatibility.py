"""What a client of one version of a service meets in another, what of it was accepted, and both schemas."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.adapters.repositories.waivers import waiver_as_json, waivers_of
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.acceptance import open_places
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.domain.schema.canonical import write_schema
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.waivers import Waiver


def compatibility(actor: Actor, service: str, before: str, after: str, setting: Setting) -> JsonObject:
    """Report on two versions of a service, from its current definition.

    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    require(actor, "registry.read", Target("service", service=service))
    shown = document(assess(compiled_service(service), before, after, setting))
    del shown["wire"]  # between versions packages differ, so numbers mean nothing
    now = timezone.now()
    known, left = waivers_of(service, before, after, now), 0
    for key, place in open_places(shown):
        row = known.get(key)
        place["waiver"] = waiver_as_json(row, now) if row else None
        left += row is None or row.approved_at is None
    shown["to_accept"] = left
    return shown


def waivers(actor: Actor, service: str) -> list[Json]:
    """List the waivers of a service, newest first.

    Raises: Denied.
    """
    require(actor, "registry.read", Target("service", service=service))
    now = timezone.now()
    return [waiver_as_json(row, now) for row in Waiver.objects.filter(service=service)[:500]]


def schema_of(actor: Actor, service: str, version: str) -> JsonObject:
    """Write the schema of a version as an IR document.

    Raises: Denied, Missing (`definition-missing`, `version`).
    """
    require(actor, "registry.read", Target("service", service=service))
    return write_schema(compiled_service(service).schema(version))

"""What a client of one version of a service meets in another, what of it was accepted, and both schemas."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.definition_changes.repository.waivers import waiver_as_json
from migrations_app.control.schemas.repository.reports import current_report
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.acceptance import entries
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.buf import BufComparison, Category
from migrations_app.domain.schema.canonical import write_schema
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.models.evidence.waivers import Waiver


def compatibility(
    actor: Actor, service: str, before: str, after: str, setting: Setting, buf: Category | None = None
) -> JsonObject:
    """Report on two versions of a service, from its current definition; with `buf` only its findings of a category.

    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`, `not-protobuf`).
    """
    require(actor, "registry.read", Target("service", service=service))
    shown = current_report(service, before, after, setting)
    if buf is not None:
        compiled = compiled_service(service)
        BufComparison(compiled.schema(before), compiled.schema(after)).require_verdict()
        shown["findings"] = [each for each in entries(shown, "findings") if _is_of(each, buf)]
    return shown


def _is_of(found: JsonObject, buf: Category) -> bool:
    categories = found["buf"]
    return isinstance(categories, list) and buf in categories


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

"""The fields of one version that another one has no counterpart of, with the new fields that they may have become."""

from __future__ import annotations

from functools import lru_cache

from migrations_app.adapters.conversions import compiled_service
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.conversion.proposals.removed_fields import RemovedField, removed_fields
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import Json
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import all_phrases_as_json

_KEPT = 8


def fields_without_counterpart(actor: Actor, service: str, before: str, after: str) -> list[Json]:
    """List the fields that the edges between two versions give up, each with at most three candidates.

    Raises: Denied, Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    require(actor, "registry.read", Target("service", service=service))
    compiled = compiled_service(service)
    for version in (before, after):
        compiled.schema(version)
    if before == after:
        raise Invalid(
            message("A version is not compared with itself."),
            code="versions",
            remedy=message("Name two different versions."),
        )
    return [_shown(each) for each in _removed_fields(compiled, before, after)]


@lru_cache(maxsize=_KEPT)
def _removed_fields(compiled: CompiledService, before: str, after: str) -> tuple[RemovedField, ...]:
    names = {one.service for each in compiled.folder.imports.values() for one in each} - {compiled.service}
    imported = {name: compiled_service(name) for name in sorted(names)}
    return removed_fields(compiled.folder, (before, after), imported)


def _shown(of: RemovedField) -> Json:
    return {
        "source": of.source,
        "target": of.target,
        "type": of.owner,
        "path": of.path,
        "written": of.is_written,
        "candidates": [
            {
                "path": each.path,
                "confidence": each.confidence,
                "reasons": [*map(str, each.reasons)],
                "reason_phrases": all_phrases_as_json(each.reasons),
            }
            for each in of.candidates
        ],
    }

"""The report of two versions of a service as it is now: from the current definition, with the waivers in force."""

from __future__ import annotations

from functools import lru_cache

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.definition_changes.repository.waivers import waiver_as_json
from migrations_app.control.schemas.repository.waivers import waivers_of
from migrations_app.domain.compatibility.acceptance import Key, open_places
from migrations_app.domain.compatibility.analyse import Setting, Watch, unwatched
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.kernel.json import Json, JsonObject


def current_report(
    service: str, before: str, after: str, setting: Setting, watch: Watch = unwatched
) -> JsonObject:
    """Compare two versions; `watch` is told each type that was compared.

    Raises: Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    shown = document(assess(compiled_service(service), before, after, setting, watch))
    del shown["wire"]  # between versions packages differ, so numbers mean nothing
    now = timezone.now()
    known, left = waivers_of(service, before, after, now), 0
    for key, place in open_places(shown):
        row = known.get(key)
        place["waiver"] = waiver_as_json(row, now) if row else None
        left += row is None or row.approved_at is None
    shown["to_accept"] = left
    return shown


@lru_cache(maxsize=256)
def assessed(
    service: str, fingerprint: str, before: str, after: str
) -> tuple[tuple[tuple[str, Json], ...], tuple[Key, ...]]:
    """Assess two versions of a definition, once for each definition: the counts, and the places to accept.

    Raises: Missing (`definition-missing`, `version`), Invalid (`versions`).
    """
    shown = document(assess(compiled_service(service), before, after, Setting()))
    counts = shown["counts"]
    assert isinstance(counts, dict)
    return tuple(counts.items()), tuple(key for key, _ in open_places(shown))

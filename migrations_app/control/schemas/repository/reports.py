"""The report of two versions of a service as it is shown: each place with the waiver that was asked for it."""

from __future__ import annotations

from django.utils import timezone

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.definition_changes.repository.waivers import waiver_as_json
from migrations_app.control.schemas.repository.compatibility import waivers_of
from migrations_app.domain.compatibility.acceptance import open_places
from migrations_app.domain.compatibility.analyse import Setting, Watch, unwatched
from migrations_app.domain.compatibility.assess import assess, document
from migrations_app.kernel.json import JsonObject


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

"""Definition reviews: kept as they were, the newest fifty of each service."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.definition_reviews import DefinitionReview

MOST_KEPT = 50


def keep_review(
    service: str,
    fingerprints: tuple[str, str | None],
    outcome: str,
    by: str,
    at: datetime,
    decisions: Sequence[JsonObject],
) -> None:
    """Keep the decisions on a definition: its fingerprint, and that of the served one.

    A definition that is refused again takes the place of its last refusal.
    """
    mark, against = fingerprints[0], fingerprints[1] or ""
    of_service = DefinitionReview.objects.filter(service=service)
    same = of_service.filter(fingerprint=mark, against=against, outcome=DefinitionReview.REFUSED)
    if outcome == DefinitionReview.REFUSED:
        same.delete()
    DefinitionReview.objects.create(
        service=service,
        fingerprint=mark,
        against=against,
        outcome=outcome,
        by=by,
        at=at,
        decisions=[*decisions],
    )
    old = list(of_service.values_list("pk", flat=True)[MOST_KEPT:])
    if old:
        DefinitionReview.objects.filter(pk__in=old).delete()


def reviews_of(service: str) -> list[JsonObject]:
    """Show the reviews of a service, newest first."""
    return [
        {
            "fingerprint": row.fingerprint,
            "against": row.against,
            "outcome": row.outcome,
            "by": row.by,
            "at": row.at.isoformat().replace("+00:00", "Z"),
            "decisions": row.decisions,
        }
        for row in DefinitionReview.objects.filter(service=service)[:MOST_KEPT]
    ]

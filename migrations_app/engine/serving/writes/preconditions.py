"""Conditions of a write on the resource as it is."""

from __future__ import annotations

from migrations_app.domain.filters.evaluate import values_at
from migrations_app.domain.filters.masks import parse_mask
from migrations_app.engine.serving.writes.requests import WritePrecondition
from migrations_app.kernel.errors import Conflict, RevisionConflict, Violation
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import StoredResource

_SHOWN = 20


def check_revision(before: StoredResource, expected: int | None) -> None:
    """See that a resource is at the revision that a write expects.

    Raises: Stale (`revision-conflict`).
    """
    if expected is not None and expected != before.revision:
        raise RevisionConflict(
            f"{before.name} is at revision {before.revision}, not {expected}.",
            remedy="Read it again and decide anew.",
            found=before.revision,
            asked=expected,
        )


def check_precondition(shown: JsonObject, precondition: WritePrecondition) -> None:
    """See that a resource is as a write expects it, at the places of a mask.

    Raises: Conflict (`state-moved`).
    """
    mask = parse_mask(precondition.mask or [f"`{key}`" for key in precondition.state if "`" not in key])
    wrong = [
        str(path)
        for path in mask.paths
        if values_at(shown, path.segments) != values_at(precondition.state, path.segments)
    ]
    if wrong or (mask.is_everything and shown != precondition.state):
        raise Conflict(
            "The resource is not what this write expects it to be.",
            code="state-moved",
            remedy="Read it again and decide anew.",
            violations=tuple(Violation(path, "is different") for path in wrong[:_SHOWN]),
        )

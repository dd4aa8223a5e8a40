"""The read-modify-write hazard: an old client updates an object that has a key it does not know."""

from __future__ import annotations

from enum import StrEnum

from migrations_app.domain.compatibility.statuses import Strategy


class Update(StrEnum):
    """The ways to update a resource."""

    REPLACE = "PUT replace"
    LENS = "PUT through lens"
    MERGE_PATCH = "merge patch"
    FIELD_MASK = "field-mask update"
    FULL_MASK = "update with mask *"
    JSON_PATCH = "JSON Patch"


class Fate(StrEnum):
    """What becomes of the key the client does not know."""

    KEPT = "kept"
    LOST = "lost"
    UNREADABLE = "cannot read"
    DEPENDS = "depends"


_LENIENT = {
    Update.REPLACE: Fate.LOST,
    Update.LENS: Fate.KEPT,
    Update.MERGE_PATCH: Fate.KEPT,
    Update.FIELD_MASK: Fate.KEPT,
    Update.FULL_MASK: Fate.LOST,
    Update.JSON_PATCH: Fate.KEPT,
}


def fate_of_unknown_key(client: Strategy, update: Update) -> Fate:
    """Say what becomes of a new key when a client of the same version, but older, updates."""
    if client is Strategy.STRICT:
        return Fate.UNREADABLE if update is Update.REPLACE else Fate.KEPT
    if client is Strategy.PASS and update in (Update.REPLACE, Update.FULL_MASK):
        return Fate.DEPENDS  # kept unvalidated, lost when the client builds the object again
    return _LENIENT[update]


def losing_updates(client: Strategy, *, lens: bool) -> tuple[Update, ...]:
    """List the updates that would lose an added key."""
    if lens:
        return ()
    bad = (Fate.LOST, Fate.DEPENDS)
    return tuple(each for each in Update if fate_of_unknown_key(client, each) in bad)

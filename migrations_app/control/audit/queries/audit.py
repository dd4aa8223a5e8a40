"""The audit ledger as it is read: filtered, newest first, and verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from migrations_app.control.audit import ledger
from migrations_app.control.audit.anchors import MOST as MOST_ANCHORS
from migrations_app.control.audit.anchors import anchor_from, compare, known_anchors
from migrations_app.control.audit.controller import anchor_key, anchor_places
from migrations_app.control.rows.within import within
from migrations_app.domain.access import Actor, require, require_reach
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.wordings import reason_as_json

__all__ = ["MOST_ANCHORS", "chain", "entries"]


def entries(
    actor: Actor, filters: Mapping[str, str], *, before: int | None = None, limit: int = 51
) -> list[JsonObject]:
    """List entries, newest first; `action` may end in a star.

    Raises: Denied, Invalid (`filter`).
    """
    seen = within(require_reach(actor, "audit.read"))
    rows = ledger.matching(filters).filter(seen)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return [ledger.sealed_as_json(row) for row in rows[:limit]]


def chain(actor: Actor, anchors: Sequence[object] = ()) -> JsonObject:
    """Verify the whole chain, compare it with the anchors given and with those known here, and tell how it stands.

    Raises: Denied, Invalid (`anchor`).
    """
    require(actor, "audit.read")
    given = [anchor_from(each) for each in anchors]
    found = ledger.verify()
    known = [*given, *known_anchors(anchor_places().folders)]
    difference = compare(known, anchor_key())
    broken_at, reason = found.broken_at, found.reason
    if broken_at is None and difference is not None:
        broken_at, reason = difference.seq, difference.reason
    return {
        "intact": broken_at is None and found.unsealed == 0,
        "length": found.length,
        "unsealed": found.unsealed,
        "digest": found.digest,
        "broken_at": broken_at,
        "entry": found.entry,
        "reason": "",
        **reason_as_json(reason),
        "anchors": len(known),
        "anchored": max((anchor.seq for anchor in known), default=0),
        "key": anchor_key().public,
    }

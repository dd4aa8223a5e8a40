"""How the audit ledger is: whether it is as it was kept, who could alter it, and how old what was kept is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import connection

from migrations_app.control.audit.controller import age_seconds, watched
from migrations_app.domain.health import Component
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import kept_message

LATE_TURNS = 3
DAY_SECONDS = 86_400
_ALTERS = """
SELECT bool_or(has_table_privilege(name, 'UPDATE') OR has_table_privilege(name, 'DELETE'))
FROM unnest(ARRAY['switchyard_ledgerentry', 'switchyard_ledgerseal', 'switchyard_ledgeranchor']) name
"""


def _noted(state: JsonObject, name: str) -> WordedMessage:
    """Read what the watch noted; one of an older version noted the text alone."""
    kept: Any = state.get(f"{name}_phrases") or ()
    return kept_message(str(state.get(name) or ""), kept)


def ledger_component() -> Component:
    """Tell how the ledger is, by what its watch noted last."""
    state = watched()
    wrong = _noted(state, "difference") or _noted(state, "broken")
    if wrong:
        return Component(
            "ledger",
            "down",
            message("The audit ledger is not what it was:") + wrong,
            remedy=message(
                "Keep the database as it is, compare it with a backup and with the anchors kept outside."
            ),
        )
    entries = int(str(state.get("seq") or 0))
    late = LATE_TURNS * settings.SWITCHYARD.anchor_seconds
    anchored, verified = age_seconds(state, "anchored_at"), age_seconds(state, "verified_at")
    if state.get("failed"):
        return _strained(
            message(
                "The hash of its newest entry could not be stored: {failures}.", failures=str(state["failed"])
            ),
            message("Look at SWITCHYARD_ANCHORS."),
        )
    if anchored is not None and anchored > late:
        return _strained(
            message(
                "The hash of its newest entry was last stored {minutes} minutes ago.",
                minutes=f"{anchored / 60:.0f}",
            ),
            message("Look whether a worker listens to the queue housekeeping."),
        )
    if verified is not None and verified > 2 * DAY_SECONDS:
        return _strained(
            message("It was not verified for two days."), message("Look at the log of the workers.")
        )
    words = (
        message(
            "{entries} entries. The hash of the newest is also stored outside the database.", entries=entries
        )
        if anchored is not None
        else message("The hash of the newest entry was not stored outside the database yet.")
    )
    if _may_be_altered():
        words += message("The database role of the processes may alter it: `manage.py roles` separates them.")
    return Component("ledger", "ok", words)


def _strained(words: WordedMessage, remedy: WordedMessage) -> Component:
    return Component("ledger", "degraded", words, remedy=remedy)


def _may_be_altered() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_ALTERS)
        return bool((cursor.fetchone() or (False,))[0])

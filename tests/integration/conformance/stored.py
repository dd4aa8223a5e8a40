"""What the database holds, as one value that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.apps import apps

from migrations_app.models.access import Token
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent
from tests.factories.table_digests import TableDigests, digests

BESIDE = (Token, LedgerEntry, OutboxEvent)
"""Of these less is compared: when a token was used last, and what a rehearsal or refusal leaves in the audit log."""


class Stored:
    """What the database held at a moment of a transaction; what other connections write is not compared."""

    def __init__(self) -> None:
        self._tables, self._counts = TableDigests.of(_tables()), _counts()

    def differing(self) -> list[str]:
        """Name the tables that hold something else by now."""
        now = _counts()
        return self._tables.differing() + [name for name, count in self._counts.items() if now[name] != count]


def stored() -> Mapping[str, str]:
    """Digest every table; of the audit log and the outbox only what tells of a change."""
    return digests(_tables()) | _counts()


@cache
def _tables() -> frozenset[str]:
    models = [*apps.get_models(include_auto_created=True)]
    return frozenset(model._meta.db_table for model in models if model not in BESIDE)


def _counts() -> dict[str, str]:
    changes = LedgerEntry.objects.exclude(outcome__in=("dry_run", "denied"))
    return {
        "changes in the audit log": str(changes.count()),
        "events": str(OutboxEvent.objects.exclude(topic="audit").count()),
        "tokens": str([*Token.objects.order_by("id").values_list("id", "revoked_at")]),
    }

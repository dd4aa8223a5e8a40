"""What the database holds, as one value that can be compared."""

from __future__ import annotations

from collections.abc import Mapping

from django.apps import apps
from django.db import connection

from migrations_app.models.access import Token
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent

BESIDE = (Token, LedgerEntry, OutboxEvent)
"""Of these less is compared: when a token was used last, and what a rehearsal or refusal leaves in the audit log."""


def stored() -> Mapping[str, str]:
    """Digest every table; of the audit log and the outbox only what tells of a change."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM \"{table}\" t"
            )
            found[table] = str(cursor.fetchone()[0])
    for model in BESIDE:
        del found[model._meta.db_table]
    changes = LedgerEntry.objects.exclude(outcome__in=("dry_run", "denied"))
    found["changes in the audit log"] = str(changes.count())
    found["events"] = str(OutboxEvent.objects.exclude(topic="audit").count())
    found["tokens"] = str([*Token.objects.order_by("id").values_list("id", "revoked_at")])
    return found

"""What the database holds, as one value that can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.apps import apps
from django.db import connection

from migrations_app.models.access import Token
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.outbox import OutboxEvent

BESIDE = (Token, LedgerEntry, OutboxEvent)
"""Of these less is compared: when a token was used last, and what a rehearsal or refusal leaves in the audit log."""


def stored() -> Mapping[str, str]:
    """Digest every table; of the audit log and the outbox only what tells of a change."""
    with connection.cursor() as cursor:
        cursor.execute(_digests())
        found = {str(table): str(digest) for table, digest in cursor.fetchall()}
    for model in BESIDE:
        del found[model._meta.db_table]
    changes = LedgerEntry.objects.exclude(outcome__in=("dry_run", "denied"))
    found["changes in the audit log"] = str(changes.count())
    found["events"] = str(OutboxEvent.objects.exclude(topic="audit").count())
    found["tokens"] = str([*Token.objects.order_by("id").values_list("id", "revoked_at")])
    return found


@cache
def _digests() -> str:
    """Write the question for the digests of all tables: one statement, because a rehearsal asks it twice."""
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    return " UNION ALL ".join(
        f"SELECT '{table}', md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM \"{table}\" t"
        for table in sorted(tables)
    )

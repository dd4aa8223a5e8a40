"""What the database holds, as one value that can be compared."""

from __future__ import annotations

from collections.abc import Mapping

from django.apps import apps
from django.db import connection

from migrations_app.models.ledger import LedgerEntry

NOTED_BESIDE = ("switchyard_token",)
"""When a token was used last is noted with every request."""


def stored() -> Mapping[str, str]:
    """Digest every table; of the ledger only what is no rehearsal and no refusal."""
    found = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            cursor.execute(
                f"SELECT md5(coalesce(string_agg(t::text, '' ORDER BY t::text), '')) FROM \"{table}\" t"
            )
            found[table] = str(cursor.fetchone()[0])
    for table in (*NOTED_BESIDE, LedgerEntry._meta.db_table):
        del found[table]
    changes = LedgerEntry.objects.exclude(outcome__in=("dry_run", "denied"))
    found["changes in the ledger"] = str(changes.count())
    return found

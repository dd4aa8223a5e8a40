"""Between tests that commit everything is deleted, also what another connection is about to commit."""

from __future__ import annotations

import time
from threading import Thread

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction

from migrations_app.control.audit import ledger
from migrations_app.domain.access import SYSTEM, Target
from migrations_app.models.ledger import LedgerEntry, LedgerSeal

PATIENCE_SECONDS = 60.0
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'switchyard_ledgerentry'::regclass"


def empty() -> None:
    """Do as pytest-django does after a test, on a connection of its own."""
    try:
        call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)
    finally:
        connections.close_all()


def waiting() -> int:
    """Count the connections that wait for the ledger."""
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return int((cursor.fetchone() or (0,))[0])


@pytest.mark.django_db(transaction=True)
def test_no_seal_of_a_transaction_that_was_open_is_left() -> None:
    ledger.record(SYSTEM, "upgrade.start", Target("upgrade", "1"), "done")
    emptying = Thread(target=empty)
    with transaction.atomic():
        ledger.record(SYSTEM, "upgrade.start", Target("upgrade", "2"), "done")
        emptying.start()
        until = time.monotonic() + PATIENCE_SECONDS
        while emptying.is_alive() and not waiting():
            assert time.monotonic() < until
            time.sleep(0.02)
    emptying.join(PATIENCE_SECONDS)
    assert not emptying.is_alive()
    assert (LedgerEntry.objects.count(), LedgerSeal.objects.count()) == (0, 0)

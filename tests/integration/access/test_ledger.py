"""The ledger: entries share their change's fate, cannot be altered, and are chained."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, connections, transaction

from migrations_app.control.audit import ledger
from migrations_app.domain.access import Target, actor_with
from migrations_app.models.ledger import LedgerEntry, LedgerSeal

pytestmark = pytest.mark.django_db(transaction=True)
ANN = actor_with("ann", "operator")


def _note(number: int) -> int:
    return ledger.record(ANN, "upgrade.start", Target("upgrade", str(number)), "done", after={"n": number})


def test_entries_are_chained_in_the_order_of_their_commits() -> None:
    entries = [_note(number) for number in range(3)]
    seals = list(LedgerSeal.objects.all())
    assert [seal.entry_id for seal in seals] == entries
    assert [seal.previous for seal in seals] == ["", seals[0].digest, seals[1].digest]
    assert ledger.verify() == ledger.ChainState(length=3, unsealed=0, digest=seals[2].digest)


def test_an_entry_that_is_rolled_back_leaves_no_trace() -> None:
    with transaction.atomic():
        _note(1)
        transaction.set_rollback(True)
    assert (LedgerEntry.objects.count(), LedgerSeal.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE switchyard_ledgerentry SET actor = 'bob'",
        "DELETE FROM switchyard_ledgerseal",
        "UPDATE switchyard_ledgerseal SET digest = ''",
    ],
)
def test_nothing_is_altered_or_removed(statement: str) -> None:
    _note(1)
    with pytest.raises(IntegrityError, match="append-only"), connection.cursor() as cursor:
        cursor.execute(statement)
    assert LedgerEntry.objects.get().actor == "ann"


def test_who_alters_an_entry_behind_the_trigger_is_found_out() -> None:
    entries = [_note(number) for number in range(3)]
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE switchyard_ledgerentry DISABLE TRIGGER ledger_append_only")
        cursor.execute("UPDATE switchyard_ledgerentry SET actor = 'bob' WHERE id = %s", [entries[1]])
        cursor.execute("ALTER TABLE switchyard_ledgerentry ENABLE TRIGGER ledger_append_only")
    chain = ledger.verify()
    assert (chain.broken_at, chain.entry, chain.reason) == (2, entries[1], "it was altered")


def test_who_removes_an_entry_behind_the_trigger_is_found_out() -> None:
    entries = [_note(number) for number in range(3)]
    with connection.cursor() as cursor:
        for table in ("ledgerseal", "ledgerentry"):
            cursor.execute(f"ALTER TABLE switchyard_{table} DISABLE TRIGGER ledger_append_only")
        cursor.execute("DELETE FROM switchyard_ledgerseal WHERE entry_id = %s", [entries[1]])
        cursor.execute("DELETE FROM switchyard_ledgerentry WHERE id = %s", [entries[1]])
        for table in ("ledgerseal", "ledgerentry"):
            cursor.execute(f"ALTER TABLE switchyard_{table} ENABLE TRIGGER ledger_append_only")
    chain = ledger.verify()
    assert (chain.broken_at, chain.reason) == (3, "an entry before it is missing")


def test_parallel_transactions_make_one_chain_without_deadlock() -> None:
    def work(start: int) -> None:
        try:
            for number in range(start, start + 10):
                with transaction.atomic():
                    _note(number)
                    _note(number + 1000)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(start * 100,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    chain = ledger.verify()
    assert (chain.length, chain.unsealed, chain.broken_at) == (80, 0, None)


def test_secrets_are_hidden_at_any_depth() -> None:
    secret = {"name": "ci", "password": "p", "nested": {"api_token": "t", "list": [{"client_secret": "s"}]}}
    number = ledger.record(ANN, "token.own", Target("token"), "done", after=secret)
    assert LedgerEntry.objects.get(pk=number).after == {
        "name": "ci",
        "password": "(hidden)",
        "nested": {"api_token": "(hidden)", "list": [{"client_secret": "(hidden)"}]},
    }

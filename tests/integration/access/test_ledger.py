"""The ledger: entries share their change's fate, cannot be altered, and are chained."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from migrations_app.control.audit import ledger
from migrations_app.domain.access import Target, actor_with
from migrations_app.kernel.messages import message
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
    assert (chain.broken_at, chain.entry, str(chain.reason)) == (2, entries[1], "it was altered")


def test_the_reason_of_an_entry_keeps_its_phrases_and_seals_what_they_say() -> None:
    words = message("{who} aborted it: {reason}", who="ann", reason="too late")
    number = ledger.record(ANN, "upgrade.abort", Target("upgrade", "u1"), "done", reason=words)
    typed = ledger.record(ANN, "upgrade.comment", Target("upgrade", "u1"), "done", reason="written by hand")
    entry = LedgerEntry.objects.get(pk=number)
    phrase = {"key": "{who} aborted it: {reason}", "values": {"who": "ann", "reason": "too late"}}
    assert (entry.reason, entry.reason_phrases) == ("ann aborted it: too late", [phrase])
    assert ledger.entry_as_json(entry)["reason_phrases"] == [phrase]
    assert "reason_phrases" not in ledger.entry_as_json(LedgerEntry.objects.get(pk=typed))
    assert ledger.verify().broken_at is None


def test_phrases_that_say_something_else_than_what_is_sealed_are_not_shown() -> None:
    number = ledger.record(
        ANN, "upgrade.abort", Target("upgrade", "u1"), "done", reason=message("{who} aborted it.", who="ann")
    )
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE switchyard_ledgerentry DISABLE TRIGGER ledger_append_only")
        cursor.execute(
            """UPDATE switchyard_ledgerentry SET reason_phrases = '[{"key": "It ended.", "values": {}}]'"""
        )
        cursor.execute("ALTER TABLE switchyard_ledgerentry ENABLE TRIGGER ledger_append_only")
    shown = ledger.entry_as_json(LedgerEntry.objects.get(pk=number))
    assert (shown["reason"], shown["reason_phrases"]) == (
        "ann aborted it.",
        [{"key": "{text}", "values": {"text": "ann aborted it."}}],
    )


def test_seals_of_before_stay_intact_and_processes_of_before_go_on_when_phrases_come_to_the_ledger() -> None:
    before = [("switchyard", "0082_watch_phrases")]
    latest = [
        key for key in MigrationExecutor(connection).loader.graph.leaf_nodes() if key[0] == "switchyard"
    ]
    written: dict[str, object] = {"actor_kind": "user", "actor": "ann", "action": "upgrade.comment"}
    written |= {
        "target_kind": "upgrade",
        "outcome": "done",
        "reason": "written by hand",
        "at": timezone.now(),
    }
    try:
        executor = MigrationExecutor(connection)
        executor.migrate(before)
        old = executor.loader.project_state(before).apps.get_model("switchyard", "LedgerEntry").objects
        old.create(**written)
        digest = ledger.head().digest
        MigrationExecutor(connection).migrate(latest)
        assert (ledger.head().digest, ledger.verify().broken_at) == (digest, None)
        old.create(**written)
        assert (ledger.verify().length, ledger.verify().broken_at) == (2, None)
        shown = [ledger.entry_as_json(entry) for entry in LedgerEntry.objects.all()]
        assert [each["reason"] for each in shown] == ["written by hand", "written by hand"]
    finally:
        MigrationExecutor(connection).migrate(latest)


def test_an_entry_by_a_service_token_names_its_sender_in_a_phrase_of_its_own() -> None:
    number = ledger.record(
        replace(ANN, sender="ci"),
        "upgrade.comment",
        Target("upgrade", "u1"),
        "done",
        reason="written by hand",
    )
    entry = LedgerEntry.objects.get(pk=number)
    assert entry.reason == "written by hand By a service token of ci."
    assert [phrase["key"] for phrase in entry.reason_phrases] == [
        "{text}",
        "By a service token of {sender}.",
    ]


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
    assert (chain.broken_at, str(chain.reason)) == (3, "an entry before it is missing")


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

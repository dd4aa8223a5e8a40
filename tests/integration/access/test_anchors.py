"""Anchors of the ledger: what an owner of the tables does to the chain is noticed by its signed heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from migrations_app import wiring
from migrations_app.control.audit import ledger
from migrations_app.control.audit.anchors import FILE, Anchor, AnchorKey, compare, newest_of_file
from migrations_app.control.audit.controller import AnchorTargets, LedgerWatch, watched
from migrations_app.control.audit.ledger_health import ledger_component
from migrations_app.domain.access import Target, actor_with
from migrations_app.engine.controller import Again
from migrations_app.engine.controller import Terms as WorkTerms
from migrations_app.engine.controller import reconcile as run
from migrations_app.kernel.clock import SystemClock
from migrations_app.models.ledger import LedgerAnchor
from migrations_app.models.work import Pulse
from tests.factories.access import client_of
from tests.factories.receiver import receiver

pytestmark = pytest.mark.django_db(transaction=True)
ANN = actor_with("ann", "operator")
KEY = AnchorKey("k" * 40)


def write(count: int) -> list[int]:
    return [ledger.record(ANN, "upgrade.start", Target("upgrade", str(n)), "done") for n in range(count)]


def anchor_now(key: AnchorKey = KEY) -> Anchor:
    newest = ledger.head()
    return key.sign(newest.seq, newest.digest, timezone.now().isoformat())


def as_owner(*statements: str) -> None:
    """Run statements with every trigger off, as who owns the tables can."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for statement in statements:
            cursor.execute(statement)


RESEAL = """
DO $$ DECLARE one record; last text := {digest}; BEGIN
    FOR one IN SELECT s.seq, e FROM switchyard_ledgerseal s JOIN switchyard_ledgerentry e ON e.id = s.entry_id
        WHERE s.seq >= {first} ORDER BY s.seq LOOP
        UPDATE switchyard_ledgerseal SET previous = last, digest = switchyard_ledger_digest(last, one.e)
            WHERE seq = one.seq RETURNING digest INTO last;
    END LOOP;
END $$"""


def cut_the_end() -> None:
    as_owner(
        "DELETE FROM switchyard_ledgerseal WHERE seq > 5",
        "DELETE FROM switchyard_ledgerentry WHERE id NOT IN (SELECT entry_id FROM switchyard_ledgerseal)",
    )


def cut_everything() -> None:
    as_owner("DELETE FROM switchyard_ledgerseal", "DELETE FROM switchyard_ledgerentry")


def rewrite_and_seal_again() -> None:
    as_owner(
        "UPDATE switchyard_ledgerentry SET actor = 'bob' WHERE id = "
        "(SELECT entry_id FROM switchyard_ledgerseal WHERE seq = 6)",
        RESEAL.format(digest="(SELECT digest FROM switchyard_ledgerseal WHERE seq = 5)", first=6),
    )


def cut_and_write_as_many_again() -> None:
    cut_the_end()
    write(7)


def take_one_out_and_seal_again() -> None:
    as_owner(
        "DELETE FROM switchyard_ledgerseal WHERE seq = 6",
        "DELETE FROM switchyard_ledgerentry WHERE id NOT IN (SELECT entry_id FROM switchyard_ledgerseal)",
        "UPDATE switchyard_ledgerseal SET seq = 1 - seq WHERE seq > 6",
        "UPDATE switchyard_ledgerseal SET seq = -seq WHERE seq < 0",
        RESEAL.format(digest="(SELECT digest FROM switchyard_ledgerseal WHERE seq = 5)", first=6),
    )


CHANGES: dict[Callable[[], None], str] = {
    cut_the_end: "entries are missing at the end: it ends at 5, and the anchor of",
    cut_everything: "entries are missing at the end: it ends at 0, and the anchor of",
    rewrite_and_seal_again: "it was rewritten: entry 10 is not what the anchor of",
    cut_and_write_as_many_again: "it was rewritten: entry 10 is not what the anchor of",
    take_one_out_and_seal_again: "entries are missing at the end: it ends at 9, and the anchor of",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_what_the_chain_alone_does_not_notice_an_anchor_does(change: Callable[[], None]) -> None:
    write(10)
    anchor = anchor_now()
    assert compare([anchor], KEY) is None
    change()
    chain = ledger.verify()
    assert (chain.broken_at, chain.unsealed) == (None, 0)
    difference = compare([anchor], KEY)
    assert difference is not None
    assert str(difference.reason).startswith(CHANGES[change])


def test_entries_after_the_anchor_are_no_difference() -> None:
    write(3)
    anchor = anchor_now()
    write(3)
    assert compare([anchor], KEY) is None


@pytest.mark.parametrize("field", ["seq", "digest", "at", "signature", "key"])
def test_an_anchor_that_was_not_made_with_the_key_counts_as_a_difference(field: str) -> None:
    write(3)
    anchor = anchor_now()
    if field == "key":
        forged = anchor_now(AnchorKey("other" * 8))
    else:
        other = KEY.sign(2, "0" * 64, "2026-01-01T00:00:00+00:00")
        forged = replace(anchor, **{field: getattr(other, field)})
    difference = compare([forged], KEY)
    assert difference is not None
    assert str(difference.reason).endswith("is not signed with this installation's key")


def watch(places: AnchorTargets) -> None:
    """Let the watch have its turns until it waits for the next."""
    controller = LedgerWatch(wiring.leases(), lambda: KEY, lambda: places)
    for _ in range(50):
        Pulse.objects.filter(name="nothing").delete()
        with connection.cursor() as cursor:
            cursor.execute("UPDATE switchyard_work SET due_at = now() WHERE controller = 'ledger'")
        ran = run(
            controller, "chain", leases=wiring.leases(), clock=SystemClock(), holder="t", terms=WorkTerms()
        )
        assert ran.error is None, ran.error
        assert ran.settled
        if isinstance(ran.outcome, Again) and ran.outcome.after_seconds > 0:
            return
    raise AssertionError("the watch does not come to an end")


def test_the_watch_keeps_the_head_in_the_file_and_verifies_the_chain(tmp_path: Path) -> None:
    write(5)
    places = AnchorTargets((tmp_path,))
    watch(places)
    assert [anchor.seq for anchor in newest_of_file(tmp_path)] == [5]
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    watch(places)
    assert [anchor.seq for anchor in newest_of_file(tmp_path)] == [5]
    write(2)
    watch(places)
    assert [anchor.seq for anchor in newest_of_file(tmp_path)] == [5, 7]
    assert [*LedgerAnchor.objects.values_list("seq", flat=True)] == [5, 7]
    assert compare(newest_of_file(tmp_path), KEY) is None
    component = ledger_component()
    assert (component.status, component.detail.partition(".")[0]) == ("ok", "7 entries")
    assert watched()["verified_at"]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_chain_that_is_not_what_it_was_is_down_and_gets_no_new_anchor(
    change: Callable[[], None], tmp_path: Path
) -> None:
    write(10)
    places = AnchorTargets((tmp_path,))
    watch(places)
    change()
    as_owner("DELETE FROM switchyard_ledgeranchor")
    write(3)
    watch(places)
    assert [anchor.seq for anchor in newest_of_file(tmp_path)] == [10]
    component = ledger_component()
    assert component.status == "down"
    assert component.detail.startswith("The audit ledger is not what it was: it ")
    told = client_of("vera", "viewer").get("/metrics").content.decode().splitlines()
    assert "switchyard_ledger_intact 0.0" in told


def test_a_number_of_entries_that_falls_is_noticed_without_any_anchor(tmp_path: Path) -> None:
    write(10)
    watch(AnchorTargets(()))
    as_owner("DELETE FROM switchyard_ledgeranchor")
    cut_the_end()
    watch(AnchorTargets(()))
    assert ledger_component().detail == "The audit ledger is not what it was: it had 10 entries and has 5"


def test_an_entry_that_was_altered_is_found_by_the_daily_verification(tmp_path: Path) -> None:
    write(10)
    watch(AnchorTargets((tmp_path,)))
    as_owner("UPDATE switchyard_ledgerentry SET actor = 'bob' WHERE target = '3'")
    watch(AnchorTargets((tmp_path,)))
    assert ledger_component().status == "ok"
    row = Pulse.objects.get(name="ledger")
    row.details["verified_at"] = "2026-01-01T00:00:00+00:00"
    row.save()
    watch(AnchorTargets((tmp_path,)))
    assert "broken at entry 4: it was altered" in ledger_component().detail


def test_pages_of_the_verification_find_what_the_whole_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = write(9)
    monkeypatch.setattr("migrations_app.control.audit.controller.PAGE", 2)
    watch(AnchorTargets(()))
    assert not watched()["broken"]
    pages = [ledger.verify_page(0, "", 4)]
    pages.append(ledger.verify_page(pages[0].head.seq, pages[0].head.digest, 4))
    pages.append(ledger.verify_page(pages[1].head.seq, pages[1].head.digest, 4))
    assert [(page.count, page.head.seq, page.broken_at) for page in pages] == [
        (4, 4, None),
        (4, 8, None),
        (1, 9, None),
    ]
    as_owner(f"DELETE FROM switchyard_ledgerentry WHERE id = {entries[8]}")
    assert ledger.verify_page(pages[1].head.seq, pages[1].head.digest, 4).broken_at == 9


@pytest.mark.parametrize("kind", ["post", "put"])
def test_heads_are_sent_and_a_refusal_is_shown(kind: str) -> None:
    write(3)
    with receiver() as inbox:
        watch(AnchorTargets.of([f"{kind}:{inbox.url}"], Path("/nowhere"), "a-token"))
        assert ledger_component().status == "ok"
        inbox.answers.append(500)
        write(1)
        watch(AnchorTargets.of([f"{kind}:{inbox.url}"], Path("/nowhere"), "a-token"))
        assert f"{kind.upper()} 127.0.0.1: answered 500" in ledger_component().detail
        watch(AnchorTargets.of([f"{kind}:{inbox.url}"], Path("/nowhere"), "a-token"))
        assert ledger_component().status == "ok"
    assert [body["seq"] for body in inbox.bodies()] == [3, 4, 4]
    assert compare([Anchor(**body) for body in inbox.bodies()], KEY) is None
    assert {headers["authorization"] for headers, _ in inbox.received} == {"Bearer a-token"}


def test_a_place_that_takes_nothing_is_shown_and_tried_again(tmp_path: Path) -> None:
    write(3)
    (tmp_path / "file").write_text("")
    watch(AnchorTargets((tmp_path / "file" / "below",), (("PUT", "http://127.0.0.1:1/x"),)))
    component = ledger_component()
    assert component.status == "degraded"
    assert "PUT 127.0.0.1: The receiver did not answer." in component.detail
    watch(AnchorTargets((tmp_path,)))
    assert ledger_component().status == "ok"


def test_the_api_and_the_command_compare_with_a_file_kept_elsewhere() -> None:
    client = client_of("otto", "auditor")
    write(5)
    key = AnchorKey(settings.SECRET_KEY, settings.SWITCHYARD.anchor_key)
    anchor = anchor_now(key)
    whole = client.post("/api/v1/audit/chain", {"anchors": [anchor.as_json()]}, format="json").json()
    assert (whole["intact"], whole["anchored"], whole["key"]) == (True, anchor.seq, key.public)
    cut_everything()
    cut = client.post("/api/v1/audit/chain", {"anchors": [anchor.as_json()]}, format="json").json()
    assert (cut["intact"], cut["broken_at"]) == (False, anchor.seq)
    assert client.get("/api/v1/audit/chain").json()["intact"] is True
    wrong = client.post("/api/v1/audit/chain", {"anchors": [{"seq": 1}]}, format="json")
    assert wrong.status_code == 400
    assert (
        client_of("vera", "viewer").post("/api/v1/audit/chain", {"anchors": []}, format="json").status_code
        == 403
    )

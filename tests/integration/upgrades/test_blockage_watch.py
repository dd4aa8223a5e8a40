"""What holds an upgrade up is told once, in its timeline and to its followers, and so is its end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from migrations_app import wiring
from migrations_app.adapters.pulses import PulseRows
from migrations_app.control.events import outbox
from migrations_app.control.notifications.commands.write_webhook import HookSpec, create_webhook
from migrations_app.control.notifications.controller import Courier
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.control.upgrades.commands.pause_upgrade import pause_upgrade
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.controller import KEY, UpgradeBlockageWatch
from migrations_app.domain.switch.states import UpgradeEvent
from migrations_app.engine.controller import Again, Budget, Outcome
from migrations_app.kernel.clock import HeldClock
from migrations_app.kernel.errors import Stale
from migrations_app.models.hooks import Webhook
from migrations_app.models.upgrades import Upgrade, UpgradeBlockage, UpgradeTimelineEntry
from migrations_app.models.work import Work
from migrations_app.ports.upgrades import TimelineEntry
from tests.factories.receiver import Receiver, receiver
from tests.integration.upgrades.conftest import EU, OLGA, ROOT

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
UPGRADES = DjangoUpgrades()
TEXT = "It is held up: 1 of its tasks stopped: The disk is full. Make room, then retry it. It waits for a person."


def started() -> str:
    upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(EU, "v1")).upgrade_id)
    PulseRows().beat("worker", "worker", {"queues": ["sync"]})
    return upgrade


def stop_key(upgrade: str) -> None:
    Work.objects.update_or_create(
        controller="sync",
        key=f"{upgrade}/forward/0",
        defaults={
            "quarantined_at": timezone.now(),
            "quarantined_code": "unexpected",
            "quarantined_reason": "The disk is full.",
            "quarantined_remedy": "Make room, then retry it.",
        },
    )


def look(passed_seconds: float = 0.0) -> Outcome:
    """Let a new watch look, so many seconds after the look before."""
    then = timedelta(seconds=passed_seconds)
    UpgradeBlockage.objects.update(
        seen_at=F("seen_at") - then, last_at=F("last_at") - then, announced_at=F("announced_at") - then
    )
    lease = wiring.leases().take(UpgradeBlockageWatch.name, KEY, holder="test", lease_seconds=30)
    assert lease is not None
    outcome = UpgradeBlockageWatch(wiring.leases(), HeldClock()).reconcile(
        KEY, Budget(1, wiring.clock()), lease
    )
    wiring.leases().settle(lease, Again(0.0))
    return outcome


def told(upgrade: str) -> list[tuple[str, str]]:
    lines = UpgradeTimelineEntry.objects.filter(upgrade_id=upgrade, kind__in=("blocked", "unblocked"))
    return [(line.kind, line.text) for line in lines]


def blocked() -> str:
    upgrade = started()
    stop_key(upgrade)
    look()
    look(11)
    return upgrade


def test_a_cause_that_lasts_is_told_once_and_its_end_once() -> None:
    upgrade = started()
    stop_key(upgrade)
    assert look() == Again(5.0)
    assert told(upgrade) == []
    for _ in range(3):
        look(11)
    assert told(upgrade) == [("blocked", TEXT)]
    line = UpgradeTimelineEntry.objects.get(upgrade_id=upgrade, kind="blocked")
    assert [cause["kind"] for cause in line.details["causes"]] == ["quarantined"]
    assert (line.details["causes"][0]["needs_person"], line.who) == (True, "")

    Work.objects.filter(key__startswith=upgrade).delete()
    for _ in range(3):
        look(21)

    assert [kind for kind, _ in told(upgrade)] == ["blocked", "unblocked"]
    assert told(upgrade)[1][1].startswith("Nothing holds it up any more; it was held up for ")


@pytest.fixture
def inbox() -> Iterator[Receiver]:
    """A subscriber."""
    with receiver() as found:
        yield found


def test_the_asker_is_notified_by_the_names_of_the_events(inbox: Receiver) -> None:
    create_webhook(ROOT, HookSpec("pager", inbox.url, ("upgrade.blocked", "upgrade.unblocked")))
    since = outbox.number().seq
    upgrade = blocked()
    Work.objects.filter(key__startswith=upgrade).delete()
    look(21)

    hook = Webhook.objects.get()
    lease = wiring.leases().take("webhooks", hook.id, holder="test", lease_seconds=30)
    assert lease is not None
    Courier(wiring.leases()).reconcile(hook.id, Budget(10, wiring.clock()), lease)

    assert [message["event"] for message in inbox.bodies()] == ["upgrade.blocked", "upgrade.unblocked"]
    assert inbox.bodies()[0]["text"] == TEXT
    assert inbox.bodies()[0]["link"] == f"/upgrades/{upgrade}"
    # The same lines go to every open page of the upgrade.
    events = outbox.read(since, outbox.number().seq)
    live = [event.full for event in events if event.topic == f"upgrade:{upgrade}" and event.kind == "line"]
    assert [line["kind"] for line in live if line and "blocked" in str(line["kind"])] == [
        "blocked",
        "unblocked",
    ]


def test_a_new_cause_is_told_beside_the_old_one() -> None:
    upgrade = blocked()
    Work.objects.create(controller="parity", key=f"{upgrade}/forward/0", attempts=5)
    look(5)
    look(21)

    assert [kind for kind, _ in told(upgrade)] == ["blocked", "blocked"]
    assert told(upgrade)[1][1].startswith(
        "It is held up: 1 of its tasks began up to 5 times without a result."
    )
    assert not told(upgrade)[1][1].endswith("a person.")


def test_an_upgrade_that_is_paused_is_held_up_no_more() -> None:
    upgrade = blocked()
    pause_upgrade(OLGA, upgrade)
    look()
    look(30)

    assert [kind for kind, _ in told(upgrade)] == ["blocked", "unblocked"]


def test_an_upgrade_that_ended_leaves_nothing_and_those_notified_before_are_notified() -> None:
    upgrade = blocked()

    UPGRADES.transition(UPGRADES.load(upgrade), UpgradeEvent.ABORT, TimelineEntry("abort", "It was stopped."))

    assert told(upgrade) == [("blocked", TEXT), ("unblocked", "It has ended; nothing holds it up any more.")]
    assert UpgradeBlockage.objects.count() == 0
    stop_key(upgrade)
    assert look() == Again(15.0)
    assert UpgradeBlockage.objects.count() == 0


def test_an_upgrade_that_was_never_held_up_ends_without_a_word() -> None:
    upgrade = started()
    look()

    UPGRADES.transition(UPGRADES.load(upgrade), UpgradeEvent.ABORT, TimelineEntry("abort", "It was stopped."))

    assert told(upgrade) == []


def test_a_watch_that_lost_its_lease_tells_nothing() -> None:
    upgrade = started()
    stop_key(upgrade)
    look()
    lease = wiring.leases().take(UpgradeBlockageWatch.name, KEY, holder="test", lease_seconds=30)
    assert lease is not None
    UpgradeBlockage.objects.update(seen_at=F("seen_at") - timedelta(seconds=11))
    Work.objects.filter(controller=UpgradeBlockageWatch.name).update(epoch=F("epoch") + 1)

    with pytest.raises(Stale):
        UpgradeBlockageWatch(wiring.leases(), HeldClock()).reconcile(KEY, Budget(1, wiring.clock()), lease)

    assert told(upgrade) == []
    assert Upgrade.objects.get(pk=upgrade).state == "SYNCING"

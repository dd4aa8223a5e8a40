"""What must hold after whatever happened: nothing lost, nothing doubled, one fence open, and the story told."""

from __future__ import annotations

from collections.abc import Mapping

from migrations_app import wiring
from migrations_app.control.audit.ledger import verify
from migrations_app.domain.switch.states import TRANSITIONS
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment
from migrations_app.models.upgrades import RecordedTransition, Upgrade
from migrations_app.ports.fence import FenceLocation, Mode

OLD, NEW = "projects/p/secrets/", "projects/p/regions/eu-west1/secrets/"


def judge(upgrade: str, version: str, acknowledged: Mapping[str, str], others: int) -> None:
    """`version` is the one that serves, and holds every acknowledged write of the old API at its newest value."""
    record = wiring.ports().upgrades.load(upgrade)
    new = record.target_version == version
    place, label = (record.target, "displayName") if new else (record.source, "title")
    states = [
        wiring.fence().state(site)
        for site in {FenceLocation.of(record.source), FenceLocation.of(record.target)}
    ]
    assert [(state.mode, state.active_version) for state in states if state.mode is Mode.OPEN] == [
        (Mode.OPEN, version)
    ]
    assert Deployment.objects.get(pk=record.deployment).current_version == version
    names = [name.replace(OLD, NEW) if new else name for name in acknowledged]
    found = wiring.store().read(place).batch_get("Secret", names)
    titles = {name.rpartition("/")[2]: row.body[label] for name, row in found.items()}
    assert titles == {name.rpartition("/")[2]: title for name, title in acknowledged.items()}
    assert sum(wiring.store().counts(place, "Secret").values()) == others + len(acknowledged)
    told(upgrade)


def told(upgrade: str) -> None:
    """Each move of the table is in the ledger once and follows from the one before; the chain is whole."""
    moves = list(RecordedTransition.objects.filter(upgrade=upgrade).order_by("pk"))
    by_letter = {row.letter: row for row in TRANSITIONS}
    state = "PLANNED"
    for move in moves[1:]:
        row = by_letter[move.letter]
        assert (row.source.value, row.target.value) == (state, move.state)
        state = move.state
    assert Upgrade.objects.get(pk=upgrade).state == state
    events = [by_letter[move.letter].event.value for move in moves[1:]]
    noted = LedgerEntry.objects.filter(target_kind="upgrade", target=upgrade, outcome="done").order_by("id")
    wanted = {f"upgrade.{row.event.value}" for row in TRANSITIONS}
    assert [entry.action for entry in noted if entry.action in wanted] == [
        f"upgrade.{each}" for each in events
    ]
    assert verify().broken_at is None

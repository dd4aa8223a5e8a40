"""Schedules over three deployments hold every invariant of references; with a protection switched off they do not."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

import pytest

from migrations_app.adapters.memory_constraints import MemoryConstraints
from migrations_app.engine.constraints import agreeing, pending
from migrations_app.engine.constraints.agreeing import Agreeing
from migrations_app.engine.constraints.deleting import DeletingController
from migrations_app.engine.serving.references import integrity as reference_integrity
from migrations_app.engine.serving.writes.coordination import Unarranged
from migrations_app.ports.regions.arrangements import PendingDeletion
from tests.simulation.constraints_schedules import fate, told
from tests.simulation.constraints_world import THINGS, USERS, home_of
from tests.simulation.perils import Broken

SEEDS = 60


def test_no_schedule_breaks_an_invariant() -> None:
    for seed in range(SEEDS):
        assert fate(seed)[0] is None, told(seed)


def test_a_seed_decides_identifiers_as_well_as_what_happens() -> None:
    def uids(seed: int) -> tuple[list[str], dict[str, UUID]]:
        _, schedule = fate(seed)
        kept = [schedule.world.databases.namespace(home_of(peer)).resources for peer in (THINGS, *USERS)]
        return schedule.trace, {each.name: each.uid for rows in kept for each in rows.values()}

    first = uids(1)
    assert first[1]
    assert uids(1) == first
    assert set(uids(2)[1].values()).isdisjoint(first[1].values())


def _drop_blockades_unasked(patch: pytest.MonkeyPatch) -> None:
    """The time-out itself drops a blockade: model RESOLVE=0."""

    def drop(
        self: pending.PendingController, here: object, overdue: tuple[object, ...], silent: object
    ) -> int:
        for each in overdue:
            self._agreeing.settled(here, each.source, {each.token: "ABORTED"})  # type: ignore[attr-defined, arg-type]
        return len(overdue)

    patch.setattr(pending.PendingController, "_ask", drop)
    patch.setattr(MemoryConstraints, "ask_later", lambda *_: None)


def _ask_without_a_mark(patch: pytest.MonkeyPatch) -> None:
    """Deletions are asked about before anything is marked, and done afterwards: model MARK=0."""
    ask = Agreeing.ask

    def forgetful(self: Agreeing, here: object, marked: list[agreeing.Marked]) -> None:
        self.withdraw(here, {each.asked.uid: each.asked.delete_id for each in marked})  # type: ignore[arg-type]
        ask(self, here, marked)  # type: ignore[arg-type]

    def trusting(self: reference_integrity.ReferenceIntegrity, thing: object, found: object) -> list[object]:
        leaving = []
        for each in found.deleted:  # type: ignore[attr-defined]
            shadow = self.transaction.shadow(each.type, each.name)
            if shadow and shadow.uid and shadow.sources:
                if shadow.uid not in self.arranged.agreed:
                    raise Unarranged(doomed=(PendingDeletion(each.type, each.name),))
                leaving.append(shadow)
        return leaving  # type: ignore[return-value]

    patch.setattr(Agreeing, "ask", forgetful)
    patch.setattr(reference_integrity.ReferenceIntegrity, "_leaving", trusting)


def _decide_nothing(patch: pytest.MonkeyPatch) -> None:
    """A write commits without its decision row, so that it may have been aborted meanwhile."""
    patch.setattr(
        MemoryConstraints, "commit_attempt", lambda self, token, *_: self._enter(f"attempt {token}")
    )


def _finalise_unasked(patch: pytest.MonkeyPatch) -> None:
    """Shadows are forgotten without asking who still refers to what was deleted."""
    patch.setattr(
        DeletingController,
        "_ask_sources",
        lambda self, here, dying, silent: {each.uid: set() for each in dying},
    )


# Each begins where it is known to be noticed soon, and looks everywhere else after that.
@pytest.mark.parametrize(
    ("switch_off", "first"),
    [
        (_drop_blockades_unasked, 440),
        (_ask_without_a_mark, 100),
        (_decide_nothing, 750),
        (_finalise_unasked, 0),
    ],
)
def test_the_checkers_notice_a_protection_that_is_off(
    switch_off: Callable[[pytest.MonkeyPatch], None], first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch_off(monkeypatch)
    assert any(isinstance(fate(seed)[0], Broken) for seed in (*range(first, 1500), *range(first)))

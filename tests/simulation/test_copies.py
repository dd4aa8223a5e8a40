"""Schedules over three regions end with copies equal to their owners; with a protection switched off they do not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from migrations_app.adapters.store.memory_copies import MemoryCopies
from migrations_app.engine.regions import owned
from migrations_app.engine.regions.comparing import Comparing
from migrations_app.ports.copies import CopySource
from tests.simulation.copies_schedules import fate, told
from tests.simulation.perils import Broken

SEEDS = 150


def test_no_schedule_leaves_a_copy_that_differs() -> None:
    for seed in range(SEEDS):
        assert fate(seed)[0] is None, told(seed)


def _anybody_moves_the_position(patch: pytest.MonkeyPatch) -> None:
    """A worker that was overtaken writes what it read long ago, with its position."""
    note = MemoryCopies.note

    def trusting(self: MemoryCopies, namespace: object, source: CopySource) -> CopySource:
        now = self.source(namespace, source.region)  # type: ignore[arg-type]
        return note(self, namespace, replace(source, rev=now.rev))  # type: ignore[arg-type]

    patch.setattr(MemoryCopies, "note", trusting)


def _never_looks_at_what_is_kept(patch: pytest.MonkeyPatch) -> None:
    """A comparison looks for what is lacking, not for what is too much."""
    patch.setattr(Comparing, "_lost", lambda *_: [])


def _says_nothing_of_what_is_no_longer_kept(patch: pytest.MonkeyPatch) -> None:
    """A change is told only while the asker keeps the resource, so that a narrower policy goes unheard."""
    one = owned._View._one

    def silent(self: object, change: object, row: object) -> object:
        return (each for each in one(self, change, row) if row is None or hasattr(each, "body"))  # type: ignore[arg-type]

    patch.setattr(owned._View, "_one", silent)


@pytest.mark.parametrize(
    "switch_off",
    [_anybody_moves_the_position, _never_looks_at_what_is_kept, _says_nothing_of_what_is_no_longer_kept],
)
def test_the_checker_notices_a_protection_that_is_off(
    switch_off: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    switch_off(monkeypatch)
    assert any(isinstance(fate(seed)[0], Broken) for seed in range(1500))

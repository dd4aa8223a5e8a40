"""A few hundred seeded schedules hold every invariant; with a protection switched off they do not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from migrations_app.engine.parity import watch
from migrations_app.engine.switch import live
from migrations_app.engine.switch.steps import StepResult
from migrations_app.engine.switch.switchover import Switchover
from migrations_app.engine.sync import recopy
from migrations_app.ports.fence import FenceState
from tests.simulation.perils import Broken
from tests.simulation.schedules import failing, fate, shortest, told


def test_no_schedule_breaks_an_invariant() -> None:
    for seed in failing(range(200)):
        raise AssertionError(told(seed))


def test_no_schedule_loses_a_write_when_changes_are_deleted_before_they_are_followed() -> None:
    for seed in failing(range(200), losing=True):
        raise AssertionError(told(seed, losing=True))


def broken_within(seeds: int) -> int:
    """The first seed whose schedule breaks an invariant."""
    return next(seed for seed in failing(range(seeds)) if isinstance(fate(seed)[0], Broken))


def test_the_checkers_notice_a_switch_that_does_not_catch_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def pass_by(self: live.LiveSteps, switchover: Switchover, frozen: FenceState) -> StepResult:
        self._pass_by(switchover, frozen)
        return StepResult("catch-up", "")

    def prove_nothing(
        self: live.LiveSteps, switchover: Switchover, frozen: FenceState
    ) -> tuple[FenceState, StepResult]:
        return self._ports.fence.prove(frozen), StepResult("parity", "")

    monkeypatch.setattr(live.LiveSteps, "catch_up", pass_by)
    monkeypatch.setattr(live.LiveSteps, "prove", prove_nothing)
    monkeypatch.setattr(live.LiveSteps, "approach", lambda self, switchover: None)
    seed = broken_within(300)

    whole, short = fate(seed)[1], shortest(seed)[1]
    assert len(short.steps) < len(whole.steps) / 2
    assert isinstance(fate(seed, short.steps)[0], Broken)
    assert all(fate(seed, without(short.steps, step))[0] is None for step in short.steps)
    story = told(seed)
    head, _, broken = story.partition(": ")
    assert head == f"seed {seed}, steps {','.join(map(str, short.steps))}"
    assert broken.startswith(("Broken v1 holds", "Broken v2 holds"))
    assert "client" in story
    assert "ask switch" in story


def without(steps: Sequence[int], step: int) -> list[int]:
    return [other for other in steps if other != step]


def test_the_checkers_notice_a_cursor_that_is_moved_without_copying_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(recopy, "unbegun", lambda checkpoint: checkpoint)
    monkeypatch.setattr(watch, "scan_page", lambda ports, pipeline, scan, *rest: watch_nothing(scan))
    assert any(isinstance(fate(seed, losing=True)[0], Broken) for seed in range(100))


def test_the_checkers_notice_a_reverse_that_starts_late(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(self: live.LiveSteps, switchover: Switchover, state: FenceState) -> StepResult:
        from dataclasses import replace

        return reverse_replication(
            self, switchover, replace(state, reverse_start=self._ports.feed.head(switchover.passive))
        )

    reverse_replication = live.LiveSteps.reverse_replication
    monkeypatch.setattr(live.LiveSteps, "reverse_replication", late)
    monkeypatch.setattr(watch, "scan_page", lambda ports, pipeline, scan, *rest: watch_nothing(scan))
    assert broken_within(300) < 300


def watch_nothing(scan: object) -> object:
    from migrations_app.engine.parity.scan import Scanned

    return Scanned(scan, finished=True)  # type: ignore[arg-type]

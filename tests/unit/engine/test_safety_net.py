"""The safety net asks often only those who have keys, or may have some without a signal."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from migrations_app.adapters.leases.memory import MemoryLeases
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.engine.safety_net import EVERY_SECONDS, OFTEN_SECONDS, SPREAD_SECONDS, SafetyNet
from migrations_app.kernel.clock import HeldClock


class Listed:
    queue = "sync"
    work_class = WorkClass.UPKEEP

    def __init__(self, name: str, *keys: str) -> None:
        self.name, self.keys = name, keys

    def due(self) -> Iterable[str]:
        return self.keys

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        return Done()


class Listening(Listed):
    at_rest = True

    def is_at_rest(self) -> bool:
        return self.at_rest


def asked_after(controller: Listed) -> float:
    clock = HeldClock()
    woken: list[tuple[str, int]] = []
    net = SafetyNet(
        lambda: {controller.name: controller},
        MemoryLeases(clock),
        lambda queue, count: woken.append((queue, count)),
        clock,
    )
    outcome = net.reconcile(controller.name, Budget(2.0, clock), Lease(controller.name, 1))
    assert isinstance(outcome, Again)
    assert woken == ([("sync", len(controller.keys))] if controller.keys else [])
    return outcome.after_seconds


@pytest.mark.parametrize("name", sorted(OFTEN_SECONDS))
def test_who_has_keys_is_asked_often_and_who_has_none_seldom(name: str) -> None:
    assert asked_after(Listed(name, "one", "two")) == OFTEN_SECONDS[name]
    assert asked_after(Listed(name)) >= EVERY_SECONDS - SPREAD_SECONDS


def test_a_source_of_unsignalled_work_is_asked_often_without_keys() -> None:
    controller = Listening("webhooks")
    assert asked_after(controller) >= EVERY_SECONDS - SPREAD_SECONDS
    controller.at_rest = False
    assert asked_after(controller) == OFTEN_SECONDS["webhooks"]


def test_others_are_asked_seldom_also_with_keys() -> None:
    assert asked_after(Listed("pending", "one")) >= EVERY_SECONDS - SPREAD_SECONDS

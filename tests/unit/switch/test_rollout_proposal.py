"""Proposed waves never break an importer in any intermediate state, and agree with brute force on small fleets."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from migrations_app.domain.approvals.switch_schedule import ALWAYS, SwitchSchedule
from migrations_app.domain.approvals.windows import Effect, WindowSpan
from migrations_app.domain.switch.rollout_proposal import (
    FleetFacts,
    ProposalKind,
    ProposedDeployment,
    RolloutProposal,
    broken_importers,
    propose,
)
from migrations_app.domain.switch.wave_timing import window_wait

OLD, NEW = "v1", "v2"


def fleet(seed: int, services: int = 3, regions: int = 2) -> FleetFacts:
    """Make a small fleet: services that import each other, some of which gave an old version up."""
    rand = random.Random(seed)
    names = [f"s{number}.example.com" for number in range(rand.randint(1, services))]
    versions = {name: frozenset({NEW} if rand.random() < 0.2 else {OLD, NEW}) for name in names}
    imports = {}
    for name in names:
        others = [other for other in names if other != name and rand.random() < 0.6]
        imports[name, OLD] = dict.fromkeys(others, OLD)
        imports[name, NEW] = {other: rand.choice((OLD, NEW, NEW)) for other in others}
    # Which version an import is served in at first is what its definition still has, or the state is broken from the start.
    deployments = [
        ProposedDeployment(
            f"services/{name}/deployments/r{region}", name, f"r{region}", OLD, rand.randint(0, 9)
        )
        for name in names
        for region in range(rand.randint(1, regions))
        if rand.random() < 0.85
    ]
    return FleetFacts({each.name: each for each in deployments}, versions, imports)


def states(proposal: RolloutProposal) -> Iterator[frozenset[str]]:
    """Give every state that the waves may pass through: within a wave in any order."""
    before: frozenset[str] = frozenset()
    for wave in proposal.waves:
        names = [each.deployment.name for each in wave]
        for count in range(len(names) + 1):
            for some in combinations(names, count):
                yield before | set(some)
        before |= set(names)


def movable(facts: FleetFacts) -> frozenset[str]:
    """Find by brute force the largest set that can move, one after another, through states that break no importer."""
    best: frozenset[str] = frozenset()
    seen, frontier = {best}, [best]
    while frontier:
        state = frontier.pop()
        best = max(best, state, key=len)
        for name in facts.deployments.keys() - state:
            after = state | {name}
            if after not in seen and not broken_importers(facts, after, NEW):
                seen.add(after)
                frontier.append(after)
    return best


def fewest_waves(facts: FleetFacts, chosen: frozenset[str]) -> int:
    """Find by brute force the fewest waves for a set: each wave safe in whatever order its deployments switch."""
    distance, frontier = {frozenset[str](): 0}, [frozenset[str]()]
    for state in frontier:
        if state == chosen:
            return distance[state]
        left = sorted(chosen - state)
        for count in range(len(left), 0, -1):
            for wave in combinations(left, count):
                after = state | set(wave)
                if after in distance:
                    continue
                within = (
                    state | set(some) for size in range(1, count + 1) for some in combinations(wave, size)
                )
                if all(not broken_importers(facts, each, NEW) for each in within):
                    distance[after] = distance[state] + 1
                    frontier.append(after)
    raise AssertionError("the set cannot be reached")


@pytest.mark.parametrize("block", range(10))
def test_a_thousand_small_fleets_agree_with_brute_force(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        facts = fleet(seed)
        found = {kind: propose(facts, facts.deployments, NEW, kind) for kind in ProposalKind}
        for kind, proposal in found.items():
            for state in states(proposal):
                assert not broken_importers(facts, state, NEW), (seed, kind, state)
        moved = {
            kind: frozenset(each.deployment.name for wave in proposal.waves for each in wave)
            for kind, proposal in found.items()
        }
        assert len(set(moved.values())) == 1, seed
        assert moved[ProposalKind.FASTEST] == movable(facts), seed
        fastest = found[ProposalKind.FASTEST]
        assert len(fastest.waves) == fewest_waves(facts, moved[ProposalKind.FASTEST]), seed
        assert {each.deployment for each in fastest.left_out} == facts.deployments.keys() - moved[
            fastest.kind
        ]


def test_the_import_goes_first_and_the_canary_reaches_least() -> None:
    names = ("base.example.com", "shop.example.com")
    deployments = [
        ProposedDeployment(f"services/{name}/deployments/{region}", name, region, OLD, calls, seconds=60.0)
        for name in names
        for region, calls in (("eu", 900), ("us", 3))
    ]
    facts = FleetFacts(
        {each.name: each for each in deployments},
        {name: frozenset({OLD, NEW}) for name in names},
        {("shop.example.com", OLD): {names[0]: OLD}, ("shop.example.com", NEW): {names[0]: NEW}},
    )
    found = propose(facts, facts.deployments, NEW, ProposalKind.BALANCED)
    order = [
        [each.deployment.name.split("/")[1][:4] + each.deployment.region for each in wave]
        for wave in found.waves
    ]
    assert order[0] == ["baseus"]
    assert order[1:] == [["baseeu", "shopus"], ["shopeu"]] or order[1:] == [["shopus", "baseeu"], ["shopeu"]]
    assert str(found.waves[0][0].reasons[0]) == "canary: a failure has the smallest impact here"
    [shop] = found.waves[2]
    assert str(shop.reasons[0]) == "after base.example.com, of which v2 imports v2"
    assert found.seconds == 180.0
    assert len(propose(facts, facts.deployments, NEW, ProposalKind.FASTEST).waves) == 2


def test_what_no_plan_could_be_made_for_is_left_out_with_the_reason() -> None:
    def named(service: str, region: str, **more: Any) -> ProposedDeployment:
        return ProposedDeployment(f"services/{service}/deployments/{region}", service, region, OLD, **more)

    deployments = [
        named("base", "eu", supported=NEW),
        named("base", "us", supported=OLD),
        named("base", "ap", supported=OLD, is_disabled=True),
        named("shop", "eu", supported=NEW, held_by="u1"),
        named("shop", "us", supported=NEW),
    ]
    versions = {each.service: frozenset({OLD, NEW}) for each in deployments}
    facts = FleetFacts({each.name: each for each in deployments}, versions, {})
    for kind in ProposalKind:
        found = propose(facts, facts.deployments, NEW, kind)
        assert [[each.deployment.name for each in wave] for wave in found.waves] == [
            ["services/shop/deployments/us"]
        ]
        assert {each.deployment.partition("/")[2]: str(each.reason) for each in found.left_out} == {
            "base/deployments/eu": "The code in us does not support v2 yet.",
            "base/deployments/us": "The code in us does not support v2 yet.",
            "base/deployments/ap": "It is disabled.",
            "shop/deployments/eu": "Upgrade u1 holds it: finish or abort that one first.",
        }


def test_a_fleet_of_300_services_in_60_regions_is_proposed_whole() -> None:
    rand = random.Random(5)
    names = [f"s{number}.example.com" for number in range(300)]
    versions = {name: frozenset({OLD, NEW}) for name in names}
    imports = {}
    for at, name in enumerate(names):
        others = rand.sample(names[:at], min(at, 5))
        imports[name, OLD] = dict.fromkeys(others, OLD)
        imports[name, NEW] = dict.fromkeys(others, NEW)
    deployments = [
        ProposedDeployment(
            f"services/{name}/deployments/r{region}", name, f"r{region}", OLD, rand.randint(0, 10_000)
        )
        for name in names
        for region in range(60)
    ]
    facts = FleetFacts({each.name: each for each in deployments}, versions, imports)
    found = propose(facts, facts.deployments, NEW, ProposalKind.FASTEST)
    assert sum(map(len, found.waves)) == 18_000


AT = datetime(2026, 11, 6, 9, 30, tzinfo=UTC)


@cache
def schedules() -> tuple[SwitchSchedule, ...]:
    """Give schedules that fleets share: none, nightly, weekly, after a freeze, a single window, and never."""
    nightly = WindowSpan("nightly", Effect.ALLOW, "Europe/Warsaw", cron="0 22 * * *", minutes=120)
    weekly = WindowSpan("weekly", Effect.ALLOW, "UTC", cron="0 6 * * 6", minutes=60)
    freeze = WindowSpan(
        "release", Effect.DENY, "UTC", starts=AT.replace(hour=8), ends=AT.replace(day=8, hour=1)
    )
    once = WindowSpan("once", Effect.ALLOW, "UTC", starts=AT.replace(hour=11), ends=AT.replace(hour=12))
    rules: tuple[list[WindowSpan], ...] = (
        [],
        [nightly],
        [weekly],
        [freeze],
        [nightly, freeze],
        [nightly, weekly],
        [once],
    )
    where = ("s.example.com", "r0", "local")
    known = [
        SwitchSchedule(AT, each, *where, bool(each and each[0].effect is Effect.ALLOW)) for each in rules
    ]
    return (ALWAYS, ALWAYS, *known, SwitchSchedule(AT, [], *where, True))


def with_windows(facts: FleetFacts, seed: int) -> FleetFacts:
    """Give the deployments of a fleet windows and freezes."""
    rand = random.Random(seed + 1_000_000)
    deployments = {
        name: replace(each, schedule=rand.choice(schedules())) for name, each in facts.deployments.items()
    }
    return replace(facts, deployments=deployments, at=AT)


def earliest(facts: FleetFacts) -> dict[frozenset[str], datetime]:
    """Find by brute force when each set of deployments may have switched at the earliest, one after another, safely."""
    times = {frozenset[str](): facts.at}
    for size in range(len(facts.deployments)):
        for state in [known for known in times if len(known) == size]:
            for name, each in facts.deployments.items():
                opening = None if name in state else each.schedule.opening(times[state])
                after = state | {name}
                if opening is not None and not broken_importers(facts, after, NEW):
                    times[after] = min(times.get(after, opening.at), opening.at)
    return times


@pytest.mark.parametrize("block", range(10))
def test_with_windows_no_order_of_a_thousand_small_fleets_ends_earlier(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        facts = with_windows(fleet(seed), seed)
        times = earliest(facts)
        most = max(times, key=lambda state: (len(state), sorted(state)))
        for kind in ProposalKind:
            proposal = propose(facts, facts.deployments, NEW, kind)
            for state in states(proposal):
                assert not broken_importers(facts, state, NEW), (seed, kind, state)
            waves = [[each.deployment for each in wave] for wave in proposal.waves]
            moved = frozenset(each.name for wave in waves for each in wave)
            assert moved == most, (seed, kind)
            assert {each.deployment for each in proposal.left_out} == facts.deployments.keys() - moved
            wait = window_wait(waves, AT)
            assert (wait.without_opening, wait.end) == (0, times[moved]), (seed, kind)
            # Each may switch when its reason says so, and no wave before it is waited for longer than that.
            openings = [each.opening.at for wave in proposal.waves for each in wave if each.opening]
            assert openings == sorted(openings), (seed, kind)


def test_a_closed_window_is_a_reason_an_order_and_part_of_the_expected_time() -> None:
    always, _, _, nightly, *_, never = schedules()
    deployments = [
        ProposedDeployment(f"services/s/deployments/{region}", "s", region, OLD, calls, 1800.0, schedule)
        for region, calls, schedule in (("ap", 1, nightly), ("eu", 50, always), ("us", 0, never))
    ]
    facts = FleetFacts({each.name: each for each in deployments}, {"s": frozenset({OLD, NEW})}, {}, AT)
    found = propose(facts, facts.deployments, NEW, ProposalKind.BALANCED)
    # The one with fewer calls would be the canary, but its window opens in the evening: 22:00 in Warsaw.
    assert [[each.deployment.region for each in wave] for wave in found.waves] == [["eu"], ["ap"]]
    (_,), (ap,) = found.waves
    assert ap.opening is not None
    assert (ap.opening.at, str(ap.reasons[0])) == (
        datetime(2026, 11, 6, 21, 0, tzinfo=UTC),
        "its window nightly opens at 2026-11-06 21:00 UTC",
    )
    assert found.seconds == (ap.opening.at - AT).total_seconds()
    (us,) = found.left_out
    assert (
        str(us.reason)
        == "It cannot switch within eight weeks. The policy asks for a window, and none is coming."
    )

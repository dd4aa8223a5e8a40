"""The code regenerates the tables that decide who upgrades first."""

from __future__ import annotations

import random
from itertools import groupby, product
from pathlib import Path

import pytest

from migrations_app.domain.compatibility.changes import ChangeOrder, key_change, order_of
from migrations_app.domain.compatibility.hazards import (
    Fate,
    Update,
    fate_of_unknown_key,
    losing_updates,
)
from migrations_app.domain.compatibility.plans import Ends, cheapest_plan, is_safe
from migrations_app.domain.compatibility.statuses import (
    DefaultPolicy,
    MessageOutcome,
    OutcomePolicy,
    Status,
    Strategy,
    outcome,
)

GOLDEN = Path(__file__).parent / "golden"
STRATEGIES = tuple(Strategy)
POLICIES = {"no-loss": OutcomePolicy.NO_LOSS, "loss-ok": OutcomePolicy.LOSS_OK}


def rows(name: str) -> list[list[str]]:
    lines = (GOLDEN / name).read_text().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def change_of(text: str) -> tuple[Status, Status]:
    before, after = text.split("→")
    return Status(before), Status(after)


def both(before: Status, after: Status) -> tuple[Ends, Ends]:
    """Change a key alike in requests and answers."""
    return Ends.of(before, before), Ends.of(after, after)


def test_the_pair_table() -> None:
    columns = [(Status.UNKNOWN, strategy) for strategy in STRATEGIES]
    columns += [(status, Strategy.STRICT) for status in (Status.OPTIONAL, Status.REQUIRED, Status.DEPRECATED)]
    for row in rows("pairs.md"):
        writer = Status(row[0].split("*")[2])
        assert [outcome(writer, reader, strategy).word for reader, strategy in columns] == row[1:]


@pytest.mark.parametrize(
    ("file", "policy"), [("changes_no_loss.md", "no-loss"), ("changes_loss_ok.md", "loss-ok")]
)
def test_the_one_key_changes(file: str, policy: str) -> None:
    for text, strategy, reader_first, writer_first, order, plan in rows(file):
        found = key_change(*change_of(text), Strategy(strategy), POLICIES[policy])
        told = (
            found.reader_first.word,
            found.writer_first.word,
            found.order,
            "; ".join(map(str, found.plan)),
        )
        assert told == (reader_first, writer_first, order, plan), (text, strategy)


def test_the_policies_differ_only_where_the_table_says() -> None:
    listed = {(row[0], row[1]) for row in rows("changes_loss_ok.md")}
    changes = {(row[0], row[1]) for row in rows("changes_no_loss.md")}
    differing = {
        (text, strategy)
        for text, strategy in changes
        if key_change(*change_of(text), Strategy(strategy)).order
        is not key_change(*change_of(text), Strategy(strategy), OutcomePolicy.LOSS_OK).order
    }
    assert differing == listed


def test_the_cheapest_plans() -> None:
    for text, policy, strategies, clients, servers, plan in rows("plans.md"):
        named = (
            strategies.split(", ")
            if strategies != "all"
            else list(map("/".join, product(STRATEGIES, STRATEGIES)))
        )
        for each in named:
            client, server = map(Strategy, each.split("/"))
            found = cheapest_plan(*both(*change_of(text)), client, server, POLICIES[policy])
            assert found is not None
            assert str(found) == plan, (text, policy, each)
            assert (found.client_deployments, sum(step.side == "server" for step in found.steps)) == (
                int(clients),
                int(servers),
            )


def test_the_plan_table_is_complete() -> None:
    keys = [(row[0], row[1]) for row in rows("plans.md")]
    counts = {
        key: sum(
            9 if row[2] == "all" else len(row[2].split(", "))
            for row in rows("plans.md")
            if (row[0], row[1]) == key
        )
        for key, _ in groupby(keys)
    }
    assert set(counts.values()) == {9}


def test_every_state_of_every_plan_is_safe() -> None:
    for before, after, client, server in product(Status, Status, STRATEGIES, STRATEGIES):
        plan = cheapest_plan(*both(before, after), client, server)
        assert plan is not None
        assert all(is_safe(step.after, client, server, OutcomePolicy.NO_LOSS) for step in plan.steps)
        assert (plan.steps[-1].after if plan.steps else Ends.of(before, before)) == Ends.of(after, after)


def test_every_state_is_safe_where_requests_and_answers_change_differently() -> None:
    rand = random.Random(11)
    for _ in range(150):
        start, end = (Ends.of(rand.choice([*Status]), rand.choice([*Status])) for _ in range(2))
        client, server = rand.choice(STRATEGIES), rand.choice(STRATEGIES)
        plan = cheapest_plan(start, end, client, server)
        assert plan is not None, (start, end, client, server)
        assert all(is_safe(step.after, client, server, OutcomePolicy.NO_LOSS) for step in plan.steps)
        assert (plan.steps[-1].after if plan.steps else start) == end
    # A key that only requests come to need: clients send it first, and answers stay as they are.
    alone = cheapest_plan(
        Ends.of(Status.OPTIONAL, Status.OPTIONAL),
        Ends.of(Status.REQUIRED, Status.OPTIONAL),
        *[Strategy.FILTER] * 2,
    )
    assert str(alone) == "client(emit O→R) ; server(accept O→R)"


def test_only_a_second_client_deployment_is_clean_up() -> None:
    twice = cheapest_plan(*both(Status.UNKNOWN, Status.REQUIRED), Strategy.STRICT, Strategy.STRICT)
    once = cheapest_plan(*both(Status.UNKNOWN, Status.OPTIONAL), Strategy.STRICT, Strategy.STRICT)

    assert twice is not None
    assert str(twice.clean_up) == "client(accept O→R)"
    assert once is not None
    assert once.clean_up is None


def test_a_required_key_with_a_default_may_be_read_leniently() -> None:
    def read(defaulted: DefaultPolicy | None) -> MessageOutcome:
        return outcome(Status.OPTIONAL, Status.REQUIRED, Strategy.STRICT, defaulted=defaulted)

    assert read(DefaultPolicy.LENIENT) is MessageOutcome.OK
    assert read(DefaultPolicy.CONTRACT) is read(None) is MessageOutcome.MAY_BREAK


@pytest.mark.parametrize(
    ("old_fits", "new_fits", "order"),
    [
        (True, True, ChangeOrder.ANY),
        (True, False, ChangeOrder.READER_FIRST),
        (False, True, ChangeOrder.WRITER_FIRST),
        (False, False, ChangeOrder.STAGED),
    ],
)
def test_the_three_phase_theorem(old_fits: bool, new_fits: bool, order: ChangeOrder) -> None:
    assert order_of(old_fits, new_fits) is order


def test_who_loses_a_key_it_does_not_know() -> None:
    assert fate_of_unknown_key(Strategy.STRICT, Update.REPLACE) is Fate.UNREADABLE
    assert fate_of_unknown_key(Strategy.FILTER, Update.REPLACE) is Fate.LOST
    assert fate_of_unknown_key(Strategy.FILTER, Update.FIELD_MASK) is Fate.KEPT
    assert fate_of_unknown_key(Strategy.FILTER, Update.FULL_MASK) is Fate.LOST
    assert fate_of_unknown_key(Strategy.PASS, Update.REPLACE) is Fate.DEPENDS
    assert all(fate_of_unknown_key(each, Update.LENS) is Fate.KEPT for each in STRATEGIES)
    assert losing_updates(Strategy.FILTER, lens=False) == (Update.REPLACE, Update.FULL_MASK)
    assert losing_updates(Strategy.FILTER, lens=True) == ()

"""Who has to prove who they are before a critical decision, and for how long a proof lasts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.domain.access import Actor, ActorKind
from migrations_app.domain.approvals.proof import LASTS, demand_proof
from migrations_app.kernel.errors import Denied

NOW = datetime(2026, 3, 1, 14, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


def actor(kind: ActorKind, proved_at: datetime | None = None) -> Actor:
    return Actor(kind, "olga", proved_at=proved_at)


@pytest.mark.parametrize("age", [timedelta(0), LASTS])
def test_a_person_passes_for_five_minutes_after_the_proof(age: timedelta) -> None:
    demand_proof(actor(ActorKind.USER, NOW - age), NOW)


@pytest.mark.parametrize("proved_at", [None, NOW - LASTS - MOMENT])
@pytest.mark.parametrize("tokens", [False, True])
def test_a_person_without_a_fresh_proof_is_refused_also_where_tokens_pass(
    proved_at: datetime | None, tokens: bool
) -> None:
    with pytest.raises(Denied) as caught:
        demand_proof(actor(ActorKind.USER, proved_at), NOW, tokens=tokens)
    assert caught.value.code == "step-up"


@pytest.mark.parametrize(
    "kind", [each for each in ActorKind if each not in (ActorKind.USER, ActorKind.SYSTEM)]
)
def test_a_token_passes_only_where_tokens_may(kind: ActorKind) -> None:
    demand_proof(actor(kind), NOW, tokens=True)
    with pytest.raises(Denied) as caught:
        demand_proof(actor(kind, NOW), NOW)
    assert caught.value.code == "step-up-token"


def test_the_system_needs_no_proof() -> None:
    demand_proof(actor(ActorKind.SYSTEM), NOW)

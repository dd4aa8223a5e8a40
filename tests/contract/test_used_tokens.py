"""The contract of remembering used service tokens, in memory and in the control database."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from migrations_app.adapters.used_tokens.memory import MemoryUsedTokens
from migrations_app.adapters.used_tokens.postgres import PostgresUsedTokens
from migrations_app.ports.regions.used_tokens import UsedTokens

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(params=[MemoryUsedTokens, PostgresUsedTokens])
def used(request: pytest.FixtureRequest) -> UsedTokens:
    adapter: UsedTokens = request.param()
    return adapter


def test_a_token_is_claimed_once(used: UsedTokens) -> None:
    until = time.time() + 60
    assert [used.claim("a" * 64, until), used.claim("b" * 64, until)] == [True, True]
    assert [used.claim("a" * 64, until), used.claim("b" * 64, until)] == [False, False]


def test_of_claims_at_the_same_time_one_counts(used: UsedTokens) -> None:
    def _claim(_: int) -> bool:
        try:
            return used.claim("c" * 64, time.time() + 60)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(16) as pool:
        assert sorted(pool.map(_claim, range(48)))[-2:] == [False, True]

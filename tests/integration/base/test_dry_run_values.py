"""What is neither true nor false as a dry run is refused by every method that may change something, in every spelling."""

from __future__ import annotations

import pytest

from migrations_app.web.preconditions import DRY_RUN_WORDS
from tests.factories.access import client_of

pytestmark = pytest.mark.django_db

BODIES: dict[str, object] = {
    "/api/v1/audit/chain": {"anchors": []},
    "/api/v1/deletion-checks": {"names": ["a"]},
    "/api/v1/policies/preview": {"purpose": "switch", "needed": 1, "group": "approvers", "name": "a"},
    "/api/v1/hooks/preview": {"format": "signed", "events": ["upgrade.created"]},
}


@pytest.mark.parametrize("word", DRY_RUN_WORDS)
@pytest.mark.parametrize("address", BODIES)
def test_a_dry_run_that_is_neither_true_nor_false_is_refused(address: str, word: str) -> None:
    answer = client_of("ann", "admin").post(f"{address}?{word}=maybe", BODIES[address], format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "dry-run")


@pytest.mark.parametrize("address", BODIES)
def test_two_spellings_that_differ_are_refused(address: str) -> None:
    answer = client_of("ann", "admin").post(
        f"{address}?dryRun=true&dry_run=false", BODIES[address], format="json"
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "dry-run")


@pytest.mark.parametrize("value", ["1" * 5000, "٣" * 9, "-1", "999"])
def test_a_view_that_is_no_view_is_refused_however_long_it_is(value: str) -> None:
    client = client_of("ann", "admin")
    read = client.get("/meta/v1/resources:batchGet", {"names": "services/a/resources/B", "view": value})
    assert read.status_code == 400
    watched = client.post("/meta/v1/services:watch", {"view": value}, format="json")
    assert watched.status_code == 400

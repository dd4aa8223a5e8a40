"""A comparison asked for as an operation: a worker makes it, and the operation ends with the report."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app import wiring
from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Budget
from migrations_app.models.operations import Operation
from migrations_app.ports.locks import Done, Lease
from tests.factories.access import client_of
from tests.factories.remembered import remembered

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
ADDRESS = "/api/v1/services/secrets.example.com/compatibility"
ASKED = {"before": "v1alpha2", "after": "v1", "client": "strict"}


@pytest.fixture(autouse=True)
def fleet() -> None:
    """Apply the example fleet."""
    remembered("example fleet", [], lambda: apply_fleet(SYSTEM, FLEET))


def work(key: str) -> None:
    """Let the controller work on an operation."""
    runs = wiring.controllers()["compatibility"]
    assert runs.reconcile(key, Budget(2.0, wiring.clock()), Lease(key, 1)) == Done()


def test_an_operation_ends_with_the_verdict_and_the_address_of_the_report() -> None:
    client = client_of("vera", "viewer")

    begun = client.post(f"{ADDRESS}:run", ASKED, format="json")

    assert (begun.status_code, begun.json()["state"]) == (202, "running")
    key = begun.json()["id"]
    assert begun["Location"] == f"/api/v1/operations/{key}"
    assert list(wiring.controllers()["compatibility"].due()) == [key]
    work(key)
    ended, report = client.get(begun["Location"]).json(), client.get(ADDRESS, ASKED).json()
    assert ended["state"] == "done"
    assert {name: ended["result"][name] for name in ("verdict", "sentence", "to_accept", "counts")} == {
        name: report[name] for name in ("verdict", "sentence", "to_accept", "counts")
    }
    assert client.get(ended["result"]["report"]).json() == report
    assert list(wiring.controllers()["compatibility"].due()) == []


def test_progress_counts_the_types_that_were_compared() -> None:
    client = client_of("vera", "viewer")
    key = client.post(f"{ADDRESS}:run", ASKED, format="json").json()["id"]

    work(key)

    progress = client.get(f"/api/v1/operations/{key}").json()["progress"]
    assert progress["asked"] == {**ASKED, "server": "strict", "policy": "no-loss"}
    assert progress["compared"] >= 2


def test_an_operation_that_has_ended_is_not_made_again() -> None:
    key = client_of("vera", "viewer").post(f"{ADDRESS}:run", ASKED, format="json").json()["id"]
    end_operation(key, "Somebody ended it.", failed=True)

    work(key)

    assert Operation.objects.get(pk=key).state == "failed"


def test_a_definition_that_went_meanwhile_fails_the_operation_in_its_words() -> None:
    key = client_of("vera", "viewer").post(f"{ADDRESS}:run", ASKED, format="json").json()["id"]
    Operation.objects.filter(pk=key).update(target="gone.example.com")

    work(key)

    row = Operation.objects.get(pk=key)
    assert (row.state, row.error["code"]) == ("failed", "definition-missing")


@pytest.mark.parametrize(
    ("asked", "status"),
    [({**ASKED, "after": "v7"}, 404), ({**ASKED, "after": "v1alpha2"}, 400), ({"before": "v1"}, 400)],
)
def test_a_question_without_an_answer_begins_nothing(asked: dict[str, str], status: int) -> None:
    answer = client_of("vera", "viewer").post(f"{ADDRESS}:run", asked, format="json")

    assert answer.status_code == status
    assert Operation.objects.count() == 0

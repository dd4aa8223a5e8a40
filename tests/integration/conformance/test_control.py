"""The registry, upgrades, approvals, access and what tells of them answer as docs/reference/openapi.yaml declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.db import transaction

from tests.factories.access import client_of
from tests.integration.conformance.control_data import (
    ADDRESSES,
    FORMS,
    PREPARED,
    QUERIES,
    REFUSED,
    furnish_more,
    tag_of,
)
from tests.integration.conformance.operations import CONTROL
from tests.integration.conformance.recorder import Recorder
from tests.integration.upgrades.conftest import fleet
from tests.integration.upgrades.scope_requests import ALL, EU, US, Call, call_of, furnish
from tests.integration.upgrades.test_reach import busy
from tests.integration.upgrades.test_rollouts import olga

__all__ = ["busy", "fleet", "olga"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
GETS = sorted(each for each in CONTROL if each.startswith("GET "))
WRITES = sorted(CONTROL.keys() - {*GETS})


@pytest.fixture
def ids(busy: dict[str, Any], fleet: None) -> dict[str, dict[str, Any]]:
    found = furnish(busy)
    furnish_more(found)
    return found


@pytest.fixture
def recorder(ids: dict[str, Any]) -> Recorder:
    recorder = Recorder(client_of("rita", "admin", "approver", "auditor"))
    recorder.send("PUT /api/v1/duty", {"hours": 1})
    return recorder


def _calls(operation: str, ids: Mapping[str, Any]) -> Iterator[Call]:
    for about in (EU, ALL, US):
        call = call_of(CONTROL[operation], about, ids[about])
        if call is not None:
            yield call


def test_every_path_that_is_read_answers_as_declared(recorder: Recorder, ids: dict[str, Any]) -> None:
    for operation in GETS:
        calls = list(_calls(operation, ids))
        assert calls, f"{operation} has no test data"
        for query in (QUERIES.get(operation, ""), *FORMS.get(operation, ())):
            recorder.send(operation, url=ADDRESSES.get(operation, calls[0].path), query=query)
    assert {*GETS} - recorder.statuses.keys() == set()
    assert recorder.unanswered() == {}
    assert recorder.empty == set()
    assert recorder.differing() == {}


def test_a_list_cut_to_fields_leaves_out_fields_and_differs_in_nothing_else(recorder: Recorder) -> None:
    answer = recorder.send("GET /api/v1/upgrades", query="?fields=id,state")
    assert [sorted(each) for each in answer["items"]] == [["id", "state"]] * 4
    (found,) = recorder.differing().values()
    assert [each for each in found if "is a required property" not in each] == []


def test_every_change_answers_as_declared_to_a_valid_request(recorder: Recorder, ids: dict[str, Any]) -> None:
    for operation in WRITES:
        calls = list(_calls(operation, ids))
        assert calls, f"{operation} has no test data"
        with transaction.atomic():
            PREPARED.get(operation, lambda _: None)(ids)
            query, tag = QUERIES.get(operation, ""), tag_of(operation, ids)
            recorder.send(operation, calls[0].body, url=calls[0].path, query=query, tag=tag)
            transaction.set_rollback(True)
    refused = {each: recorder.statuses[each][-1] for each in WRITES if recorder.statuses[each][-1] >= 300}
    assert refused == REFUSED
    assert recorder.differing() == {}


def test_every_change_refuses_an_invalid_body_as_declared(recorder: Recorder, ids: dict[str, Any]) -> None:
    accepted, sent = {}, 0
    for operation in WRITES:
        (call, *_) = _calls(operation, ids)
        statuses = recorder.send_invalid(operation, url=call.path)
        sent += len(statuses)
        if any(not 400 <= each < 500 for each in statuses):
            accepted[operation] = statuses
    assert accepted == {}
    assert recorder.differing() == {}
    assert sent >= 150

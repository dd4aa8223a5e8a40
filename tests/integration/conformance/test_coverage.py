"""No operation of the description is left out of the tests of this folder, and the comparison finds what differs."""

from __future__ import annotations

import json

import pytest

from tests.integration.conformance.openapi import JSON, PROBLEM, declared, deviations
from tests.integration.conformance.operations import CONTROL, DATA, OWN

REFUSED = {"type": "t", "title": "t", "status": 404, "detail": "d", "code": "c", "request_id": "r"}


def test_every_operation_of_the_description_is_requested() -> None:
    requested = OWN | DATA | CONTROL.keys()
    assert declared() - requested == set()
    assert requested - declared() == set()
    assert len(declared()) >= 180


@pytest.mark.parametrize(
    ("status", "kind", "body", "found"),
    [
        (404, PROBLEM, REFUSED, []),
        (404, JSON, REFUSED, [f"404 is '{JSON}'; declared is ['{PROBLEM}']"]),
        (
            404,
            PROBLEM,
            {**REFUSED, "nonsense": 1},
            ["404 at /: Additional properties are not allowed ('nonsense' was unexpected)"],
        ),
        (404, PROBLEM, {**REFUSED, "status": "404"}, ['404 at /status: "404" is not of type "integer"']),
        (202, JSON, {}, ["202 is not declared"]),
    ],
)
def test_an_answer_that_differs_from_its_declaration_is_found(
    status: int, kind: str, body: object, found: list[str]
) -> None:
    assert deviations("GET /api/v1/upgrades/{id}", status, kind, json.dumps(body).encode()) == found


def test_an_answer_without_a_declared_body_has_none() -> None:
    operation = "DELETE /api/v1/session"
    assert deviations(operation, 204, "", b"") == []
    assert deviations(operation, 204, "", b"{}") == ["204 has a body: b'{}'"]

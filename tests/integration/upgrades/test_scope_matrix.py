"""Every operation × every role × where the role counts × what it is asked about: none changes or reads beyond."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from rest_framework.test import APIClient

from migrations_app.domain.access import ROLES, is_write, roles_with
from migrations_app.models.ledger import LedgerEntry
from migrations_app.web.operation_contracts import DRY_RUN_NAME, OperationContract
from tests.factories.access import make_account, token_of
from tests.factories.table_digests import TableDigests, digests
from tests.integration.conformance.resolver import served
from tests.integration.upgrades.scope_requests import (
    ALL,
    BODIES,
    EU,
    US,
    Call,
    Operation,
    call_of,
    furnish,
    operations,
)
from tests.integration.upgrades.test_reach import busy
from tests.integration.upgrades.test_rollouts import olga

__all__ = ["busy", "olga"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
OPERATIONS = operations()
CHANGES = [each for each in OPERATIONS if each.method != "GET" and is_write(each.permission)]
NOTED = ("ledger", "outbox", "session", "django_", "work", "token")
"""Tables of notes about a refusal, and of what runs meanwhile."""
TOGETHER = {"POST upgrades:batch", "POST approvals:approve"}
"""Each of several is refused alone, within one answer."""
OWN = {"PUT duty", "DELETE duty"}
"""What is asked for oneself, wherever one holds the permission."""


def test_every_operation_says_what_is_sent() -> None:
    sent = {str(each) for each in OPERATIONS if each.method in ("POST", "PUT", "PATCH")}
    assert sent - BODIES.keys() == set()
    assert BODIES.keys() - sent == set()
    assert len(CHANGES) >= 70


CONTRACTS = {str(each).replace(" /api/v1/", " "): each.contract for each in served() if each.view is not None}
"""What each operation takes, by its method and address."""


def _contract(operation: Operation) -> OperationContract | None:
    """Give what an operation of `/api/v1` takes; None for those of the Meta API."""
    return CONTRACTS.get(re.sub(r"<(?:[a-z]+:)?([a-z]+)>", r"{\1}", str(operation)))


@pytest.fixture
def ids(busy: dict[str, Any], fleet: None) -> dict[str, dict[str, Any]]:
    return furnish(busy)


def _client(role: str, region: str, *more: str) -> APIClient:
    name = f"{role}-{ {EU: 'a', US: 'b', ALL: 'c'}[region] }".replace(" ", "")
    make_account(name, role, *more, region=region)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(name)}")
    return client


def _send(client: APIClient, operation: Operation, call: Call, query: str = "") -> Any:
    cache.clear()
    # A condition that a method does not check is refused.
    contract = _contract(operation)
    takes_tag = operation.method != "POST" if contract is None else "if-match" in contract.headers
    headers = {"If-Match": "*"} if takes_tag else {}
    return getattr(client, operation.method.lower())(
        f"{call.path}{query}", call.body, format="json", headers=headers
    )


def _text(answer: Any) -> str:
    body = b"".join(answer) if getattr(answer, "streaming", False) else answer.content
    return str(body.decode())


def _without_notes() -> TableDigests:
    """Read what the tables hold, without those of notes."""
    names = connection.introspection.table_names()
    return TableDigests.of([each for each in names if not any(one in each for one in NOTED)])


def _cells(ids: dict[str, Any], scope: str) -> Iterator[tuple[Operation, str, Call]]:
    for operation in CHANGES:
        if str(operation) in OWN or operation.permission == "token.own":
            continue
        for about in (EU, US, ALL):
            call = call_of(operation, about, ids[about])
            if call is not None:
                yield operation, about, call


@pytest.mark.parametrize("scope", [EU, US])
def test_no_role_of_one_region_changes_anything_beyond_it(ids: dict[str, Any], scope: str) -> None:
    for role in sorted(ROLES):
        client, before = _client(role, scope), _without_notes()
        wrong, refused = _changed_beyond(client, ids, role, scope, before)
        assert wrong == [], "\n".join(wrong)
        assert digests(before.digests) == before.digests
        assert refused > 60, role


def _changed_beyond(
    client: APIClient, ids: dict[str, Any], role: str, scope: str, before: TableDigests
) -> tuple[list[str], int]:
    """Ask for every change that a role of one region may not make; give what is not refused as it should be."""
    wrong, refused = [], 0
    other = US if scope == EU else EU
    for operation, about, call in _cells(ids, scope):
        carries = role in roles_with(operation.permission)
        if about == scope and carries:
            continue
        contract = _contract(operation)
        has_dry_run = contract is None or DRY_RUN_NAME in contract.parameters
        for query in ("", "?dry_run=true") if carries and has_dry_run else ("",):
            with transaction.atomic():
                LedgerEntry.objects.all().exists()
                answer = _send(client, operation, call, query)
                cell, said = f"{operation} {query} about {about}: {answer.status_code}", _text(answer)
                fits = (403, 404) if str(operation) not in TOGETHER else (207,)
                if answer.status_code not in (fits if carries else (403,)):
                    wrong.append(f"{cell} {said[:300]}")
                if other in said and other not in f"{call.path}{call.body}":
                    wrong.append(f"{cell} names {other}: {said[:300]}")
                if before.differing():
                    wrong.append(f"{cell} changed {before.differing()}")
                refused += 1
                transaction.set_rollback(True)
    return [f"{role}: {each}" for each in wrong], refused


def test_who_may_not_vote_is_told_so_before_anything_about_the_vote(ids: dict[str, Any]) -> None:
    """No vote is named, no body is read and no comment is missed of who may not vote at all."""
    for role in ("viewer", "auditor", "operator", "automation"):
        refused = _asked_for_a_vote(role, ids)
        assert len(refused) >= 24
        assert [(role, each) for each in refused if each[1] != 403] == []


def _asked_for_a_vote(role: str, ids: dict[str, Any]) -> list[tuple[str, int]]:
    client, refused = _client(role, EU), []
    for operation in CHANGES:
        call = call_of(operation, EU, ids[EU])
        if call is None or not operation.route.startswith(("approvals/", "emergencies/", "evictions/")):
            continue
        if role in roles_with("approval.request") and operation.route.endswith("/answer"):
            continue
        for body in ({}, {"unknown": 1}, [], call.body):
            answer = getattr(client, operation.method.lower())(call.path, body, format="json")
            refused.append((str(operation), answer.status_code))
    return refused


def test_an_admin_of_one_region_is_let_in_there_and_an_admin_of_all_everywhere(ids: dict[str, Any]) -> None:
    """The requests are valid: what is refused to others is not refused for what was sent."""
    wrong = []
    for scope in (EU, ALL):
        client = _client("admin", scope, "approver")
        for operation, about, call in _cells(ids, scope):
            if about == scope or scope == ALL:
                with transaction.atomic():
                    answer = _send(client, operation, call)
                    if answer.status_code in (400, 401, 403, 405, 415, 428, 500, 501):
                        wrong.append(
                            f"{operation} of {scope} about {about}: {answer.status_code} {_text(answer)[:300]}"
                        )
                    transaction.set_rollback(True)
    assert wrong == [], "\n".join(wrong)


def test_no_answer_to_a_role_of_one_region_names_another(ids: dict[str, Any]) -> None:
    for role in ("viewer", "auditor", "admin"):
        wrong, shown = _naming_another(role, ids)
        assert wrong == [], "\n".join(wrong)
        assert shown >= 40


def _naming_another(role: str, ids: dict[str, Any]) -> tuple[list[str], int]:
    """Read everything with a role of one region; give the answers that name another."""
    client, wrong, shown = _client(role, EU), [], 0
    for operation in OPERATIONS:
        if operation.method != "GET":
            continue
        for about in (EU, US):
            call = call_of(operation, about, ids[about])
            if call is None:
                continue
            answer = _send(client, operation, call)
            said = _text(answer)
            shown += answer.status_code == 200 and about == EU
            if US in said and US not in call.path:
                wrong.append(f"{operation} about {about}: {said[max(0, said.index(US) - 200) :][:300]}")
            if about == US and US in call.path and answer.status_code == 200:
                wrong.append(f"{operation} shows {about}")
    return [f"{role}: {each}" for each in wrong], shown


def test_the_ledger_keeps_where_something_was_refused(ids: dict[str, Any]) -> None:
    near, far = _client("operator", EU), _client("auditor", US)
    for path in (f"upgrades/{ids[US]['upgrades']}/pause", f"deployments/secrets.example.com/{US}/switch"):
        assert near.post(f"/api/v1/{path}", {}, format="json").status_code == 403
    found = far.get(f"/api/v1/audit?region={US}&outcome=denied").json()["items"]
    assert [(each["service"], each["region"]) for each in found] == [("secrets.example.com", US)] * 2
    blind = _client("auditor", EU).get("/api/v1/audit?outcome=denied").json()["items"]
    assert blind == []

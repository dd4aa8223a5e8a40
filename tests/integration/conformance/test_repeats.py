"""A request that is repeated with its Idempotency-Key is done once, whatever it does and whichever process dies."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection, transaction

from migrations_app.control.operations.commands.answer_once import claim_answer
from migrations_app.models.access import Account
from migrations_app.web.rest_view import RestView, without_secrets
from tests.factories.access import client_of
from tests.factories.reports import keep_new
from tests.integration.conformance.control_data import PREPARED, QUERIES, REFUSED, tag_of
from tests.integration.conformance.openapi import takes_tag
from tests.integration.conformance.operations import CONTROL
from tests.integration.conformance.resolver import served
from tests.integration.conformance.stored import Stored, stored
from tests.integration.conformance.test_dry_runs import busy, fleet, ids, olga
from tests.integration.upgrades.scope_requests import ALL, EU, US, call_of

__all__ = ["busy", "fleet", "ids", "olga"]
KEPT = sorted(
    str(each)
    for each in served()
    if each.method != "GET"
    and each.view is not None
    and issubclass(each.view, RestView)
    and each.view.answers_once
)
SECRETS = {str(each): getattr(each.view, "secrets", frozenset()) for each in served()}
OF_CONTROL = [each for each in KEPT if each in CONTROL and each not in REFUSED]


@pytest.mark.django_db
@pytest.mark.usefixtures("fleet")
def test_a_repeat_is_answered_as_the_first_request_and_changes_nothing(
    ids: Mapping[str, Mapping[str, Any]],
) -> None:
    client = client_of("rita", "admin", "approver", "auditor")
    client.put("/api/v1/duty", {"hours": 1}, format="json")
    kept, found = stored(), {}
    for operation in OF_CONTROL:
        call = next(filter(None, (call_of(CONTROL[operation], about, ids[about]) for about in (EU, ALL, US))))
        send = getattr(client, operation.partition(" ")[0].lower())
        path = f"{call.path}{QUERIES.get(operation, '')}"
        with transaction.atomic():
            keep_new()
            PREPARED.get(operation, lambda _: None)(ids)
            tag = {"If-Match": tag_of(operation, ids)} if takes_tag(operation) else {}
            headers = {**tag, "Idempotency-Key": "k1"}
            cache.clear()
            first = send(path, call.body, format="json", headers=headers)
            before = Stored()
            again = send(path, call.body, format="json", headers=headers)
            other = send(
                f"{path}{'&' if '?' in path else '?'}dry_run=false", [1], format="json", headers=headers
            )
            is_replayed = again.headers.get("Idempotency-Replayed") == "true"
            is_replayed = is_replayed and _answer(again) == _answer(first, without=SECRETS.get(operation))
            if first.status_code >= 300 or not is_replayed:
                found[operation] = first.status_code, again.status_code
            if other.status_code not in (400, 422) or before.differing():
                found[f"{operation} changed"] = other.status_code
            transaction.set_rollback(True)
    assert found == {}
    assert stored() == kept
    assert len(OF_CONTROL) >= 65


def _answer(answer: Any, without: frozenset[str] | None = None) -> tuple[object, ...]:
    """Give what a caller reads of an answer, secrets apart; the order of names in a body is none of it."""
    body = without_secrets(json.loads(answer.content) if answer.content else None, without or frozenset())
    return answer.status_code, body, answer.headers.get("ETag"), answer.headers.get("Location")


@contextmanager
def _first_request(account: str, key: str) -> Iterator[int]:
    """Let a process of its own begin to work a request out; give the number of its connection, to be killed by."""
    begun, ended, numbers = threading.Event(), threading.Event(), list[int]()

    def work() -> None:
        try:
            with transaction.atomic():
                claim_answer(account, key, "digest")
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_backend_pid()")
                    numbers.append(cursor.fetchone()[0])
                Account.objects.create(username="half-done")
                begun.set()
                ended.wait(30)
        except OperationalError:
            pass
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(30)
    yield numbers[0]
    ended.set()
    thread.join()


@pytest.mark.django_db(transaction=True)
def test_a_repeat_waits_for_a_first_request_under_way_and_not_for_one_whose_process_died() -> None:
    client = client_of("root", "admin")
    headers = {"Idempotency-Key": "k2"}

    def create() -> Any:
        return client.post("/api/v1/access/accounts", {"name": "eve"}, format="json", headers=headers)

    with _first_request("root", "k2") as backend:
        meanwhile = create()
        assert (meanwhile.status_code, meanwhile.json()["code"]) == (409, "idempotency-in-progress")
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s, 10000)", [backend])
            assert cursor.fetchone()[0] is True
        assert create().status_code == 201
    assert create().headers["Idempotency-Replayed"] == "true"
    assert [
        *Account.objects.filter(username__in=("eve", "half-done")).values_list("username", flat=True)
    ] == ["eve"]

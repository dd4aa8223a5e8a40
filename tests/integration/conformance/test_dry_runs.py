"""A dry run of every method that has one answers as the change would, in each spelling, and changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import transaction
from rest_framework.test import APIClient

from migrations_app.models.access import SignIn
from tests.factories.access import PASSWORD, client_of, make_account
from tests.factories.reports import keep_new
from tests.integration.conformance.control_data import PREPARED, QUERIES, REFUSED, furnish_more, tag_of
from tests.integration.conformance.operations import CONTROL
from tests.integration.conformance.rehearsals import OF_DATA, OF_OWN, REHEARSED, rehearse
from tests.integration.conformance.stored import stored
from tests.integration.upgrades.conftest import fleet
from tests.integration.upgrades.scope_requests import ALL, EU, US, call_of, furnish
from tests.integration.upgrades.test_reach import busy
from tests.integration.upgrades.test_rollouts import olga

__all__ = ["busy", "fleet", "olga"]
pytestmark = pytest.mark.django_db
OF_CONTROL = sorted(REHEARSED.keys() & CONTROL.keys())


@pytest.fixture
def ids(busy: dict[str, Any], fleet: None) -> Mapping[str, Mapping[str, Any]]:
    found = furnish(busy)
    furnish_more(found)
    return found


def test_every_method_with_a_dry_run_is_rehearsed() -> None:
    assert REHEARSED.keys() == {*OF_CONTROL} | OF_OWN | OF_DATA
    assert len(REHEARSED) >= 85


@pytest.mark.usefixtures("fleet")
def test_a_dry_run_changes_nothing_of_what_is_upgraded_approved_and_administered(
    ids: Mapping[str, Mapping[str, Any]],
) -> None:
    client = client_of("rita", "admin", "approver", "auditor")
    client.put("/api/v1/duty", {"hours": 1}, format="json")
    kept, statuses, changed = stored(), {}, {}
    for operation in OF_CONTROL:
        call = next(filter(None, (call_of(CONTROL[operation], about, ids[about]) for about in (EU, ALL, US))))
        url = f"{call.path}{QUERIES.get(operation, '')}"
        with transaction.atomic():
            # A report that is old by the time an operation is reached would have it refused.
            keep_new()
            PREPARED.get(operation, lambda _: None)(ids)
            tag = tag_of(operation, ids)
            statuses[operation], changed[operation] = rehearse(client, operation, call.body, url=url, tag=tag)
            transaction.set_rollback(True)
    assert {name: tables for name, tables in changed.items() if tables} == {}
    assert stored() == kept
    assert {name: found for name, found in statuses.items() if len(found) != 1} == {}
    refused = {name: min(found) for name, found in statuses.items() if min(found) >= 300}
    assert refused == {name: REFUSED[name] for name in REFUSED.keys() & REHEARSED.keys()}


def test_a_dry_run_changes_nothing_of_what_a_person_keeps(settings: LazySettings) -> None:
    settings.EMAIL_HOST = "127.0.0.1"
    make_account("ann", "admin", password=PASSWORD)
    browser = APIClient()
    for each in (APIClient(), browser):
        cache.clear()
        each.post("/api/v1/session", {"username": "ann", "password": PASSWORD}, format="json")
    wish = {"permission": "window.write", "what": "New window or freeze", "link": "/windows", "comment": "so"}
    notice, view = {"events": ["upgrade.*"]}, {"page": "fleet", "name": "Mine"}
    hours = {"zone": "UTC", "quiet_from": "22:00", "quiet_to": "06:00"}
    declared = {"objects": [{"kind": "Window", "name": "nightly", "spec": {"minutes": 60}}]}
    inner = {"method": "PUT", "path": "/api/v1/declared-sets/payments", "body": declared}
    ask = browser.post("/api/v1/asks", wish, format="json").json()["id"]
    kept = browser.post("/api/v1/notices", notice, format="json").json()["id"]
    browser.put("/api/v1/views/fleet/Mine", {"query": "q=x"}, format="json")
    first, _ = SignIn.objects.order_by("id")
    found = {
        "DELETE /api/v1/asks/{id}": rehearse(browser, "DELETE /api/v1/asks/{id}", id=ask),
        "DELETE /api/v1/notices/{id}": rehearse(browser, "DELETE /api/v1/notices/{id}", id=kept),
        "DELETE /api/v1/sessions/{id}": rehearse(browser, "DELETE /api/v1/sessions/{id}", id=first.pk),
        "DELETE /api/v1/views/{page}/{name}": rehearse(browser, "DELETE /api/v1/views/{page}/{name}", **view),
        "POST /api/v1/asks": rehearse(browser, "POST /api/v1/asks", {**wish, "permission": "policy.write"}),
        "POST /api/v1/notices": rehearse(browser, "POST /api/v1/notices", {"events": ["approval.*"]}),
        "POST /api/v1/requests:batch": rehearse(
            browser, "POST /api/v1/requests:batch", {"requests": [inner]}
        ),
        "PUT /api/v1/declared-sets/{owner}": rehearse(
            browser, "PUT /api/v1/declared-sets/{owner}", declared, owner="payments"
        ),
        "PUT /api/v1/notices/hours": rehearse(browser, "PUT /api/v1/notices/hours", hours, tag='"0"'),
        "PUT /api/v1/notices/{id}": rehearse(
            browser, "PUT /api/v1/notices/{id}", {"events": ["upgrade.caught-up"]}, id=kept
        ),
        "PUT /api/v1/session/zone": rehearse(browser, "PUT /api/v1/session/zone", {"zone": "utc"}),
        "PUT /api/v1/views/{page}/{name}": rehearse(
            browser, "PUT /api/v1/views/{page}/{name}", {"query": "q=y"}, page="fleet", name="Other"
        ),
    }
    stranger = client_of("ned")
    found["POST /api/v1/session/access"] = rehearse(
        stranger, "POST /api/v1/session/access", {"comment": "I am new."}
    )
    assert found.keys() == OF_OWN
    assert {
        name: answer
        for name, answer in found.items()
        if max(answer[0]) >= 300 or len(answer[0]) > 1 or answer[1]
    } == {}

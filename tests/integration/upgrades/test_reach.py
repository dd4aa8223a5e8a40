"""An account whose role is bound to places is shown those, in every list, and nothing that names another."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.domain.access import SYSTEM, Target
from migrations_app.models.access import RoleBinding
from migrations_app.models.approvals import Emergency
from migrations_app.models.operations import Operation
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.registry import Service
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.work import Work
from migrations_app.web.rest_view import OPEN, SIGNED_IN
from tests.factories.access import client_of, make_account, token_of
from tests.integration.access.test_access_matrix import ENTRANCES
from tests.integration.upgrades.conftest import EU, SERVICE
from tests.integration.upgrades.test_api import act, level, plan
from tests.integration.upgrades.test_rollouts import planned

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
US = EU.replace("eu-1", "us-1")
META = [
    f"/meta/v1/{each}"
    for each in ("regions", "services", "services/-/deployments", f"services/{SERVICE}/deployments")
]
LISTS = sorted(
    {each.path for each in ENTRANCES if each.method == "GET" and each.permission not in (OPEN, SIGNED_IN)}
)


def _client(name: str, role: str, **scope: str) -> APIClient:
    make_account(name, role, **scope)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token_of(name)}")
    return client


@pytest.fixture
def busy(olga: APIClient) -> dict[str, Any]:
    """In both regions an upgrade that asks for approval, a break-glass override, an operation and a quarantined key; one rollout."""
    rollout = planned(olga, waves=[[EU], [US]], title="both")
    found: dict[str, Any] = {"rollout": rollout["id"]}
    # Of the rollout the plans stay as they are; those that ask for something are upgrades of their own.
    Upgrade.objects.update(state="ABORTED", finished_at=timezone.now())
    for name in (EU, US):
        region = name.rpartition("/")[2]
        upgrade = plan(olga, deployment=name, start=True)["id"]
        level(upgrade)
        answer = act(olga, upgrade, "request-approval", {"comment": f"for {region}"})
        assert answer.status_code == 200, answer.content
        row = Upgrade.objects.get(pk=upgrade)
        Emergency.objects.create(
            id=f"e-{region}", upgrade=row, who="olga", purpose="switch", reason=region, ticket=region, at=timezone.now()
        )  # fmt: skip
        operation = begin_operation(SYSTEM, "upgrade.switch", Target("upgrade", upgrade, SERVICE, region))
        Work.objects.create(
            controller="sync",
            key=f"{upgrade}/forward/0",
            quarantined_at=timezone.now(),
            quarantined_reason=region,
        )
        Work.objects.create(
            controller="pending", key=name, quarantined_at=timezone.now(), quarantined_reason=f"of {region}"
        )
        found[region] = {"upgrade": upgrade, "operation": operation["id"], "emergency": f"e-{region}"}
    return found


def _texts(client: APIClient, paths: list[str]) -> Iterator[tuple[str, int, str]]:
    for path in paths:
        cache.clear()
        answer = client.get(path)
        body = b"".join(answer) if getattr(answer, "streaming", False) else answer.content
        yield path, answer.status_code, body.decode()


def test_no_list_names_a_region_beyond_ones_own(busy: dict[str, Any]) -> None:
    ears = _client("eva", "auditor", region="eu-*")
    leaks, shown = [], 0
    for path, status, body in _texts(ears, [*LISTS, *META]):
        assert status < 500, (path, body)
        leaks += [path] if "us-1" in body or busy["us-1"]["upgrade"] in body else []
        shown += EU in body or '"eu-1"' in body
    assert leaks == []
    # It can fail: what is one's own is shown in most of them.
    assert shown >= 14, shown


def test_no_list_names_anything_to_who_may_read_something_else(busy: dict[str, Any]) -> None:
    nina = _client("nina", "viewer", service="nothing.*")
    named = [
        path
        for path, _, body in _texts(nina, [*LISTS, *META])
        if SERVICE in body or "deployments/eu-1" in body
    ]
    assert named == []


def test_who_may_read_everywhere_is_shown_both(busy: dict[str, Any]) -> None:
    vera = client_of("vera", "viewer")
    both = [path for path, _, body in _texts(vera, [*LISTS, *META]) if "us-1" in body and "eu-1" in body]
    assert {
        "/api/v1/fleet",
        "/api/v1/fleet/windows",
        "/api/v1/deployments",
        "/api/v1/regions",
        "/api/v1/overview",
        "/api/v1/upgrades",
        "/api/v1/approvals",
        "/api/v1/emergencies",
        "/api/v1/rollouts",
        "/api/v1/constraints",
        "/api/v1/health/quarantined-work",
        "/meta/v1/regions",
        "/meta/v1/services/-/deployments",
    } <= set(both)


def test_single_things_beyond_ones_reach_are_refused_with_the_reason(busy: dict[str, Any]) -> None:
    eva = _client("eva", "viewer", region="eu-*")
    far = busy["us-1"]
    for path in (
        f"/api/v1/operations/{far['operation']}",
        f"/api/v1/rollouts/{busy['rollout']}",
        f"/api/v1/rollouts/targets?deployments={US}",
        f"/api/v1/windows/explain?deployment={US}",
        f"/api/v1/windows/ahead?deployment={US}",
        f"/api/v1/policies/explain?deployment={US}&purpose=switch",
        f"/meta/v1/{US}",
        "/meta/v1/regions/us-1",
        f"/meta/v1/deployments:batchGet?names={EU}&names={US}",
    ):
        answer = eva.get(path)
        assert answer.status_code == 403, (path, answer.content)
        assert "Your access does not reach" in answer.content.decode(), path
    assert eva.get(f"/api/v1/operations/{busy['eu-1']['operation']}").status_code == 200
    assert eva.get(f"/meta/v1/{EU}").status_code == 200


def test_counts_are_of_what_one_may_see(busy: dict[str, Any]) -> None:
    eva, vera = _client("eva", "viewer", region="eu-*"), client_of("vera", "viewer")
    assert [each.get("/api/v1/upgrades?count=exact").json()["count"] for each in (eva, vera)] == [2, 4]
    told = [each.get("/api/v1/overview").json() for each in (eva, vera)]
    assert [each["now"]["waiting_others"] for each in told] == [1, 2]
    assert [sum(row["count"] for of in each["skew"] for row in of["versions"]) for each in told] == [1, 2]
    assert eva.get("/api/v1/rollouts").json()["items"] == []
    assert [each["id"] for each in vera.get("/api/v1/rollouts").json()["items"]] == [busy["rollout"]]


def test_events_carry_the_places_they_speak_of(busy: dict[str, Any]) -> None:
    places = {
        (row.topic, row.kind): row.places
        for row in OutboxEvent.objects.filter(topic__in=["fleet", "approvals", "operations"]).order_by("id")
    }
    assert places == {
        ("fleet", "regions"): [["", "us-1"]],
        ("fleet", "services"): [[SERVICE, ""]],
        ("fleet", "deployments"): [[SERVICE, "us-1"]],
        ("fleet", "cell"): [[SERVICE, "us-1"]],
        ("fleet", "rollout"): [[SERVICE, "eu-1"], [SERVICE, "us-1"]],
        ("approvals", "approval"): [[SERVICE, "us-1"]],
        ("operations", "operation"): [[SERVICE, "us-1"]],
    }
    assert Operation.objects.filter(region="us-1", service=SERVICE).count() == 1


def test_a_role_of_another_environment_counts_for_nothing_here(busy: dict[str, Any]) -> None:
    stan = _client("stan", "viewer")
    RoleBinding.objects.filter(subject="stan").update(environment="staging")
    cache.clear()
    answer = stan.get("/api/v1/fleet")
    assert answer.status_code == 403
    assert answer.json()["detail"].startswith(
        "Your role viewer does not count now: it is for the environment"
    )


def test_json_of_a_list_stays_the_same_for_who_reads_everywhere(busy: dict[str, Any]) -> None:
    vera, wide = client_of("vera", "viewer"), _client("wide", "viewer", service="*.example.com")
    for path in ("/api/v1/deployments", "/api/v1/services", *META):
        assert json.loads(wide.get(path).content) == json.loads(vera.get(path).content), path
    assert uuid.UUID(busy["eu-1"]["operation"])


def test_a_session_says_where_what_is_shown_lies() -> None:
    eva, vera, nina = _client("eva", "viewer", region="eu-*"), client_of("vera", "viewer"), client_of("nina")
    olaf, olga = _client("olaf", "operator", region="eu-*"), client_of("olga", "operator")
    bounds = [each.get("/api/v1/session").json()["account"]["bounds"] for each in (eva, vera, nina, olga)]
    assert bounds == [{}, {}, {}, {}]
    bound = olaf.get("/api/v1/session").json()["account"]["bounds"]
    assert (bound["registry.write"], bound["upgrade.switch"]) == (["* @ eu-*"], ["* @ eu-*"])
    assert "token.own" not in bound
    told = [each.get("/api/v1/session").json()["account"]["reach"] for each in (eva, vera, nina)]
    assert told == [["* @ eu-*"], [], []]


def test_a_service_is_said_to_be_in_the_regions_one_may_see() -> None:
    row = Service.objects.get(pk=SERVICE)
    row.policy = {**row.policy, "enabledRegions": ["eu-1", "us-1"]}
    row.save()
    seen = {}
    for name, region in (("eva", "eu-*"), ("vera", "*")):
        found = _client(name, "viewer", region=region)
        listed = next(
            each for each in found.get("/api/v1/services").json()["items"] if each["name"] == SERVICE
        )
        seen[name] = [listed["regions"], found.get(f"/api/v1/services/{SERVICE}").json()["regions"]]
    assert seen == {"eva": [["eu-1"], ["eu-1"]], "vera": [["eu-1", "us-1"], ["eu-1", "us-1"]]}

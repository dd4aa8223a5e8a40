"""Rollouts proposed from the registry: imports first, with reasons; and what is left of one, when facts change."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from migrations_app.control.registry.repository import registry
from migrations_app.domain.registry.values import AvailableUpgrade, Deployment, Service
from migrations_app.models.approvals import ApprovalPolicy
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment as DeploymentRow
from migrations_app.models.registry import Import
from tests.factories.access import client_of, token_of
from tests.integration.upgrades.conftest import EU, SERVICE
from tests.integration.upgrades.test_rollouts import AP, US, act, planned, states, turn
from tests.integration.upgrades.test_rollouts import olga as olga
from tests.swy import Swy

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
SHOP = "shop.example.com"
PROPOSALS = "/api/v1/rollouts/proposals"


def shop(version: str = "v1alpha2") -> None:
    """Register a service in eu-1 whose v1 imports v1 of the secrets service."""
    with registry.writing() as writer:
        writer.save(Service(name=f"services/{SHOP}", all_versions=("v1", "v1alpha2")))
        writer.save(
            Deployment(
                name=f"services/{SHOP}/deployments/eu-1",
                service_name=f"services/{SHOP}",
                region="regions/eu-1",
                current_version=version,
                available_upgrade=AvailableUpgrade(api_version="v1"),
            )
        )
    Import.objects.create(
        service_id=SHOP, target_id=SERVICE, kind="imports", versions={"v1": "v1", "v1alpha2": "v1alpha2"}
    )


def proposed(client: APIClient, **query: str) -> dict[str, Any]:
    """Ask for proposals, by kind."""
    answer = client.get(PROPOSALS, {"target_version": "v1", **query})
    assert answer.status_code == 200, answer.content
    return {each["kind"]: each for each in answer.json()["items"]}


def order(proposal: dict[str, Any]) -> list[list[str]]:
    """Give the places of the waves."""
    return [
        [f"{each['service'].split('.')[0]}@{each['region']}" for each in wave] for wave in proposal["waves"]
    ]


def test_an_importer_waits_for_its_import_and_says_so(olga: APIClient) -> None:
    shop()
    found = proposed(olga, services=f"{SERVICE},{SHOP}")
    assert order(found["fastest"]) == [["secrets@ap-1", "secrets@us-1", "secrets@eu-1"], ["shop@eu-1"]]
    assert order(found["balanced"]) == [["secrets@ap-1"], ["secrets@us-1", "secrets@eu-1"], ["shop@eu-1"]]
    assert order(found["safest"])[0] == ["secrets@ap-1"]
    last = found["fastest"]["waves"][1][0]
    assert last["reasons"][0] == f"after {SERVICE}, of which v1 imports v1"
    assert [phrase["key"] for phrase in last["reason_phrases"][0]] == [
        "after {service}, of which {version} imports {asked}"
    ]
    assert found["balanced"]["waves"][0][0]["reasons"][0] == "canary: a failure has the smallest impact here"
    assert found["balanced"]["seconds"] is None
    alone = proposed(olga, services=SHOP)["balanced"]
    assert alone["waves"] == []
    assert alone["left_out"] == [
        {
            "deployment": f"services/{SHOP}/deployments/eu-1",
            "reason": f"v1 imports v1 of {SERVICE}, which runs v1alpha2 in eu-1.",
            "phrases": [
                {
                    "key": "{version} imports {asked} of {service}, which runs {current} in {region}.",
                    "values": {
                        "version": "v1",
                        "asked": "v1",
                        "service": SERVICE,
                        "current": "v1alpha2",
                        "region": "eu-1",
                    },
                }
            ],
        }
    ]
    assert olga.get(PROPOSALS, {"target_version": "v1"}).json()["code"] == "proposal"
    assert client_of("nora").get(PROPOSALS, {"target_version": "v1", "services": SHOP}).status_code == 403


def test_a_wave_does_not_begin_when_facts_changed_and_another_order_is_proposed(olga: APIClient) -> None:
    made = planned(olga)
    rest = olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()
    assert (rest["holds"], rest["reasons"]) == (True, [])
    assert len(rest["proposal"]["waves"]) == 2
    # Meanwhile the service imports another one that is not there yet.
    shop()
    Import.objects.all().delete()
    Import.objects.create(
        service_id=SERVICE, target_id=SHOP, kind="imports", versions={"v1": "v1", "v1alpha2": "v1alpha2"}
    )
    rest = olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()
    assert rest["holds"] is False
    assert rest["reasons"] == [
        f"{EU} would not be served by services/{SHOP}/deployments/eu-1 when {EU} moves to v1."
    ]
    assert order(rest["proposal"]) == [["secrets@ap-1"], ["secrets@us-1"]]
    act(olga, made["id"], "start")
    turn(made["id"])
    assert states(olga, made["id"])[0] == [("failed", "PLANNED")]
    assert olga.get(f"/api/v1/rollouts/{made['id']}").json()["state"] == "PAUSED"
    # The proposed waves are taken over: what can move goes on, what cannot comes last.
    stale = act(olga, made["id"], "replan", {"proposal_digest": "0" * 64})
    assert (stale.status_code, stale.json()["code"]) == (412, "rollout-proposal-changed")
    shown = act(olga, made["id"], "replan", {"proposal_digest": rest["digest"]}).json()
    assert shown["state"] == "RUNNING"
    assert [[each["region"] for each in wave] for wave in shown["waves"]] == [["ap-1"], ["us-1"], ["eu-1"]]
    assert [each["deployment"] for wave in shown["waves"] for each in wave][-1] == EU
    turn(made["id"])
    assert states(olga, made["id"]) == [
        [("running", "SYNCING")],
        [("waiting", "PLANNED")],
        [("waiting", "PLANNED")],
    ]
    entry = LedgerEntry.objects.get(action="rollout.replan", outcome="done")
    assert "would not be served" in entry.reason
    # What began stays where it is when it is planned again.
    act(olga, made["id"], "replan")
    assert states(olga, made["id"])[0] == [("running", "SYNCING")]


def test_a_deployment_that_failed_may_begin_once_its_import_is_there(olga: APIClient) -> None:
    made = planned(olga)
    shop()
    Import.objects.all().delete()
    Import.objects.create(
        service_id=SERVICE, target_id=SHOP, kind="imports", versions={"v1": "v1", "v1alpha2": "v1alpha2"}
    )
    act(olga, made["id"], "start")
    turn(made["id"])
    DeploymentRow.objects.filter(service_id=SHOP).update(current_version="v1")
    assert olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()["holds"] is True
    act(olga, made["id"], "retry", {"deployment": EU})
    turn(made["id"])
    assert states(olga, made["id"])[0] == [("running", "SYNCING")]


@pytest.mark.django_db(transaction=True)
def test_the_command_line_proposes(live_server: Any, olga: APIClient) -> None:
    shop()
    swy = Swy(live_server.url, token_of("olga"))
    found = json.loads(
        swy("rollout", "propose", "v1", "--service", SERVICE, "--prefer", "fastest", "-o", "json")
    )
    assert len(found["waves"]) == 1
    text = swy("rollout", "propose", "v1", "--service", SERVICE, "--service", SHOP, "-o", "table")
    assert "canary" in text or "balanced" in text


def opened(client: APIClient, region: str, effect: str, begin: timedelta, end: timedelta) -> None:
    """Set a single window or freeze of a region, so long from now."""
    now = timezone.now().astimezone(UTC).replace(tzinfo=None, microsecond=0)
    rule = {
        "name": f"{effect}-{region}",
        "effect": effect,
        "zone": "UTC",
        "region": region,
        "starts": (now + begin).isoformat(),
        "ends": (now + end).isoformat(),
    }
    answer = client.post("/api/v1/windows", rule, format="json")
    assert answer.status_code == 201, answer.content


def test_windows_and_freezes_decide_the_order_and_the_waves_that_are_left(olga: APIClient) -> None:
    made = planned(olga, waves=[[AP], [EU], [US]])
    rest = olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()
    assert (rest["holds"], rest["reasons"]) == (True, [])
    hour = timedelta(hours=1)
    opened(olga, "ap-1", "deny", -hour, 24 * hour)
    opened(olga, "us-1", "allow", 2 * hour, 8 * hour)

    # What an upgrade holds is in no new proposal.
    held = proposed(olga, services=SERVICE)["fastest"]
    assert (held["waves"], len(held["left_out"])) == ([], 3)
    assert held["left_out"][0]["reason"].endswith("holds it: finish or abort that one first.")
    expected = [["secrets@eu-1"], ["secrets@us-1"], ["secrets@ap-1"]]

    # The order of the rollout would wait for the freeze, and miss the window of today.
    rest = olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()
    assert rest["holds"] is False
    waits, summary = rest["reasons"]
    assert waits.startswith(f"Wave 1 waits for {AP}: the freeze deny-ap-1 ends at 20")
    assert [phrase["key"] for phrase in rest["reason_phrases"][0]] == [
        "Wave {wave} waits for {name}:",
        "the freeze {freeze} ends at {opens_at}",
    ]
    assert "too late for the last window of 1 of them" in summary
    assert order(rest["proposal"]) == expected
    act(olga, made["id"], "replan", {"proposal_digest": rest["digest"]})
    shown = olga.get(f"/api/v1/rollouts/{made['id']}").json()
    assert [[each["region"] for each in wave] for wave in shown["waves"]] == [["eu-1"], ["us-1"], ["ap-1"]]
    assert olga.get(f"/api/v1/rollouts/{made['id']}/proposal").json()["holds"] is True

    act(olga, made["id"], "stop")
    found = proposed(olga, services=SERVICE)
    assert {kind: order(proposal) for kind, proposal in found.items()} == dict.fromkeys(
        ("balanced", "fastest", "safest"), expected
    )
    (eu,), (us,), (ap,) = found["fastest"]["waves"]
    assert eu["not_before"] is None
    assert us["reasons"][0].startswith("its window allow-us-1 opens at 20")
    assert ap["reasons"][0].startswith("the freeze deny-ap-1 ends at 20")
    assert (
        datetime.now(UTC)
        < datetime.fromisoformat(us["not_before"])
        < datetime.fromisoformat(ap["not_before"])
    )
    # A region whose code does not serve the version yet keeps its service back, everywhere.
    DeploymentRow.objects.filter(name=US).update(available_upgrade=None)
    behind = proposed(olga, services=SERVICE)["safest"]
    assert {each["reason"] for each in behind["left_out"]} == {"The code in us-1 does not support v1 yet."}
    DeploymentRow.objects.filter(name=US).update(available_upgrade={"apiVersion": "v1"})

    # A policy that asks for a window where none is coming.
    ApprovalPolicy.objects.create(
        name="windows", purpose="switch", region="eu-1", needed=0, window_needed=True, updated_by="root"
    )
    (left,) = proposed(olga, services=SERVICE)["safest"]["left_out"]
    assert left["deployment"] == EU
    assert left["reason"].endswith("The policy asks for a window, and none is coming.")

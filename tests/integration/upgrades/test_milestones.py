"""Waiting for an upgrade by an operation, and `swy upgrade ensure` that stands on it."""

from __future__ import annotations

import json

import pytest
from rest_framework.test import APIClient

from migrations_app.control.upgrades.commands.request_switch import abort_upgrade
from migrations_app.models.operations import Operation
from migrations_app.models.upgrades import Upgrade
from tests.factories.access import make_account, token_of
from tests.integration.upgrades.conftest import OLGA, SERVICE
from tests.integration.upgrades.test_api import level, plan
from tests.swy import Swy

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fleet")]
PLACE = f"{SERVICE}@eu-1"


def wait(client: APIClient, upgrade: str, until: str) -> dict[str, object]:
    answer = client.post(f"/api/v1/upgrades/{upgrade}/wait", {"until": until}, format="json")
    assert answer.status_code == 202
    assert answer["Location"] == f"/api/v1/operations/{answer.json()['id']}"
    found: dict[str, object] = answer.json() | {"retry_after": answer.get("Retry-After")}
    return found


def test_an_operation_waits_until_the_upgrade_has_come_so_far(olga: APIClient) -> None:
    upgrade = str(plan(olga, start=True)["id"])
    ready, switched = wait(olga, upgrade, "ready"), wait(olga, upgrade, "switched")
    assert (ready["kind"], ready["state"], ready["retry_after"]) == ("upgrade.wait-ready", "running", "1")
    assert wait(olga, upgrade, "ready")["id"] == ready["id"]
    running = olga.get(f"/api/v1/operations/{ready['id']}")
    assert (running.json()["state"], running["Retry-After"]) == ("running", "1")

    level(upgrade)
    done = olga.get(f"/api/v1/operations/{ready['id']}")
    assert (done.json()["state"], done.get("Retry-After")) == ("done", None)
    assert done.json()["result"]["sentence"] == f"Upgrade {upgrade} is READY."
    assert olga.get(f"/api/v1/operations/{switched['id']}").json()["state"] == "running"
    at_once = wait(olga, upgrade, "ready")
    assert (at_once["state"], at_once["retry_after"]) == ("done", None)


def test_waiting_ends_where_the_upgrade_ends_otherwise(olga: APIClient) -> None:
    upgrade = str(plan(olga)["id"])
    switched = wait(olga, upgrade, "switched")
    abort_upgrade(OLGA, upgrade, None, "not today")
    failed = olga.get(f"/api/v1/operations/{switched['id']}").json()
    assert (failed["state"], failed["error"]["code"]) == ("failed", "milestone-unreachable")


def test_how_far_is_waited_for_is_one_of_three(olga: APIClient) -> None:
    upgrade = str(plan(olga, start=True)["id"])
    refused = olga.post(f"/api/v1/upgrades/{upgrade}/wait", {"until": "noon"}, format="json")
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (400, "until")
    rehearsed = olga.post(f"/api/v1/upgrades/{upgrade}/wait?dry_run=true", {"until": "ready"}, format="json")
    assert (rehearsed.status_code, Operation.objects.filter(kind="upgrade.wait-ready").count()) == (202, 0)


def test_a_plan_that_another_upgrade_forbids_names_it(olga: APIClient) -> None:
    upgrade = str(plan(olga, start=True)["id"])
    body = {"deployment": f"services/{SERVICE}/deployments/eu-1", "target_version": "v1"}
    refused = olga.post("/api/v1/upgrades", body, format="json")
    assert (refused.status_code, refused.json()["upgrade_id"]) == (409, upgrade)


def test_ensure_begins_once_asks_for_votes_and_tells_what_is_missing(live_web: str) -> None:
    for name, role in (("olga", "operator"), ("ann", "approver"), ("bob", "approver")):
        make_account(name, role)
    olga, ann, bob = (Swy(live_web, token_of(name)) for name in ("olga", "ann", "bob"))
    ensure = ("upgrade", "ensure", PLACE, "v1", "--timeout", "0")

    began = olga.run(*ensure, "--until", "ready")
    told = json.loads(began.stdout)
    assert (began.returncode, told["outcome"], told["state"]) == (5, "changed", "SYNCING")
    again = olga.run(*ensure, "--until", "ready")
    assert (again.returncode, json.loads(again.stdout)["outcome"]) == (5, "unchanged")
    assert Upgrade.objects.get().id == told["upgrade_id"]

    level(told["upgrade_id"])
    assert olga.told(*ensure, "--until", "ready")["state"] == "READY"
    asked = olga.run(*ensure)
    link = json.loads(asked.stdout)["approval"]
    assert asked.returncode == 4
    assert link.startswith(f"{live_web}/approvals/a")
    assert f"Votes are given at {link}" in asked.stderr

    voted = ann.run(*ensure)
    assert (voted.returncode, json.loads(voted.stdout)["outcome"]) == (4, "changed")
    assert ann.told("approvals", "show", link.rpartition("/")[2])["votes_given"] == 1
    assert bob.run(*ensure, "--no-approve").returncode == 4
    bob("approve", told["upgrade_id"], "-m", "ok")
    requested = olga.run(*ensure)
    assert (requested.returncode, json.loads(requested.stdout)["outcome"]) == (5, "changed")
    assert Upgrade.objects.get().request == "switch"
    followed = olga.run(*ensure)
    assert (followed.returncode, json.loads(followed.stdout)["outcome"]) == (5, "unchanged")

    other = olga.run("upgrade", "ensure", PLACE, "v2")
    assert (other.returncode, told["upgrade_id"] in other.stderr) == (6, True)
    assert olga.run("upgrade", "ensure", f"{SERVICE}@mars-1", "v1").returncode == 7
    served = olga.told("upgrade", "ensure", f"{SERVICE}@us-1", "v1alpha2")
    assert (served["outcome"], served["upgrade_id"]) == ("unchanged", "")
    assert olga.run("upgrade", "ensure", PLACE, "v1", "--until", "noon").returncode == 64

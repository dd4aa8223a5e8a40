"""The semantics every REST client may rely on: preconditions, repeats, rehearsals, waiting, lists and facets."""

from __future__ import annotations

import threading
import time
import uuid

import pytest
from django.db import connection
from rest_framework.test import APIClient

from migrations_app.control.operations.commands.run_operation import begin_operation
from migrations_app.control.operations.repository.operations import end_operation
from migrations_app.domain.access import Target
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import ShardReport, ShardState
from tests.integration.upgrades.conftest import EU, OLGA
from tests.integration.upgrades.test_api import UPGRADES, act, level, plan, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
US = EU.replace("eu-1", "us-1")
ACTIONS = (
    "start",
    "edit",
    "retry-shard",
    "pause",
    "resume",
    "request-approval",
    "switch",
    "rollback",
    "complete",
    "abort",
    "settle",
    "break-glass",
    "enable-reverse-replication",
)


def test_every_action_asks_which_state_was_seen_and_shows_the_present_one_when_it_is_another(
    olga: APIClient,
) -> None:
    body = plan(olga)
    for action in ACTIONS:
        blind = post(olga, f"/upgrades/{body['id']}/{action}")
        assert (blind.status_code, blind.json()["code"]) == (428, "precondition-required"), action
        tag = {"If-Match": '"0"'}
        stale = post(olga, f"/upgrades/{body['id']}/{action}", {"comment": "x"}, **tag)
        assert (stale.status_code, stale.json()["code"]) == (412, "upgrade-changed"), action
        assert stale.json()["current"]["rev"] == body["rev"], action
    assert Upgrade.objects.get().rev == body["rev"]


def test_a_caller_without_a_precondition_says_so(olga: APIClient) -> None:
    body = plan(olga)
    started = post(olga, f"/upgrades/{body['id']}/start", None, **{"If-Match": "*"})
    assert (started.status_code, started.json()["state"]) == (200, "SYNCING")


def test_a_repeated_plan_or_switch_happens_once(olga: APIClient) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    wish = {"deployment": EU, "target_version": "v1", "start": True}
    first, again = post(olga, "/upgrades", wish, **key), post(olga, "/upgrades", wish, **key)
    assert (again.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert again.json()["id"] == first.json()["id"]
    assert post(olga, "/upgrades", {**wish, "start": False}, **key).status_code == 422
    assert Upgrade.objects.count() == 1


def test_a_rehearsal_keeps_nothing_but_a_note(olga: APIClient) -> None:
    body = plan(olga)
    rehearsed = act(olga, body["id"], "start?dry_run=true")
    assert (rehearsed.status_code, rehearsed.json()["state"]) == (200, "SYNCING")
    assert Upgrade.objects.get().state == "PLANNED"
    noted = LedgerEntry.objects.filter(outcome="dry_run").values_list("action", flat=True)
    assert list(noted) == ["upgrade.start"]


def test_a_refused_guard_says_who_can_change_that(olga: APIClient) -> None:
    upgrade = plan(olga, start=True)["id"]
    level(upgrade)
    refused = act(olga, upgrade, "switch").json()
    assert refused["detail"] == (
        "0 of 2 approvals were given; none was asked for. "
        "Request approval. 2 people with the role or group approver must approve."
    )
    assert refused["who_can"] == ["role operator", "role automation", "role admin"]
    act(olga, upgrade, "request-approval")
    refused = act(olga, upgrade, "switch").json()
    assert refused["detail"] == "0 of 2 approvals were given. Wait for the votes of approver."
    assert refused["who_can"] == ["people with the role or group approver, except olga"]
    offered = olga.get(f"/api/v1/upgrades/{upgrade}").json()["actions"]
    switch = next(each for each in offered if each["action"] == "switch")
    start = next(action for action in offered if action["action"] == "start")
    assert [phrase["key"] for phrase in start["phrases"]] == [
        "The upgrade is ready to switch.",
        "Starting is possible only while it is planned.",
    ]
    assert switch["who_can"] == ["people with the role or group approver, except olga"]


@pytest.mark.django_db(transaction=True)
def test_an_operation_is_waited_for(olga: APIClient) -> None:
    operation = str(begin_operation(OLGA, "upgrade.switch", Target("upgrade", "u1"))["id"])

    def finish() -> None:
        time.sleep(0.5)
        end_operation(operation, "It is done.", failed=False)
        connection.close()

    other = threading.Thread(target=finish)
    other.start()
    told = olga.get(f"/api/v1/operations/{operation}?wait=60s").json()
    other.join()
    assert (told["state"], told["rev"]) == ("done", 2)
    assert olga.get(f"/api/v1/operations/{operation}?wait=soon").json()["code"] == "wait"
    assert olga.get(f"/api/v1/operations/{operation}?wait=61").json()["code"] == "wait"


@pytest.mark.django_db(transaction=True)
def test_an_upgrade_is_waited_for(olga: APIClient) -> None:
    body = plan(olga)
    at_once = olga.get(f"/api/v1/upgrades/{body['id']}?wait=60s&if_rev_gt={body['rev'] - 1}")
    assert at_once.json()["rev"] == body["rev"]

    def start() -> None:
        from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade

        time.sleep(0.5)
        start_upgrade(OLGA, body["id"])
        connection.close()

    other = threading.Thread(target=start)
    other.start()
    told = olga.get(f"/api/v1/upgrades/{body['id']}?wait=60s&if_rev_gt={body['rev']}").json()
    other.join()
    assert told["state"] == "SYNCING"
    assert olga.get(f"/api/v1/upgrades/{body['id']}?if_rev_gt=new").json()["code"] == "if-rev-gt"


def test_lists_are_sorted_counted_and_cut_to_fields(olga: APIClient) -> None:
    first = plan(olga, start=True)["id"]
    second = plan(olga, deployment=US)["id"]

    def ids(query: str) -> list[str]:
        return [each["id"] for each in olga.get(f"/api/v1/upgrades?{query}").json()["items"]]

    assert ids("sort=created_at") == [first, second]
    assert ids("sort=-created_at") == ids("") == [second, first]
    assert ids("sort=-started_at") == [first, second]
    assert ids("sort=-deployment") == [second, first]
    for order in ("started_at", "-state"):
        page = olga.get(f"/api/v1/upgrades?sort={order}&limit=1").json()
        rest = olga.get(f"/api/v1/upgrades?sort={order}&limit=1&cursor={page['next_cursor']}").json()
        assert [page["items"][0]["id"], rest["items"][0]["id"]] == ids(f"sort={order}")
    assert olga.get("/api/v1/upgrades?sort=colour").json()["code"] == "sort"
    page = olga.get("/api/v1/upgrades?fields=id,state&count=exact&limit=1").json()
    assert (page["items"], page["count"]) == ([{"id": second, "state": "PLANNED"}], 2)
    assert olga.get("/api/v1/upgrades?fields=colour").json()["code"] == "fields"
    assert olga.get("/api/v1/upgrades?count=roughly").json()["code"] == "count"


def test_facets_leave_their_own_filter_out(olga: APIClient) -> None:
    plan(olga, start=True)
    plan(olga, deployment=US)
    found = olga.get("/api/v1/upgrades/facets?region=eu-1").json()
    assert found["region"] == [{"value": "eu-1", "count": 1}, {"value": "us-1", "count": 1}]
    assert found["state"] == [{"value": "SYNCING", "count": 1}]
    assert olga.get("/api/v1/upgrades/facets?colour=red").json()["code"] == "parameter"


def test_what_moves_between_two_revisions_is_never_called_unchanged(olga: APIClient) -> None:
    upgrade_id = plan(olga)["id"]
    assert act(olga, upgrade_id, "start").status_code == 200
    path = f"/api/v1/upgrades/{upgrade_id}"
    first = olga.get(path)
    seen = ShardReport(3, ShardState.SYNCING, "backfill", copied=7, total=10)
    UPGRADES.report_shard(upgrade_id, seen)
    second = olga.get(path, headers={"If-None-Match": first["ETag"]})
    assert (second.status_code, second.json()["rev"]) == (200, first.json()["rev"])
    assert second.json()["shards"]["items"][3]["copied"] == 7
    assert second["ETag"].partition(".")[0] == first["ETag"].partition(".")[0]

    # A decision is about the revision: who saw older progress of the same one may act.
    assert post(olga, f"/upgrades/{upgrade_id}/pause", None, **{"If-Match": first["ETag"]}).status_code == 200


def test_what_rests_is_answered_304(olga: APIClient) -> None:
    upgrade_id = plan(olga)["id"]
    assert act(olga, upgrade_id, "abort").status_code in (200, 202)
    path = f"/api/v1/upgrades/{upgrade_id}"
    first = olga.get(path)
    again = olga.get(path, headers={"If-None-Match": first["ETag"]})
    assert (first.json()["state"], again.status_code, again["ETag"]) == ("ABORTED", 304, first["ETag"])

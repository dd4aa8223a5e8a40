"""Rollouts over HTTP and by their controller: all planned or none, wave after wave, stopped by a failure."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from migrations_app import wiring
from migrations_app.control.access.commands.bind_role import NewBinding, bind_role
from migrations_app.control.upgrade_state.repository.upgrades import DjangoUpgrades
from migrations_app.domain.switch.states import State, UpgradeEvent
from migrations_app.domain.switch.words import deployment_title
from migrations_app.engine.controller import Terms, reconcile
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import Deployment
from migrations_app.models.rollouts import Rollout
from migrations_app.models.upgrades import Upgrade, UpgradeTimelineEntry
from migrations_app.models.work import Work
from migrations_app.ports.upgrades import TimelineEntry
from tests.factories.access import FOUNDER, client_of
from tests.integration.upgrades.conftest import EU, SERVICE, define, register
from tests.integration.upgrades.test_api import level, post

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fleet")]
US, AP = EU.replace("eu-1", "us-1"), EU.replace("eu-1", "ap-1")
UPGRADES = DjangoUpgrades()


@pytest.fixture
def olga() -> APIClient:
    register("ap-1")
    return client_of("olga", "operator")


def planned(client: APIClient, **more: object) -> dict[str, Any]:
    wish = {"target_version": "v1", "waves": [[EU], [US, AP]], "title": "v1 everywhere", **more}
    answer = post(client, "/rollouts", wish)
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def act(client: APIClient, rollout: str, action: str, body: object = None) -> Any:
    tag = client.get(f"/api/v1/rollouts/{rollout}")["ETag"]
    return post(client, f"/rollouts/{rollout}/{action}", body, **{"If-Match": tag})


def turn(rollout: str) -> None:
    """Let the controller have its turn, whenever it wanted to look again."""
    Work.objects.filter(key=rollout).delete()
    ran = reconcile(
        wiring.controllers()["rollouts"],
        rollout,
        leases=wiring.leases(),
        clock=wiring.clock(),
        holder="test",
        terms=Terms(),
    )
    assert ran.error is None


def states(client: APIClient, rollout: str) -> list[list[tuple[str, str]]]:
    waves = client.get(f"/api/v1/rollouts/{rollout}").json()["waves"]
    return [[(each["state"], each["upgrade_state"]) for each in wave] for wave in waves]


def switch(deployment: str) -> None:
    """What the director and the approvers would do."""
    upgrade = Upgrade.objects.filter(deployment=deployment).latest("created_at").id
    level(upgrade)
    moved = UPGRADES.transition(
        UPGRADES.load(upgrade), UpgradeEvent.FREEZE, TimelineEntry("freeze", "freeze")
    )
    UPGRADES.transition(moved, UpgradeEvent.FLIP, TimelineEntry("flip", "flip"), clear_request=True)


def end(deployment: str, event: UpgradeEvent) -> None:
    upgrade = Upgrade.objects.filter(deployment=deployment).latest("created_at").id
    UPGRADES.transition(
        UPGRADES.load(upgrade), event, TimelineEntry(event.value, event.value), clear_request=True
    )


def test_wave_follows_wave_and_only_one_moves_at_a_time(olga: APIClient) -> None:
    rollout = planned(olga)["id"]
    assert states(olga, rollout) == [[("waiting", "PLANNED")], [("waiting", "PLANNED")] * 2]
    assert act(olga, rollout, "start").json()["sentence"] == (
        "v1 everywhere is at wave 1 of 2: 0 of 3 deployments moved."
    )
    turn(rollout)
    assert states(olga, rollout) == [[("running", "SYNCING")], [("waiting", "PLANNED")] * 2]
    switch(EU)
    turn(rollout)
    turn(rollout)
    assert states(olga, rollout) == [
        [("done", "REVERSIBLE")],
        [("running", "SYNCING"), ("waiting", "PLANNED")],
    ]
    switch(US)
    turn(rollout)
    turn(rollout)
    switch(AP)
    turn(rollout)
    turn(rollout)
    done = olga.get(f"/api/v1/rollouts/{rollout}").json()
    assert (done["state"], done["sentence"]) == ("DONE", "v1 everywhere is done: 3 of 3 deployments moved.")
    started = Upgrade.objects.get(deployment=US).lines.get(kind="started")
    assert started.text == f"Wave 2 of rollout {rollout} began; olga planned it."


def test_a_failure_stops_the_rest_until_a_person_decides(olga: APIClient) -> None:
    rollout = planned(olga, start=True)["id"]
    turn(rollout)
    end(EU, UpgradeEvent.ABORT)
    turn(rollout)
    paused = olga.get(f"/api/v1/rollouts/{rollout}").json()
    assert (paused["state"], paused["reason"]) == (
        "PAUSED",
        f"It waits for a decision about {deployment_title(EU)}.",
    )
    assert paused["reason_phrases"] == [
        {
            "key": "It waits for a decision about {deployments}.",
            "values": {"deployments": deployment_title(EU)},
        }
    ]
    assert states(olga, rollout) == [[("failed", "ABORTED")], [("waiting", "PLANNED")] * 2]
    refused = act(olga, rollout, "resume").json()
    assert (refused["code"], refused["detail"].partition(" Look")[0]) == (
        "rollout-state",
        "A deployment failed; retry or skip it first.",
    )

    again = act(olga, rollout, "retry", {"deployment": EU}).json()
    assert (again["state"], again["waves"][0][0]["upgrade_state"]) == ("RUNNING", "PLANNED")
    turn(rollout)
    end(EU, UpgradeEvent.ABORT)
    turn(rollout)
    assert act(olga, rollout, "skip", {"deployment": EU}).json()["code"] == "skip-reason"
    skipped = act(olga, rollout, "skip", {"deployment": EU, "comment": "its disk is full"}).json()
    assert (skipped["state"], skipped["waves"][0][0]["reason"]) == ("RUNNING", "its disk is full")
    turn(rollout)
    assert states(olga, rollout)[1] == [("running", "SYNCING"), ("waiting", "PLANNED")]
    told = LedgerEntry.objects.filter(target=rollout).order_by("id").values_list("action", flat=True)
    assert list(told)[-2:] == ["rollout.skip", "rollout.resume"]


def test_what_cannot_begin_any_more_is_a_failure_too(olga: APIClient) -> None:
    rollout = planned(olga, start=True)["id"]
    define("f2")
    turn(rollout)
    seen = olga.get(f"/api/v1/rollouts/{rollout}").json()
    assert seen["state"] == "PAUSED"
    assert seen["waves"][0][0]["reason"] == (
        "The plan changed: versions, conversion or shards are not what they were."
    )
    act(olga, rollout, "retry", {"deployment": EU})
    turn(rollout)
    assert states(olga, rollout)[0] == [("running", "SYNCING")]
    assert Upgrade.objects.filter(deployment=EU).count() == 2


def test_all_are_planned_or_none(olga: APIClient) -> None:
    post(olga, "/upgrades", {"deployment": US, "target_version": "v1"})
    wish = {"target_version": "v1", "waves": [[EU], [US, AP]]}
    would = post(olga, "/rollouts?dry_run=true", wish).json()
    assert (would["possible"], [each["possible"] for each in would["items"]]) == (False, [True, False, True])
    refused = post(olga, "/rollouts", wish)
    assert (refused.status_code, refused.json()["code"]) == (409, "rollout-refused")
    assert [(each["path"], each["code"]) for each in refused.json()["errors"]] == [
        ("waves.1.0", "guard-one-upgrade")
    ]
    assert (Rollout.objects.count(), Upgrade.objects.count()) == (0, 1)
    twice = post(olga, "/rollouts", {"target_version": "v1", "waves": [[EU], [EU]]})
    assert (twice.status_code, twice.json()["errors"][0]["path"]) == (400, "waves.1.0")


def test_stopping_aborts_what_did_not_switch_and_keeps_what_did(olga: APIClient) -> None:
    rollout = planned(olga, start=True, max_parallel=2)["id"]
    turn(rollout)
    switch(EU)
    turn(rollout)
    turn(rollout)
    assert states(olga, rollout)[1] == [("running", "SYNCING")] * 2
    stopped = act(olga, rollout, "stop", {"comment": "not today"}).json()
    assert (stopped["state"], stopped["reason"]) == ("STOPPED", "not today")
    assert {UPGRADES.live(each).request for each in (US, AP)} == {"abort"}  # type: ignore[union-attr]
    lines = UpgradeTimelineEntry.objects.filter(text__contains=" aborted it.")
    assert {line.text for line in lines} == {f"olga aborted it. Rollout {rollout} was stopped."}
    assert {line.phrases[1]["key"] for line in lines} == {"Rollout {id} was stopped."}
    live = UPGRADES.live(EU)
    assert live is not None
    assert (live.state, live.request) == (State.REVERSIBLE, None)


def test_a_wave_is_taken_back_together(olga: APIClient) -> None:
    rollout = planned(olga, start=True, waves=[[EU, US]], max_parallel=2)["id"]
    assert act(olga, rollout, "rollback").json()["code"] == "rollout-nothing-back"
    turn(rollout)
    for deployment in (EU, US):
        switch(deployment)
    turn(rollout)
    turn(rollout)
    back = act(olga, rollout, "rollback")
    assert (back.status_code, back.json()["state"]) == (200, "PAUSED")
    assert back.json()["reason"] == "olga asked to roll wave 1 back."
    assert {UPGRADES.live(each).request for each in (EU, US)} == {"revert"}  # type: ignore[union-attr]


def test_a_rollout_asks_for_the_right_to_all_of_it(olga: APIClient) -> None:
    rollout = planned(olga)["id"]
    local = client_of("local", "viewer")
    bind_role(FOUNDER, NewBinding("account", "local", "operator", service="*", region="eu-1"))
    refused = act(local, rollout, "start")
    there = f"of {SERVICE} @ us-1"
    named = [f"operator {there}", f"automation {there}", f"admin {there}"]
    assert (refused.status_code, refused.json()["who_can"]) == (403, named)
    offered = local.get(f"/api/v1/rollouts/{rollout}").json()["actions"]
    assert not any(each["allowed"] for each in offered)
    assert post(olga, f"/rollouts/{rollout}/start").status_code == 428
    stale = post(olga, f"/rollouts/{rollout}/start", None, **{"If-Match": '"9"'})
    assert (stale.status_code, stale.json()["current"]["state"]) == (412, "PLANNED")
    assert Rollout.objects.get().state == "PLANNED"


def edit(client: APIClient, deployment: str, hours: int) -> str:
    upgrade = Upgrade.objects.filter(deployment=deployment).latest("created_at").id
    tag = client.get(f"/api/v1/upgrades/{upgrade}")["ETag"]
    answer = post(client, f"/upgrades/{upgrade}/edit", {"rollback_hours": hours}, **{"If-Match": tag})
    assert answer.status_code == 200, answer.content
    return str(answer.json()["plan_digest"])


def test_a_rollout_is_planned_as_its_dry_run_showed_or_not_at_all(olga: APIClient) -> None:
    wish = {"target_version": "v1", "waves": [[EU], [US, AP]], "pause_seconds": 60}
    shown = post(olga, "/rollouts?dry_run=true", wish).json()["plan_digest"]
    assert len(shown) == 64
    other = post(olga, "/rollouts", wish | {"waves": [[EU, US, AP]], "plan_digest": shown})
    assert (other.status_code, other.json()["code"]) == (412, "rollout-plan-changed")
    assert (Rollout.objects.count(), Upgrade.objects.count()) == (0, 0)

    made = planned(olga, pause_seconds=60, plan_digest=shown)
    assert made["plan_digest"] == shown
    assert [each["plan_digest"] for wave in made["waves"] for each in wave] == [
        Upgrade.objects.get(deployment=each).plan_digest for each in (EU, US, AP)
    ]
    assert LedgerEntry.objects.get(action="rollout.plan").after["plan_digest"] == shown
    # A dry run that cannot be planned names no plan.
    assert post(olga, "/rollouts?dry_run=true", wish).json()["plan_digest"] == ""


def test_a_plan_that_was_changed_after_the_rollout_was_planned_does_not_begin(olga: APIClient) -> None:
    made = planned(olga)
    rollout, bound = made["id"], made["waves"][0][0]["plan_digest"]
    changed = edit(olga, EU, 24)
    seen = olga.get(f"/api/v1/rollouts/{rollout}").json()
    assert (seen["plan_digest"], seen["waves"][0][0]["plan_changed"]) == (made["plan_digest"], True)
    refused = act(olga, rollout, "start", {"plan_digest": made["plan_digest"]})
    assert (refused.status_code, refused.json()["code"]) == (412, "rollout-plan-changed")

    # Without saying what was looked at it starts; what was changed still does not begin.
    act(olga, rollout, "start")
    turn(rollout)
    stopped = olga.get(f"/api/v1/rollouts/{rollout}").json()
    assert (stopped["state"], states(olga, rollout)[0]) == ("PAUSED", [("failed", "PLANNED")])
    assert stopped["waves"][0][0]["reason"] == (
        f"Its plan was changed after the rollout was planned: {changed[:12]} instead of {bound[:12]}."
    )
    taken = act(olga, rollout, "retry", {"deployment": EU}).json()
    assert (taken["state"], taken["waves"][0][0]["plan_digest"]) == ("RUNNING", changed)
    assert taken["waves"][0][0]["upgrade_id"] == made["waves"][0][0]["upgrade_id"]
    assert taken["plan_digest"] != made["plan_digest"]
    note = LedgerEntry.objects.get(action="rollout.retry")
    assert note.after == {"deployment": EU, "plan_digest": taken["plan_digest"], "rev": taken["rev"]}
    turn(rollout)
    assert states(olga, rollout)[0] == [("running", "SYNCING")]


def test_a_changed_plan_is_taken_before_the_rollout_starts(olga: APIClient) -> None:
    rollout = planned(olga)["id"]
    refused = act(olga, rollout, "retry", {"deployment": EU}).json()
    assert refused["code"] == "rollout-item"
    assert "Its upgrade waits for its wave." in refused["detail"]
    edit(olga, EU, 24)
    taken = act(olga, rollout, "retry", {"deployment": EU}).json()
    assert (taken["state"], taken["waves"][0][0]["plan_changed"]) == ("PLANNED", False)
    begun = act(olga, rollout, "start", {"plan_digest": taken["plan_digest"]})
    assert (begun.status_code, begun.json()["state"]) == (200, "RUNNING")


def test_who_saw_an_older_rollout_is_shown_the_present_one_and_who_made_it_that(olga: APIClient) -> None:
    rollout = planned(olga)["id"]
    seen = olga.get(f"/api/v1/rollouts/{rollout}")["ETag"]
    assert act(olga, rollout, "skip", {"deployment": US, "comment": "later"}).status_code == 200
    stale = post(olga, f"/rollouts/{rollout}/stop", {}, **{"If-Match": seen})
    assert (stale.status_code, stale.json()["code"]) == (412, "rollout-changed")
    assert (stale.json()["changed"]["who"], stale.json()["changed"]["what"]) == ("olga", "later")
    assert stale.json()["current"] == olga.get(f"/api/v1/rollouts/{rollout}").json()
    act(olga, rollout, "start")
    begun = olga.get(f"/api/v1/rollouts/{rollout}")["ETag"]
    turn(rollout)
    # No account let a wave go on: a wrong name would be worse than none.
    stale = post(olga, f"/rollouts/{rollout}/stop", {}, **{"If-Match": begun})
    assert (stale.status_code, stale.json()["changed"]) == (412, None)


def test_only_versions_that_all_deployments_can_go_to_are_reachable_together(olga: APIClient) -> None:
    register("sa-1", offered="")
    names = ",".join([EU, US])
    told = olga.get(f"/api/v1/rollouts/targets?deployments={names}").json()["items"]
    code = {
        "key": "The code in {regions} does not support {version} yet.",
        "values": {"regions": "sa-1", "version": "v1"},
    }
    behind = ("The code in sa-1 does not support v1 yet.", code)
    runs = ("It runs this version already.", {"key": "It runs this version already.", "values": {}})
    assert told == [
        {
            "version": version,
            "reachable": False,
            "unreachable": [{"deployment": name, "reason": reason, "phrases": [phrase]} for name in (EU, US)],
        }
        for version, (reason, phrase) in (("v1", behind), ("v1alpha2", runs))
    ]
    Deployment.objects.filter(region_id="sa-1").delete()
    told = olga.get(f"/api/v1/rollouts/targets?deployments={names}").json()["items"]
    assert [(each["version"], each["reachable"], len(each["unreachable"])) for each in told] == [
        ("v1", True, 0),
        ("v1alpha2", False, 2),
    ]
    assert olga.get("/api/v1/rollouts/targets?deployments=nobody").json()["code"] == "deployment-missing"

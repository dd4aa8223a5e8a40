"""A whole upgrade on real processes: by `switchyard_client`, by gRPC, and by curl from the OpenAPI document alone."""

from __future__ import annotations

import asyncio
import time

import grpc
import pytest

from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.models.registry import Deployment
from switchyard_client import AsyncClient, Client, Conflict, NotFound, PreconditionFailed, models
from tests.contract.meta.transports import Grpc
from tests.factories.access import token_of
from tests.integration.switch.described_api import DescribedApi
from tests.integration.switch.secrets_upgrade import DEPLOYMENT, ROOT
from tests.integration.switch.served_secrets import NEW, PATIENCE_SECONDS
from tests.integration.switch.served_secrets import console as console
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)


def approve(console: Client, upgrade_id: str) -> None:
    """Ask for the votes, and have two people give them."""
    seen = console.upgrade(upgrade_id)
    asked = console.request_approval_upgrade(upgrade_id, {"comment": "by the client"}, if_match=seen.etag)
    request_id = asked.value.readiness.approvals.request_id
    for name in ("ann", "bob"):
        with Client(str(console.http.base_url), token_of(name)) as voter:
            request = voter.approval(request_id)
            assert request.value.state == "OPEN"
            voter.approve(request_id, {"comment": "read"}, if_match=request.etag)


def switch(console: Client, upgrade_id: str) -> None:
    """Switch, as soon as the first full comparison has ended."""
    ends = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = console.upgrade(upgrade_id)
        try:
            console.wait_for(console.switch_upgrade(upgrade_id, if_match=seen.etag), PATIENCE_SECONDS)
            return
        except (Conflict, PreconditionFailed):
            if time.monotonic() > ends:
                raise
            time.sleep(0.5)


async def history(url: str, token: str, upgrade_id: str) -> tuple[list[str], list[str]]:
    """Read with the other client what became of an upgrade: by the live stream, and by the lists."""
    states: list[str] = []
    async with AsyncClient(url, token) as console:
        async for message in console.events(f"upgrade:{upgrade_id}", since=0, timeout=60):
            state = (message.body.get("full") or message.body.get("patch") or {}).get("state")
            if state and states[-1:] != [state]:
                states.append(state)
            if state == "COMPLETED":
                break
        listed = [upgrade.id async for upgrade in console.iter_upgrades(limit=1)]
    return states, listed


def test_a_whole_upgrade_by_the_client(console: Client, live_worker: Children) -> None:
    plan = models.NewUpgradeRequest(deployment=DEPLOYMENT, target_version="v1", start=True)
    rehearsed = console.plan_upgrade(plan, dry_run=True).value
    assert isinstance(rehearsed, models.DryRun)
    assert rehearsed.possible
    assert console.upgrades().value.items == []

    begun = console.plan_upgrade(plan, idempotency_key="once")
    assert isinstance(begun.value, models.Upgrade)
    upgrade_id = begun.value.id
    again = console.plan_upgrade(plan, idempotency_key="once")
    assert (again.is_replayed, again.value.id) == (True, upgrade_id)
    with pytest.raises(Conflict) as second:
        console.plan_upgrade(plan)
    assert second.value.upgrade_id == upgrade_id

    ready = console.wait_for(console.await_upgrade(upgrade_id, {"until": "ready"}), PATIENCE_SECONDS)
    assert ready.state == "done", live_worker.log("worker")
    approve(console, upgrade_id)
    switch(console, upgrade_id)
    switched = console.upgrade(upgrade_id)
    assert switched.value.state == "REVERSIBLE"
    assert console.deployment("secrets.example.com", "eu-west1").value.current_version == "v1"
    assert console.request("GET", f"{NEW}/s7").value["displayName"] == "Secret 7"

    with pytest.raises(PreconditionFailed):
        console.complete_upgrade(upgrade_id, if_match='"1"')
    done = console.wait_for(console.complete_upgrade(upgrade_id, if_match=switched.etag), PATIENCE_SECONDS)
    assert done.state == "done"
    assert console.upgrade(upgrade_id).value.state == "COMPLETED"
    with pytest.raises(NotFound):
        console.upgrade("u0000000000")

    states, listed = asyncio.run(history(str(console.http.base_url), token_of("olga"), upgrade_id))
    assert states[-1] == "COMPLETED"
    assert listed == [upgrade_id]


def test_a_whole_upgrade_by_grpc(console: Client, live_worker: Children) -> None:
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(ROOT, Policy(f"free-{purpose.value}", purpose, needed=0))
    with grpc.insecure_channel(live_worker.start_grpc()) as channel:
        meta = Grpc(channel, token_of("olga"))
        switching = {"name": DEPLOYMENT, "automaticVersionSwitch": True}
        meta.call("UpdateDeployment", {"deployment": switching, "updateMask": "automaticVersionSwitch"})
        offer = {"name": DEPLOYMENT, "targetApiVersion": "v1", "totalShardsCount": 6}
        meta.call("SetAvailableUpgrade", offer)
        meta.call("BeginUpgrade", {"name": DEPLOYMENT})
        stages = set()
        for message in meta.watch("WatchDeployment", {"name": DEPLOYMENT}):
            change = message.change
            shown = next(
                (
                    getattr(change, kind).deployment
                    for kind in ("added", "modified", "current")
                    if change.HasField(kind)
                ),
                None,
            )
            if shown is None:
                continue
            if shown.HasField("upgrade_state"):
                stages.add(shown.upgrade_state.stage)
            elif shown.current_version == "v1":
                break
        assert 1 in stages
        done = meta.call("GetDeployment", {"name": DEPLOYMENT})
        assert (done.current_version, done.HasField("upgrade_state")) == ("v1", False)
    (upgrade,) = console.upgrades().value.items
    assert (upgrade.state, upgrade.automatic) == ("REVERSIBLE", True)
    # The data have six shards from now on, where they had four.
    assert Deployment.objects.get(pk=DEPLOYMENT).ring == 6
    assert console.request("GET", f"{NEW}/s7").value["displayName"] == "Secret 7"


def test_a_whole_upgrade_by_curl_from_the_document_alone(console: Client) -> None:
    url = str(console.http.base_url).rstrip("/")
    olga = DescribedApi(url, token_of("olga"))
    plan = {"deployment": DEPLOYMENT, "target_version": "v1", "start": True}
    assert olga.call("plan_upgrade", plan, query={"dry_run": "true"}).body["possible"]
    begun = olga.call("plan_upgrade", plan)
    upgrade = {"id": begun.body["id"]}
    olga.wait(olga.call("await_upgrade", {"until": "ready"}, path=upgrade))
    seen = olga.call("upgrade", path=upgrade)
    asked = olga.call("request_approval_upgrade", {"comment": "by curl"}, path=upgrade, tag=seen.tag)
    request = {"id": asked.body["readiness"]["approvals"]["request_id"]}
    for name in ("ann", "bob"):
        voter = DescribedApi(url, token_of(name))
        read = voter.call("approval", path=request)
        voter.call("approvals_approve_create", {"comment": "read"}, path=request, tag=read.tag)
    ends = time.monotonic() + PATIENCE_SECONDS
    while True:
        seen = olga.call("upgrade", path=upgrade)
        if seen.body["state"] == "REVERSIBLE":
            break
        assert time.monotonic() < ends, seen.body["sentence"]
        if seen.body["operation_id"]:
            time.sleep(0.5)
            continue
        switched = olga.call("switch_upgrade", {}, path=upgrade, tag=seen.tag, may_refuse=(409, 412))
        if switched.status < 300:
            olga.wait(switched)
        else:
            # The first full comparison takes its time: the refusal says so, and the same request succeeds later.
            time.sleep(0.5)
    olga.wait(olga.call("complete_upgrade", {}, path=upgrade, tag=seen.tag))
    assert olga.call("upgrade", path=upgrade).body["state"] == "COMPLETED"
    where = {"service": "secrets.example.com", "region": "eu-west1"}
    assert olga.call("deployment", path=where).body["current_version"] == "v1"

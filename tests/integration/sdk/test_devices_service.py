"""The devices service in a process of its own: registered, called in both versions through switch and rollback, killed."""

from __future__ import annotations

import time

import httpx
import pytest

from migrations_app.control.registry.repository import registry
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import request_rollback, request_switch
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment
from migrations_app.domain.switch.states import State
from tests.integration.sdk.devices import DEPLOYMENT, DEVICE, Devices, Rebooting, running_devices
from tests.integration.switch.secrets_upgrade import OLGA
from tests.integration.switch.test_extensions import work_until
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)


def reboots(devices: Devices) -> int:
    with devices.client("v1") as client:
        return int(client.get(DEVICE).json().get("reboots", 0))


def test_calls_in_both_versions_happen_once_each_through_copy_switch_and_rollback(
    children: Children, data_database: str
) -> None:
    with running_devices(children, data_database) as devices:
        began = devices.status()
        assert (began["currentVersion"], began["versionsSeen"]) == ("v1", ["v1"])
        assert DEPLOYMENT in began["deployments"]
        mine = registry.get(RegistryKind.DEPLOYMENT, DEPLOYMENT)
        assert isinstance(mine, Deployment)
        assert mine.env_registry_generation == 1
        with Rebooting(devices) as rebooting:
            rebooting.more("v1")
            upgrade = start_upgrade(OLGA, plan_upgrade(OLGA, UpgradeSpec(DEPLOYMENT, "v2")).upgrade_id)
            work_until(upgrade, State.READY)
            rebooting.more("v1")
            early = {"not-found", "read-only-before-switch", "version-not-served"}
            assert set(rebooting.calls["v2"].refused) <= early
            work_until(upgrade, State.REVERSIBLE, request_switch)
            devices.status_with("currentVersion", "v2")
            rebooting.more("v2")
            rebooting.more("v1")
            assert rebooting.calls["v2"].handlers == {"v2"}
            work_until(upgrade, State.REVERTED, request_rollback)
            ended = devices.status_with("currentVersion", "v1")
            rebooting.more("v1")

    with devices.client("v1") as client:
        count = int(client.get(DEVICE).json()["reboots"])
    assert (rebooting.uncertain, count) == (0, rebooting.acknowledged)
    assert (ended["pid"], ended["versionsSeen"]) == (began["pid"], ["v1", "v2", "v1"])
    assert rebooting.calls["v1"].handlers == {"v1", "v2"}
    assert all(calls.streams > 0 for calls in rebooting.calls.values())


def test_a_service_that_is_killed_is_unavailable_and_registers_again(
    children: Children, data_database: str
) -> None:
    with running_devices(children, data_database) as devices, Rebooting(devices) as rebooting:
        rebooting.more("v1")
        children.kill("devices")
        with devices.client("v1") as client:
            down = client.post(f"{DEVICE}:reboot", json={})
        assert (down.status_code, down.json()["code"]) == (503, "backend-unavailable")
        # Killed at several moments of its registration, it leaves one that the next start completes.
        for seconds in (0.4, 0.7, 1.0, 1.4):
            devices.launch_service()
            time.sleep(seconds)
            children.kill("devices")
        devices.start_service()
        rebooting.more("v1")
    count = reboots(devices)
    assert rebooting.acknowledged <= count <= rebooting.acknowledged + rebooting.uncertain
    assert [each.region_id for each in registry.deployments_of("devices.example.com")] == ["eu-west1"]


def test_a_call_without_the_token_of_its_switchyard_is_refused(
    children: Children, data_database: str
) -> None:
    with running_devices(children, data_database) as devices:
        url = f"http://127.0.0.1:{devices.port}/v1/{DEVICE}:reboot"
        for headers in ({}, {"authorization": "Bearer a.b.c"}, {"authorization": f"Bearer {devices.token}"}):
            refused = httpx.post(url, json={}, headers=headers, timeout=60)
            assert (refused.status_code, refused.json()["code"]) == (403, "service-token")
        assert reboots(devices) == 0

"""`make up` with the example fleet: its devices are answered by their own service, and its regions read each other."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator

import httpx
import pytest

from tests import migrated
from tests.integration.base.test_up import Up

DEVICES = "/apis/eu-west1/devices.example.com/v1/projects/p/regions/eu-west1/devices"
USERS = "iam.example.com/v1/users"


def until(holds: Callable[[], bool], what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.2)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A running installation with the example fleet."""
    home = tmp_path_factory.mktemp("fleet") / "home"
    migrated.furnish(home)
    running = Up(home, SWITCHYARD_EXAMPLE="true")
    try:
        yield running.ready()
    finally:
        assert running.stop() == 0, running.text


@pytest.fixture
def client(up: Up) -> Iterator[httpx.Client]:
    """A client of it with a token of automation."""
    token = json.loads((up.home / "credentials.json").read_text())["accounts"]["automation"]["token"]
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=f"http://127.0.0.1:{up.port}", headers=headers, timeout=60) as client:
        yield client


def test_the_devices_of_the_example_fleet_are_rebooted_by_their_own_process(
    up: Up, client: httpx.Client
) -> None:
    log = up.home / "logs" / "devices-service.log"
    until(lambda: "registered, listens on port" in log.read_text(), "it did not register")
    made = client.post(DEVICES, params={"id": "router"}, json={"serial": "S-1"})
    assert made.status_code == 201, made.text

    def reboot() -> httpx.Response:
        return client.post(f"{DEVICES}/router:reboot", json={"reason": "test"})

    assert reboot().json()["reboots"] == 1
    deployment = client.get("/meta/v1/services/devices.example.com/deployments/eu-west1").json()
    assert str(deployment["envRegistryGeneration"]) == "1"
    os.kill(up.pid("devices-service"), signal.SIGKILL)
    until(lambda: log.read_text().count("registered, listens on port") == 2, "it did not come back")
    assert reboot().json()["reboots"] == 2


def test_a_resource_of_one_region_appears_in_the_others(up: Up, client: httpx.Client) -> None:
    assert up.becomes_ready()
    made = client.post(f"/apis/eu-west1/{USERS}", params={"id": "ada"}, json={"email": "ada@example.com"})
    assert made.status_code == 201, made.text
    assert made.json()["metadata"]["syncing"] == {
        "owningRegion": "eu-west1",
        "regions": ["ap-south3", "eu-west1", "us-east2"],
    }
    for region in ("us-east2", "ap-south3"):
        address = f"/apis/{region}/{USERS}/ada"
        until(lambda address=address: client.get(address).status_code != 404, up.text[-3000:])
        found = client.get(address)
        assert (found.status_code, found.json()) == (200, made.json())

"""`make up` with the example fleet: its devices are answered by a service that registered itself, also after kill -9."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import httpx

from tests.integration.base.test_up import Up

PARENT = "projects/p/regions/eu-west1/devices"


def until(holds: Callable[[], bool], what: str, seconds: float = 90) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.2)


def test_the_devices_of_the_example_fleet_are_rebooted_by_their_own_process(tmp_path: Path) -> None:
    up = Up(tmp_path / "home", SWITCHYARD_EXAMPLE="true")
    try:
        up.wait_for("Stop: Ctrl-C", seconds=240)
        token = json.loads((up.home / "credentials.json").read_text())["accounts"]["automation"]["token"]
        log = up.home / "logs" / "devices-service.log"
        until(lambda: "registered, listens on port" in log.read_text(), "it did not register")
        headers = {"Authorization": f"Bearer {token}"}
        base = f"http://127.0.0.1:{up.port}"
        with httpx.Client(base_url=base, headers=headers, timeout=60) as client:
            api = "/apis/eu-west1/devices.example.com/v1"
            made = client.post(f"{api}/{PARENT}", params={"id": "router"}, json={"serial": "S-1"})
            assert made.status_code == 201, made.text

            def reboot() -> httpx.Response:
                return client.post(f"{api}/{PARENT}/router:reboot", json={"reason": "test"})

            assert reboot().json()["reboots"] == 1
            deployment = client.get("/meta/v1/services/devices.example.com/deployments/eu-west1").json()
            assert str(deployment["envRegistryGeneration"]) == "1"
            os.kill(up.pid("devices-service"), signal.SIGKILL)
            until(lambda: log.read_text().count("registered, listens on port") == 2, "it did not come back")
            assert reboot().json()["reboots"] == 2
    finally:
        assert up.stop() == 0, up.text

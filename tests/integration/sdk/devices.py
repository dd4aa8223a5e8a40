"""The devices of the example fleet with their service in a process of its own, and clients that reboot one device."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
from django.conf import settings

from console.env import ROOT
from migrations_app.adapters.service_tokens import ServiceKeys
from migrations_app.control.approvals.commands.apply_policy import apply_policy
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.models.registry import Deployment
from tests.factories.access import make_account, token_of
from tests.integration.resource_api.conftest import EXAMPLES, REGION, files_of
from tests.processes import Children, free_port

SERVICE = "devices.example.com"
DEPLOYMENT = f"services/{SERVICE}/deployments/{REGION}"
DEVICE = f"projects/p/regions/{REGION}/devices/router"
CURRENT = {"iam": "v1", "secrets": "v1alpha2", "devices": "v1"}
UNCERTAIN = ("backend-unavailable", "deadline-exceeded", "handler-failed")


@dataclass
class Devices:
    """A web process, the service beside it, and their addresses."""

    children: Children
    token: str
    port: int = field(default_factory=free_port)
    url: str = ""

    def start_web(self) -> None:
        backends = (f"{SERVICE}/{version}@{REGION}=http://127.0.0.1:{self.port}" for version in ("v1", "v2"))
        self.url = self.children.start_web(SWITCHYARD_METHOD_BACKENDS=" ".join(backends))

    def launch_service(self) -> None:
        """Start the service."""
        self.children.start(
            "devices",
            [sys.executable, str(EXAMPLES / "devices-service" / "devices_service.py")],
            PYTHONPATH=f"{ROOT / 'sdk'}:{ROOT}",
            DEVICES_URL=self.url,
            DEVICES_TOKEN=self.token,
            DEVICES_KEY=ServiceKeys.of(settings.SECRET_KEY, settings.SWITCHYARD.service_key).public,
            DEVICES_REGION=REGION,
            DEVICES_PORT=str(self.port),
        )

    def start_service(self) -> None:
        """Start the service, and wait until it is registered."""
        self.launch_service()
        self.status_with("currentVersion")

    def status(self) -> dict[str, Any]:
        """What the service says of itself."""
        answer: dict[str, Any] = httpx.get(f"http://127.0.0.1:{self.port}/status", timeout=60).json()
        return answer

    def status_with(self, key: str, value: object = None, seconds: float = 60.0) -> dict[str, Any]:
        """Wait until the service says something."""
        until = time.monotonic() + seconds
        said: dict[str, Any] = {}
        while time.monotonic() < until:
            try:
                said = self.status()
            except httpx.HTTPError:
                time.sleep(0.1)
                continue
            if said.get(key) == value or (value is None and said.get(key)):
                return said
            time.sleep(0.1)
        raise AssertionError(f"{key} is not {value!r}: {said}\n{self.children.log('devices')}")

    def client(self, version: str, timeout: float = 60.0) -> httpx.Client:
        """Give a client of the resource API in a version."""
        return httpx.Client(
            base_url=f"{self.url}/apis/{REGION}/{SERVICE}/{version}/",
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=timeout,
        )


def applied_devices(database: str) -> None:
    """Register the devices and what they import, with their data in a database."""
    apply_region(SYSTEM, REGION, "Belgium")
    for folder in CURRENT:
        apply_service(SYSTEM, files_of(EXAMPLES / "fleet" / folder))
    for folder, version in CURRENT.items():
        name = f"services/{folder}.example.com/deployments/{REGION}"
        apply_deployment(SYSTEM, name, {"currentVersion": version}, database=database)
    # Four shards: what is tested is the service, not how much is carried.
    Deployment.objects.filter(pk=DEPLOYMENT).update(ring=4)
    for purpose in (Purpose.SWITCH, Purpose.REVERT):
        apply_policy(SYSTEM, Policy(f"free-{purpose.value}", purpose, needed=0))


@contextmanager
def running_devices(children: Children, database: str) -> Iterator[Devices]:
    """Run the devices with one device, whose service has registered itself."""
    applied_devices(database)
    make_account("devices", "automation", kind="service")
    devices = Devices(children, token_of("devices"))
    devices.start_web()
    devices.start_service()
    with devices.client("v1") as client:
        collection, _, id = DEVICE.rpartition("/")
        made = client.post(collection, params={"id": id}, json={"serial": "S-1"})
        assert made.status_code == 201, made.text
    yield devices


@dataclass
class Calls:
    """What came of the calls of one version."""

    version: str
    acknowledged: int = 0
    uncertain: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    handlers: set[str] = field(default_factory=set)
    streams: int = 0


class Rebooting:
    """Threads that reboot and diagnose one device in two versions until they are stopped."""

    def __init__(self, devices: Devices, pause_seconds: float = 0.02) -> None:
        self._devices, self._pause_seconds = devices, pause_seconds
        self._stop = threading.Event()
        self.calls = {version: Calls(version) for version in ("v1", "v2")}
        self._threads = [threading.Thread(target=self._run, args=(each,)) for each in self.calls.values()]
        self.failure: BaseException | None = None

    def __enter__(self) -> Rebooting:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        if self.failure is not None:
            raise self.failure

    @property
    def acknowledged(self) -> int:
        return sum(each.acknowledged for each in self.calls.values())

    @property
    def uncertain(self) -> int:
        return sum(each.uncertain for each in self.calls.values())

    def more(self, version: str, count: int = 5, seconds: float = 60.0) -> None:
        """Wait until so many more calls of a version are answered."""
        calls, until = self.calls[version], time.monotonic() + seconds
        wanted = calls.acknowledged + count
        while calls.acknowledged < wanted:
            assert time.monotonic() < until, calls
            assert self.failure is None, self.failure
            time.sleep(0.02)

    def _run(self, calls: Calls) -> None:
        try:
            with self._devices.client(calls.version) as client:
                while not self._stop.is_set():
                    self._reboot(client, calls)
                    self._diagnose(client, calls)
                    self._stop.wait(self._pause_seconds)
        except BaseException as error:
            self.failure = error

    @staticmethod
    def _reboot(client: httpx.Client, calls: Calls) -> None:
        answer = client.post(f"{DEVICE}:reboot", json={"reason": "test"})
        if answer.status_code == 200:
            calls.acknowledged += 1
            calls.handlers.add(answer.headers["Switchyard-Handler"])
            return
        problem = answer.json()
        calls.refused[problem["code"]] = calls.refused.get(problem["code"], 0) + 1
        if problem["code"] in UNCERTAIN and "did not get the call" not in problem["detail"]:
            calls.uncertain += 1

    @staticmethod
    def _diagnose(client: httpx.Client, calls: Calls) -> None:
        answer = client.post(f"{DEVICE}:diagnose", json={})
        if answer.status_code == 200 and "error" not in answer.text:
            findings = [line for line in answer.text.splitlines() if line]
            assert findings[0] == '{"finding":"serial S-1"}', answer.text
            assert len(findings) == 2, answer.text
            calls.streams += 1

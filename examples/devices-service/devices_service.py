"""The methods of `devices.example.com` in a process of their own, by `switchyard-sdk`.

It registers its deployment and blocks until the registry has it; then it answers `reboot` and `diagnose` of devices in
v1 and v2, and follows the version of its deployment: nothing restarts it when that switches. `make up` runs one.

    DEVICES_URL=http://localhost:8000 DEVICES_TOKEN=swy_… DEVICES_KEY=… DEVICES_REGION=eu-west1 DEVICES_PORT=9100 \
        python examples/devices-service/devices_service.py

`DEVICES_KEY` is what `manage.py service_key` prints. `DEVICES_URL=local` runs it without a registry.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from switchyard_sdk import (
    EnvRegistry,
    LocalRegistry,
    MethodCall,
    MethodServer,
    Registration,
    ResourceClient,
    SwitchyardError,
    TokenVerifier,
    connect,
    serve,
)

SERVICE = "devices.example.com"
VERSIONS = ("v1", "v2")
SERIAL = {"v1": "serial", "v2": "serialNumber"}

log = logging.getLogger("devices-service")


@dataclass(frozen=True)
class Settings:
    """What the process is started with."""

    url: str
    token: str
    key: str
    region: str
    host: str
    port: int

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> Settings:
        """Read the environment; a missing variable is named."""
        missing = [name for name in ("DEVICES_URL", "DEVICES_KEY", "DEVICES_REGION") if not environ.get(name)]
        if missing:
            sys.exit(f"devices-service: {', '.join(missing)} is not set.")
        return cls(
            environ["DEVICES_URL"],
            environ.get("DEVICES_TOKEN", ""),
            environ["DEVICES_KEY"],
            environ["DEVICES_REGION"],
            environ.get("DEVICES_HOST", "127.0.0.1"),
            int(environ.get("DEVICES_PORT", "0")),
        )


@dataclass
class DevicesService:
    """What the methods stand on: the picture of the registry, and the resources."""

    env: EnvRegistry
    resources: ResourceClient
    calls: int = 0
    versions_seen: list[str] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def reboot(self, call: MethodCall) -> dict[str, object]:
        """Count a reboot of a device, in the version of the call."""
        device = self.resources.update(
            call.version, call.name, lambda found: {"reboots": int(str(found.get("reboots") or 0)) + 1}
        )
        with self._lock:
            self.calls += 1
        return device

    def diagnose(self, call: MethodCall) -> Iterator[dict[str, object]]:
        """Tell what is known of a device, one finding at a time."""
        device = self.resources.get(call.version, call.name)
        yield {"finding": f"serial {device.get(SERIAL[call.version], 'unknown')}"}
        yield {"finding": f"{device.get('reboots') or 0} reboots"}

    def status(self) -> dict[str, object]:
        """Say what this process sees: its version, the deployments around it, and how old that is."""
        mine = self.env.my_deployment() or {}
        return {
            "pid": os.getpid(),
            "currentVersion": mine.get("currentVersion", ""),
            "versionsSeen": list(self.versions_seen),
            "deployments": sorted(self.env.deployments()),
            "pictureAgeSeconds": round(self.env.age_seconds, 3),
            "calls": self.calls,
        }

    def follow(self) -> None:
        """Note every version that this deployment is switched to, as the registry tells of it."""
        subscription = self.env.subscribe()
        while not subscription.closed:
            if subscription.next(5.0) is None:
                continue
            version = str((self.env.my_deployment() or {}).get("currentVersion", ""))
            if version and version not in self.versions_seen[-1:]:
                log.info("the current version is %s", version)
                self.versions_seen.append(version)


def methods_of(service: DevicesService, settings: Settings) -> MethodServer:
    """Register the same functions for both versions."""
    methods = MethodServer(TokenVerifier(settings.key, SERVICE, settings.region))
    for version in VERSIONS:
        methods.method(version, "reboot")(service.reboot)
        methods.method(version, "diagnose")(service.diagnose)
    return methods


def main() -> None:
    """Register, then serve until a signal."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    settings = Settings.of(os.environ)
    local = settings.url == "local"
    registration = Registration(SERVICE, settings.region, VERSIONS, makes_region=local)
    env = EnvRegistry(LocalRegistry() if local else connect(settings.url, settings.token), registration)
    try:
        env.start()
    except SwitchyardError as error:
        sys.exit(f"devices-service: {error}")
    resources = ResourceClient(settings.url, settings.token, SERVICE, settings.region)
    service = DevicesService(env, resources)
    threading.Thread(target=service.follow, name="follow", daemon=True).start()
    pages = {"/status": service.status}
    server = serve(methods_of(service, settings), settings.host, settings.port, pages=pages)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    log.info("registered, listens on port %s", server.server_address[1])
    server.serve_forever()
    env.close()


if __name__ == "__main__":
    main()

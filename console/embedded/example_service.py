"""The service of the example fleet that runs in a process of its own: `examples/devices-service`."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from console.embedded.home import Home
from console.env import FILES, ROOT, Env

NAME = "devices-service"
SERVICE, REGION = "devices.example.com", "eu-west1"
VERSIONS = ("v1", "v2")
PROGRAM = FILES / "examples" / NAME / "devices_service.py"


def mark_path(home: Path) -> Path:
    """Give the file that says that the example fleet was loaded here."""
    return home / "example-fleet"


@dataclass(frozen=True, slots=True)
class ExampleService:
    """How the process is started, and how the web processes call it; it gets no address of a database."""

    env: Env
    home: Home
    port: int

    @property
    def backends(self) -> str:
        """Where the methods of its deployment are answered, as SWITCHYARD_METHOD_BACKENDS has it."""
        places = (f"{SERVICE}/{version}@{REGION}" for version in VERSIONS)
        return " ".join(f"{place}=http://127.0.0.1:{self.port}" for place in places)

    def command(self) -> list[str]:
        """Give the command line."""
        return [sys.executable, str(PROGRAM)]

    def environment(self, url: str) -> dict[str, str]:
        """Give the environment, for a console at `url`."""
        # Cryptography is loaded only where the example runs.
        from migrations_app.adapters.service_tokens import ServiceKeys

        key = ServiceKeys.of(self.home.secret_key, self.env.service_key).public
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
        return kept | {
            "PYTHONPATH": f"{FILES / 'sdk'}{os.pathsep}{ROOT}",
            "PYTHONUNBUFFERED": "1",
            "SWITCHYARD_HOME": str(self.home.folder),
            "DEVICES_URL": url,
            "DEVICES_TOKEN": self.home.credentials_of(url)["automation"]["token"] or "",
            "DEVICES_KEY": key,
            "DEVICES_REGION": REGION,
            "DEVICES_PORT": str(self.port),
        }


def example_service(env: Env, home: Home, port: int) -> ExampleService | None:
    """Give the service of the example fleet, where that was loaded and no setting says who answers methods."""
    if not env.example or env.method_backends or not mark_path(home.folder).exists():
        return None
    return ExampleService(env, home, port)

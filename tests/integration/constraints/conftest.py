"""The example fleet: services that import each other in several regions, with data in empty databases."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget, Lease
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.engine.serving.writing import WritingServer
from migrations_app.kernel.json import Json
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, StoredResource
from tests.conftest import empty_database
from tests.factories.due_keys import keys_due
from tests.factories.remembered import remembered
from tests.integration.resource_api.conftest import files_of

FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"
EU, US = "eu-west1", "us-east2"
IAM, SECRETS, DEVICES = "iam.example.com", "secrets.example.com", "devices.example.com"
VERSIONS = {IAM: "v1", SECRETS: "v1alpha2", DEVICES: "v1", "apps.example.com": "v1"}


@dataclass
class Fleet:
    """Deployments in two regions, written and read as their servers do.

    Unless it `places`, every write is carried out in the region that is asked, and says nothing of copies.
    """

    places: bool = False

    def write(self, service: str, region: str, *requests: WriteRequest, version: str = "") -> None:
        """Carry out writes together."""
        placing = wiring.placements() if self.places else None
        writing = WritingServer(wiring.router(), wiring.arrangements(), placing)
        writing.write(region, service, version or VERSIONS[service], requests)

    def create(self, service: str, region: str, type_: str, name: str, **body: Json) -> None:
        """Create one resource."""
        self.write(service, region, WriteRequest("create", type_, name, body=dict(body)))

    def delete(self, service: str, region: str, type_: str, name: str) -> None:
        """Delete one resource."""
        self.write(service, region, WriteRequest("delete", type_, name))

    def reading(self, service: str, region: str) -> Reading:
        """Read what the active version holds."""
        served = wiring.directory().served(region, service)
        home = served.namespaces[served.current_version]
        active = wiring.fence().state(FenceLocation.of(home)).active_version
        return wiring.store().read(served.namespaces[active])

    def find(self, service: str, region: str, type_: str, name: str) -> StoredResource | None:
        """Read one resource as it is stored."""
        return self.reading(service, region).get(type_, name)

    def work(self, rounds: int = 4) -> None:
        """Let the controllers of constraints do all they can, as often as asked."""
        controllers = [wiring.controllers()[name] for name in ("pending", "deleting", "subscribed-deletions")]
        for _ in range(rounds):
            for controller in controllers:
                for key in keys_due(controller):
                    for _ in range(50):
                        outcome = controller.reconcile(key, Budget(2.0, wiring.clock()), Lease(key, 1))
                        if not isinstance(outcome, Again) or outcome.after_seconds > 0:
                            break

    def peer(self, service: str, region: str) -> Peer:
        """Name a deployment."""
        return Peer(service, region)


def _register(databases: dict[str, str]) -> None:
    for region in databases:
        apply_region(SYSTEM, region, region)
    for service in ("iam", "secrets", "devices"):
        apply_service(SYSTEM, files_of(FLEET / service))
    for service, (region, database) in itertools.product((IAM, SECRETS, DEVICES), databases.items()):
        name = f"services/{service}/deployments/{region}"
        apply_deployment(SYSTEM, name, {"currentVersion": VERSIONS[service]}, database=database)


@pytest.fixture
def fleet(db: None, postgres: Postgres) -> Iterator[Fleet]:
    """Four services that import each other, in two regions with a data database each."""
    wiring.evictions().forget()
    with ExitStack() as stack:
        databases = {region: stack.enter_context(empty_database(postgres)) for region in (EU, US)}
        remembered("fleet", list(databases.values()), lambda: _register(databases))
        yield Fleet()
        for database in databases.values():
            wiring.databases().close(database)


@pytest.fixture
def placing_fleet(fleet: Fleet) -> Fleet:
    """The fleet as regions see it: what is written says who owns it and who holds a copy."""
    return replace(fleet, places=True)


__all__ = ["Fleet", "Namespace"]

"""Two regions as processes of their own, who reach each other only through proxies that a test may cut."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from console.embedded.postgres import Postgres
from migrations_app import wiring
from migrations_app.adapters.peers.local import LocalPeers
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.constraints.auditing import Auditing, ConstraintFinding
from migrations_app.engine.regions.auditing import CopyAuditing
from migrations_app.kernel.json import Json
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.regions.peers import Peer
from tests.conftest import empty_database
from tests.factories.access import make_account, token_of
from tests.integration.base.collector import Received, receiver
from tests.processes import Children, free_port
from tests.proxy import Proxy

REGIONS = ("north", "south")
PATIENCE_SECONDS = 2
"""So long each waits for the other: every cut that swallows what is sent costs that much."""
BASE, USER = "base.example.com", "user.example.com"

_TOP = """
service: {service}
versions:
  - {{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}], imports: [{imports}]}}
"""
_BASE = b"""
schema:
  types:
    Thing: {fields: {name: string, size: i32}}
  resources:
    Thing: {patterns: ["regions/{region}/things/{thing}"]}
"""
_USER = b"""
schema:
  types:
    Use:
      fields:
        name: string
        block: {type: {reference: base.example.com/Thing}, constraints: {onDelete: block}}
        follow: {type: {reference: base.example.com/Thing}, constraints: {onDelete: cascade}}
        clear: {type: {reference: base.example.com/Thing}, constraints: {onDelete: unset}}
    ResizeRequest: {fields: {thing: string, size: i32, create: bool}}
    Resized: {fields: {size: i32}}
  resources:
    Use: {patterns: ["regions/{region}/uses/{use}"]}
  methods:
    ResizeThing: {request: ResizeRequest, response: Resized, verb: resize, resource: Use, collection: true, http: POST}
"""


@dataclass
class TwoRegions:
    """Both regions, with the proxy in front of each."""

    children: Children
    urls: dict[str, str]
    proxies: dict[str, Proxy]
    token: str
    nora: str
    """The token of an account that may write in the north alone."""
    collector: Received
    """Gets the spans of traces that a caller began."""
    settings: dict[str, dict[str, str]] = field(default_factory=dict)

    def call(self, region: str, method: str, path: str, body: Json = None) -> httpx.Response:
        """Make one request to a region's own server."""
        service = USER if "/uses" in path else BASE
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"{self.urls[region]}/apis/{region}/{service}/v1/{path}"
        return httpx.request(method, url, json=body, headers=headers, timeout=120)

    def insist(self, region: str, method: str, path: str, body: Json = None) -> httpx.Response:
        """Make a request until the other region answered in time: a slow machine may need longer than they wait."""
        answers: list[httpx.Response] = []

        def is_answered() -> bool:
            answers.append(self.call(region, method, path, body))
            return answers[-1].status_code != 503

        self.until(is_answered)
        return answers[-1]

    def check(self, region: str, name: str) -> dict[str, Any]:
        """Ask a region's console what a deletion of one of its things would meet."""
        headers = {"Authorization": f"Bearer {self.token}"}
        query = {"name": f"//{BASE}/{region}/{name}"}
        url = f"{self.urls[region]}/api/v1/deletion-check"
        found = httpx.get(url, params=query, headers=headers, timeout=120)
        assert found.status_code == 200, found.text
        told: dict[str, Any] = found.json()
        return told

    def peers(self) -> list[Peer]:
        """List all deployments."""
        return [Peer(service, region) for service in (BASE, USER) for region in REGIONS]

    def tallies(self) -> dict[Peer, ConstraintTally]:
        """Tell what is under way everywhere."""
        found = {}
        for peer in self.peers():
            found[peer] = wiring.router().read_active(
                peer.region, peer.service, lambda _, reading: reading.constraints.tally()
            )[1]
        return found

    def hurry(self) -> None:
        """Let five minutes pass for every blockade."""
        for region in REGIONS:
            with wiring.databases().connection(self.settings[region]["database"]) as connection:
                connection.execute("UPDATE switchyard.blockade SET resolve_after = now()")

    def rest(self, seconds: float = 90.0) -> None:
        """Wait until nothing is under way anywhere."""
        self.until(lambda: all(each == ConstraintTally() for each in self.tallies().values()), seconds)

    def until(self, holds: Callable[[], bool], seconds: float = 60.0) -> None:
        """Wait until something holds."""
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                logs = {name: self.children.log(name)[-1500:] for name in self.children.running}
                raise AssertionError(f"it does not come about: {self.audit()}\n{self.tallies()}\n{logs}")
            time.sleep(0.2)

    def audit(self) -> list[ConstraintFinding]:
        """Ask the databases of both regions, whichever is cut off; by now all that was begun has ended."""
        peers = LocalPeers(wiring.mixin)
        auditing = Auditing(wiring.router(), peers, wiring.arrangements().whereabouts, late_seconds=0.0)
        ports = (wiring.store(), wiring.copies(), wiring.directory(), peers)
        copies = CopyAuditing(ports, wiring.regions_of)
        return [
            finding for peer in self.peers() for audit in (auditing, copies) for finding in audit.audit(peer)
        ]


@contextmanager
def two_regions(children: Children, postgres: Postgres) -> Iterator[TwoRegions]:
    """Start a web process and a worker for each region."""
    with ExitStack() as stack:
        databases = {region: stack.enter_context(empty_database(postgres)) for region in REGIONS}
        for alias in databases.values():
            stack.callback(wiring.databases().close, alias)
        for region in REGIONS:
            apply_region(SYSTEM, region, region)
        imports = f"{{service: {BASE}, version: v1}}"
        for service, listed, schema in ((BASE, "", _BASE), (USER, imports, _USER)):
            top = _TOP.format(service=service, imports=listed).encode()
            apply_service(SYSTEM, {"service.yaml": top, "v1.yaml": schema})
            for region, database in databases.items():
                name = f"services/{service}/deployments/{region}"
                apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=database)
        make_account("olga", "operator")
        make_account("nora", "operator", region="north")
        ports = {region: free_port() for region in REGIONS}
        proxies = {region: Proxy(f"http://127.0.0.1:{port}") for region, port in ports.items()}
        for each in proxies.values():
            stack.callback(each.close)
        collector = stack.enter_context(receiver())
        started = TwoRegions(children, {}, proxies, token_of("olga"), token_of("nora"), collector)
        for region in REGIONS:
            others = " ".join(f"{other}={proxies[other].url}" for other in REGIONS if other != region)
            extra = {
                "SWITCHYARD_REGIONS": region,
                "SWITCHYARD_PEER_URLS": others,
                "SWITCHYARD_PEER_SECONDS": str(PATIENCE_SECONDS),
                "SWITCHYARD_OTLP_URL": collector.url,
                "SWITCHYARD_OTLP_LOGS": "false",
                "SWITCHYARD_TRACE_PERCENT": "1",
                "SWITCHYARD_EXTENSIONS": "tests.factories.crossing_extension",
            }
            started.settings[region] = {**extra, "database": databases[region]}
            children.begin_web_at(f"web-{region}", ports[region], **extra)
            start_hand(started, region)
        for region in REGIONS:
            started.urls[region] = children.wait_for_web(f"web-{region}", ports[region])
        yield started


def start_hand(regions: TwoRegions, region: str, **extra: str) -> None:
    """Start the worker of a region."""
    known = {key: value for key, value in regions.settings[region].items() if key != "database"}
    command = [sys.executable, "-m", "tests.integration.constraints.hand"]
    regions.children.start(f"hand-{region}", command, **known, **extra)

"""Registers the example's service and fills its old version with resources."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import uuid4

import yaml
from django.db import connection

from console.demo.clients import DemoClient, Key, KnownResource, WriteTarget, plain, revision_of
from console.demo.making import Made, Maker
from console.env import FILES
from migrations_app import wiring
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.domain.access import SYSTEM
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.stored import ABSENT, Draft

REGION = "eu-1"
EXAMPLES = FILES / "examples"
TOGETHER = 500
FILLERS = 3


def register(example: Path, source: str, target: str) -> WriteTarget:
    """Apply the example's folder, deploy its service at its old version, and say where to write."""
    declared = yaml.safe_load((example / "service.yaml").read_text())
    versions = [each["version"] for each in declared["versions"]]
    old, new = source or versions[0], target or versions[1]
    imported = {one["service"] for each in declared["versions"] for one in each.get("imports", ())}
    others = [folder for folder in sorted(EXAMPLES.rglob("service.yaml")) if _service(folder) in imported]
    running = {declared["service"]: old} | {_service(other): _newest(other) for other in others}
    folders = {f"service{number}": each for number, each in enumerate((example, *(o.parent for o in others)))}
    fleet = {
        "regions": [{"region": REGION, "title": "The demo's region"}],
        "services": [*folders],
        "deployments": [
            {"service": service, "regions": [REGION], "deployment": {"currentVersion": version}}
            for service, version in running.items()
        ],
    }
    with tempfile.TemporaryDirectory() as folder:
        # A fleet names folders below its own alone.
        for name, there in folders.items():
            shutil.copytree(there, Path(folder) / name)
        (Path(folder) / "fleet.yaml").write_text(yaml.safe_dump(fleet))
        apply_fleet(SYSTEM, folder)
    served = wiring.resource_servers().directory.served(REGION, declared["service"])
    return WriteTarget(served, old, new)


def _service(file: Path) -> str:
    return str(yaml.safe_load(file.read_text())["service"])


def _newest(file: Path) -> str:
    return str(yaml.safe_load(file.read_text())["versions"][-1]["version"])


def fill(
    place: WriteTarget, clients: list[DemoClient], resources: int, on_page: Callable[[int], None]
) -> None:
    """Write `resources` into the old version and hand them out to the clients."""
    pages = [range(start, min(start + TOGETHER, resources)) for start in range(0, resources, TOGETHER)]
    with ThreadPoolExecutor(FILLERS) as pool:
        for number, page in enumerate(pool.map(lambda page: _page(place, page, resources), pages)):
            client = clients[number % len(clients)]
            client.alive |= page
            client.names += page
            on_page(len(page))


def _page(place: WriteTarget, numbers: range, filled: int) -> dict[Key, KnownResource]:
    maker = Maker(place.served, place.old, numbers.start)
    made = [maker.make(number, filled) for number in numbers]
    namespace = place.served.namespaces[place.old]
    # As a client's write leaves it; else the controller of syncing metadata would write each of them once more.
    metadata: JsonObject = {
        "generation": "1",
        "syncing": {"owningRegion": place.region, "regions": [place.region]},
    }
    with wiring.store().transaction(namespace) as transaction:
        for each in sorted(made, key=lambda each: each.name):
            rows = maker.references(each.type, each.view)
            draft = Draft(each.type, each.name, uuid4(), each.view, metadata, references=rows)
            transaction.put(draft, expected=ABSENT)
    known = dict(_read_back(place, maker, made))
    connection.close()
    return known


def _read_back(place: WriteTarget, maker: Maker, made: list[Made]) -> Iterator[tuple[Key, KnownResource]]:
    """Look at what was written, as a client of the old API does."""
    reading = wiring.resource_servers().reading
    for type_ in sorted({each.type for each in made}):
        names = [each.name for each in made if each.type == type_]
        presenter = maker.presenter(type_)
        for document in reading.batch_get(place.region, place.service, place.old, type_, names).documents:
            known = KnownResource(
                place.old, plain(maker, type_, document), revision_of(maker, type_, document)
            )
            yield (type_, str(document[presenter.name_key])), known

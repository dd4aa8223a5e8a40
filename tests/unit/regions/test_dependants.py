"""Who has to look when something was written: exactly those who follow it."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.regions.dependants import Dependants
from migrations_app.kernel.errors import DeploymentMissing
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.references.reference_work import ReferenceWork
from migrations_app.ports.regions.directory import Served
from migrations_app.ports.regions.peers import Peer

TOP = "service: {service}\nversions: [{{version: v1, ordinal: 10, sources: [{{kind: ir, path: v1.yaml}}]}}]\n"
PLAIN = (
    "schema: {types: {Thing: {fields: {name: string}}}, resources: {Thing: {patterns: ['things/{thing}']}}}"
)
SEARCHED = PLAIN.replace("['things/{thing}']", "['things/{thing}'], options: {searchable: true}")
HOLDING = PLAIN.replace("name: string", "name: string, multi_region_policy: string")


def service(name: str, schema: str) -> CompiledService:
    files = {"service.yaml": TOP.format(service=name).encode(), "v1.yaml": schema.encode()}
    return compile_service(read_files(files))


COMPILED = {name: service(name, schema) for name, schema in {
    "plain.example.com": PLAIN, "searched.example.com": SEARCHED, "holder.example.com": HOLDING,
}.items()}  # fmt: skip
REGIONS = ("east", "north", "south")
HOSTED = [
    Peer(name, region)
    for name in ("plain.example.com", "searched.example.com", "holder.example.com")
    for region in REGIONS
]
IMPORTS = {"plain.example.com": ("holder.example.com",)}


@dataclass
class Map:
    gone: set[Peer] = field(default_factory=set)

    def served(self, region: str, service: str) -> Served:
        peer = Peer(service, region)
        if peer in self.gone:
            raise DeploymentMissing("gone")
        home = Namespace(peer.deployment, "v1", region, f"s_{service}")
        return Served(peer.deployment, service, region, "v1", COMPILED[service], {"v1": home})

    def forget(self, region: str, service: str) -> None:
        return None


def woken(*written: Peer, directory: Map | None = None) -> list[tuple[str, str]]:
    directory = directory or Map()
    dependants = Dependants(directory, lambda: HOSTED, lambda name: IMPORTS.get(name, ()), lambda _: REGIONS)
    homes = [Namespace(each.deployment, "v1", each.region, f"s_{each.service}") for each in written]
    return [(each.controller, each.key) for each in dependants.of(homes)]


def deployment(name: str, region: str) -> str:
    return Peer(f"{name}.example.com", region).deployment


def test_copies_of_the_same_service_elsewhere_look() -> None:
    assert woken(Peer("plain.example.com", "east")) == [
        ("read-copies", f"{deployment('plain', 'north')}<east"),
        ("read-copies", f"{deployment('plain', 'south')}<east"),
    ]


def test_the_index_looks_where_something_can_be_searched() -> None:
    assert woken(Peer("searched.example.com", "north"))[2:] == [("search", deployment("searched", "north"))]


def test_a_deployment_under_the_policies_of_a_holder_in_the_same_region_looks() -> None:
    assert woken(Peer("holder.example.com", "south"))[2:] == [
        ("syncing-meta", deployment("plain", "south")),
        ("syncing-meta", deployment("holder", "south")),
    ]


def test_each_key_is_named_once_however_many_namespaces_were_written() -> None:
    found = woken(*[Peer("plain.example.com", "east")] * 3, Peer("plain.example.com", "north"))
    assert len(found) == len(set(found)) == 4
    assert woken() == []


def test_a_deployment_that_is_gone_still_wakes_who_kept_copies_of_it() -> None:
    gone = Peer("searched.example.com", "north")
    assert [name for name, _ in woken(gone, directory=Map({gone}))] == ["read-copies", "read-copies"]


def gone_on(deployment: str, under_way: ReferenceWork) -> set[tuple[str, str]]:
    dependants = Dependants(Map(), lambda: HOSTED, lambda name: IMPORTS.get(name, ()), lambda _: REGIONS)
    return {(each.controller, each.key) for each in dependants.of_reference_work({deployment: under_way})}


def test_what_is_owed_is_paid_by_the_deployment_alone() -> None:
    mine = deployment("holder", "east")
    assert gone_on(mine, ReferenceWork(owed=True)) == {("pending", mine)}
    assert gone_on(mine, ReferenceWork()) == set()


def test_a_deletion_concerns_its_deployment_its_service_in_other_regions_and_importers() -> None:
    mine = deployment("holder", "east")
    followers = {deployment("holder", region) for region in ("north", "south")}
    followers |= {deployment("plain", region) for region in ("east", "north", "south")}
    assert gone_on(mine, ReferenceWork(deleting=True)) == {
        ("deleting", mine),
        *(("subscribed-deletions", f"{each}<east") for each in followers),
    }

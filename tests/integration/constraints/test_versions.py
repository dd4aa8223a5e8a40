"""References keep resolving while the service they point to changes its version, its names with it, and back."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from migrations_app import wiring
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Budget, Lease
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.constraints import ConstraintTally
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, Transaction
from tests.factories.due_keys import keys_due
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard, ports  # noqa: F401 -- a fixture

APPS = "apps.example.com"
OLD = "projects/p/secrets/door"
NEW = f"projects/p/regions/{REGION}/secrets/door"

_TOP = """
service: apps.example.com
versions:
  - version: v1
    ordinal: 10
    nextVersion: v2
    sources: [{kind: ir, path: v1.yaml}]
    imports: [{service: secrets.example.com, version: v1alpha2}]
  - version: v2
    ordinal: 20
    sources: [{kind: ir, path: v1.yaml}]
    imports: [{service: secrets.example.com, version: v1}]
edges: [edge.yaml]
"""
_EDGE = b"edge: {service: apps.example.com, from: v1, to: v2}\ntypes: {App: {ops: []}}\n"
_TYPES = b"""
schema:
  types:
    App:
      fields:
        name: string
        block: {type: {reference: secrets.example.com/Secret}, constraints: {onDelete: block}}
        follow: {type: {reference: secrets.example.com/Secret}, constraints: {onDelete: cascade}}
        clear: {type: {reference: secrets.example.com/Secret}, constraints: {onDelete: unset}}
  resources:
    App: {patterns: ["apps/{app}"]}
"""


@dataclass
class Pair:
    """The secrets service, and one that imports it in each of its versions."""

    ports: Yard

    def app(self, name: str, version: str = "v1", **body: Json) -> None:
        """Create an app."""
        request = WriteRequest("create", "App", f"apps/{name}", body=dict(body))
        wiring.resource_servers().writing.write(REGION, APPS, version, [request])

    def write(self, service: str, version: str, verb: str, type_: str, name: str) -> None:
        """Write one resource."""
        request = WriteRequest(verb, type_, name, body={} if verb != "delete" else None)
        wiring.resource_servers().writing.write(REGION, service, version, [request])

    def reading(self, service: str) -> Reading:
        """Read the active version."""
        found: list[Reading] = []
        wiring.router().read_active(
            REGION, service, lambda route, _: found.append(wiring.store().read(route.namespace))
        )
        return found[0]

    def work(self) -> None:
        """Let the controllers do all they can."""
        for _ in range(4):
            for name in ("pending", "deleting", "subscribed-deletions"):
                controller = wiring.controllers()[name]
                for key in keys_due(controller):
                    controller.reconcile(key, Budget(2.0, wiring.clock()), Lease(key, 1))

    def establish(self, token: str, version: str, name: str) -> JsonObject:
        """Announce a reference in a version, as a writer would that dies afterwards."""
        body: JsonObject = {
            "token": f"1700000000-{token}",
            "version": version,
            "references": [{"type": "Secret", "name": name, "kind": "BLOCK", "path": "block"}],
        }
        return wiring.mixin().answer(Peer(APPS, REGION), Peer(SERVICE, REGION), "establishReferences", body)


@pytest.fixture
def pair(ports: Yard) -> Pair:  # noqa: F811
    apply_service(SYSTEM, {"service.yaml": _TOP.encode(), "v1.yaml": _TYPES, "edge.yaml": _EDGE})
    name = f"services/{APPS}/deployments/{REGION}"
    apply_deployment(SYSTEM, name, {"currentVersion": "v1"}, database=ports.database)
    found = Pair(ports)
    found.write(SERVICE, "v1alpha2", "create", "Secret", OLD)
    return found


def _importer_moves(pair: Pair) -> None:
    """Move the importing service to its v2, with its references converted, as an upgrade does."""
    served = wiring.directory().served(REGION, APPS)
    assert served.compiled.converter("App", "v1", "v2").forward("apps/x", {"block": OLD}).body == {
        "block": NEW
    }


def test_a_reference_blocks_before_and_after_the_switch_and_after_the_way_back(pair: Pair) -> None:
    pair.app("a", block=OLD)
    pair.work()
    for version, name in (("v1alpha2", OLD), ("v1", NEW), ("v1alpha2", OLD)):
        with pytest.raises(Conflict) as refused:
            pair.write(SERVICE, version, "delete", "Secret", name)
        assert refused.value.code == "deletion-blocked"
        assert [each.path for each in refused.value.violations] == [f"//{APPS}/{REGION}/apps/a#block"]
        if version == "v1alpha2" and name == OLD:
            _turn(pair)
    _importer_moves(pair)


def _turn(pair: Pair) -> None:
    active = pair.ports.fence.state(_site(pair)).active_version
    other = "v1" if active == "v1alpha2" else "v1alpha2"
    pair.ports.switch(active, other)


def _site(pair: Pair) -> FenceLocation:
    return FenceLocation.of(pair.ports.namespace("v1alpha2"))


def test_importers_refer_by_the_names_of_either_version_before_and_after_the_switch(pair: Pair) -> None:
    for phase in ("before", "after"):
        assert pair.establish(f"old-{phase}", "v1alpha2", OLD) == {}
        assert pair.establish(f"new-{phase}", "v1", NEW) == {}
        assert pair.establish(f"none-{phase}", "v1", NEW + "x") == {"missing": [0]}
        pair.app(phase, block=OLD)
        if phase == "before":
            pair.ports.switch()
    shadow = pair.reading(SERVICE).shadow("Secret", NEW)
    assert shadow is not None
    assert (shadow.ref_epoch, shadow.sources) == (6, (Peer(APPS, REGION).deployment,))
    assert pair.reading(SERVICE).constraints.tally().blockades == 6


def test_owners_are_renamed_when_a_region_enters_their_names_and_on_the_way_back(pair: Pair) -> None:
    owner: Json = {"kind": f"{SERVICE}/Secret", "version": "v1alpha2", "name": OLD, "region": REGION}
    owned: Json = {"metadata": {"ownerReferences": [owner]}}
    request = WriteRequest("create", "App", "apps/o", body=owned)
    wiring.resource_servers().writing.write(REGION, APPS, "v1", [request])
    pair.work()
    for version, name in (("v1alpha2", OLD), ("v1", NEW), ("v1alpha2", OLD)):
        kept = pair.reading(APPS).get("App", "apps/o")
        assert kept is not None
        assert kept.metadata["ownerReferences"] == [{**owner, "version": version, "name": name}]
        (link,) = pair.reading(APPS).constraints.owners.of(kept.uid)
        assert (link.owner_version, link.owner_name) == (version, name)
        _turn(pair)
        pair.work()
    pair.write(SERVICE, "v1", "delete", "Secret", NEW)
    pair.work()
    assert pair.reading(APPS).get("App", "apps/o") is None
    assert pair.reading(SERVICE).constraints.tally() == ConstraintTally()


def test_an_owner_that_must_refer_keeps_its_ownee_under_the_name_of_another_version(pair: Pair) -> None:
    old, new = "projects/p/secrets/owned", f"projects/p/regions/{REGION}/secrets/owned"
    owner: JsonObject = {"kind": f"{APPS}/App", "version": "v1", "name": "apps/k", "region": REGION}
    owned: Json = {"ownerReferences": [{**owner, "requiresOwnerReference": True}]}
    request = WriteRequest("create", "Secret", old, body={"metadata": owned})
    wiring.resource_servers().writing.write(REGION, SERVICE, "v1alpha2", [request])
    pair.app("k", block=old)
    pair.work()
    app = pair.reading(APPS).get("App", "apps/k")
    assert app is not None
    pair.ports.switch()
    again: JsonObject = {"uids": [str(app.uid)]}
    mixin = wiring.mixin()
    assert mixin.answer(Peer(APPS, REGION), Peer(SERVICE, REGION), "recheckMetaOwners", again) == {}
    pair.work()
    secret = pair.reading(SERVICE).get("Secret", new)
    assert secret is not None
    (link,) = pair.reading(SERVICE).constraints.owners.of(secret.uid)
    assert link.owner_uid == app.uid
    lets_go = WriteRequest("update", "App", "apps/k", body={})
    wiring.resource_servers().writing.write(REGION, APPS, "v1", [lets_go])
    pair.work()
    assert pair.reading(SERVICE).get("Secret", new) is None


def test_blockades_and_deletions_under_way_are_carried_over_the_switch(pair: Pair) -> None:
    pair.establish("under-way", "v1alpha2", OLD)
    pair.app("f", follow=OLD)
    pair.app("u", clear=OLD)
    pair.ports.switch()
    with pytest.raises(Conflict) as refused:
        pair.write(SERVICE, "v1", "delete", "Secret", NEW)
    assert refused.value.code == "deletion-blocked"
    _hurry(pair)
    pair.work()
    pair.write(SERVICE, "v1", "delete", "Secret", NEW)
    pair.ports.switch("v1", "v1alpha2")
    with pytest.raises(Conflict) as barred:
        pair.write(SERVICE, "v1alpha2", "create", "Secret", OLD)
    assert barred.value.code == "being-deleted"
    pair.work()
    assert pair.reading(APPS).get("App", "apps/f") is None
    kept = pair.reading(APPS).get("App", "apps/u")
    assert kept is not None
    assert kept.body == {}
    assert pair.reading(SERVICE).constraints.tally() == ConstraintTally()
    assert pair.reading(SERVICE).get("Secret", OLD) is None
    pair.write(SERVICE, "v1alpha2", "create", "Secret", OLD)


def _hurry(pair: Pair) -> None:
    def _change(_: object, transaction: Transaction) -> None:
        for token in ("1700000000-under-way",):
            transaction.constraints.ask_later(token, -1)

    wiring.router().write_active(REGION, SERVICE, _change)

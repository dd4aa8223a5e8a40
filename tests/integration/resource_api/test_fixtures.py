"""Fixtures come with the version that becomes active, once, and leave alone what is there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrations_app.adapters.repositories.fixtures import DjangoFixtureMarks
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.controller import Again, Budget
from migrations_app.engine.serving.fixtures import FixturesController
from migrations_app.kernel.clock import SystemClock
from migrations_app.kernel.errors import Busy, Halted, Missing
from migrations_app.ports.locks import Lease
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import ShadowState
from tests.integration.resource_api.conftest import DEPLOYMENT, EXAMPLES, REGION, SERVICE, Yard, files_of

OLD = b"""
resources:
  - {name: projects/system, title: System}
  - {name: projects/system/secrets/root, title: Root, owner: nobody}
"""
NEW = b"""
resources:
  - {name: projects/system, title: Changed}
  - {name: projects/system/regions/eu-west1/secrets/root, displayName: Changed}
  - {name: projects/system/regions/eu-west1/secrets/extra, displayName: Extra}
"""


def _apply(ports: Yard, fixtures: dict[str, bytes]) -> None:
    named = {f"fixtures/{version}.yaml": text for version, text in fixtures.items()}
    apply_service(SYSTEM, {**files_of(EXAMPLES / "secrets"), **named})
    ports.servers.directory.forget(REGION, SERVICE)


def _give(ports: Yard) -> None:
    controller = FixturesController(
        ports.servers.router, DjangoFixtureMarks(), lambda: [Peer(SERVICE, REGION)]
    )
    assert list(controller.due()) == [DEPLOYMENT]
    outcome = controller.reconcile(DEPLOYMENT, Budget(60.0, SystemClock()), Lease(DEPLOYMENT, 1, "fixtures"))
    assert outcome == Again(10.0)


def _titles(ports: Yard, version: str, parent: str, key: str) -> dict[str, object]:
    found = ports.call("GET", parent, version=version).document["secrets"]  # type: ignore[index,call-overload]
    return {each["name"]: each.get(key) for each in found}  # type: ignore[union-attr,index,call-overload]


def test_each_version_brings_its_own_when_it_becomes_active(ports: Yard) -> None:
    _apply(ports, {"v1alpha2": OLD, "v1": NEW})
    _give(ports)
    assert _titles(ports, "v1alpha2", "projects/system/secrets", "title") == {
        "projects/system/secrets/root": "Root"
    }
    ports.fill()
    _give(ports)
    assert _titles(ports, "v1", "projects/-/regions/-/secrets", "displayName") == {
        "projects/system/regions/eu-west1/secrets/root": "Root"
    }
    ports.switch()
    _give(ports)
    assert _titles(ports, "v1", "projects/-/regions/-/secrets", "displayName") == {
        "projects/system/regions/eu-west1/secrets/extra": "Extra",
        "projects/system/regions/eu-west1/secrets/root": "Root",
    }
    assert ports.call("GET", "projects/system", version="v1").document["title"] == "System"  # type: ignore[index,call-overload]


def test_what_was_deleted_stays_away_until_the_fixtures_change(ports: Yard) -> None:
    _apply(ports, {"v1alpha2": OLD})
    _give(ports)
    ports.call("DELETE", "projects/system/secrets/root")
    _give(ports)
    with pytest.raises(Missing):
        ports.call("GET", "projects/system/secrets/root")
    _apply(ports, {"v1alpha2": OLD.replace(b"nobody", b"somebody")})
    _give(ports)
    assert ports.call("GET", "projects/system/secrets/root").document["owner"] == "somebody"  # type: ignore[index,call-overload]


def test_a_fixture_that_cannot_be_written_stops_for_a_person(ports: Yard) -> None:
    _apply(ports, {"v1alpha2": b"resources: [{name: projects/p/secrets/x1, title: 7}]"})
    with pytest.raises(Halted) as halted:
        _give(ports)
    assert halted.value.code == "fixture-refused"
    assert DjangoFixtureMarks().mark_of(DEPLOYMENT) == ""


def test_a_fixture_whose_name_is_still_being_deleted_waits_until_it_is_not(ports: Yard) -> None:
    name, home = "projects/system/secrets/root", ports.namespace("v1alpha2")
    _apply(ports, {"v1alpha2": OLD})
    _give(ports)
    with ports.store.transaction(home) as now:
        shadow = now.lock("Secret", name)
        assert shadow is not None
        assert shadow.uid is not None
        now.put_shadow(replace(shadow, state=ShadowState.DELETING, delete_id=1))
        now.delete("Secret", name)
    _apply(ports, {"v1alpha2": OLD.replace(b"nobody", b"somebody")})
    with pytest.raises(Busy) as waits:
        _give(ports)
    assert waits.value.code == "being-deleted"
    with ports.store.transaction(home) as now:
        now.constraints.finalise(shadow.uid)
    _give(ports)
    assert ports.call("GET", name).document["owner"] == "somebody"  # type: ignore[index,call-overload]

"""A deployment that is removed from the registry and registered again finds its data, in the version they serve."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import Kind
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import Conflict
from tests.integration.resource_api.conftest import DEPLOYMENT, Yard

SECRET = "projects/p/secrets/door"


def remove(yard: Yard) -> None:
    delete_registered(SYSTEM, Kind.DEPLOYMENT, DEPLOYMENT)
    yard.servers.directory.forget(*reversed(DEPLOYMENT.split("/")[1::2]))


def test_registered_without_a_version_it_serves_the_one_of_its_data(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {}, id="door")
    remove(yard)
    saved = apply_deployment(SYSTEM, DEPLOYMENT, {}, database=yard.database)
    assert isinstance(saved.value, Deployment)
    assert saved.value.current_version == "v1alpha2"
    assert yard.call("GET", SECRET).status == 200


def test_registered_with_another_version_than_that_of_its_data_it_is_refused(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {}, id="door")
    remove(yard)
    with pytest.raises(Conflict) as refused:
        apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1"}, database=yard.database)
    assert refused.value.code == "current-version-fenced"
    assert refused.value.remedy == "Register it with currentVersion v1alpha2, then plan an upgrade."
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1alpha2"}, database=yard.database)
    assert yard.call("GET", SECRET).status == 200


def test_registered_with_another_database_than_that_of_its_data_it_is_refused(yard: Yard) -> None:
    remove(yard)
    with pytest.raises(Conflict) as refused:
        apply_deployment(SYSTEM, DEPLOYMENT, {}, database="default")
    assert refused.value.code == "database-fixed"
    assert yard.database in refused.value.args[0]


def test_after_an_upgrade_it_finds_the_place_that_the_upgrade_made(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {}, id="door")
    yard.switch()
    place = yard.namespace("v1")
    remove(yard)
    apply_deployment(SYSTEM, DEPLOYMENT, {}, database=yard.database)
    assert yard.namespace("v1") == place
    assert yard.call("GET", SECRET).status == 200


def test_whose_data_were_never_asked_for_it_may_begin_with_any_version(yard: Yard) -> None:
    remove(yard)
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1"}, database=yard.database)
    assert yard.call("GET", "projects", version="v1").status == 200

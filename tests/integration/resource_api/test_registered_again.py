"""A deployment that is removed from the registry and registered again finds its data, in the version they serve."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import Conflict
from tests.integration.resource_api.conftest import DEPLOYMENT, Yard

SECRET = "projects/p/secrets/door"


def remove(ports: Yard) -> None:
    delete_registered(SYSTEM, RegistryKind.DEPLOYMENT, DEPLOYMENT)
    ports.servers.directory.forget(*reversed(DEPLOYMENT.split("/")[1::2]))


def test_registered_without_a_version_it_serves_the_one_of_its_data(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", {}, id="door")
    remove(ports)
    saved = apply_deployment(SYSTEM, DEPLOYMENT, {}, database=ports.database)
    assert isinstance(saved.value, Deployment)
    assert saved.value.current_version == "v1alpha2"
    assert ports.call("GET", SECRET).status == 200


def test_registered_with_another_version_than_that_of_its_data_it_is_refused(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", {}, id="door")
    remove(ports)
    with pytest.raises(Conflict) as refused:
        apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1"}, database=ports.database)
    assert refused.value.code == "current-version-fenced"
    assert refused.value.remedy == "Register it with currentVersion v1alpha2, then plan an upgrade."
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1alpha2"}, database=ports.database)
    assert ports.call("GET", SECRET).status == 200


def test_registered_with_another_database_than_that_of_its_data_it_is_refused(ports: Yard) -> None:
    remove(ports)
    with pytest.raises(Conflict) as refused:
        apply_deployment(SYSTEM, DEPLOYMENT, {}, database="default")
    assert refused.value.code == "database-fixed"
    assert ports.database in refused.value.args[0]


def test_after_an_upgrade_it_finds_the_place_that_the_upgrade_made(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", {}, id="door")
    ports.switch()
    place = ports.namespace("v1")
    remove(ports)
    apply_deployment(SYSTEM, DEPLOYMENT, {}, database=ports.database)
    assert ports.namespace("v1") == place
    assert ports.call("GET", SECRET).status == 200


def test_whose_data_were_never_asked_for_it_may_begin_with_any_version(ports: Yard) -> None:
    remove(ports)
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1"}, database=ports.database)
    assert ports.call("GET", "projects", version="v1").status == 200

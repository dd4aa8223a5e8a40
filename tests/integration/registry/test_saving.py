"""Saving into the registry: rules, compare-and-set, masks, numbers of changes."""

from __future__ import annotations

from typing import Any

import pytest

from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.save_registered import (
    Condition,
    create_registered,
    update_registered,
)
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM, actor_with
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.values import Service
from migrations_app.kernel.errors import Conflict, Denied, Missing, Stale
from migrations_app.models.registry import RegistryChange, RegistryHead

pytestmark = pytest.mark.django_db

POLICY = {"enabledRegions": ["eu"], "defaultControlRegion": "eu"}


@pytest.fixture
def iam() -> Service:
    """Make a region and a service that is deployed nowhere yet."""
    create_registered(SYSTEM, RegistryKind.REGION, "regions/eu", {"title": "Europe"})
    body: Any = {"displayName": "IAM", "allVersions": ["v1", "v2"], "multiRegionPolicy": POLICY}
    saved = create_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", body).value
    assert isinstance(saved, Service)
    return saved


def test_what_was_saved_is_read_back_with_its_metadata(iam: Service) -> None:
    read = registry.get(RegistryKind.SERVICE, "services/iam")
    assert document(read) == document(iam)
    assert document(read) == {
        "name": "services/iam",
        "displayName": "IAM",
        "allVersions": ["v2", "v1"],
        "multiRegionPolicy": POLICY,
        "metadata": {
            "createTime": document(read)["metadata"]["createTime"],  # type: ignore[index,call-overload]
            "updateTime": document(read)["metadata"]["updateTime"],  # type: ignore[index,call-overload]
            "uuid": iam.metadata.uuid,
            "resourceVersion": "2",
            "shards": {"byNameMod16": iam.metadata.shards["byNameMod16"]},
            "syncing": {"owningRegion": "eu", "regions": ["eu"]},
            "lifecycle": {"state": "ACTIVE"},
            "services": {"owningService": "services/iam", "allowedServices": ["services/iam"]},
        },
    }


def test_every_change_is_numbered_and_saving_the_same_is_none(iam: Service) -> None:
    update_registered(
        SYSTEM, RegistryKind.SERVICE, "services/iam", {"displayName": "IAM"}, mask=(("displayName",),)
    )
    assert list(RegistryChange.objects.values_list("seq", "kind", "name")) == [
        (1, "regions", "regions/eu"),
        (2, "services", "services/iam"),
    ]
    assert RegistryHead.objects.get().seq == 2


def test_a_masked_update_leaves_the_rest(iam: Service) -> None:
    body: Any = {"displayName": "Access", "allVersions": []}
    after = update_registered(
        SYSTEM, RegistryKind.SERVICE, "services/iam", body, mask=(("displayName",),)
    ).value
    assert isinstance(after, Service)
    assert (after.display_name, after.all_versions) == ("Access", ("v2", "v1"))
    assert after.metadata.uuid == iam.metadata.uuid
    assert after.metadata.resource_version == "3"


def test_output_only_fields_cannot_be_written(iam: Service) -> None:
    body: Any = {
        **document(iam),
        "metadata": {"uuid": "forged", "resourceVersion": "99", "labels": {"a": "b"}, "lifecycle": {}},
    }
    after = update_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", body).value
    assert after.metadata.uuid == iam.metadata.uuid
    assert after.metadata.resource_version == "3"
    assert after.metadata.labels == {"a": "b"}


def test_compare_and_set_changes_nothing_when_the_state_differs(iam: Service) -> None:
    believed = Condition({"displayName": "Other"}, (("displayName",),))
    with pytest.raises(Stale) as refused:
        update_registered(
            SYSTEM, RegistryKind.SERVICE, "services/iam", {"displayName": "X"}, condition=believed
        )
    assert refused.value.code == "compare-and-set"
    assert document(registry.get(RegistryKind.SERVICE, "services/iam")) == document(iam)
    update_registered(
        SYSTEM,
        RegistryKind.SERVICE,
        "services/iam",
        {"displayName": "X"},
        mask=(("displayName",),),
        condition=Condition({"displayName": "IAM"}, (("displayName",),)),
    )


def test_a_dry_run_shows_the_result_and_stores_nothing(iam: Service) -> None:
    saved = update_registered(
        SYSTEM,
        RegistryKind.SERVICE,
        "services/iam",
        {"displayName": "X"},
        mask=(("displayName",),),
        dry_run=True,
    )
    assert isinstance(saved.value, Service)
    assert saved.value.display_name == "X"
    assert document(registry.get(RegistryKind.SERVICE, "services/iam")) == document(iam)
    assert RegistryHead.objects.get().seq == 2


def test_a_rule_that_would_break_refuses_and_stores_nothing(iam: Service) -> None:
    body: Any = {"importedServices": ["services/limits"]}
    with pytest.raises(Conflict) as refused:
        create_registered(SYSTEM, RegistryKind.SERVICE, "services/secrets", body)
    assert refused.value.code == "import-unknown-service"
    assert registry.find(RegistryKind.SERVICE, "services/secrets") is None
    with pytest.raises(Missing):
        create_registered(SYSTEM, RegistryKind.DEPLOYMENT, "services/nobody/deployments/eu", {})


def test_what_exists_is_not_created_and_what_does_not_is_not_updated(iam: Service) -> None:
    with pytest.raises(Conflict) as twice:
        create_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", {})
    with pytest.raises(Missing):
        update_registered(SYSTEM, RegistryKind.SERVICE, "services/none", {})
    assert twice.value.code == "already-exists"
    saved = update_registered(SYSTEM, RegistryKind.SERVICE, "services/none", {}, allow_missing=True)
    assert saved.created


def test_only_the_registry_and_admins_make_regions() -> None:
    with pytest.raises(Denied) as refused:
        create_registered(actor_with("olga", "operator"), RegistryKind.REGION, "regions/us", {})
    assert refused.value.code == "region-owner"
    create_registered(actor_with("root", "admin"), RegistryKind.REGION, "regions/us", {})
    with pytest.raises(Denied):
        create_registered(actor_with("vera", "viewer"), RegistryKind.SERVICE, "services/xy", {})


def test_what_is_stood_on_is_not_removed(iam: Service) -> None:
    create_registered(
        SYSTEM, RegistryKind.DEPLOYMENT, "services/iam/deployments/eu", {"currentVersion": "v1"}
    )
    for kind, name, rule in (
        (RegistryKind.REGION, "regions/eu", "region-in-use"),
        (RegistryKind.SERVICE, "services/iam", "service-in-use"),
    ):
        with pytest.raises(Conflict) as refused:
            delete_registered(SYSTEM, kind, name)
        assert refused.value.code == rule
    assert delete_registered(SYSTEM, RegistryKind.DEPLOYMENT, "services/iam/deployments/eu")
    assert delete_registered(SYSTEM, RegistryKind.SERVICE, "services/iam")
    assert not delete_registered(SYSTEM, RegistryKind.SERVICE, "services/iam", allow_missing=True)
    assert RegistryChange.objects.get(seq=RegistryHead.objects.get().seq).document is None

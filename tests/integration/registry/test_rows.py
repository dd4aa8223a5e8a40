"""The registry's rows: what the database itself refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from migrations_app.models.registry import (
    Deployment,
    Import,
    Namespace,
    Region,
    RegistryChange,
    RegistryHead,
    ResourceType,
    Service,
    ServiceDefinition,
    ServiceVersion,
    ShardState,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows() -> dict[str, Any]:
    """Make one region, two services and one deployment."""
    now = timezone.now()
    times = {"created_at": now, "updated_at": now}
    region = Region.objects.create(id="eu", **times)
    iam = Service.objects.create(id="iam", **times)
    secrets = Service.objects.create(id="secrets", **times)
    deployment = Deployment.objects.create(
        name="services/iam/deployments/eu", service=iam, region=region, **times
    )
    return {"region": region, "iam": iam, "secrets": secrets, "deployment": deployment, "times": times}


def refuses(name: str, make: Any) -> None:
    """Expect the named constraint to refuse what `make` writes."""
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        make()
    assert name in str(error.value)


def test_the_id_of_a_deployment_is_that_of_its_region(rows: dict[str, Any]) -> None:
    refuses(
        "deployment_id_is_region",
        lambda: Deployment.objects.create(
            name="services/secrets/deployments/us",
            service=rows["secrets"],
            region=rows["region"],
            **rows["times"],
        ),
    )


def test_a_disabled_deployment_is_not_being_upgraded(rows: dict[str, Any]) -> None:
    def disable() -> None:
        Deployment.objects.update(is_disabled=True, upgrade_stage="READY", upgrade_ring=16)

    refuses("deployment_disabled_idle", disable)


def test_an_upgrade_stage_is_one_of_three(rows: dict[str, Any]) -> None:
    refuses("deployment_upgrade_stage", lambda: Deployment.objects.update(upgrade_stage="FLYING"))


def test_a_service_does_not_import_itself(rows: dict[str, Any]) -> None:
    refuses(
        "import_of_another",
        lambda: Import.objects.create(service=rows["iam"], target=rows["iam"], kind="imports"),
    )


def test_a_shard_lies_in_its_ring(rows: dict[str, Any]) -> None:
    refuses(
        "shard_state_in_ring",
        lambda: ShardState.objects.create(
            deployment=rows["deployment"], ring=16, shard=16, reported_at=timezone.now()
        ),
    )


def test_two_namespaces_never_share_a_place(rows: dict[str, Any]) -> None:
    def twice() -> None:
        for version in ("v1", "v2"):
            Namespace.objects.create(
                deployment=rows["deployment"],
                version=version,
                database="default",
                schema="iam_eu",
                created_at=timezone.now(),
            )

    refuses("namespace_place", twice)


def test_ids_follow_their_patterns(rows: dict[str, Any]) -> None:
    refuses("region_id", lambda: Region.objects.create(id="EU", **rows["times"]))
    refuses("service_id", lambda: Service.objects.create(id="-a", **rows["times"]))


def test_an_upgrade_is_told_whole_or_not_at_all(rows: dict[str, Any]) -> None:
    for half in ({"upgrade_stage": "READY"}, {"upgrade_target": "v2"}, {"upgrade_ring": 4}):
        refuses("deployment_upgrade", lambda half=half: Deployment.objects.update(**half))
    refuses("deployment_ring", lambda: Deployment.objects.update(ring=0))
    refuses("deployment_counters", lambda: Deployment.objects.update(fence_epoch=-1))


def test_a_deployment_is_of_a_service_and_a_region_that_are_there(rows: dict[str, Any]) -> None:
    with pytest.raises(ProtectedError):
        rows["region"].delete()
    with pytest.raises(ProtectedError):
        rows["iam"].delete()

    def elsewhere() -> None:
        name = "services/iam/deployments/us"
        Deployment.objects.create(name=name, service=rows["iam"], region_id="us", **rows["times"])
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")

    refuses("region_id", elsewhere)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("shard_state_in_ring", {"shard": 4}),
        ("shard_state_ring", {"ring": 5000}),
        ("shard_state_known", {"state": "flying"}),
        ("shard_state_counts", {"copied": -1}),
        ("shard_state_counts", {"failed": -1}),
        ("shard_state_lag", {"lag_seconds": -0.1}),
        ("shard_state_rate", {"rate_per_second": -1.0}),
        ("shard_state_lease", {"lease_holder": "worker-1"}),
        ("shard_state_lease", {"leased_until": timezone.now()}),
        ("shard_state_lease", {"lease_epoch": -1}),
        ("shard_state_once", {"shard": 1}),
    ],
)
def test_a_shard_state_is_one_row_that_makes_sense(
    rows: dict[str, Any], name: str, wrong: dict[str, Any]
) -> None:
    given = {"deployment": rows["deployment"], "ring": 4, "reported_at": timezone.now()}
    ShardState.objects.create(shard=1, **given)
    refuses(name, lambda: ShardState.objects.create(**{"shard": 2, **given, **wrong}))


def test_what_belongs_to_a_service_is_named_after_it(rows: dict[str, Any]) -> None:
    given = {"service": rows["iam"], **rows["times"]}

    def type_of(name: str, short: str) -> Any:
        return lambda: ResourceType.objects.create(name=name, type=short, **given)

    refuses("resource_type_named", type_of("services/secrets/resources/User", "User"))
    refuses("resource_type_pattern", type_of("services/iam/resources/user", "user"))
    refuses("service_led_by_another", lambda: Service.objects.filter(pk="iam").update(leading="iam"))
    refuses("service_generation", lambda: Service.objects.update(generation=-1))


def test_versions_and_imports_are_what_they_say(rows: dict[str, Any]) -> None:
    iam, secrets = rows["iam"], rows["secrets"]
    ServiceVersion.objects.create(service=iam, version="v1", ordinal=1)
    ServiceVersion.objects.create(service=iam, version="v20140601preview", ordinal=9)
    for name, wrong in (
        ("service_version_once", {"version": "v1"}),
        ("service_version_pattern", {"version": "1.0"}),
        ("service_version_pattern", {"version": "v20141301"}),
        ("service_version_ordinal", {"version": "v2", "ordinal": -1}),
    ):
        refuses(
            name,
            lambda wrong=wrong: ServiceVersion.objects.create(**{"service": iam, "ordinal": 2, **wrong}),
        )
    Import.objects.create(service=secrets, target=iam, kind="imports")
    refuses("import_once", lambda: Import.objects.create(service=secrets, target=iam, kind="imports"))
    refuses("import_kind", lambda: Import.objects.create(service=secrets, target=iam, kind="likes"))
    with pytest.raises(ProtectedError):
        iam.delete()


def test_a_place_and_a_definition_are_whole(rows: dict[str, Any]) -> None:
    given = {"deployment": rows["deployment"], "created_at": timezone.now()}
    refuses("namespace_whole", lambda: Namespace.objects.create(version="v1", database="a", **given))
    place = {"version": "v1", "database": "a"}
    Namespace.objects.create(schema="one", **place, **given)
    refuses("namespace_once", lambda: Namespace.objects.create(schema="two", **place, **given))
    definition = {"service": "iam", "fingerprint": "f", "files": {}, "created_at": timezone.now()}
    ServiceDefinition.objects.create(**definition)
    refuses("definition_once", lambda: ServiceDefinition.objects.create(**definition))
    refuses(
        "definition_identified",
        lambda: ServiceDefinition.objects.create(**{**definition, "fingerprint": ""}),
    )


def test_changes_are_of_a_kind_and_the_head_is_ahead_of_them(rows: dict[str, Any]) -> None:
    now = timezone.now()
    refuses(
        "registry_change_of_a_kind",
        lambda: RegistryChange.objects.create(seq=1, at=now, kind="planets", name="x"),
    )
    refuses("registry_change_of_a_kind", lambda: RegistryChange.objects.create(seq=0, at=now, kind="regions"))
    refuses("registry_head_order", lambda: RegistryHead.objects.create(id=1, seq=1, pruned=2))
    refuses("registry_head_order", lambda: RegistryHead.objects.create(id=1, seq=1, settled=2))


def test_every_constraint_of_the_registry_is_tried() -> None:
    # Names are primary keys made of what these two speak of: nothing can break them and not the name.
    here = f"{Path(__file__).read_text()} deployment_once resource_type_once"
    models = (Region, Service, ServiceDefinition, ServiceVersion, Import, Deployment, Namespace)
    for model in (*models, ShardState, ResourceType, RegistryChange, RegistryHead):
        for constraint in model._meta.constraints:
            tried = constraint.name in here or constraint.name.startswith("deployment_upgrade")
            assert tried, constraint.name


def test_the_head_is_one_row(rows: dict[str, Any]) -> None:
    refuses("registry_head_one", lambda: RegistryHead.objects.create(id=2))

"""The registry's rows: what the database itself refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.models.registry import (
    Deployment,
    Import,
    Namespace,
    Region,
    RegistryHead,
    Service,
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


def test_the_head_is_one_row(rows: dict[str, Any]) -> None:
    refuses("registry_head_one", lambda: RegistryHead.objects.create(id=2))

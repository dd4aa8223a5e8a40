"""The example fleet: applied once, applied again, and what it leaves in the registry."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.adapters import definitions
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.control.registry.repository import registry
from migrations_app.domain.access import SYSTEM
from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.rules import breaches
from migrations_app.domain.registry.values import Deployment, Resource, Service
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.models.registry import Namespace, RegistryHead

pytestmark = pytest.mark.django_db
FLEET = Path(__file__).resolve().parents[3] / "examples" / "fleet"


def files(service: str) -> dict[str, bytes]:
    """Read the files of one service of the fleet."""
    root = FLEET / service
    return {one.relative_to(root).as_posix(): one.read_bytes() for one in root.rglob("*") if one.is_file()}


def test_the_fleet_is_applied_and_breaks_no_rule() -> None:
    applied = apply_fleet(SYSTEM, FLEET)
    assert applied.regions == ("eu-west1", "us-east2", "ap-south3")
    assert len(applied.services) == 5
    assert len(applied.deployments) == 12
    assert breaches(registry.read_picture()) == ()
    secrets = registry.get(RegistryKind.SERVICE, "services/secrets.example.com")
    assert isinstance(secrets, Service)
    assert secrets.all_versions == ("v1", "v1alpha2")
    assert secrets.multi_region_policy.enabled_regions == ("ap-south3", "eu-west1", "us-east2")
    one = registry.get(RegistryKind.DEPLOYMENT, "services/secrets.example.com/deployments/us-east2")
    assert isinstance(one, Deployment)
    assert one.current_version == "v1alpha2"
    assert one.available_upgrade is not None
    assert (one.available_upgrade.api_version, one.available_upgrade.total_shards_count) == ("v1", 16)
    device = registry.get(RegistryKind.RESOURCE, "services/devices.example.com/resources/Device")
    assert isinstance(device, Resource)
    assert (device.fqn, device.plural_name, device.versions) == (
        "devices.example.com/Device",
        "devices",
        ("v2", "v1"),
    )
    assert [info.is_regional for info in device.versioned_infos] == [True, True]
    assert Namespace.objects.count() == 12


def test_applying_the_fleet_again_changes_nothing() -> None:
    apply_fleet(SYSTEM, FLEET)
    seq = RegistryHead.objects.get().seq
    assert apply_fleet(SYSTEM, FLEET).changed == 0
    assert RegistryHead.objects.get().seq == seq


def test_the_fleet_has_references_of_every_kind_within_and_across_services() -> None:
    apply_fleet(SYSTEM, FLEET)
    found: set[tuple[str, bool]] = set()
    two_versions = set()
    for service in ("iam", "audit", "secrets", "devices", "apps"):
        folder = definitions.folder(f"{service}.example.com")
        if len(folder.schemas) == 2:
            two_versions.add(service)
        for schema in folder.schemas.values():
            references = ReferenceFinder(schema)
            for resource_type in schema.resources:
                for field, _, targets in references.declared(resource_type):
                    kind = references.kind_of(field)
                    found |= {(kind, owner in ("", folder.service)) for owner, _ in targets}
    assert found == {
        *((kind, local) for kind in ("BLOCK", "CASCADE", "UNSET") for local in (True, False)),
        ("WEAK", True),
    }
    assert two_versions == {"secrets", "devices"}


def test_the_definition_is_kept_and_read_back() -> None:
    apply_fleet(SYSTEM, FLEET)
    folder = definitions.folder("secrets.example.com")
    assert list(folder.schemas) == ["v1alpha2", "v1"]
    assert definitions.load("secrets.example.com").files == files("secrets")


def test_a_reference_to_what_is_not_imported_is_refused() -> None:
    apply_fleet(SYSTEM, FLEET)
    broken = files("audit")
    broken["v1.yaml"] = broken["v1.yaml"].replace(b"iam.example.com/User", b"secrets.example.com/Secret")
    mark = definitions.current_fingerprint("audit.example.com")
    with pytest.raises(Conflict) as refused:
        apply_service(SYSTEM, broken)
    assert refused.value.code == "reference-not-imported"
    assert definitions.current_fingerprint("audit.example.com") == mark


def test_a_broken_folder_is_refused_with_its_findings() -> None:
    broken = files("iam")
    broken["v1.yaml"] = b"schema: {types: {User: {fields: {name: Nothing}}}}"
    with pytest.raises(Invalid) as refused:
        apply_service(SYSTEM, broken)
    assert refused.value.violations
    assert registry.find(RegistryKind.SERVICE, "services/iam.example.com") is None


def test_an_edge_that_does_not_compile_is_refused_with_its_place() -> None:
    apply_service(SYSTEM, files("iam"))
    broken = files("secrets")
    edge = "edges/v1alpha2-v1.yaml"
    broken[edge] = broken[edge].replace(b"from: title", b"from: titel")
    with pytest.raises(Invalid) as refused:
        apply_service(SYSTEM, broken)
    assert any(edge in violation.path for violation in refused.value.violations)
    assert registry.find(RegistryKind.SERVICE, "services/secrets.example.com") is None


def test_a_dry_run_of_a_folder_stores_nothing() -> None:
    applied = apply_service(SYSTEM, files("iam"), dry_run=True)
    assert applied.resource_types == ("Project", "RoleBinding", "ServiceAccount", "User")
    assert registry.find(RegistryKind.SERVICE, "services/iam.example.com") is None

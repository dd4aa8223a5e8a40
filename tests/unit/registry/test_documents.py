"""Registry messages as JSON documents, and names as they are written."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from migrations_app.domain.registry.documents import document, read
from migrations_app.domain.registry.metadata import Metadata
from migrations_app.domain.registry.names import VERSION, RegistryKind, ids, newest_first, version_order
from migrations_app.domain.registry.upgrade import begin
from migrations_app.domain.registry.values import Deployment, Region, Service
from migrations_app.kernel.errors import Invalid
from tests.unit.registry.pictures import deployment, service


def test_unset_fields_are_left_out_and_keys_are_camel() -> None:
    value = Service(name="services/iam", all_versions=("v1",), automatic_version_switch=True)
    assert document(value) == {"name": "services/iam", "allVersions": ["v1"], "automaticVersionSwitch": True}


def test_times_are_rfc_3339() -> None:
    at = datetime(2026, 3, 4, 5, 6, 7, 250_000, tzinfo=UTC)
    assert document(Region(name="regions/eu", metadata=Metadata(create_time=at))) == {
        "name": "regions/eu",
        "metadata": {"createTime": "2026-03-04T05:06:07.250000Z"},
    }


def test_a_running_upgrade_shows_its_stage() -> None:
    written = document(begin(deployment("iam", "eu"), "v2", 2))
    assert written["upgradeState"] == {
        "targetVersion": "v2",
        "pendingShards": [0, 1],
        "stage": "INITIAL_SYNCING",
    }
    assert "upgradeState" not in document(deployment("iam", "eu"))


def test_reading_understands_what_protobuf_understands() -> None:
    read_one = read(
        RegistryKind.DEPLOYMENT,
        {
            "name": "services/iam/deployments/eu",
            "public_domain": "iam.eu",
            "envRegistryGeneration": "7",
            "location": None,
            "region": "eu",
            "metadata": {"labels": {"snake_key": "kept"}},
            "upgradeState": {"targetVersion": "v2", "state": "READY"},
        },
    )
    assert isinstance(read_one, Deployment)
    assert (read_one.public_domain, read_one.env_registry_generation) == ("iam.eu", 7)
    assert (read_one.region, read_one.service_name) == ("regions/eu", "services/iam")
    assert read_one.metadata.labels == {"snake_key": "kept"}
    assert read_one.upgrade_state is not None
    assert read_one.upgrade_state.stage.value == "READY"


@pytest.mark.parametrize("references", [["iam"], ["services/iam"], ["iam", "services/iam"]])
def test_references_are_written_as_full_names(references: list[str]) -> None:
    value = read(RegistryKind.SERVICE, {"name": "services/secrets", "importedServices": references})  # type: ignore[dict-item]
    assert isinstance(value, Service)
    assert value.imported_services == ("services/iam",)


@pytest.mark.parametrize(
    ("body", "code", "path"),
    [
        ([], "message-shape", None),
        ({"name": "services/iam", "nonsense": 1}, "message-shape", ""),
        ({"name": "services/iam", "allVersions": [{}]}, "message-shape", "allVersions[0]"),
        ({"name": "services/IAM"}, "name-pattern", None),
        ({"name": "regions/eu"}, "name-pattern", None),
    ],
)
def test_a_wrong_body_is_refused_with_its_place(body: object, code: str, path: str | None) -> None:
    with pytest.raises(Invalid) as refused:
        read(RegistryKind.SERVICE, body)  # type: ignore[arg-type]
    assert refused.value.code == code
    if path is not None:
        assert refused.value.violations[0].path == path


def test_a_deployment_is_named_after_its_region() -> None:
    with pytest.raises(Invalid) as refused:
        read(RegistryKind.DEPLOYMENT, {"name": "services/iam/deployments/eu", "region": "regions/us"})
    assert refused.value.code == "deployment-id-is-region"


def test_the_name_in_the_body_is_that_of_the_request() -> None:
    assert read(RegistryKind.REGION, {"title": "Europe"}, "regions/eu") == Region(
        name="regions/eu", title="Europe"
    )
    with pytest.raises(Invalid) as refused:
        read(RegistryKind.REGION, {"name": "regions/us"}, "regions/eu")
    assert refused.value.code == "name-mismatch"


@settings(max_examples=100, deadline=None)
@given(
    st.sets(st.sampled_from(["v1", "v2"])),
    st.dictionaries(st.text(max_size=5), st.text(max_size=5), max_size=3),
)
def test_reading_what_was_written_gives_the_same_value(versions: set[str], labels: dict[str, str]) -> None:
    value = replace(
        service("secrets", "iam", versions=newest_first(tuple(versions))), metadata=Metadata(labels=labels)
    )
    assert read(RegistryKind.SERVICE, document(value)) == value


def test_versions_are_ordered_by_stage_and_number() -> None:
    shuffled = ("v1", "v10", "v1alpha2", "v2", "v1beta1", "v1alpha10", "v2alpha1")
    assert newest_first(shuffled) == ("v10", "v2", "v2alpha1", "v1", "v1beta1", "v1alpha10", "v1alpha2")
    assert version_order("nonsense") < version_order("v1alpha1")


def test_dates_come_after_numbers_and_a_preview_before_its_date() -> None:
    shuffled = ("v20140601", "v3", "v20140601preview", "v1preview", "v1", "v20140101", "v1beta1", "v999999")
    assert newest_first(shuffled) == (
        "v20140601",
        "v20140601preview",
        "v20140101",
        "v999999",
        "v3",
        "v1",
        "v1preview",
        "v1beta1",
    )


_DATES = st.dates(date(1000, 1, 1), date(9999, 12, 31)).map(
    lambda day: f"v{day.year:04}{day.month:02}{day.day:02}"
)
_NUMBERS = st.integers(1, 999_999).map(lambda number: f"v{number}")
_VERSIONS = st.builds(
    "{}{}".format,
    _DATES | _NUMBERS,
    st.just("")
    | st.builds(
        "{}{}".format, st.sampled_from(("alpha", "beta", "preview")), st.just("") | st.integers(1, 99)
    ),
)


@settings(max_examples=300, deadline=None)
@given(_VERSIONS, _VERSIONS, _VERSIONS)
def test_the_order_of_versions_is_total_and_goes_by_number_first(one: str, two: str, three: str) -> None:
    assert VERSION.fullmatch(one)
    low, middle, high = sorted((one, two, three), key=version_order)
    assert version_order(low) <= version_order(middle) <= version_order(high)
    assert (version_order(one) == version_order(two)) == (one == two)
    numbers = [int(re.match(r"v(\d+)", version)[1]) for version in (low, middle, high)]  # type: ignore[index]
    assert numbers == sorted(numbers)


def test_ids_are_read_out_of_names() -> None:
    assert ids(RegistryKind.DEPLOYMENT, "services/iam.example.com/deployments/us-west2") == (
        "iam.example.com",
        "us-west2",
    )
    assert ids(RegistryKind.RESOURCE, "services/iam/resources/RoleBinding") == ("iam", "RoleBinding")
    for wrong in (
        "regions/-a",
        "regions/A",
        "regions/a-",
        "regions/a/b",
        "regions/" + "a" * 31,
        "regions/a\n",
    ):
        with pytest.raises(Invalid):
            ids(RegistryKind.REGION, wrong)

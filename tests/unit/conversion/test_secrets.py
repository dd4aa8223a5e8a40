"""The seeds' case: a region enters the name of a secret, and nothing is lost either way."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.conversion.naming.name_maps import NoImage
from migrations_app.domain.conversion.service import CompiledService, compile_service
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject
from tests.unit.conversion.services import named_service

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "secrets"
OLD_NAME, NEW_NAME = "projects/p/secrets/db", "projects/p/regions/eu-west1/secrets/db"
OLD: JsonObject = {
    "name": OLD_NAME,
    "title": "Database",
    "encData": "AAAA",
    "rotation": "MANUAL",
    "rotationPeriod": "90s",
    "owner": "ann",
    "legacyEtag": "x",
}


@pytest.fixture(scope="module")
def secrets() -> CompiledService:
    return compile_service(read_folder(FOLDER))


def test_the_hub_is_the_newest_version(secrets: CompiledService) -> None:
    assert secrets.versions == ("v1alpha2", "v1")
    assert secrets.hub == "v1"
    assert secrets.findings == ()


def test_a_stored_secret_crosses_with_its_name_and_comes_back_the_same(secrets: CompiledService) -> None:
    converter = secrets.converter("Secret", "v1alpha2", "v1")
    converted = converter.forward(OLD_NAME, OLD)

    assert converted.name == NEW_NAME
    assert converted.body == {
        "name": NEW_NAME,
        "displayName": "Database",
        "encData": "AAAA",
        "rotation": {"mode": "ON_DEMAND", "periodSeconds": 90},
        "owners": ["ann"],
        "$sy": {"f": 1, "b": {"secrets.Secret/legacy_etag#ada4933b": {"v": "x"}}},
    }
    assert converter.backward(converted.name, converted.body).body == OLD


def test_an_update_through_the_old_api_keeps_what_it_cannot_see(secrets: CompiledService) -> None:
    converter = secrets.converter("Secret", "v1alpha2", "v1")
    stored: JsonObject = {
        "name": NEW_NAME,
        "displayName": "Database",
        "owners": ["ann", "bob"],
        "generation": 7,
        "rotation": {"mode": "NONE", "nextTime": "2026-01-01T00:00:00Z"},
    }
    name, view = converter.get(NEW_NAME, stored)
    assert (name, view) == (
        OLD_NAME,
        {"name": OLD_NAME, "title": "Database", "owner": "ann", "rotation": "NONE"},
    )

    after = converter.put(name, {**view, "title": "Renamed"}, stored).body

    assert after == {**stored, "displayName": "Renamed"}


def test_a_secret_of_another_region_is_hidden_from_the_old_api(secrets: CompiledService) -> None:
    converter = secrets.converter("Secret", "v1", "v1alpha2")
    other = "projects/p/regions/us-east2/secrets/db"

    assert converter.name(NEW_NAME) == OLD_NAME
    assert converter.name(other) is None
    with pytest.raises(NoImage, match="no name in v1alpha2"):
        converter.forward(other, {"name": other})


def test_wildcards_stay_wildcards(secrets: CompiledService) -> None:
    converter = secrets.converter("Secret", "v1alpha2", "v1")

    assert converter.name("projects/p/secrets/-") == "projects/p/regions/eu-west1/secrets/-"
    assert converter.old_name("projects/-/regions/-/secrets/-") == "projects/-/secrets/-"


def test_a_wildcard_name_that_would_be_too_long_there_has_no_image() -> None:
    converter = named_service().converter("Thing", "v1", "v2")

    assert converter.name("projects/-/things/" + "t" * 992) == "projects/-/regions/north/things/" + "t" * 992
    assert converter.name("projects/-/things/" + "t" * 993) is None


def test_references_to_secrets_are_rewritten_with_them(secrets: CompiledService) -> None:
    converter = secrets.converter("SecretGrant", "v1alpha2", "v1")
    grant: JsonObject = {
        "secret": OLD_NAME,
        "member": "users/ann",
        "secrets": ["projects/p/secrets/tls", f"//secrets.example.com/{OLD_NAME}"],
    }

    converted = converter.forward("projects/p/secretGrants/g", grant)

    assert converted.body == {
        "secret": NEW_NAME,
        "member": "users/ann",
        "secrets": ["projects/p/regions/eu-west1/secrets/tls", f"//secrets.example.com/{NEW_NAME}"],
    }
    assert converter.backward(converted.name, converted.body).body == grant


def test_a_type_without_changes_is_an_identity(secrets: CompiledService) -> None:
    assert secrets.converter("Project", "v1alpha2", "v1").identity
    assert not secrets.converter("SecretGrant", "v1alpha2", "v1").identity
    assert secrets.converter("CryptoKey", "v1", "v1alpha2").target_type is None

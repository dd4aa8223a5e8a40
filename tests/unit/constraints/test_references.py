"""Where a document refers to something, and documents without a reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.constraints.references import (
    DocumentReference,
    ReferenceFinder,
    is_name_of,
    path_of,
    without,
)
from migrations_app.domain.schema.folder import read_folder

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SERVICE = "secrets.example.com"


@pytest.fixture(scope="module")
def references() -> ReferenceFinder:
    return ReferenceFinder(read_folder(EXAMPLES / "secrets").schemas["v1"])


def test_references_are_found_in_fields_and_lists(references: ReferenceFinder) -> None:
    door, gate = "projects/p/regions/r1/secrets/door", "projects/p/regions/r1/secrets/gate"
    found = references.of("SecretGrant", {"secret": door, "member": door, "secrets": [gate, door]})

    assert found == (
        DocumentReference(("secret",), "BLOCK", SERVICE, "Secret", door),
        DocumentReference(("secrets", 0), "BLOCK", SERVICE, "Secret", gate),
        DocumentReference(("secrets", 1), "BLOCK", SERVICE, "Secret", door),
    )
    assert [each.path for each in found] == ["secret", "secrets[0]", "secrets[1]"]


def test_types_without_reference_fields_are_known_at_once(references: ReferenceFinder) -> None:
    assert references.possible("SecretGrant")
    assert not references.possible("Secret")
    assert references.of("Secret", {"owners": ["projects/p"]}) == ()


def test_empty_and_wrongly_typed_values_are_no_references(references: ReferenceFinder) -> None:
    assert references.of("SecretGrant", {"secret": "", "secrets": "x"}) == ()
    assert references.of("SecretGrant", {"secret": None, "secrets": [None, 7]}) == ()


def test_a_value_is_taken_out_of_objects_and_lists() -> None:
    body = {"a": {"b": [1, 2, 3]}, "c": 4}
    assert without(body, ("a", "b", 1)) == {"a": {"b": [1, 3]}, "c": 4}  # type: ignore[arg-type]
    assert without(body, ("c",)) == {"a": {"b": [1, 2, 3]}}  # type: ignore[arg-type]
    assert without(body, ("a", "x", 9)) == body  # type: ignore[arg-type]
    assert path_of(("a", "b", 1, "c")) == "a.b[1].c"


def test_names_are_told_apart_by_their_shape() -> None:
    schema = read_folder(EXAMPLES / "secrets").schemas["v1"]
    assert is_name_of(schema.resources["Secret"], "projects/p/regions/r1/secrets/door")
    assert not is_name_of(schema.resources["Secret"], "projects/p/secretGrants/g1")

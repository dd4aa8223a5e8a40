"""Filters and masks of the old API, asked of what the new version stores."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrations_app.domain.conversion.converter import TypeConverter
from migrations_app.domain.conversion.service import compile_service
from migrations_app.domain.filters import bind, parse, parse_mask, write
from migrations_app.domain.filters.masks import bind_mask
from migrations_app.domain.schema.folder import read_folder
from migrations_app.kernel.json import JsonObject

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "secrets"


@pytest.fixture(scope="module")
def converter() -> TypeConverter:
    return compile_service(read_folder(FOLDER)).converter("Secret", "v1alpha2", "v1")


@pytest.mark.parametrize(
    ("asked", "pushed", "how"),
    [
        ('title = "T"', 'displayName = "T"', "exact"),
        ('labels.env = "prod"', 'labels.env = "prod"', "exact"),
        ('rotation = "MANUAL"', 'rotation.mode IN ["MANUAL", "ON_DEMAND"]', "exact"),
        ('rotation IN ["MANUAL", "NONE"]', 'rotation.mode IN ["MANUAL", "NONE", "ON_DEMAND"]', "exact"),
        (
            'name = "projects/p/secrets/db"',
            'name = "projects/p/regions/eu-west1/secrets/db"',
            "exact",
        ),
        ('owner = "ann"', "", "full-scan"),
        ('title = "T" AND owner = "ann"', 'displayName = "T"', "residual"),
        ('title = "T" OR owner = "ann"', "", "full-scan"),
        ('NOT (legacy_etag = "x")', "", "full-scan"),
        ('title = "T" AND NOT (owner = "ann")', 'displayName = "T"', "residual"),
    ],
)
def test_a_filter_is_pushed_as_far_as_it_means_the_same(
    converter: TypeConverter, asked: str, pushed: str, how: str
) -> None:
    given = bind(parse(asked), converter.source, "Secret")

    converted = converter.filter(given)

    assert write(converted.pushed) == write(parse(pushed))
    assert converted.how == how
    assert converted.residual == (None if how == "exact" else given)


@pytest.mark.parametrize(
    ("asked", "converted"),
    [
        ("title,labels", "displayName,labels"),
        ("rotation", "rotation.mode"),
        ("rotation_period,owner", "owners,rotation.periodSeconds"),
        ("legacy_etag", '"$none"'),
        ("*", "*"),
    ],
)
def test_a_mask_names_every_place_its_parts_go_to(
    converter: TypeConverter, asked: str, converted: str
) -> None:
    given = bind_mask(parse_mask(asked), converter.source, "Secret")

    assert str(converter.mask(given)) == converted


def test_an_update_by_mask_leaves_the_rest_alone(converter: TypeConverter) -> None:
    stored: JsonObject = {
        "displayName": "T",
        "owners": ["ann", "bob"],
        "generation": 3,
        "rotation": {"mode": "NONE", "nextTime": "2026-01-01T00:00:00Z"},
    }
    name = "projects/p/regions/eu-west1/secrets/db"

    made = converter.update(
        "projects/p/secrets/db", {"title": "N", "rotation": "MANUAL"}, parse_mask("title"), stored, name
    )

    assert made.body == {**stored, "displayName": "N"}

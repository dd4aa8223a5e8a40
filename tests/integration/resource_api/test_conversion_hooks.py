"""Conversion hooks of an installed extension: each of the seven kinds reaches requests of a running service."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

import pytest
from django.conf import LazySettings

from migrations_app.adapters.extensions import installed_extensions
from migrations_app.domain.conversion.hooks import Hooks
from migrations_app.kernel.json import JsonObject
from tests.factories.things_extension import FILES, SERVICE, constants
from tests.integration.resource_api.conftest import Yard, deployed

THING: JsonObject = {
    "code": "ab",
    "title": "Lamp",
    "kind": "fast",
    "tags": ["x", "y"],
    "friend": "things/old",
    "host": "h",
}


@pytest.fixture
def things(db: None, settings: LazySettings, data_database: str) -> Iterator[Yard]:
    """The deployment of the service that the installed extension has hooks for, serving v2."""
    extensions = ("tests.factories.secrets_extension", "tests.factories.things_extension")
    settings.SWITCHYARD = replace(settings.SWITCHYARD, extensions=extensions)
    with deployed(data_database, SERVICE, "v1", files=FILES) as made:
        made.call("POST", "things", {}, version="v1", id="old")
        made.call("POST", "things", {}, version="v1", id="new")
        made.call("POST", "things", THING, version="v1", id="special")
        made.switch("v1", "v2")
        yield made


def new(things: Yard) -> JsonObject:
    document = things.call("GET", "things/renamed", version="v2").document
    assert isinstance(document, dict)
    return document


def names(things: Yard, **query: str) -> list[object]:
    document = things.call("GET", "things", version="v1", **query).document
    assert isinstance(document, dict)
    found = document["things"]
    assert isinstance(found, list)
    return [each["name"] for each in found if isinstance(each, dict)]


def test_the_hooks_of_all_extensions_are_installed_together(things: Yard) -> None:
    counts = {kind.name: len(getattr(installed_extensions().hooks, kind.name)) for kind in fields(Hooks)}
    assert counts == {
        "named": 1,
        "objects": 2,
        "values": 2,
        "names": 1,
        "references": 1,
        "paths": 1,
        "path_values": 1,
    }


def test_a_named_hook_converts_the_field_of_its_op(things: Yard) -> None:
    assert new(things)["label"] == "AB"


def test_an_object_hook_has_the_last_word_both_ways(things: Yard) -> None:
    assert new(things)["title"] == "Lamp!"
    old = things.call("GET", "things/special", version="v1").document
    assert isinstance(old, dict)
    assert old["title"] == "Lamp"


def test_a_value_hook_converts_the_items_of_its_list(things: Yard) -> None:
    assert new(things)["tags"] == ["X", "Y"]


def test_a_name_hook_converts_the_name(things: Yard) -> None:
    assert new(things)["name"] == "things/renamed"


def test_a_reference_hook_converts_references_and_not_names(things: Yard) -> None:
    assert new(things)["friend"] == "things/new"
    assert things.call("GET", "things/old", version="v2").status == 200


def test_a_path_hook_says_where_a_filter_looks(things: Yard) -> None:
    before = names(things, filter='host = "h"')
    things.call("PATCH", "things/renamed", {"endpoint": "h"}, version="v2")
    assert (before, names(things, filter='host = "h"')) == ([], ["things/special"])


def test_a_path_value_hook_converts_the_constant_of_a_filter(things: Yard) -> None:
    constants.clear()
    assert names(things, filter='kind = "fast"') == ["things/special"]
    assert constants == ["fast"]

"""Metadata reads and writes the JSON of the meta API, unset parts left out."""

from __future__ import annotations

import pytest

from migrations_app.domain.resources.metadata import ResourceMetadata, ResourceOwnerReference
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject

FULL: JsonObject = {
    "createTime": "2026-01-01T00:00:00Z",
    "updateTime": "2026-01-02T00:00:00Z",
    "uuid": "0d9e3c0e-6a3c-4c0c-8a37-1f1f1f1f1f1f",
    "tags": ["a"],
    "labels": {"team": "core"},
    "annotations": {"note": "x"},
    "generation": "3",
    "resourceVersion": "7",
    "ownerReferences": [{"kind": "Plan", "name": "plans/p", "controller": True}],
    "shards": {"byNameMod16": 0},
    "syncing": {"owningRegion": "eu", "regions": ["eu", "us"]},
    "lifecycle": {"state": "DELETING", "blockDeletion": True},
    "services": {"owningService": "limits.example.com", "allowedServices": ["iam.example.com"]},
}


def test_a_full_object_comes_back_as_it_was() -> None:
    assert ResourceMetadata.read(FULL).write() == FULL


def test_nothing_set_writes_nothing() -> None:
    assert ResourceMetadata.read(None) == ResourceMetadata()
    assert ResourceMetadata().write() == {}


def test_numbers_are_read_in_both_spellings() -> None:
    assert ResourceMetadata.read({"generation": 3}) == ResourceMetadata.read({"generation": "3"})


def test_every_wrong_place_is_named() -> None:
    wrong: JsonObject = {
        "labels": {"a": 1},
        "tags": "a",
        "ownerReferences": [{"colour": "red"}],
        "lifecycle": {"state": "ASLEEP"},
        "generation": -1,
        "extra": True,
    }
    with pytest.raises(Invalid) as refused:
        ResourceMetadata.read(wrong)
    assert {each.path for each in refused.value.violations} == {
        "metadata.labels.a",
        "metadata.tags",
        "metadata.ownerReferences[0].colour",
        "metadata.lifecycle.state",
        "metadata.generation",
        "metadata.extra",
    }


def test_owners_are_values() -> None:
    assert ResourceMetadata.read(FULL).owner_references == (
        ResourceOwnerReference("Plan", "", "plans/p", "", True),
    )

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


def test_a_client_cannot_set_what_only_the_server_sets() -> None:
    stored = ResourceMetadata.read(FULL)
    sent = ResourceMetadata.read({"uuid": "mine", "resourceVersion": "99", "labels": {"team": "edge"}})

    kept = stored.sent_by_client(sent)

    assert (kept.uuid, kept.resource_version, kept.create_time) == (
        stored.uuid,
        "7",
        "2026-01-01T00:00:00Z",
    )
    assert kept.labels == {"team": "edge"}
    assert kept.owner_references == ()
    assert kept.services == stored.services


def test_the_shard_follows_the_name() -> None:
    assert ResourceMetadata().with_shards("projects/p0/secrets/s0").write() == {"shards": {"byNameMod16": 8}}


def test_owners_are_values() -> None:
    assert ResourceMetadata.read(FULL).owner_references == (
        ResourceOwnerReference("Plan", "", "plans/p", "", True),
    )

"""The picture of the surroundings: resets, lost deletions, relevance, differences."""

from __future__ import annotations

from migrations_app.domain.registry.env import (
    Collection,
    EnvChange,
    EnvMessage,
    EnvSnapshot,
    differences,
    relevant,
)
from migrations_app.kernel.json import JsonObject


def docs(*names: str) -> dict[str, JsonObject]:
    """Make documents with these names."""
    return {name: {"name": name} for name in names}


def test_a_snapshot_in_chunks_is_whole_at_the_first_current() -> None:
    picture = Collection()
    assert not picture.take(EnvMessage(docs("a"), snapshot_size=2))
    assert (picture.documents, picture.complete) == ({}, False)
    assert picture.take(EnvMessage(docs("b"), is_current=True, token="t1"))
    assert (set(picture.documents), picture.token) == ({"a", "b"}, "t1")


def test_changes_after_it_are_taken_one_by_one() -> None:
    picture = Collection()
    picture.take(EnvMessage(docs("a", "b"), is_current=True, snapshot_size=2))
    picture.take(EnvMessage(docs("c"), ("a",), is_current=True, token="t2"))
    assert set(picture.documents) == {"b", "c"}


def test_a_soft_reset_drops_what_came_since_the_last_whole_picture() -> None:
    picture = Collection()
    picture.take(EnvMessage(docs("a"), is_current=True, snapshot_size=1))
    picture.take(EnvMessage(docs("b")))
    picture.take(EnvMessage(soft_reset=True))
    picture.take(EnvMessage(docs("c"), is_current=True))
    assert set(picture.documents) == {"a", "c"}


def test_a_hard_reset_drops_everything_but_shows_the_old_picture_until_the_new_is_whole() -> None:
    picture = Collection()
    picture.take(EnvMessage(docs("a", "b"), is_current=True, snapshot_size=2))
    picture.take(EnvMessage(docs("b"), snapshot_size=2, hard_reset=True))
    assert set(picture.documents) == {"a", "b"}
    picture.take(EnvMessage(docs("c"), is_current=True))
    assert set(picture.documents) == {"b", "c"}


def test_a_lost_deletion_is_found_by_the_next_snapshot() -> None:
    picture = Collection()
    picture.take(EnvMessage(docs("a", "b"), is_current=True, snapshot_size=2, token="t"))
    picture.take(EnvMessage(docs("a"), is_current=True, snapshot_size=1, token="u"))
    assert set(picture.documents) == {"a"}


def test_a_snapshot_with_something_missing_is_not_believed() -> None:
    picture = Collection()
    picture.take(EnvMessage(docs("a", "b"), is_current=True, snapshot_size=2, token="t"))
    assert not picture.take(EnvMessage(docs("a"), is_current=True, snapshot_size=3, token="u"))
    assert (set(picture.documents), picture.token) == ({"a", "b"}, "")


def test_only_what_matters_is_shown() -> None:
    services: dict[str, JsonObject] = {
        "services/iam": {"name": "services/iam"},
        "services/secrets": {"name": "services/secrets", "importedServices": ["services/iam"]},
        "services/audit": {"name": "services/audit", "usedServices": ["services/iam"]},
    }
    deployments = docs(*(f"{name}/deployments/eu" for name in services))
    seen = relevant("secrets", services, deployments)
    assert set(seen.services) == {"services/iam", "services/secrets"}
    assert set(seen.deployments) == {"services/iam/deployments/eu", "services/secrets/deployments/eu"}
    assert set(relevant("iam", services, deployments).services) == set(services)


def test_differences_are_told_with_what_left_first() -> None:
    before = EnvSnapshot(docs("services/a"), docs("services/a/deployments/eu"))
    after = EnvSnapshot(docs("services/b"), {"services/a/deployments/eu": {"name": "n", "isDisabled": True}})
    assert differences(before, after) == (
        EnvChange("services/a", None),
        EnvChange("services/b", {"name": "services/b"}),
        EnvChange("services/a/deployments/eu", {"name": "n", "isDisabled": True}),
    )
    assert differences(after, after) == ()

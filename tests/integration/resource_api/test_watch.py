"""Watches: snapshot, changes, resuming, in the native and the translated version, across a switch."""

from __future__ import annotations

import pytest

from migrations_app.domain.conversion.changes import convert_change
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.watching import Message, Watcher
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import Stretch
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

# A transaction of the test's own, in the same server, would hold the horizon back: see `Feed.holders`.
pytestmark = pytest.mark.django_db(transaction=True)


def watch(yard: Yard, version: str = "v1alpha2", resume: str = "", **asked: str) -> Watcher:
    parent = asked.pop("parent", "projects/p")
    return yard.servers.watch((REGION, SERVICE, version), ListRequest("Secret", parent, **asked), resume)  # type: ignore[arg-type]


def steps(watcher: Watcher) -> list[Message]:
    messages = []
    while (message := watcher.step()) is not None:
        messages.append(message)
    return messages


def told(messages: list[Message]) -> list[tuple[str, str]]:
    return [
        (kind, str(document["name"]).rpartition("/")[2])  # type: ignore[index,call-overload]
        for message in messages
        for change in message.changes
        for kind, document in change.items()
    ]


def test_a_watch_begins_with_what_is_there_and_goes_on_with_what_changes(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {}, id="aa")
    yard.call("POST", "projects/q/secrets", {}, id="elsewhere")
    watcher = watch(yard)
    first = steps(watcher)
    assert [message.hard_reset for message in first] == [True, False]
    assert told(first) == [("current", "aa")]
    assert first[-1].is_current

    yard.call("POST", "projects/p/secrets", {}, id="bb")
    yard.call("PATCH", "projects/p/secrets/aa", {"title": "x"})
    yard.call("DELETE", "projects/p/secrets/bb")
    yard.call("PATCH", "projects/q/secrets/elsewhere", {"title": "x"})
    assert sorted(told(steps(watcher))) == [("modified", "aa"), ("removed", "bb")]
    assert watcher.step() is None


def test_a_watch_resumes_where_it_was_and_refuses_foreign_tokens(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {}, id="aa")
    token = steps(watch(yard))[-1].resume
    yard.call("POST", "projects/p/secrets", {}, id="bb")

    assert told(steps(watch(yard, resume=token))) == [("modified", "bb")]
    with pytest.raises(Missing) as gone:
        watch(yard, resume=token, filter='title = "x"').step()
    assert gone.value.code == "gone"
    with pytest.raises(Invalid):
        watch(yard, resume="x").step()


def test_a_resource_that_leaves_the_filter_is_removed(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {"title": "in"}, id="aa")
    watcher = watch(yard, filter='title = "in"')
    assert told(steps(watcher)) == [("current", "aa")]
    yard.call("PATCH", "projects/p/secrets/aa", {"title": "out"})
    assert told(steps(watcher)) == [("removed", "aa")]


def test_a_switch_resets_the_watch_and_the_old_version_goes_on_translated(yard: Yard) -> None:
    yard.call("POST", "projects/p/secrets", {"title": "one"}, id="aa")
    watcher = watch(yard)
    steps(watcher)
    yard.switch()
    after = steps(watcher)
    assert [message.hard_reset for message in after] == [True, False]
    assert told(after) == [("current", "aa")]

    new = f"projects/p/regions/{REGION}/secrets/aa"
    yard.call("PATCH", new, {"displayName": "two"}, version="v1")
    (message,) = steps(watcher)
    assert message.changes[0]["modified"]["title"] == "two"  # type: ignore[index,call-overload]
    assert [without_metadata(each) for each in message.changes] == [
        in_the_domains_words(yard, "modified", new)
    ]
    gone = in_the_domains_words(yard, "removed", new)
    yard.call("DELETE", new, version="v1")
    (message,) = steps(watcher)
    assert told([message]) == [("removed", "aa")]
    assert [without_metadata(each) for each in message.changes] == [gone]


def without_metadata(change: JsonObject) -> JsonObject:
    """Leave out of a change what the server knows and no conversion does."""
    ((kind, document),) = change.items()
    assert isinstance(document, dict)
    return {kind: {key: value for key, value in document.items() if key != "metadata"}}


def in_the_domains_words(yard: Yard, kind: str, name: str) -> JsonObject | None:
    """Convert the change object of a stored secret as whoever holds one would."""
    compiled = yard.servers.directory.served(REGION, SERVICE).compiled
    pages = (yard.store.page(yard.namespace("v1"), Stretch("Secret", shard)) for shard in range(16))
    (stored,) = [found for page in pages for found in page if found.name == name]
    document: JsonObject = {"name": name} if kind == "removed" else {"name": name, **stored.body}
    return convert_change(compiled.converter("Secret", "v1alpha2", "v1"), {kind: document})

"""Watches: snapshots, changes, pages that move, resuming and resets, in each version, across a switch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.watching import tails
from migrations_app.engine.serving.watching.watched_changes import WatchRequest
from migrations_app.engine.serving.watching.watches import Watch
from migrations_app.kernel import failpoints
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.store import KeyRange
from tests.integration.resource_api.change_objects import convert_change
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

# A transaction of the test's own, in the same server, would hold the horizon back: see `Feed.holders`.
pytestmark = pytest.mark.django_db(transaction=True)
MANY = "projects/p/secrets"


@pytest.fixture(autouse=True)
def every_look_is_due(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Watches look for news as often as they are asked."""
    monkeypatch.setattr(tails, "EVERY_SECONDS", 0.0)
    yield
    failpoints.arm("")


def watch(
    ports: Yard,
    version: str = "v1alpha2",
    *,
    only: str = "",
    paged: bool = False,
    chunk: int = 500,
    resume: str = "",
    since: datetime | None = None,
    **listed: str | int,
) -> Watch:
    parent = str(listed.pop("parent", "projects/p"))
    asked = WatchRequest(
        ListRequest("Secret", parent, **listed),  # type: ignore[arg-type]
        only=only,
        paged=paged,
        chunk=chunk,
        resume=resume,
        since=since,
    )
    found = ports.servers.watch((REGION, SERVICE, version), asked)
    found.begin()
    return found


def steps(watched: Watch) -> list[JsonObject]:
    messages = []
    while (message := watched.step()) is not None:
        messages.append(message)
    return messages


def told(messages: list[JsonObject]) -> list[tuple[str, str]]:
    """Say of each change what kind it is, and of which id."""
    found = []
    for message in messages:
        for change in message.get("secretChanges", []):  # type: ignore[union-attr]
            ((kind, about),) = change.items()  # type: ignore[union-attr]
            name = about["name"] if kind == "removed" else about["secret"]["name"]  # type: ignore[index,call-overload]
            found.append((kind, str(name).rpartition("/")[2]))
    return found


def make(ports: Yard, *ids: str) -> None:
    for each in ids:
        ports.call("POST", MANY, {"title": each}, id=each)


def test_a_snapshot_comes_in_chunks_and_says_how_many_it_was_and_then_what_changes(ports: Yard) -> None:
    make(ports, "aa", "bb", "cc")
    ports.call("POST", "projects/q/secrets", {}, id="elsewhere")
    watched = watch(ports, chunk=2)
    first = steps(watched)
    assert [told([each]) for each in first] == [[("added", "aa"), ("added", "bb")], [("added", "cc")]]
    assert [(each.get("isCurrent"), each.get("snapshotSize")) for each in first] == [(None, None), (True, 3)]
    assert not any("isHardReset" in each for each in first)

    make(ports, "dd")
    ports.call("PATCH", f"{MANY}/aa", {"title": "x"})
    ports.call("DELETE", f"{MANY}/bb")
    ports.call("PATCH", "projects/q/secrets/elsewhere", {"title": "x"})
    after = steps(watched)
    assert sorted(told(after)) == [("added", "dd"), ("modified", "aa"), ("removed", "bb")]
    assert [bool(each.get("isCurrent")) for each in after][-1]
    assert watched.step() is None


def test_a_client_that_lost_the_connection_goes_on_with_the_token_and_gets_what_it_missed(
    ports: Yard,
) -> None:
    make(ports, "aa", "bb")
    token = str(steps(watch(ports))[-1]["resumeToken"])
    (greeting,) = steps(watch(ports, resume=token))
    assert (greeting["isCurrent"], told([greeting])) == (True, [])

    make(ports, "cc")
    ports.call("DELETE", f"{MANY}/aa")
    resumed = steps(watch(ports, resume=token))
    assert sorted(told(resumed)) == [("current", "cc"), ("removed", "aa")]
    assert not any("isHardReset" in each for each in resumed)
    # What was told since comes with newer tokens; they go on after it.
    assert told(steps(watch(ports, resume=str(resumed[-1]["resumeToken"])))) == []

    for wrong in (lambda: watch(ports, resume=token, filter='title = "x"'), lambda: watch(ports, resume="x")):
        with pytest.raises(Invalid) as refused:
            wrong()
        assert refused.value.code == "resume-token"


def test_a_token_whose_changes_are_no_longer_kept_is_answered_by_a_hard_reset(ports: Yard) -> None:
    make(ports, "aa")
    token = str(steps(watch(ports))[-1]["resumeToken"])
    make(ports, "bb")
    assert ports.feed.trim(ports.namespace("v1alpha2"), retain_seconds=0.0) > 0
    (reset,) = steps(watch(ports, resume=token))
    assert (reset["isHardReset"], reset["snapshotSize"]) == (True, 2)
    assert told([reset]) == [("added", "aa"), ("added", "bb")]


def test_a_watch_may_start_at_a_time_and_begins_anew_when_that_is_too_long_ago(ports: Yard) -> None:
    make(ports, "aa")
    when = datetime.now(UTC)
    make(ports, "bb")
    assert told(steps(watch(ports, since=when))) == [("current", "bb")]
    ports.feed.trim(ports.namespace("v1alpha2"), retain_seconds=0.0)
    (reset,) = steps(watch(ports, since=when - timedelta(hours=1)))
    assert (reset["isHardReset"], told([reset])) == (True, [("added", "aa"), ("added", "bb")])


def test_the_pulse_shows_a_lost_deletion(ports: Yard) -> None:
    make(ports, "aa", "bb")
    watched = watch(ports)
    client = {name for _, name in told(steps(watched))}
    ports.call("DELETE", f"{MANY}/aa")
    lost = steps(watched)
    assert told(lost) == [("removed", "aa")]
    pulse = watched.beat()
    assert (pulse["isCurrent"], pulse["snapshotSize"], len(client)) == (True, 1, 2)
    assert told(steps(watch(ports))) == [("added", "bb")]


def test_a_resource_that_enters_or_leaves_the_filter_is_added_or_removed(ports: Yard) -> None:
    ports.call("POST", MANY, {"title": "in"}, id="aa")
    make(ports, "bb")
    watched = watch(ports, filter='title = "in"', mask="title")
    (first,) = steps(watched)
    assert first["secretChanges"] == [{"added": {"secret": {"name": f"{MANY}/aa", "title": "in"}}}] or first[
        "secretChanges"
    ] == [{"added": {"secret": {"title": "in"}}}]
    ports.call("PATCH", f"{MANY}/aa", {"title": "out"})
    ports.call("PATCH", f"{MANY}/bb", {"title": "in"})
    after = [change for message in steps(watched) for change in message["secretChanges"]]  # type: ignore[union-attr]
    assert sorted(next(iter(each)) for each in after) == ["added", "removed"]  # type: ignore[call-overload]


def test_one_resource_is_watched_from_before_it_is_there(ports: Yard) -> None:
    watched = watch(ports, only=f"{MANY}/aa")
    (empty,) = steps(watched)
    assert (empty["isCurrent"], empty["snapshotSize"]) == (True, 0)
    make(ports, "aa", "bb")
    assert told(steps(watched)) == [("added", "aa")]
    ports.call("DELETE", f"{MANY}/aa")
    assert told(steps(watched)) == [("removed", "aa")]


def test_what_was_told_by_half_is_taken_back_when_the_data_go_away(ports: Yard) -> None:
    make(ports, "aa", "bb", "cc")
    token = str(steps(watch(ports))[-1]["resumeToken"])
    make(ports, "dd", "ee", "ff")
    watched = watch(ports, resume=token, chunk=2)
    half = watched.step()
    assert half is not None
    assert ("isCurrent" in half, len(told([half]))) == (False, 2)
    failpoints.arm("watch-read:raise")
    whole = steps(watched) + steps(watched)
    assert whole[0] == {"isSoftReset": True}
    assert sorted(told(whole)) == [("current", "dd"), ("current", "ee"), ("current", "ff")]
    assert whole[-1]["isCurrent"]

    # In the middle of a snapshot as well: it is told once more from its beginning.
    fresh = watch(ports, chunk=4)
    assert len(told([fresh.step() or {}])) == 4
    failpoints.arm("watch-read:raise")
    again = steps(fresh) + steps(fresh)
    assert again[0] == {"isSoftReset": True}
    assert (len(told(again)), again[-1]["snapshotSize"]) == (6, 6)
    # With nothing half sent, a peer that does not answer is only asked again.
    failpoints.arm("watch-read:raise")
    assert fresh.beat() == {}
    assert fresh.beat()["isCurrent"]


def test_a_switch_resets_the_watch_and_the_old_version_goes_on_translated(ports: Yard) -> None:
    ports.call("POST", MANY, {"title": "one"}, id="aa")
    watched = watch(ports)
    token = str(steps(watched)[-1]["resumeToken"])
    ports.switch()
    (after,) = steps(watched)
    assert (after["isHardReset"], after["snapshotSize"], told([after])) == (True, 1, [("added", "aa")])
    # A token from before the switch is of the feed that is no longer followed.
    (resumed,) = steps(watch(ports, resume=token))
    assert (resumed["isHardReset"], told([resumed])) == (True, [("added", "aa")])

    new = f"projects/p/regions/{REGION}/secrets/aa"
    ports.call("PATCH", new, {"displayName": "two"}, version="v1")
    (message,) = steps(watched)
    assert as_documents(message) == [in_the_domains_words(ports, "modified", new)]
    gone = in_the_domains_words(ports, "removed", new)
    ports.call("DELETE", new, version="v1")
    (message,) = steps(watched)
    assert as_documents(message) == [gone]
    assert told([message]) == [("removed", "aa")]


def test_a_watch_of_the_version_that_is_being_filled_goes_on_as_it_becomes_active(ports: Yard) -> None:
    make(ports, "aa")
    ports.fill()
    watched = watch(ports, "v1", parent="projects/p/regions/-")
    assert told(steps(watched)) == [("added", "aa")]
    ports.switch()
    (reset,) = [each for each in steps(watched) if "isHardReset" in each]
    assert told([reset]) == [("added", "aa")]
    ports.call("POST", f"projects/p/regions/{REGION}/secrets", {}, version="v1", id="bb")
    assert told(steps(watched)) == [("added", "bb")]


def indices(message: JsonObject) -> list[tuple[str, str, int | None, int | None]]:
    """Say of each change its kind, its id, and where it was and is in the view."""
    found = []
    for change in message["secretChanges"]:  # type: ignore[union-attr]
        ((kind, about),) = change.items()  # type: ignore[union-attr]
        name = about["name"] if kind == "removed" else about["secret"]["name"]  # type: ignore[index,call-overload]
        places = about.get("previousViewIndex"), about.get("viewIndex")  # type: ignore[union-attr]
        found.append((kind, str(name).rpartition("/")[2], *places))
    return found  # type: ignore[return-value]


def test_a_page_is_kept_up_to_date_by_index(ports: Yard) -> None:
    make(ports, "aa", "cc", "dd")
    watched = watch(ports, paged=True, page_size=2, order_by="title desc")
    (first,) = steps(watched)
    assert indices(first) == [("added", "dd", None, 0), ("added", "cc", None, 1)]
    assert (first["isCurrent"], first["snapshotSize"]) == (True, 2)
    assert set(first["pageTokenChange"]) == {"nextPageToken"}  # type: ignore[arg-type]

    ports.call("PATCH", f"{MANY}/aa", {"title": "zz"})
    (moved,) = steps(watched)
    assert indices(moved) == [
        ("removed", "cc", None, 1),
        ("added", "aa", None, 0),
        ("modified", "dd", 0, 1),
    ]
    ports.call("DELETE", f"{MANY}/cc")
    (shorter,) = steps(watched)
    assert shorter["pageTokenChange"] == {}
    ports.call("POST", "projects/q/secrets", {}, id="elsewhere")
    assert steps(watched) == []
    assert watched.beat() == {"isCurrent": True}


def test_a_later_page_begins_anew_at_the_first_when_a_switch_voids_its_token(ports: Yard) -> None:
    make(ports, "aa", "bb", "cc")
    (first,) = steps(watch(ports, paged=True, page_size=2))
    token = first["pageTokenChange"]["nextPageToken"]  # type: ignore[index,call-overload]
    here, later = (
        watch(ports, paged=True, page_size=2),
        watch(ports, paged=True, page_size=2, page_token=token),
    )
    (page,) = steps(later)
    assert indices(page) == [("added", "cc", None, 0)]
    assert set(page["pageTokenChange"]) == {"prevPageToken"}  # type: ignore[arg-type]
    steps(here)

    ports.switch()
    # The first page is as it was, but for the tokens of its neighbours.
    (same,) = steps(here)
    assert set(same) == {"isCurrent", "pageTokenChange"}
    (reset,) = steps(later)
    assert reset["isHardReset"]
    assert indices(reset) == [("added", "aa", None, 0), ("added", "bb", None, 1)]


def as_documents(message: JsonObject) -> list[JsonObject]:
    """Write the changes of a message as change objects of the domain, without what only the server knows."""
    found: list[JsonObject] = []
    for change in message["secretChanges"]:  # type: ignore[union-attr]
        ((kind, about),) = change.items()  # type: ignore[union-attr]
        document = about if kind == "removed" else about["secret"]  # type: ignore[index,call-overload]
        assert isinstance(document, dict)
        found.append({kind: {key: value for key, value in document.items() if key != "metadata"}})
    return found


def in_the_domains_words(ports: Yard, kind: str, name: str) -> JsonObject | None:
    """Convert the change object of a stored secret as its holder would."""
    compiled = ports.servers.directory.served(REGION, SERVICE).compiled
    pages = (ports.store.page(ports.namespace("v1"), KeyRange("Secret", shard)) for shard in range(16))
    (stored,) = [found for page in pages for found in page if found.name == name]
    document: JsonObject = {"name": name} if kind == "removed" else {"name": name, **stored.body}
    return convert_change(compiled.converter("Secret", "v1alpha2", "v1"), {kind: document})

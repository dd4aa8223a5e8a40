"""Events fold without changing what a watcher ends up knowing."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import reduce

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from migrations_app.domain.events import Event, State, apply, fold, gathered, known_topic
from migrations_app.kernel.json import JsonObject
from migrations_app.live.messages import event_message

AT = datetime(2026, 1, 1, tzinfo=UTC)
BODY = st.dictionaries(st.sampled_from("xyz"), st.integers(0, 3), max_size=2)


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Changes of three things in the order of their numbers, revisions growing per thing."""
    revs: dict[str, int] = {}
    events = []
    for seq in range(draw(st.integers(0, 12))):
        id = draw(st.sampled_from("abc"))
        revs[id] = revs.get(id, 0) + 1
        kind = draw(st.sampled_from(["full", "patch", "gone"]))
        body = draw(BODY)
        events.append(
            Event(
                seq + 1,
                AT,
                "fleet",
                "cell",
                id,
                revs[id],
                body if kind == "full" else None,
                body if kind == "patch" else None,
            )
        )
    return events


def _play(events: list[Event], state: State) -> State:
    return reduce(apply, events, state)


@settings(max_examples=200, deadline=None)
@given(histories(), BODY)
def test_folded_events_have_the_same_effect(events: list[Event], body: dict[str, int]) -> None:
    start: State = {("fleet", "cell", "a"): (0, dict(body))}
    assert _play(fold(events), start) == _play(events, start)
    assert len(fold(events)) == len({event.key for event in events})


@settings(max_examples=100, deadline=None)
@given(histories())
def test_hearing_events_again_changes_nothing(events: list[Event]) -> None:
    known = _play(events, {})
    replayed = [event for event in events if event.rev >= known.get(event.key, (10**9, {}))[0]]
    assert _play(replayed, known) == known


def test_reports_of_shards_are_gathered_by_upgrade_and_keep_their_place_among_the_others() -> None:
    def report(seq: int, upgrade: str, shard: int, copied: int) -> Event:
        body: JsonObject = {"shard": shard, "copied": copied}
        return Event(seq, AT, f"upgrade:{upgrade}", "shard", f"{upgrade}/{shard}", full=body)

    line = Event(3, AT, "upgrade:u1", "line", "u1/7", full={"text": "Prepared."})
    last = report(6, "u1", 1, 12)
    told = gathered(fold([report(1, "u1", 0, 5), report(2, "u1", 1, 9), line, report(4, "u2", 0, 1), last]))

    assert [(event.seq, event.kind, event.id) for event in told] == [
        (3, "line", "u1/7"),
        (4, "shards", "u2"),
        (6, "shards", "u1"),
    ]
    assert told[2].patch == {"items": [{"shard": 0, "copied": 5}, {"shard": 1, "copied": 12}]}
    assert (told[2].topic, told[2].full) == ("upgrade:u1", None)


def test_an_older_revision_is_ignored_even_when_it_comes_later() -> None:
    new = Event(2, AT, "fleet", "cell", "a", 5, full={"v": "new"})
    old = Event(3, AT, "fleet", "cell", "a", 4, full={"v": "old"})
    assert _play([new, old], {}) == {new.key: (5, {"v": "new"})}
    assert fold([new, old])[0].full == {"v": "new"}
    assert fold([new, old])[0].seq == 3


def test_a_message_says_what_became_of_the_thing() -> None:
    gone = Event(7, AT, "fleet", "cell", "a", 2)
    assert msgspec.to_builtins(event_message(gone)) == {
        "op": "event",
        "seq": 7,
        "ts": "2026-01-01T00:00:00.000Z",
        "topic": "fleet",
        "kind": "cell",
        "id": "a",
        "rev": 2,
        "gone": True,
    }
    patched = event_message(Event(8, AT, "fleet", "cell", "a", 3, patch={}))
    assert msgspec.to_builtins(patched) == {
        "op": "event",
        "seq": 8,
        "ts": "2026-01-01T00:00:00.000Z",
        "topic": "fleet",
        "kind": "cell",
        "id": "a",
        "rev": 3,
        "patch": {},
    }


def test_topics_are_known_by_name_or_family() -> None:
    assert [known_topic(topic) for topic in ("fleet", "upgrade:7", "upgrade:", "weather", "")] == [
        True,
        True,
        False,
        False,
        False,
    ]

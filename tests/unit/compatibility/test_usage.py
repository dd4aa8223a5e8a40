"""Keys of messages are counted by canonical path and state, once a message, and values never."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from msgspec.structs import replace

from migrations_app.adapters.usage import MOST_NOTES, BufferedUsage
from migrations_app.domain.compatibility.usage import KeyState, key_states
from migrations_app.domain.schema.folder import read_files
from migrations_app.engine.serving.usage import MESSAGE, UsageTally
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.services.usage import Use

FILES = {
    "service.yaml": b"""
service: shops.example.com
versions: [{version: v1, stage: stable, ordinal: 10, sources: [{kind: ir, path: v1.yaml}]}]
""",
    "v1.yaml": b"""
schema:
  types:
    Shop:
      fields:
        name: string
        title: string
        open: bool
        doors: {list: Door}
        notes: {map: Door}
    Door:
      fields:
        width: i32
        inner: Door
  resources:
    Shop: {patterns: ["shops/{shop}"]}
""",
}
SCHEMA = read_files(FILES).schemas["v1"]
AT = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
A, N, E, V = KeyState.ABSENT, KeyState.NULL, KeyState.EMPTY, KeyState.VALUE


def use(method: str, body: object = None, **mentions: str) -> Use:
    sent = b"" if body is None else json.encode(body)
    return Use(SCHEMA, "north", "Shop", method, "ada", "app/1", AT, sent, tuple(mentions.items()))


def sums(tally: UsageTally) -> dict[tuple[str, str, str], int]:
    return {(each.method, each.path, each.state.value): seen.count for each, seen in tally.sums.items()}


def test_every_key_is_told_with_its_state_where_its_object_is() -> None:
    message: JsonObject = {
        "title": "",
        "open": False,
        "doors": [{"width": 0, "inner": None}, {"inner": {"width": 1}}],
        "notes": {},
        "paint": [],
    }
    assert key_states(SCHEMA, "Shop", message) == {
        ("name", A),
        ("title", E),
        ("open", V),
        ("doors", V),
        ("doors[].width", V),
        ("doors[].width", A),
        ("doors[].inner", N),
        ("doors[].inner", V),
        ("doors[].inner.width", V),
        ("doors[].inner.inner", A),
        ("notes", E),
        ("paint", E),
    }
    assert key_states(SCHEMA, "Shop", {"notes": {"a": {"width": None}}}) >= {
        ("notes{}.width", N),
        ("notes{}.inner", A),
    }
    assert key_states(SCHEMA, "Shop", ["no object"]) == frozenset()


def test_messages_keys_and_mentions_are_summed_exactly() -> None:
    tally = UsageTally()
    for _ in range(3):
        tally.take(use("create", {"title": "secret text"}))
    tally.take(use("list", filter='title = "x" AND doors.width > 3', orderBy="open desc", fieldMask="notes"))
    tally.take(use("list", filter="title = "))
    tally.take(
        use(
            "batchWrite",
            {"requests": [{"create": {"resource": {"name": "shops/a"}}}, {"delete": {"name": "shops/b"}}]},
        )
    )
    found = sums(tally)
    assert found["Shop.create", MESSAGE, "value"] == 4
    assert found["Shop.create", "title", "value"] == 3
    assert found["Shop.create", "title", "absent"] == 1
    assert found["Shop.create", "name", "value"] == 1
    assert found["Shop.delete", MESSAGE, "value"] == 1
    assert {key[1]: count for key, count in found.items() if key[0] == "Shop.list"} == {
        MESSAGE: 2,
        "title": 1,
        "doors.width": 1,
        "open": 1,
        "notes": 1,
    }
    assert "secret text" not in str(tally)


def test_sums_are_written_once_and_kept_while_they_cannot_be() -> None:
    written: list[dict[tuple[str, str, str], int]] = []
    fails = [True, False]

    def _write(tally: UsageTally) -> None:
        if fails.pop(0) if fails else False:
            raise OSError("no database")
        written.append(sums(tally))

    buffer = BufferedUsage(_write, background=False)
    buffer.note(use("get"))
    buffer.flush()
    buffer.note(replace(use("get"), at=AT + timedelta(minutes=1)))
    buffer.flush()
    buffer.flush()
    assert written == [{("Shop.get", MESSAGE, "value"): 2}]


def test_what_finds_no_room_is_counted_as_not_counted() -> None:
    written: list[UsageTally] = []
    buffer = BufferedUsage(written.append, background=False)
    for _ in range(MOST_NOTES + 7):
        buffer.note(use("get"))
    buffer.flush()
    assert sums(written[0]) == {("Shop.get", MESSAGE, "value"): MOST_NOTES}
    assert written[0].uncounted == 7


def test_a_refusal_alone_is_written_down_at_the_next_moment() -> None:
    written: list[UsageTally] = []
    usage = BufferedUsage(written.append, background=False)
    usage.flush()
    usage.note(replace(use("update", {}), refused_by="b1", is_counted=True))
    usage.flush()
    usage.flush()
    (tally,) = written
    assert (tally.sums, [(each.brown_out, seen.count) for each, seen in tally.refusals.items()]) == (
        {},
        [("b1", 1)],
    )

"""Names that a field decides on the other side of a version: found by the name of either version."""

from __future__ import annotations

import pytest

from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.watching import tails
from migrations_app.engine.serving.watching.watched_changes import WatchRequest
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Conflict, Missing
from migrations_app.kernel.json import Json
from tests.integration.resource_api.conftest import REGION, Yard

SERVICE = "books.example.com"
FOLDER = {
    "service.yaml": b"""
service: books.example.com
displayName: Books
versions:
  - {version: v1, stage: stable, ordinal: 10, nextVersion: v2, sources: [{kind: ir, path: v1.yaml}]}
  - {version: v2, stage: stable, ordinal: 20, sources: [{kind: ir, path: v2.yaml}]}
edges: [edges/v1-v2.yaml]
""",
    "v1.yaml": b"""
schema:
  types:
    Book: {fields: {name: string, room: string, title: string}}
    Card: {fields: {name: string, title: string}}
  resources:
    Book: {patterns: ["libraries/{library}/books/{book}"]}
    Card: {patterns: ["libraries/{library}/readers/{reader}/cards/{card}"]}
""",
    "v2.yaml": b"""
schema:
  types:
    Book: {fields: {name: string, room: string, title: string}}
    Card: {fields: {name: string, reader: string, title: string}}
  resources:
    Book: {patterns: ["libraries/{library}/rooms/{room}/books/{book}"]}
    Card: {patterns: ["libraries/{library}/cards/{card}"]}
""",
    "edges/v1-v2.yaml": b"""
edge: {service: books.example.com, from: v1, to: v2}
types:
  Book:
    ops:
      - resourceName:
          variants:
            - from: "libraries/{library}/books/{book}"
              to: "libraries/{library}/rooms/{room}/books/{book}"
              set: {room: {field: room}}
  Card:
    ops:
      - resourceName:
          variants:
            - from: "libraries/{library}/readers/{reader}/cards/{card}"
              to: "libraries/{library}/cards/{card}"
              back: {set: {reader: {field: reader}}}
      - added: {path: reader, as: {absent: true}}
""",
}
V1, V2 = (REGION, SERVICE, "v1"), (REGION, SERVICE, "v2")


@pytest.fixture
def books(ports: Yard) -> Yard:
    """Two books in two rooms, and the cards of two readers, kept in v2."""
    apply_service(SYSTEM, FOLDER)
    name = f"services/{SERVICE}/deployments/{REGION}"
    apply_deployment(SYSTEM, name, {"currentVersion": "v2"}, database=ports.database)
    for room, book in (("attic", "aa"), ("cellar", "bb")):
        write(ports, V2, "create", "Book", f"libraries/l/rooms/{room}/books/{book}", room=room, title=book)
    for reader, card in (("r1", "c1"), ("r2", "c2")):
        write(ports, V2, "create", "Card", f"libraries/l/cards/{card}", reader=reader)
    return ports


def write(ports: Yard, place: tuple[str, str, str], verb: str, type_: str, name: str, **body: Json) -> None:
    mask = ",".join(body) if verb == "update" else ""
    ports.servers.writing.write(*place, [WriteRequest(verb, type_, name, body=dict(body), mask=mask)])


def listed(ports: Yard, type_: str, parent: str) -> list[str]:
    found = ports.servers.reading.list(*V1, ListRequest(type_, parent))
    return [str(each["name"]) for each in found.documents]


def test_what_a_field_places_in_the_stored_version_is_read_and_written_by_its_old_name(books: Yard) -> None:
    name = "libraries/l/books/aa"
    assert listed(books, "Book", "libraries/l") == [name, "libraries/l/books/bb"]
    assert books.servers.reading.get(*V1, "Book", name).document["title"] == "aa"
    got = books.servers.reading.batch_get(*V1, "Book", [name, "libraries/l/books/zz"])
    assert ([each["name"] for each in got.documents], got.missing) == ([name], ("libraries/l/books/zz",))

    write(books, V1, "update", "Book", name, title="new")
    moved = books.servers.reading.get(*V2, "Book", "libraries/l/rooms/attic/books/aa")
    assert moved.document["title"] == "new"
    with pytest.raises(Conflict) as again:
        write(books, V1, "create", "Book", name, room="attic")
    assert again.value.code == "already-exists"
    write(books, V1, "delete", "Book", name)
    assert listed(books, "Book", "libraries/l") == ["libraries/l/books/bb"]
    with pytest.raises(Missing):
        books.servers.reading.get(*V1, "Book", name)


def test_what_a_field_places_in_the_old_version_is_not_found_under_another_parent(books: Yard) -> None:
    mine, other = "libraries/l/readers/r1/cards/c1", "libraries/l/readers/r2/cards/c1"
    assert books.servers.reading.get(*V1, "Card", mine).document["name"] == mine
    with pytest.raises(Missing):
        books.servers.reading.get(*V1, "Card", other)
    assert books.servers.reading.batch_get(*V1, "Card", [mine, other]).missing == (other,)
    assert listed(books, "Card", "libraries/l/readers/r1") == [mine]
    assert len(listed(books, "Card", "libraries/l/readers/-")) == 2


def test_a_parent_that_no_field_of_the_stored_version_says_is_kept(books: Yard) -> None:
    name = "libraries/l/readers/r3/cards/c3"
    write(books, V1, "create", "Card", name, title="first")
    assert books.servers.reading.get(*V2, "Card", "libraries/l/cards/c3").document["title"] == "first"

    assert books.servers.reading.get(*V1, "Card", name).document["title"] == "first"
    assert books.servers.reading.batch_get(*V1, "Card", [name]).missing == ()
    assert listed(books, "Card", "libraries/l/readers/r3") == [name]
    write(books, V1, "update", "Card", name, title="second")
    assert books.servers.reading.get(*V1, "Card", name).document["title"] == "second"
    write(books, V1, "delete", "Card", name)
    assert listed(books, "Card", "libraries/l/readers/r3") == []


def test_a_watch_tells_that_it_is_gone_by_the_name_it_told(
    transactional_db: None, books: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tails, "EVERY_SECONDS", 0.0)
    watch = books.servers.watch(V1, WatchRequest(ListRequest("Card", "libraries/l/readers/r1")))
    watch.begin()
    first = watch.step() or {}
    assert len(first["cardChanges"]) == 1  # type: ignore[arg-type]
    write(books, V2, "delete", "Card", "libraries/l/cards/c2")
    write(books, V2, "delete", "Card", "libraries/l/cards/c1")
    (gone,) = (watch.step() or {})["cardChanges"]  # type: ignore[misc]
    assert gone["removed"]["name"] == "libraries/l/readers/r1/cards/c1"  # type: ignore[index,call-overload]

"""Resources that the old version cannot name: hidden in it wherever it is asked, and untouched by what it writes."""

from __future__ import annotations

from typing import Any

import pytest

from migrations_app.domain.conversion.laws.verify import verify
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.engine.serving.reading import ListRequest
from migrations_app.engine.serving.watching.watched_changes import WatchRequest
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json
from tests.unit.serving.two_versions import REGION, ServedVersions, two_versions

SERVICE = "shelf.example.com"
OLD = """
schema:
  types:
    Book: {fields: {name: string, title: string, sequel: {type: {reference: {resource: [Book]}, }}}}
  resources:
    Book: {patterns: ["shelves/{shelf}/books/{book}"], idPattern: {book: "[a-z]{1,8}"}}
"""
NEW = """
schema:
  types:
    Book: {fields: {name: string, title: string, sequel: {type: {reference: {resource: [Book]}}}}}
  resources:
    Book:
      patterns: ["shelves/{shelf}/books/{book}", "rooms/{room}/shelves/{shelf}/books/{book}"]
      idPattern: {book: "[a-z0-9]{1,20}"}
"""
EDGE = "edge: {service: shelf.example.com, from: v1, to: v2}\ntypes: {Book: {ops: []}}\n"
OTHERS = ("rooms/r/shelves/s/books/b", "shelves/s/books/b2")
"""One of a pattern that v1 does not have, one with an id that v1 does not allow."""


@pytest.fixture(scope="module")
def compiled() -> CompiledService:
    return two_versions(SERVICE, OLD, NEW, EDGE)


@pytest.fixture
def books(compiled: CompiledService) -> ServedVersions:
    served = ServedVersions(compiled, "v2")
    served.json("POST", "v2", "shelves/s/books?id=b", {"title": "seen"})
    for name in OTHERS:
        parent, _, id_ = name.rpartition("/")
        body: Json = {"title": "hidden", "sequel": "shelves/s/books/b"}
        served.json("POST", "v2", f"{parent}?id={id_}", body)
    return served


@pytest.mark.parametrize("name", [*OTHERS, "no/such/shape", "shelves/s/books/UPPER"])
def test_a_name_that_the_old_version_does_not_have_has_no_image_there(
    compiled: CompiledService, name: str
) -> None:
    back = compiled.converter("Book", "v2", "v1")
    assert back.name(name) is None
    assert back.name("shelves/s/books/b") == "shelves/s/books/b"


def test_reads_lists_and_watches_of_the_old_version_do_not_show_it(books: ServedVersions) -> None:
    for name in OTHERS:
        assert books.call("GET", "v2", name).status == 200
        with pytest.raises((Missing, Invalid)) as refused:
            books.call("GET", "v1", name)
        assert refused.value.code in ("address", "name")
    for parent in ("shelves/-/books", "shelves/s/books"):
        listed: Any = books.json("GET", "v1", parent)
        assert [each["name"] for each in listed["books"]] == ["shelves/s/books/b"]
    request = WatchRequest(ListRequest("Book", "shelves/-"))
    watch = books.servers.watch((REGION, SERVICE, "v1"), request)
    watch.begin()
    told: Any = watch.step()
    assert "hidden" not in str(told)
    assert "seen" in str(told)
    books.json("PATCH", "v2", f"{OTHERS[0]}?updateMask=title", {"title": "hidden too"})
    books.json("PATCH", "v2", "shelves/s/books/b?updateMask=title", {"title": "seen too"})
    later = str([watch.step() for _ in range(5)])
    assert "hidden" not in later
    assert "seen too" in later


def test_a_reference_to_it_is_left_out_and_survives_what_the_old_version_writes(
    books: ServedVersions,
) -> None:
    books.json("PATCH", "v2", "shelves/s/books/b?updateMask=sequel", {"sequel": OTHERS[0]})
    shown: Any = books.json("GET", "v1", "shelves/s/books/b")
    assert "sequel" not in shown
    books.json("PATCH", "v1", "shelves/s/books/b?updateMask=title", {"title": "written by v1"})
    kept: Any = books.json("GET", "v2", "shelves/s/books/b")
    assert (kept["title"], kept["sequel"]) == ("written by v1", OTHERS[0])


def test_the_laws_hold_of_names_that_one_side_does_not_have(compiled: CompiledService) -> None:
    results = list(verify(compiled, count=60))
    assert [each.failure for each in results if each.failure] == []
    assert any(each.law == "L10b" for each in results)


def test_a_map_that_lets_names_through_breaks_the_law(
    compiled: CompiledService, monkeypatch: pytest.MonkeyPatch
) -> None:
    back = compiled.converter("Book", "v2", "v1")
    monkeypatch.setattr(back.hops[0].names, "is_identity", True)
    broken = [each for each in verify(compiled, count=60, laws=["L10b"]) if each.failure]
    assert [(each.source, each.target) for each in broken] == [("v2", "v1")]

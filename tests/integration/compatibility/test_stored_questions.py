"""Questions about stored resources: counted by the database, or answered from a sample when that is too slow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from migrations_app import wiring
from migrations_app.adapters.store.questioning import StoredQuestions
from migrations_app.domain.compatibility.decisions import differences
from migrations_app.domain.compatibility.stored import CountRequest, StoredCount
from migrations_app.domain.schema.folder import read_files
from migrations_app.kernel.json import JsonObject
from tests.factories.shelves import SHELVES, V1, folder
from tests.integration.resource_api.conftest import Yard, deployed

BOXES = 40
NEW = (
    V1.replace("        title: string\n", "")
    .replace("weight: i32", "weight: string\n        keeper: {type: string, required: true}")
    .replace("note: string, ", "")
    .replace("colour: string", "colour: {type: string, required: true}")
)


@pytest.fixture
def shelves(db: None, data_database: str) -> Iterator[Yard]:
    """Forty boxes: all weigh something, every second has a title, every fourth a lid, every eighth a note."""
    with deployed(data_database, SHELVES, "v1", files=folder()) as made:
        for number in range(BOXES):
            body: JsonObject = {"weight": number}
            if number % 2 == 0:
                body["title"] = "box"
            if number % 4 == 0:
                body["lid"] = {"colour": "red"} if number % 8 == 0 else {"hingeCount": 1}
            if number % 8 == 0:
                body["tags"] = {"x": {"id": "a"}, "y": {"id": "b", "note": "odd"}}
                body["parts"] = [{"id": "a"}, {"id": "b", "note": "odd"}]
            made.call("POST", "boxes", body, version="v1", id=f"b{number}")
        yield made
    wiring.databases().close(data_database)


def questions() -> list[CountRequest]:
    """Ask what a change to NEW asks."""
    old, new = (read_files(folder(v1=text)).schemas["v1"] for text in (V1, NEW))
    return [asked for each in differences(old, new, None) for asked in each.asked]


def answers(ports: Yard, asking: StoredQuestions) -> dict[tuple[str, str], StoredCount]:
    """Ask about the boxes."""
    told = asking.ask(ports.namespace("v1"), "Box", questions())
    return {(str(each.kind), each.at.path): answer for each, answer in told.items()}


EXPECTED = {
    ("holding", "title"): 20,
    ("holding", "weight"): 40,
    ("lacking", "keeper"): 40,
    ("lacking", "lid.colour"): 5,
    ("holding", "parts[].note"): 5,
    ("holding", "tags{}.note"): 5,
}


def test_few_are_looked_at_one_by_one(shelves: Yard) -> None:
    found = answers(shelves, StoredQuestions(wiring.databases()))
    assert {key: found[key] for key in EXPECTED} == {
        key: StoredCount(hits, BOXES, BOXES) for key, hits in EXPECTED.items()
    }
    assert found["misfit", "weight"] == StoredCount(BOXES, BOXES, BOXES)
    assert found["misfit", "keeper"] == StoredCount(0, BOXES, BOXES)


def test_many_are_counted_by_the_database_and_their_values_sampled(shelves: Yard) -> None:
    found = answers(shelves, StoredQuestions(wiring.databases(), most=10))
    assert {key: found[key] for key in EXPECTED} == {
        key: StoredCount(hits, BOXES, BOXES) for key, hits in EXPECTED.items()
    }
    values = found["misfit", "weight"]
    assert (values.hits, values.resources, values.is_sample) == (values.looked, BOXES, True)


def test_without_time_everything_is_sampled_and_says_so(shelves: Yard) -> None:
    with wiring.databases().connection(shelves.database) as connection:
        connection.run(f'ANALYZE {shelves.namespace("v1").schema}."r_Box"'.encode())
    asking = StoredQuestions(wiring.databases(), patience_seconds=0.0, most=10)
    found = answers(shelves, asking)
    told = found["holding", "weight"]
    assert (told.resources, told.is_sample, told.hits) == (BOXES, True, told.looked)
    assert found["misfit", "keeper"].hits == 0


def test_after_many_types_only_a_sample_of_each_is_looked_at(shelves: Yard) -> None:
    """What a decision looks at is bounded whatever the number of types: the last ones are sampled, and say so."""
    asking = StoredQuestions(wiring.databases(), most=30, altogether=20)
    place = shelves.namespace("v1")
    [weight] = [each for each in questions() if (str(each.kind), each.at.path) == ("misfit", "weight")]
    first = asking.ask(place, "Box", [weight])[weight]
    assert (first.resources, first.is_sample, first.hits) == (BOXES, True, first.looked)
    few = StoredQuestions(wiring.databases(), altogether=BOXES)
    assert [few.ask(place, "Box", [weight])[weight] for _ in range(2)] == [
        StoredCount(BOXES, BOXES, BOXES)
    ] * 2


def test_names_are_held_against_patterns(shelves: Yard) -> None:
    asking = StoredQuestions(wiring.databases())
    place = shelves.namespace("v1")
    assert asking.misnamed(place, "Box", ["^boxes/b[0-9]$"]) == StoredCount(30, BOXES, BOXES)
    assert asking.misnamed(place, "Box", ["^boxes/b[0-9]$", "^boxes/[^/]+$"]) == StoredCount(0, BOXES, BOXES)
    assert asking.resources(place, "Box") == BOXES
    hurried = StoredQuestions(wiring.databases(), patience_seconds=0.0, most=10)
    with wiring.databases().connection(shelves.database) as connection:
        connection.run(f'ANALYZE {place.schema}."r_Box"'.encode())
    sampled = hurried.misnamed(place, "Box", ["^$"])
    assert (sampled.hits, sampled.looked, sampled.resources) == (10, 10, BOXES)
    assert asking.resources(place, "Crate") == 0


def test_a_sample_tells_how_many_there_are_and_at_most() -> None:
    assert str(StoredCount(3, 7, 7)) == "3 of 7"
    assert str(StoredCount(50, 1_000_000, 10_000)) == "about 5000 of 1000000, by a sample of 10000 of 1000000"
    none = StoredCount(0, 1_000_000, 10_000)
    assert (str(none), none.bound) == (
        "none in a sample of 10000 of 1000000, so at most 300 (95 %)",
        300,
    )
    assert StoredCount(1, 5, 5).plus(StoredCount(2, 6, 6)) == StoredCount(3, 11, 11)

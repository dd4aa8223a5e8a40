"""What a client may ask of reads and say with writes: views, counts, conditions, names."""

from __future__ import annotations

import pytest

from migrations_app.kernel.errors import Conflict, Invalid, Missing, Stale
from migrations_app.kernel.json import JsonObject
from tests.integration.resource_api.conftest import Yard

DOOR = "projects/p/secrets/door"
SECRET: JsonObject = {"title": "Door", "owner": "ada", "labels": {"team": "a"}, "rotation": "MANUAL"}


def get(ports: Yard, name: str = DOOR, **query: str) -> JsonObject:
    found = ports.call("GET", name, **query).document
    assert isinstance(found, dict)
    return found


def test_a_view_shows_more_or_less_and_a_mask_adds_to_it(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    whole = get(ports)

    assert get(ports, view="FULL") == get(ports, view="DETAIL") == whole
    assert get(ports, view="NAME") == {"name": DOOR}
    assert get(ports, view="NAME", fieldMask="labels") == {"name": DOOR, "labels": {"team": "a"}}
    basic = get(ports, view="BASIC")
    assert {key: value for key, value in basic.items() if key != "metadata"} == {
        "name": DOOR,
        "title": "Door",
        "owner": "ada",
        "rotation": "MANUAL",
    }
    assert set(basic["metadata"]) == {"uuid", "resourceVersion", "createTime", "updateTime"}  # type: ignore[arg-type]
    listed = ports.call("GET", "projects/p/secrets", view="NAME").document
    assert listed == {"secrets": [{"name": DOOR}]}
    several = ports.call("GET", "projects/p/secrets:batchGet", names=DOOR, view="NAME").document
    assert several == {"secrets": [{"name": DOOR}]}
    with pytest.raises(Invalid) as refused:
        get(ports, view="SOME")
    assert refused.value.code == "view"


@pytest.mark.parametrize("order", ["", "title desc"])
def test_a_page_tells_how_many_there_are_and_how_many_came_before(ports: Yard, order: str) -> None:
    for number in range(5):
        ports.call("POST", "projects/p/secrets", {"title": f"t{number}"}, id=f"s{number}")
    token, offsets = "", []
    while True:
        query = {"pageToken": token} if token else {}
        page = ports.call(
            "GET", "projects/p/secrets", pageSize="2", includePagingInfo="true", orderBy=order, **query
        )
        assert isinstance(page.document, dict)
        offsets.append((page.document["currentOffset"], page.document["totalResultsCount"]))
        token = str(page.document.get("nextPageToken", ""))
        if not token:
            break
    assert offsets == [(0, 5), (2, 5), (4, 5)]


def test_a_page_that_ends_with_the_list_has_no_next_one(ports: Yard) -> None:
    for number in range(4):
        ports.call("POST", "projects/p/secrets", {}, id=f"s{number}")
    for size, pages in (("2", 2), ("4", 1), ("5", 1), ("1", 4)):
        token, count = "", 0
        while True:
            query = {"pageToken": token} if token else {}
            page = ports.call("GET", "projects/p/secrets", pageSize=size, **query).document
            assert isinstance(page, dict)
            token, count = str(page.get("nextPageToken", "")), count + 1
            if not token:
                break
        assert count == pages


def test_a_write_that_believes_something_else_changes_nothing(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call(
        "PUT",
        DOOR,
        {
            "resource": {"title": "Gate"},
            "updateMask": "title",
            "cas": {
                "conditionalState": {"owner": "ada", "legacyEtag": "x"},
                "fieldMask": "owner,labels.size",
            },
        },
    )
    assert get(ports)["title"] == "Gate"
    for believed, mask in (({"owner": "bob"}, ""), ({"owner": "ada"}, "owner,title"), ({}, "labels.team")):
        with pytest.raises(Conflict) as refused:
            ports.call(
                "PUT",
                DOOR,
                {"resource": {"title": "Wall"}, "cas": {"conditionalState": believed, "fieldMask": mask}},
            )
        assert refused.value.code == "state-moved"
    assert (get(ports)["title"], get(ports)["metadata"]["resourceVersion"]) == ("Gate", "2")  # type: ignore[index,call-overload]
    with pytest.raises(Missing):
        ports.call(
            "PUT",
            "projects/p/secrets/none",
            {"resource": {}, "allowMissing": True, "cas": {"conditionalState": {}}},
        )


def test_a_stale_etag_is_refused_and_nothing_is_written(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call("PATCH", DOOR, {"title": "Gate"}, headers={"if-match": '"1"'})
    for method, body in (("PUT", {"title": "Wall"}), ("PATCH", {"title": "Wall"}), ("DELETE", None)):
        with pytest.raises(Stale) as refused:
            ports.call(method, DOOR, body, headers={"if-match": '"1"'})  # type: ignore[arg-type]
        assert (refused.value.code, refused.value.nouns["found"]) == ("revision-conflict", 2)
    assert get(ports)["title"] == "Gate"
    with pytest.raises(Invalid) as broken:
        ports.call("DELETE", DOOR, headers={"if-match": "latest"})
    assert broken.value.code == "etag"


def test_what_is_missing_may_be_allowed_to_be(ports: Yard) -> None:
    with pytest.raises(Missing):
        ports.call("PUT", DOOR, SECRET)
    assert ports.call("DELETE", DOOR, allowMissing="true").document == {}
    made = ports.call("PUT", DOOR, SECRET, allowMissing="true")
    assert made.headers["ETag"] == '"1"'
    assert ports.call("PUT", DOOR, SECRET, allowMissing="true").headers["ETag"] == '"2"'


def test_a_name_comes_from_the_address_or_the_body_or_is_missing(ports: Yard) -> None:
    by_id = ports.call("POST", "projects/p/secrets", {}, id="by-id")
    by_body = ports.call("POST", "projects/p/secrets", {"name": "projects/p/secrets/by-body"})
    by_nobody = ports.call("POST", "projects/p/secrets", {})
    names = [str(each.document["name"]) for each in (by_id, by_body, by_nobody)]  # type: ignore[index,call-overload]
    assert names[:2] == ["projects/p/secrets/by-id", "projects/p/secrets/by-body"]
    assert names[2].startswith("projects/p/secrets/r")
    for body, query in (
        ({"name": "projects/q/secrets/aa"}, {}),
        ({"name": "projects/p/secrets/aa"}, {"id": "bb"}),
        ({}, {"id": "Not An Id"}),
        ({}, {"id": "-"}),
        ({"name": "projects/p/secrets/-"}, {}),
        ({}, {"id": "größe"}),
    ):
        with pytest.raises(Invalid) as refused:
            ports.call("POST", "projects/p/secrets", body, **query)  # type: ignore[arg-type]
        assert refused.value.code == "name"
    with pytest.raises(Conflict) as there:
        ports.call("POST", "projects/p/secrets", {}, id="by-id")
    assert there.value.code == "already-exists"
    listed = ports.call("GET", "projects/-/secrets", fieldMask="name", showTotal="true").document
    assert listed["totalSize"] == 3  # type: ignore[index,call-overload]


def test_a_filter_with_sql_in_it_is_only_text(ports: Yard) -> None:
    nasty = 'x\'; DROP TABLE "r_Secret"; --'
    ports.call("POST", "projects/p/secrets", {"title": nasty}, id="door")
    quoted = nasty.replace('"', '\\"')
    found = ports.call("GET", "projects/p/secrets", filter=f'title = "{quoted}"', fieldMask="name").document
    assert found == {"secrets": [{"name": DOOR}]}
    for text in (f'labels."{quoted}" = "a"', f'title IN ("{quoted}", "b")', 'name = "p\' OR 1=1"'):
        ports.call("GET", "projects/p/secrets", filter=text)
    for text in ("title = 'x' OR 1=1", "1=1", "title; DROP", 'title = "x" --'):
        with pytest.raises(Invalid):
            ports.call("GET", "projects/p/secrets", filter=text)
    with pytest.raises(Invalid):
        ports.call("GET", "projects/p/secrets", orderBy="title; DROP TABLE x")
    assert get(ports)["title"] == nasty

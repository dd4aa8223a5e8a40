"""Two versions at once: before the switch, in the freeze, and after it."""

from __future__ import annotations

import time

import pytest

from migrations_app.kernel.errors import Busy, Conflict, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.fence import FenceLocation, Mode
from tests.integration.resource_api.conftest import REGION, Yard

OLD, NEW = "projects/p/secrets/door", f"projects/p/regions/{REGION}/secrets/door"
SECRET: JsonObject = {
    "title": "Door",
    "owner": "ada",
    "rotation": "MANUAL",
    "rotationPeriod": "3600s",
    "legacyEtag": "x1",
}
IN_NEW = {
    "displayName": "Door",
    "owners": ["ada"],
    "rotation": {"mode": "ON_DEMAND", "periodSeconds": 3600},
}


def fields(document: object) -> dict[str, object]:
    assert isinstance(document, dict)
    return {key: value for key, value in document.items() if key not in ("name", "metadata")}


def test_before_the_switch_the_new_version_can_be_read_but_not_written(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.fill()
    read = ports.call("GET", NEW, version="v1")

    assert fields(read.document) == IN_NEW
    assert read.headers["Switchyard-Served"] == "preview"
    assert read.headers["Warning"].startswith("199")
    with pytest.raises(Conflict) as refused:
        ports.call("PUT", NEW, {"displayName": "Gate"}, version="v1")
    assert refused.value.code == "read-only-before-switch"


def test_after_the_switch_both_versions_read_and_write_the_same_resource(ports: Yard) -> None:
    created = ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.switch()
    new, old = ports.call("GET", NEW, version="v1"), ports.call("GET", OLD)

    assert (new.headers["Switchyard-Served"], old.headers["Switchyard-Served"]) == ("native", "translated")
    assert fields(new.document) == IN_NEW
    assert old.document == created.document
    assert new.document["metadata"]["uuid"] == old.document["metadata"]["uuid"]  # type: ignore[index,call-overload]

    ports.call("PUT", OLD, {**SECRET, "title": "Gate"})
    assert fields(ports.call("GET", NEW, version="v1").document) == {**IN_NEW, "displayName": "Gate"}
    ports.call("PATCH", NEW, {"owners": ["ada", "bob"]}, version="v1")
    kept = fields(ports.call("GET", OLD).document)
    assert (kept["title"], kept["legacyEtag"], kept["owner"]) == ("Gate", "x1", "ada")


def test_the_old_version_creates_lists_and_deletes_what_the_new_one_keeps(ports: Yard) -> None:
    ports.switch()
    for number in range(5):
        ports.call("POST", "projects/p/secrets", {**SECRET, "title": f"t{number}"}, id=f"s{number}")
    elsewhere = "projects/p/regions/us-east2/secrets"
    ports.call("POST", elsewhere, {"displayName": "far"}, version="v1", id="far")

    listed = ports.call(
        "GET", "projects/p/secrets", filter='title >= "t2"', pageSize="2", showTotal="true", fieldMask="name"
    )
    assert listed.document["secrets"] == [  # type: ignore[index,call-overload]
        {"name": "projects/p/secrets/s2"},
        {"name": "projects/p/secrets/s3"},
    ]
    assert listed.document["totalSize"] == 3  # type: ignore[index,call-overload]
    both = ports.call("GET", "projects/-/regions/-/secrets", version="v1", showTotal="true")
    assert both.document["totalSize"] == 6  # type: ignore[index,call-overload]
    everywhere = ports.call("GET", "projects/-/secrets", orderBy="title desc", fieldMask="title")
    assert everywhere.document["secrets"][0] == {"title": "t4"}  # type: ignore[index,call-overload]

    ports.call("DELETE", "projects/p/secrets/s0")
    with pytest.raises(Missing):
        ports.call("GET", f"projects/p/regions/{REGION}/secrets/s0", version="v1")


def test_references_are_converted_and_guarded_in_both_versions(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call("POST", "projects/p/secretGrants", {"secret": OLD, "member": "ada"}, id="g1")
    ports.switch()
    assert fields(ports.call("GET", "projects/p/secretGrants/g1", version="v1").document)["secret"] == NEW
    ports.call("PATCH", "projects/p/secretGrants/g1", {"member": "bob"})
    with pytest.raises(Conflict) as blocked:
        ports.call("DELETE", OLD)
    assert blocked.value.code == "deletion-blocked"


def test_a_process_with_a_stale_picture_learns_of_the_switch_by_itself(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    ports.call("GET", OLD)
    ports.switch()
    written = ports.call("PATCH", OLD, {"title": "Gate"})

    assert written.headers["Switchyard-Served"] == "translated"
    assert fields(ports.call("GET", NEW, version="v1").document)["displayName"] == "Gate"


def test_in_a_freeze_reads_go_on_and_writes_wait_up_to_a_bound(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    site = FenceLocation.of(ports.namespace("v1alpha2"))
    old = ports.namespace("v1alpha2")
    frozen = ports.fence.freeze(old, ports.fence.state(site), deadline_seconds=60)
    assert ports.call("GET", OLD).status == 200
    began = time.monotonic()
    with pytest.raises(Busy) as refused:
        ports.call("PATCH", OLD, {"title": "Gate"})
    assert refused.value.code == "frozen"
    # It waited; and no longer than the freeze, which goes on.
    assert time.monotonic() - began > 0.5
    assert ports.fence.state(site).mode is Mode.FROZEN

    ports.fence.abort(frozen)
    assert ports.call("PATCH", OLD, {"title": "Gate"}).status == 200


def test_a_write_held_by_a_freeze_goes_through_when_its_deadline_passes(ports: Yard) -> None:
    ports.call("POST", "projects/p/secrets", SECRET, id="door")
    site = FenceLocation.of(ports.namespace("v1alpha2"))
    ports.fence.freeze(ports.namespace("v1alpha2"), ports.fence.state(site), deadline_seconds=0.1)
    assert ports.call("PATCH", OLD, {"title": "Gate"}).status == 200


FILTERS = [
    'rotation = "MANUAL"',
    'rotation != "MANUAL"',
    'rotation IN ("NONE", "SCHEDULED") AND owner = "ada"',
    'NOT owner = "ada"',
    'owner = "ada" AND metadata.generation = "1" AND title LIKE "t%"',
    'name = "projects/p/secrets/s3"',
    'name IN ("projects/p/secrets/s3", "projects/p/secrets/s4") OR title = "t0"',
    'rotationPeriod > "60s" AND title IN ("t1", "t2")',
    'labels.team = "b"',
    "legacyEtag IS NULL",
]


def test_a_filter_finds_the_same_in_the_old_version_before_and_after_the_switch(ports: Yard) -> None:
    for number in range(8):
        body: JsonObject = {
            "title": f"t{number}",
            "owner": ("ada", "bob")[number % 2],
            "rotation": ("MANUAL", "NONE", "SCHEDULED")[number % 3],
            "rotationPeriod": f"{30 * number}s",
            "labels": {"team": "abc"[number % 3]},
        }
        if number % 4 == 0:
            body["legacyEtag"] = "x"
        ports.call("POST", "projects/p/secrets", body, id=f"s{number}")

    def _found() -> list[object]:
        return [
            ports.call("GET", "projects/p/secrets", filter=each, fieldMask="name").document
            for each in FILTERS
        ]

    before = _found()
    assert [len(each["secrets"]) for each in before] == [3, 5, 2, 4, 4, 1, 3, 0, 3, 6]  # type: ignore[index]
    ports.switch()
    assert _found() == before

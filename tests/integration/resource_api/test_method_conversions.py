"""Methods whose names, messages and resource names change with the version: called in both, and counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from migrations_app.adapters.methods.registered import RegisteredHandlers
from migrations_app.adapters.repositories.usage import UsageRows
from migrations_app.adapters.shadow_reads import SampledShadowReads
from migrations_app.adapters.usage import BufferedUsage
from migrations_app.domain.methods.calls import Call
from migrations_app.domain.methods.registration import ServiceMethods
from migrations_app.engine.methods.shadow_calls import ShadowCalls
from migrations_app.engine.serving.shadowing.shadow_reading import ShadowReading
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.models.evidence.usage import UsageCount
from migrations_app.ports.shadow_reads import ShadowReadComparison, ShadowReadSums
from migrations_app.resource_api.requests import ResourceApi
from tests.integration.resource_api.conftest import Yard, deployed
from tests.unit.conversion.test_methods import lamps

SERVICE = "lamps.example.com"
LAMP, THERE = "rooms/hall/lamps/l1", "houses/home/rooms/hall/lamps/l1"
SEEN: list[tuple[str, str, JsonObject]] = []


def handlers() -> RegisteredHandlers:
    """Install handlers of both versions, which note what they get."""
    old, new = ServiceMethods(SERVICE, "v1"), ServiceMethods(SERVICE, "v2")
    for service, method, level in ((old, "DimLamp", "level"), (new, "SetBrightness", "brightness")):
        service.method(method)(_dimming(level))
    for service in (old, new):
        service.method("FindLamps")(_find)
    return RegisteredHandlers.of([old, new])


def _dimming(level: str) -> Callable[[Call], JsonObject]:
    def _dim(call: Call) -> JsonObject:
        SEEN.append((call.version, call.name, call.request))
        before = call.get("Lamp", call.name).get(level, 0)
        lamp = call.update("Lamp", call.name, lambda _: {level: call.request[level]})
        return {f"old{level.capitalize()}": before, "lamps": [{"name": lamp["name"], level: lamp[level]}]}

    return _dim


def _find(call: Call) -> JsonObject:
    pattern = str(call.request["pattern"])
    found = [lamp for lamp in call.list("Lamp", call.name) if str(lamp["name"]).endswith(pattern)]
    return {"lamps": [{"name": each["name"]} for each in found]}


@pytest.fixture
def room(db: None, data_database: str) -> Iterator[Yard]:
    """A deployment of lamps in v1 with one lamp."""
    SEEN.clear()
    with deployed(data_database, SERVICE, "v1", handlers(), files=lamps().folder.files) as made:
        made.call("POST", "rooms/hall/lamps", {"level": 3, "note": "old"}, version="v1", id="l1")
        yield made


def test_a_renamed_method_is_called_in_both_versions_with_names_of_each(room: Yard) -> None:
    before = room.call("POST", f"{LAMP}:dim", {"level": 5, "hurry": True}, version="v1")
    room.switch("v1", "v2")
    after = room.call("POST", f"{LAMP}:dim", {"level": 7, "hurry": True}, version="v1")
    native = room.call("POST", f"{THERE}:setBrightness", {"brightness": 9}, version="v2")

    assert SEEN == [
        ("v1", LAMP, {"level": 5, "hurry": True, "name": LAMP}),
        ("v2", THERE, {"brightness": 7, "name": THERE}),
        ("v2", THERE, {"brightness": 9, "name": THERE}),
    ]
    assert before.document == {"oldLevel": 3, "lamps": [{"name": LAMP, "level": 5}]}
    assert after.document == {"oldLevel": 5, "lamps": [{"name": LAMP, "level": 7}]}
    assert native.document == {"oldBrightness": 7, "lamps": [{"name": THERE, "brightness": 9}]}
    assert room.call("GET", LAMP, version="v1").document["note"] == "old"  # type: ignore[index,call-overload]


def test_a_method_of_a_collection_that_reads_is_called_by_get_also_before_the_switch(room: Yard) -> None:
    found = {"lamps": [{"name": LAMP}]}
    there = {"lamps": [{"name": THERE}]}
    assert room.call("GET", "rooms/hall/lamps:find", version="v1", pattern="l1").document == found
    room.fill("v1", "v2")
    preview = room.call("GET", "houses/home/rooms/hall/lamps:find", version="v2", pattern="l1")
    assert (preview.document, preview.headers["Switchyard-Served"]) == (there, "preview")
    room.switch("v1", "v2")
    assert room.call("GET", "rooms/hall/lamps:find", version="v1", pattern="l1").document == found
    with pytest.raises(Invalid) as unknown:
        room.call("GET", "rooms/hall/lamps:find", version="v1", pattern="l1", depth="3")
    assert unknown.value.code == "query"
    with pytest.raises(Invalid) as posted:
        room.call("POST", "rooms/hall/lamps:find", {}, version="v1")
    assert posted.value.code == "method-not-allowed"


def test_calls_are_counted_by_version_and_method_with_the_keys_of_their_requests(room: Yard) -> None:
    usage = BufferedUsage(UsageRows().add, background=False)
    room.api = ResourceApi(room.servers, usage, methods=room.methods)
    room.switch("v1", "v2")
    for level in (1, 2):
        room.call("POST", f"{LAMP}:dim", {"level": level}, version="v1")
    usage.flush()

    counted = UsageCount.objects.filter(service=SERVICE).values_list(
        "version", "method", "path", "state", "count"
    )
    assert sorted(counted) == [
        ("v1", "Lamp.DimLamp", "", "value", 2),
        ("v1", "Lamp.DimLamp", "hurry", "absent", 2),
        ("v1", "Lamp.DimLamp", "level", "value", 2),
        ("v1", "Lamp.DimLamp", "partner", "absent", 2),
    ]


def test_a_call_that_reads_is_compared_with_the_answer_after_the_switch(room: Yard) -> None:
    assert room.methods is not None
    written: list[ShadowReadComparison] = []
    calls = ShadowCalls(
        room.methods, handlers(), room.servers.directory, room.store, pause=lambda seconds: None
    )
    reading = ShadowReading(room.servers.directory, room.store, calls.compare)
    shadows = SampledShadowReads(reading.compare, written.append, one_in=1, background=False)
    room.api = ResourceApi(room.servers, shadows=shadows, methods=room.methods)
    room.fill("v1", "v2")
    found = room.namespace("v2").schema, "Lamp:find"

    room.call("POST", f"{LAMP}:dim", {"level": 4}, version="v1")
    shadows.settle()
    assert written == []
    room.call("GET", "rooms/hall/lamps:find", version="v1", pattern="l1")
    shadows.settle()
    assert written[-1].sums == {(*found, ""): ShadowReadSums(compared=1)}

    # A lamp that the new version does not have yet is in one of the answers alone.
    room.call("POST", "rooms/hall/lamps", {"level": 1}, version="v1", id="al1")
    room.call("GET", "rooms/hall/lamps:find", version="v1", pattern="l1")
    shadows.settle()
    assert written[-1].sums == {
        (*found, ""): ShadowReadSums(1, 1, "rooms/hall"),
        (*found, "lamps"): ShadowReadSums(0, 1, "rooms/hall"),
    }

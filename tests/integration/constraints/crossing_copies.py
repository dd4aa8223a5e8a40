"""What happens to read copies between two regions: they follow their owner over HTTP, through cuts and restarts."""

from __future__ import annotations

import threading
import time

from migrations_app import wiring
from migrations_app.engine.constraints.messages import read
from migrations_app.engine.regions.describing import DescribedCopies
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.ports.regions.peers import Peer
from tests.integration.constraints.two_regions import BASE, REGIONS, TwoRegions, start_hand

TROUBLE_SECONDS = 6.0


def _seen(regions: TwoRegions, region: str, name: str) -> JsonObject | None:
    answer = regions.call(region, "GET", name)
    assert answer.status_code in (200, 404), answer.text
    return answer.json() if answer.status_code == 200 else None


def _create(regions: TwoRegions, region: str, name: str, **body: Json) -> str:
    answer = regions.call(region, "POST", f"regions/{region}/things?id={name}", dict(body))
    assert answer.status_code == 201, answer.text
    return f"regions/{region}/things/{name}"


def _equal(regions: TwoRegions, name: str) -> bool:
    return _seen(regions, "north", name) == _seen(regions, "south", name)


def _state(regions: TwoRegions, region: str) -> str:
    """Tell how a region stands with the other one, as its own processes have noted it."""
    here = Peer(BASE, region)
    found = read(wiring.mixin().answer(here, here, "describeCopies", {}), DescribedCopies)
    (source,) = found.copies
    return source.state


def follow(regions: TwoRegions) -> None:
    before = _create(regions, "north", "before", size=1)
    regions.until(lambda: _seen(regions, "south", before) is not None)
    copy = _seen(regions, "south", before)
    assert copy is not None
    assert copy["size"] == 1
    metadata = copy["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["syncing"] == {"owningRegion": "north", "regions": ["north", "south"]}
    assert copy == _seen(regions, "north", before)
    regions.until(lambda: "age" in regions.call("south", "GET", before).headers)
    told = regions.call("south", "GET", before).headers
    assert told["switchyard-read-copy"] == "north"
    assert int(told["age"]) < 60
    assert "switchyard-read-copy" not in regions.call("north", "GET", before).headers

    assert regions.call("north", "PUT", before, {"size": 2}).status_code == 200
    regions.until(lambda: (_seen(regions, "south", before) or {}).get("size") == 2)
    assert _equal(regions, before)

    assert regions.call("north", "DELETE", before).status_code == 200
    regions.until(lambda: _seen(regions, "south", before) is None)
    again = _create(regions, "north", "before", size=3)
    regions.until(lambda: _equal(regions, again))


def survive_cuts(regions: TwoRegions) -> None:
    kept = _create(regions, "north", "kept", size=0)
    regions.until(lambda: _equal(regions, kept))
    for size, mode in enumerate(("refuse", "hang", "deaf", "mute"), 1):
        regions.proxies["north"].cut(mode)
        # What was asked before the cut may still be answered.
        regions.until(lambda: _state(regions, "south") == "unknown")
        assert regions.call("north", "PUT", kept, {"size": size}).status_code == 200, "local work goes on"
        made = _create(regions, "south", f"there-{mode}", size=size)
        regions.until(lambda made=made: _equal(regions, made))
        found = _seen(regions, "south", kept)
        assert found is not None, "nothing is deleted on silence"
        assert found["size"] == size - 1, mode
        regions.proxies["north"].heal()
        regions.until(lambda: _equal(regions, kept))
        regions.until(lambda: _state(regions, "south") == "following")
    regions.until(lambda: regions.audit() == [])


def survive_trouble(regions: TwoRegions) -> None:
    until, counts = time.monotonic() + TROUBLE_SECONDS, dict.fromkeys(REGIONS, 0)
    writers = [threading.Thread(target=_write, args=(regions, region, until, counts)) for region in REGIONS]
    for each in writers:
        each.start()
    for number, mode in enumerate(("mute", "hang", "refuse", "deaf")):
        proxy = regions.proxies[REGIONS[number % 2]]
        proxy.delay_seconds = 0.05
        time.sleep(0.7)
        proxy.cut(mode)
        time.sleep(0.7)
        proxy.heal()
        region = REGIONS[(number + 1) % 2]
        regions.children.kill(f"hand-{region}")
        start_hand(regions, region)
    for each in writers:
        each.join()
    for proxy in regions.proxies.values():
        proxy.delay_seconds = 0.0
        proxy.heal()
    regions.until(lambda: regions.audit() == [])
    assert min(counts.values()) > 30, counts


def _write(regions: TwoRegions, region: str, until: float, counts: dict[str, int]) -> None:
    number = 0
    # However slow the machine: enough of them to mean something.
    while time.monotonic() < until or number <= 30:
        number += 1
        name = f"regions/{region}/things/w{number % 7}"
        if number % 5 == 0:
            answer = regions.call(region, "DELETE", name)
        elif _seen(regions, region, name) is None:
            answer = regions.call(
                region, "POST", f"regions/{region}/things?id=w{number % 7}", {"size": number}
            )
        else:
            answer = regions.call(region, "PUT", name, {"size": number})
        assert answer.status_code in (200, 201, 404), answer.text
        counts[region] += 1

"""What happens to references, deletions and cascades between two regions while the line between them is cut."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

from tests.integration.constraints.two_regions import REGIONS, TwoRegions, start_hand

SEED = 20_260
RACE_SECONDS = 6.0


def _thing(regions: TwoRegions, region: str, name: str) -> str:
    answer = regions.call(region, "POST", f"regions/{region}/things?id={name}", {})
    assert answer.status_code == 201, answer.text
    return f"regions/{region}/things/{name}"


def survive_cuts(regions: TwoRegions) -> None:
    kept, followed = _thing(regions, "south", "kept"), _thing(regions, "south", "followed")
    made = regions.insist("north", "POST", "regions/north/uses?id=u", {"block": kept})
    assert made.status_code == 201, made.text
    blocked = regions.insist("south", "DELETE", kept)
    assert (blocked.status_code, blocked.json()["code"]) == (409, "deletion-blocked")
    assert blocked.json()["errors"][0]["path"] == "//user.example.com/north/regions/north/uses/u#block"
    both = regions.insist("north", "POST", "regions/north/uses?id=f", {"follow": followed, "clear": kept})
    assert both.status_code == 201, both.text
    regions.rest()

    _checks(regions, kept)
    for mode in ("refuse", "hang", "mute"):
        regions.proxies["south"].cut(mode)
        lost = regions.call("north", "POST", "regions/north/uses?id=lost", {"block": kept})
        assert (lost.status_code, lost.json()["code"]) == (503, "peer-unavailable"), mode
        local = regions.call("north", "PUT", "regions/north/uses/u", {"block": kept})
        assert local.status_code == 200, "what needs no other deployment goes on"
        regions.proxies["south"].heal()
        regions.proxies["north"].cut(mode)
        unknown = regions.call("south", "DELETE", kept)
        assert (unknown.status_code, unknown.json()["code"]) == (503, "peer-unavailable"), mode
        assert regions.call("south", "GET", kept).status_code == 200
        regions.proxies["north"].heal()

    regions.proxies["north"].cut("refuse")
    regions.proxies["south"].cut("refuse")
    assert regions.call("south", "DELETE", followed).status_code == 503
    regions.proxies["north"].heal()
    assert regions.insist("south", "DELETE", followed).status_code == 200
    assert regions.call("north", "GET", "regions/north/uses/f").status_code == 200, "nothing goes on silence"
    regions.proxies["south"].heal()
    regions.hurry()
    regions.until(lambda: regions.call("north", "GET", "regions/north/uses/f").status_code == 404)
    regions.rest()
    regions.until(lambda: regions.audit() == [])


def _checks(regions: TwoRegions, kept: str) -> None:
    """The deletion check of a region asks the other one, whose database it does not look at."""
    told: dict[str, Any] = {}

    def is_known() -> bool:
        told.update(regions.check("south", kept))
        return told["unknown"] == []

    regions.until(is_known)
    assert told["verdict"] == "blocked"
    assert [(each["source"], each["path"]) for each in told["blockers"]] == [
        ("//user.example.com/north/regions/north/uses/u", "block")
    ]
    assert [each["source"] for each in told["unsets"]] == ["//user.example.com/north/regions/north/uses/f"]
    regions.proxies["north"].cut("refuse")
    unknown = regions.check("south", kept)
    assert (unknown["verdict"], unknown["blockers"]) == ("unknown", [])
    assert [(each["service"], each["region"]) for each in unknown["unknown"]] == [
        ("user.example.com", "north")
    ]
    regions.proxies["north"].heal()


def survive_races(regions: TwoRegions) -> None:
    until = time.monotonic() + RACE_SECONDS
    codes: dict[str, int] = {}
    writers = [threading.Thread(target=_race, args=(regions, number, until, codes)) for number in range(4)]
    for each in writers:
        each.start()
    chance = random.Random(SEED)
    while time.monotonic() < until:
        proxy = regions.proxies[chance.choice(REGIONS)]
        proxy.cut(chance.choice(("refuse", "hang", "deaf", "mute")))
        time.sleep(chance.uniform(0.1, 0.6))
        proxy.heal()
        if chance.random() < 0.15:
            region = chance.choice(REGIONS)
            regions.children.kill(f"hand-{region}")
            start_hand(regions, region)
        time.sleep(chance.uniform(0.2, 0.8))
    for each in writers:
        each.join()
    for proxy in regions.proxies.values():
        proxy.heal()
    regions.hurry()
    regions.rest(120)
    regions.until(lambda: regions.audit() == [])
    assert codes.get("made", 0) > 10, codes
    assert codes.get("gone", 0) > 5, codes
    assert codes.get("500", 0) == 0, codes


def _race(regions: TwoRegions, number: int, until: float, codes: dict[str, int]) -> None:
    chance = random.Random(SEED + number)
    # However slow the machine: enough of them to mean something.
    while time.monotonic() < until or codes.get("made", 0) <= 10 or codes.get("gone", 0) <= 5:
        here, there = chance.choice(REGIONS), chance.choice(REGIONS)
        name, thing = f"{chance.randrange(4)}", f"regions/{there}/things/{chance.randrange(3)}"
        dice = chance.random()
        if dice < 0.3:
            answer = regions.call(there, "POST", f"regions/{there}/things?id={thing[-1]}", {})
        elif dice < 0.5:
            answer = regions.call(there, "DELETE", thing)
        elif dice < 0.7:
            answer = regions.call(here, "DELETE", f"regions/{here}/uses/{name}")
        else:
            field = chance.choice(("block", "block", "follow", "clear"))
            answer = regions.call(here, "POST", f"regions/{here}/uses?id={name}", {field: thing})
        kind = {201: "made", 200: "gone"}.get(answer.status_code, str(answer.status_code))
        codes[kind] = codes.get(kind, 0) + 1

"""What happens to writes that another region owns: handed on to it, in the name of the caller."""

from __future__ import annotations

import json

import httpx

from migrations_app import wiring
from migrations_app.adapters.peers.http import HttpPeers
from migrations_app.domain.access import Target, actor_with
from migrations_app.domain.vouching import vouch
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peer_requests import PeerRequest
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Query
from tests.integration.base.collector import ReceivedSpan, below
from tests.integration.constraints.two_regions import BASE, USER, TwoRegions

THERE = "regions/south/things"


def _stored(region: str) -> dict[str, int]:
    """Tell the revisions of what a region owns; read copies of the rest come by themselves."""
    served = wiring.directory().served(region, BASE)
    kept = wiring.store().read(served.namespaces["v1"]).list(Query("Thing"))
    return {each.name: each.revision for each in kept.resources if each.owning_region in ("", region)}


def a_person_writes(regions: TwoRegions) -> None:
    made = regions.call("north", "POST", f"{THERE}?id=a", {"size": 1})
    assert made.status_code == 201, made.text
    assert made.headers["switchyard-region"] == "south"
    syncing = {"owningRegion": "south", "regions": ["north", "south"]}
    assert (made.json()["name"], made.json()["metadata"]["syncing"]) == (f"{THERE}/a", syncing)
    assert _stored("south") == {f"{THERE}/a": 1}
    assert _stored("north") == {}
    assert "switchyard-region" not in regions.call("south", "GET", f"{THERE}/a").headers

    url = f"{regions.urls['north']}/apis/north/{BASE}/v1/{THERE}/a"
    headers = {"Authorization": f"Bearer {regions.token}"}
    etag = made.headers["etag"]
    changed = httpx.put(url, json={"size": 2}, headers={**headers, "If-Match": etag})
    stale = httpx.put(url, json={"size": 3}, headers={**headers, "If-Match": etag})
    assert (changed.status_code, changed.headers["etag"]) == (200, '"2"')
    assert (stale.status_code, stale.json()["code"]) == (412, "revision-conflict")
    wrong = httpx.put(url, json={"size": "wide"}, headers=headers)
    assert (wrong.status_code, wrong.json()["errors"][0]["path"]) == (400, "size")
    gone = httpx.delete(url, headers={**headers, "If-Match": '"2"'})
    assert (gone.status_code, _stored("south")) == (200, {})
    absent = httpx.put(url, json={"size": 3}, headers=headers)
    assert (absent.status_code, absent.json()["code"]) == (404, "not-found")


def it_stays_in_the_trace_of_its_caller(regions: TwoRegions) -> None:
    trace, caller = "ab" * 16, "cd" * 8
    headers = {"Authorization": f"Bearer {regions.token}", "traceparent": f"00-{trace}-{caller}-01"}
    url = f"{regions.urls['north']}/apis/north/{BASE}/v1/{THERE}"
    made = httpx.post(url, params={"id": "traced"}, json={"size": 1}, headers=headers)
    assert made.status_code == 201, made.text

    def _handed_on() -> list[tuple[ReceivedSpan, ReceivedSpan]]:
        spans = regions.collector.spans()
        first = [span for span in spans if (span.trace, span.parent) == (trace, caller)]
        sent = [span for one in first for span in below(spans, one) if span.name == "POST peer"]
        return [(peer, span) for peer in sent for span in spans if span.parent == peer.id]

    # The request to the south, the request that came there, and its statements, in the trace of who asked the north.
    regions.until(lambda: bool(_handed_on()))
    ((_, there),) = _handed_on()
    assert (there.trace, there.attributes["switchyard.region"]) == (trace, "south")
    inside = below(regions.collector.spans(), there)
    assert "INSERT" in {span.attributes.get("db.operation.name") for span in inside}
    assert regions.call("south", "DELETE", f"{THERE}/traced").status_code == 200


def a_batch_goes_as_one(regions: TwoRegions) -> None:
    def _batch(*names: str) -> httpx.Response:
        writes = [{"create": {"resource": {"name": name}}} for name in names]
        return regions.call("north", "POST", ":batchWrite", {"requests": writes})

    made = _batch(f"{THERE}/b", f"{THERE}/c")
    assert (made.status_code, made.headers["switchyard-region"]) == (200, "south")
    twice = _batch(f"{THERE}/d", f"{THERE}/c")
    assert (twice.status_code, twice.json()["code"]) == (409, "already-exists")
    mixed = _batch(f"{THERE}/d", "regions/north/things/d")
    assert (mixed.status_code, mixed.json()["code"]) == (409, "write-two-regions")
    assert _stored("south") == {f"{THERE}/b": 1, f"{THERE}/c": 1}
    assert _stored("north") == {}


def who_may_not_write_there_does_not(regions: TwoRegions) -> None:
    nora = {"Authorization": f"Bearer {regions.nora}"}
    url = f"{regions.urls['north']}/apis/north/{BASE}/v1/{THERE}?id=e"
    refused = httpx.post(url, json={}, headers=nora)
    assert (refused.status_code, refused.json()["code"]) == (403, "denied")
    assert f"{THERE}/e" not in _stored("south")
    own = url.replace("/south/things?id=e", "/north/things/e")
    assert httpx.put(own, params={"allowMissing": "true"}, json={}, headers=nora).status_code == 200
    assert httpx.delete(own, headers=nora).status_code == 200


def a_cut_region_is_named_and_nothing_is_written(regions: TwoRegions) -> None:
    before = _stored("south"), _stored("north")
    for mode in ("refuse", "hang", "deaf"):
        regions.proxies["south"].cut(mode)
        lost = regions.call("north", "POST", f"{THERE}?id=lost", {})
        assert lost.status_code == 503, mode
        assert lost.json()["code"] in ("peer-unavailable", "peer-silent"), mode
        assert "south" in lost.json()["detail"], mode
        assert (_stored("south"), _stored("north")) == before, mode
        regions.proxies["south"].heal()
    regions.proxies["south"].cut("mute")
    silent = regions.call("north", "POST", f"{THERE}?id=silent", {})
    assert (silent.status_code, silent.json()["code"]) == (503, "peer-silent")
    regions.proxies["south"].heal()
    assert _stored("south") == {**before[0], f"{THERE}/silent": 1}, (
        "it was carried out, once, and says it may"
    )
    again = regions.call("north", "POST", f"{THERE}?id=silent", {})
    assert (again.status_code, again.json()["code"]) == (409, "already-exists")


def it_is_handed_on_once(regions: TwoRegions) -> None:
    north, south = Peer(BASE, "north"), Peer(BASE, "south")
    peers = HttpPeers(wiring.service_tokens(), {"south": regions.urls["south"]}.get)
    olga = vouch(actor_with("olga", "operator"), "resource.write", Target("deployment", region="south"))

    def _post(sender: Peer, path: str, on_behalf: JsonObject) -> tuple[int, str]:
        headers = {"content-type": "application/json"}
        request = PeerRequest("POST", path, "id=z", b"{}", headers, on_behalf)
        reply = peers.send(sender, south, request)
        return reply.status, str(json.loads(reply.body).get("code", ""))

    at_south = f"/apis/south/{BASE}/v1"
    try:
        assert _post(north, f"{at_south}/regions/north/things", olga) == (503, "ownership-unsettled")
        assert _post(north, f"{at_south}/{THERE}", {}) == (403, "service-token")
        assert _post(north, f"{at_south}/{THERE}", {**olga, "kind": "system"}) == (403, "service-token")
        stranger = Peer("user.example.com", "north")
        assert _post(stranger, f"{at_south}/{THERE}", olga) == (403, "service-token")
        assert _post(north, f"{at_south}/{THERE}", olga) == (201, "")
    finally:
        peers.close()
    assert f"{THERE}/z" in _stored("south")
    assert _stored("north") == {}


def a_handler_writes_at_a_peer(regions: TwoRegions) -> None:
    """The method is answered in the north; what it writes of the other service is owned by the south, or by the north."""
    for region in ("south", "north"):
        name = f"regions/{region}/things/resized"

        def _resize(token: str, name: str = name, **fields: object) -> httpx.Response:
            url = f"{regions.urls['north']}/apis/north/{USER}/v1/regions/north/uses:resize"
            headers = {"Authorization": f"Bearer {token}"}
            return httpx.post(url, json={"thing": name, **fields}, headers=headers, timeout=120)

        made = _resize(regions.token, size=1, create=True)
        assert (made.status_code, made.json()) == (200, {"size": 1}), made.text
        assert "switchyard-region" not in made.headers
        changed = _resize(regions.token, size=2)
        assert (changed.status_code, changed.json()) == (200, {"size": 2}), changed.text
        assert _stored(region)[name] == 2
        wrong = _resize(regions.token, f"regions/{region}/things/none", size=2)
        assert (wrong.status_code, wrong.json()["code"]) == (404, "not-found")
        # The caller's permissions count, where the resource is owned.
        refused = _resize(regions.nora, size=3)
        expected = (200, {"size": 3}) if region == "north" else (403, None)
        assert (refused.status_code, refused.json() if refused.status_code == 200 else None) == expected
        rehearsed = httpx.post(
            f"{regions.urls['north']}/apis/north/{USER}/v1/regions/north/uses:resize?dryRun=true",
            json={"thing": name, "size": 9},
            headers={"Authorization": f"Bearer {regions.token}"},
            timeout=120,
        )
        assert (rehearsed.status_code, rehearsed.json()["code"]) == (400, "dry-run")
        gone = _resize(regions.token)
        assert (gone.status_code, name in _stored(region)) == (200, False), gone.text

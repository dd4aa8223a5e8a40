"""The resource API over real HTTP: addresses, tokens, problems, headers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from functools import cache

import httpx
import pytest

from migrations_app import wiring
from migrations_app.engine.serving.routing import Router
from migrations_app.ports.fence import FenceLocation
from migrations_app.ports.store import Namespace
from migrations_app.resource_api.app import ResourceApplication, by_prefix
from migrations_app.wiring import serving
from tests.factories.access import make_account, token_of
from tests.factories.notes import end_notes
from tests.integration.resource_api.conftest import REGION, SERVICE, Yard

PATIENCE_SECONDS = 120.0
BASE = f"/apis/{REGION}/{SERVICE}/v1alpha2"


@pytest.fixture
def http(transactional_db: None, ports: Yard) -> Iterator[httpx.AsyncClient]:
    """A client of the application, with the token of an operator."""
    wiring.resource_servers.cache_clear()
    app = by_prefix(None)
    transport = httpx.ASGITransport(app=app)
    make_account("olga", "operator")
    token = token_of("olga")
    try:
        yield httpx.AsyncClient(
            transport=transport, base_url="http://test", headers={"Authorization": f"Bearer {token}"}
        )
    finally:
        end_notes()
        wiring.resource_servers.cache_clear()
        wiring.databases().close(ports.database)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The threads whose writes wait for the end of a freeze, for as long as it takes."""
    found = set[int]()

    def wait(seconds: float) -> None:
        found.add(threading.get_ident())
        time.sleep(seconds)

    def router() -> Router:
        return Router(
            wiring.directory(), wiring.store(), wiring.fence(), hold_seconds=PATIENCE_SECONDS, sleep=wait
        )

    monkeypatch.setattr(serving, "router", cache(router))
    return found


@pytest.fixture
def old(ports: Yard) -> Namespace:
    """Where the active version's data is; asked for here, because a coroutine may not ask the registry."""
    return ports.namespace("v1alpha2")


async def test_a_resource_is_written_and_read_over_http(http: httpx.AsyncClient) -> None:
    created = await http.post(f"{BASE}/projects/p/secrets?id=door", json={"title": "Tür"})
    read = await http.get(f"{BASE}/projects/p/secrets/door")
    head = await http.head(f"{BASE}/projects/p/secrets/door")

    assert (created.status_code, read.status_code, head.status_code) == (201, 200, 200)
    assert read.json()["title"] == "Tür"
    assert read.headers["etag"] == '"1"'
    assert head.content == b""
    deleted = await http.delete(f"{BASE}/projects/p/secrets/door", headers={"If-Match": '"1"'})
    assert (deleted.status_code, deleted.json()) == (200, {})


BAD: list[tuple[str, str, bytes, int, str]] = [
    ("GET", "/projects/p/secrets/none", b"", 404, "not-found"),
    ("GET", "/projects/p/doors/x", b"", 404, "address"),
    ("GET", "/projects/p/secrets?filter=title+%3D", b"", 400, "filter-syntax"),
    ("GET", "/projects/p/secrets?pageSize=-1", b"", 400, "query"),
    ("GET", "/projects/p/secrets?colour=red", b"", 400, "query"),
    ("GET", "/projects/p/secrets?pageToken=x", b"", 400, "page-token"),
    ("POST", "/projects/p/secrets", b"{", 400, "json-syntax"),
    ("POST", "/projects/p/secrets", b'{"title": "a", "title": "b"}', 400, "json-duplicate-key"),
    ("POST", "/projects/p/secrets", b'{"title": NaN}', 400, "json-syntax"),
    ("POST", "/projects/p/secrets", b'{"title": "\\u0000"}', 400, "text-nul"),
    ("POST", "/projects/p/secrets", b'{"title": "\\ud800"}', 400, "json-syntax"),
    ("POST", "/projects/p/secrets", b'{"a":' * 20000 + b"1" + b"}" * 20000, 400, "json-syntax"),
    ("POST", "/projects/p/secrets", b'{"title": "' + b"x" * 4_300_000 + b'"}', 413, "body-too-large"),
    ("POST", "/projects/p/secrets?id=%00", b"{}", 400, "query"),
    ("PUT", "/projects/p/secrets", b"{}", 405, "method-not-allowed"),
    ("POST", "/projects/p/secrets/%E2%80%8B:batchWrite", b"{}", 400, "name"),
]


async def test_bad_input_gets_a_clear_problem(http: httpx.AsyncClient) -> None:
    for method, path, content, status, code in BAD:
        answer = await http.request(method, BASE + path, content=content)
        assert (answer.status_code, answer.json()["code"]) == (status, code), path
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["detail"]


async def test_who_says_nothing_or_lies_is_not_let_in(http: httpx.AsyncClient) -> None:
    nobody = await http.get(f"{BASE}/projects/p/secrets", headers={"Authorization": ""})
    liar = await http.get(f"{BASE}/projects/p/secrets", headers={"Authorization": "Bearer swy_x"})
    assert (nobody.status_code, liar.status_code) == (401, 401)


async def test_reads_go_on_while_more_writes_wait_than_there_are_readers(
    ports: Yard, old: Namespace, waiting: set[int], http: httpx.AsyncClient
) -> None:
    await http.post(f"{BASE}/projects/p/secrets?id=door", json={"title": "x"})
    frozen = ports.fence.freeze(old, ports.fence.state(FenceLocation.of(old)), deadline_seconds=60)
    writes = [
        asyncio.create_task(http.patch(f"{BASE}/projects/p/secrets/door", json={"title": f"t{n}"}))
        for n in range(12)
    ]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while len(waiting) < len(writes):
            await asyncio.sleep(0.02)
    assert (await http.get(f"{BASE}/projects/p/secrets/door")).json()["title"] == "x"
    assert not any(write.done() for write in writes)
    ports.fence.abort(frozen)
    assert {(await write).status_code for write in writes} == {200}


async def test_one_of_many_writers_with_the_same_etag_wins(http: httpx.AsyncClient) -> None:
    await http.post(f"{BASE}/projects/p/secrets?id=door", json={})
    answers = await asyncio.gather(
        *[
            http.put(f"{BASE}/projects/p/secrets/door", json={"title": f"t{n}"}, headers={"If-Match": '"1"'})
            for n in range(8)
        ]
    )
    assert sorted(answer.status_code for answer in answers) == [200] + [412] * 7


def test_everything_else_goes_to_the_other_application() -> None:
    seen: list[str] = []

    async def other(scope: dict[str, str], receive: object, send: object) -> None:
        seen.append(scope["path"])

    asyncio.run(by_prefix(other)({"type": "http", "path": "/api/v1/x"}, None, None))  # type: ignore[arg-type]
    assert seen == ["/api/v1/x"]
    assert ResourceApplication is not None

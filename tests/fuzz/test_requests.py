"""Whatever is sent to any address of the web process, the answer is no 5xx: seeded requests over real sockets.

`make fuzz COUNT=100000 SEED=7` sends more. A failure names its number: the same seed and number make the same request.
"""

from __future__ import annotations

import os
import re
import socket
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from migrations_app import wiring
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.apply_region import apply_region
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM
from tests.api_description import api_description
from tests.factories.access import make_account, token_of
from tests.fuzz.hostile import TEXTS, Hostile
from tests.integration.resource_api.conftest import DEPLOYMENT, EXAMPLES, REGION, SERVICE, files_of
from tests.processes import Children

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = int(os.environ.get("SWITCHYARD_FUZZ_COUNT", "1500"))
SEED = os.environ.get("SWITCHYARD_FUZZ_SEED", "1")
METHODS = ("GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE")
ROLES = ("viewer", "operator", "admin", "approver", "auditor", "automation")
AT_ONCE = 6
OPENAPI = api_description()
NAMED = OPENAPI["components"]["schemas"]


@dataclass(frozen=True)
class Answer:
    """The answer to one request."""

    number: int
    request: bytes
    status: int
    body: bytes


def _routes(patterns: list[Any], before: str = "") -> Iterator[str]:
    for pattern in patterns:
        route = before + str(pattern.pattern).removeprefix("^").removesuffix("$")
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


ROUTES = sorted(
    {
        *_routes(get_resolver().url_patterns),
        *(f"apis/<r>/<s>/{version}/{rest}" for version in ("v1alpha2", "v1", "mixin", "<v>") for rest in (
            "projects/<p>/secrets", "projects/<p>/secrets/<id>", "projects/<p>/secrets:watch", "projects/<p>/secrets:batchGet",
            "projects/<p>/secrets:search", "projects/<p>/secretGrants/<id>", "openapi.json", "<x>", "resourceShadows:<a>", "<x>/<y>:<z>",
        )),
        *(path.lstrip("/").replace("{", "<").replace("}", ">") for path in OPENAPI["paths"]),
    }
)  # fmt: skip
# It answers for as long as it is read, and ends what others need.
LEFT_OUT = re.compile(r"metrics|session/?$|admin/")
PLACES = {"r": REGION, "s": SERVICE, "region": REGION, "service": SERVICE, "id": REGION}


def _path(route: str, hostile: Hostile) -> str:
    def _filled(match: re.Match[str]) -> str:
        name = (match[1] or match[2] or "x").rpartition(":")[2]
        if hostile.chance.random() < 0.6:
            return PLACES.get(name, "p")
        return hostile.escaped()

    path = re.sub(r"\(\?P<(\w+)>(?:[^()\[\]]|\[[^\]]*\])*\)|<([^>]*)>", _filled, route)
    return "/" + re.sub(r"\(\?[:!].*?\)\??|[\^$?\\]", "", path)


def _request(number: int, tokens: list[str]) -> tuple[bytes, str]:
    hostile = Hostile(f"{SEED}:{number}")
    chance = hostile.chance
    route = chance.choice(ROUTES)
    while LEFT_OUT.search(route):
        route = chance.choice(ROUTES)
    described = OPENAPI["paths"].get("/" + route.replace("<", "{").replace(">", "}"), {})
    methods = [each.upper() for each in described if each in ("get", "post", "put", "patch", "delete")]
    method = chance.choice(methods) if methods and chance.random() < 0.8 else chance.choice(METHODS)
    operation = described.get(method.lower(), {})
    known = tuple(each["name"] for each in operation.get("parameters", ()) if each.get("in") == "query")
    query = hostile.query(known)
    lines = [
        f"{method} {_path(route, hostile)}{'?' + query if query else ''} HTTP/1.1".encode(),
        b"Host: localhost",
    ]
    headers = hostile.headers()
    if chance.random() < 0.93:
        lines.append(b"Authorization: Bearer " + chance.choice(tokens).encode())
    elif chance.random() < 0.5:
        lines.append(
            b"Authorization: " + bytes(byte for byte in hostile.raw()[:900] if byte >= 32 and byte != 127)
        )
    body = b""
    if method in ("POST", "PUT", "PATCH"):
        content = (
            operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        )
        body = hostile.body(content, NAMED)
        if not any(name == b"Content-Type" for name, _ in headers):
            lines.append(b"Content-Type: application/json")
        if chance.random() < 0.4:
            lines.append(b"If-Match: *")
    lines += [name + b": " + value for name, value in headers]
    lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join([*lines, b"Connection: close", b"", body]), method


def _send(address: tuple[str, int], number: int, tokens: list[str]) -> Answer:
    request, _ = _request(number, tokens)
    received = b""
    try:
        with socket.create_connection(address, timeout=60) as connection:
            connection.sendall(request)
            while len(received) < 4000 and (part := connection.recv(65536)):
                received += part
                if b"event-stream" in received or b"application/jsonl" in received or b"ndjson" in received:
                    break
    except (ConnectionResetError, BrokenPipeError):
        pass
    match = re.match(rb"HTTP/1\.1 (\d{3}) ", received)
    return Answer(number, request, int(match[1]) if match else 0, received[:4000])


@pytest.fixture
def web(
    transactional_db: None, data_database: str, tmp_path: Any
) -> Iterator[tuple[Children, tuple[str, int], list[str]]]:
    """A web process with a served deployment, and tokens of accounts of all roles."""
    apply_region(SYSTEM, REGION, "Belgium")
    apply_service(SYSTEM, files_of(EXAMPLES / "secrets"))
    apply_deployment(SYSTEM, DEPLOYMENT, {"currentVersion": "v1alpha2"}, database=data_database)
    tokens = []
    for number in range(36):
        name = f"user{number}"
        make_account(name, ROLES[number % len(ROLES)])
        tokens.append(token_of(name))
    children = Children(tmp_path)
    try:
        url = children.start_web(SWITCHYARD_RESOURCE_RATE="999999", SWITCHYARD_ANONYMOUS_RATE="999999")
        host, _, port = url.removeprefix("http://").partition(":")
        yield children, (host, int(port)), tokens
    finally:
        children.stop()
        wiring.databases().close(data_database)


def _causes(log: str) -> str:
    """The ends of the tracebacks in a log, each once, with the last lines of our own before them."""
    causes: Counter[str] = Counter()
    ours: list[str] = []
    for line in log.splitlines():
        if match := re.search(r'File "[^"]*/(?:migrations_app|console)/([^"]+)", line (\d+)', line):
            ours = [*ours[-3:], f"{match[1]}:{match[2]}"]
        elif re.match(r"[\w.]+(?:Error|Exception|Warning|Exit)\b", line):
            causes[f"{' > '.join(ours)}: {line[:200]}"] += 1
            ours = []
    return "\n".join(f"{count} x {cause}" for cause, count in causes.most_common(40))


def test_no_request_is_answered_with_a_5xx(web: tuple[Children, tuple[str, int], list[str]]) -> None:
    children, address, tokens = web
    with ThreadPoolExecutor(AT_ONCE) as pool:
        answers = list(pool.map(lambda number: _send(address, number, tokens), range(COUNT)))
    statuses = Counter(answer.status for answer in answers)
    print(f"\n{COUNT} requests of seed {SEED}: {sorted(statuses.items())}")
    log = children.log("web")
    failed = [each for each in answers if each.status >= 500]
    shown = [f"{each.number}: {each.request[:600]!r}\n  -> {each.body[:500]!r}" for each in failed[:12]]
    assert not failed, "\n".join((f"{len(failed)} of {COUNT}", *shown, _causes(log)))
    assert "Exception in ASGI application" not in log, _causes(log)
    # The fuzzer must get past the doors, or it tests nothing.
    assert statuses[200] > COUNT // 50
    assert statuses[400] > COUNT // 20
    assert statuses[0] < COUNT // 20


def test_requests_are_made_the_same_from_a_seed() -> None:
    assert [_request(number, ["t"]) for number in range(50)] == [
        _request(number, ["t"]) for number in range(50)
    ]
    assert len(ROUTES) > 150
    assert b"\xed\xa0\x80" in TEXTS

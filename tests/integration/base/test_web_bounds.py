"""The web process over real sockets: slow requests end, connections are counted, and headers of strangers count for nothing."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import httpx
import pytest

from migrations_app.control.access.commands.issue_token import issue_token
from tests.factories.access import FOUNDER, make_account, token_of
from tests.processes import Children
from tests.waiting import attempts, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 12
POST = "POST /apis/r/s.example.com/v1/things HTTP/1.1\r\nHost: localhost\r\n"


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A web process that is quickly impatient."""
    children = Children(tmp_path_factory.mktemp("web"))
    try:
        yield children.start_web(
            SWITCHYARD_HEADER_SECONDS="2",
            SWITCHYARD_BODY_SECONDS="1",
            SWITCHYARD_CONNECTIONS=str(MOST),
        )
    finally:
        children.stop()


def _open(web: str) -> socket.socket:
    host, _, port = web.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=30)


def _all(connection: socket.socket) -> str:
    """Read until the other end closes."""
    parts = []
    while part := connection.recv(65536):
        parts.append(part)
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    "sent", ["", "G", "GET /healthz HTTP/1.1\r\n", "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-A: "]
)
def test_headers_that_do_not_come_end_the_connection(web: str, sent: str) -> None:
    with _open(web) as connection:
        connection.sendall(sent.encode())
        answer = _all(connection)

    assert answer.startswith("HTTP/1.1 408 Request Timeout\r\n")
    assert "connection: close" in answer
    assert answer.endswith("The headers of the request did not arrive within 2 seconds.")


def test_dripping_headers_do_not_prolong_the_deadline(web: str) -> None:
    with _open(web) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n")
        drips = 0
        connection.settimeout(0.2)
        answer = b""
        while not answer and drips < 200:
            try:
                answer = connection.recv(65536)
            except TimeoutError:
                connection.sendall(b"X-Drip: 1\r\n")
                drips += 1

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert 1 <= drips < 200


@pytest.mark.parametrize("address", ["/api/v1/session", "/apis/r/s.example.com/v1/things"])
def test_a_dripping_body_ends_the_connection(web: str, address: str) -> None:
    make_account("olga", "operator")
    lines = f"POST {address} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token_of('olga')}\r\n"
    with _open(web) as connection:
        connection.sendall(f"{lines}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n".encode())
        connection.settimeout(0.2)
        answer, drips = b"", 0
        while not answer and drips < 200:
            try:
                answer = connection.recv(65536)
            except TimeoutError:
                connection.sendall(b" ")
                drips += 1

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b"The body of the request did not arrive within 1 seconds.")
    assert httpx.get(f"{web}/healthz").status_code == 200


def test_a_kept_connection_gets_a_deadline_for_each_request(web: str) -> None:
    with _open(web) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        connection.sendall(b"GET /healthz HTTP/1.1\r\n")
        assert "HTTP/1.1 408 " in _all(connection)


def test_connections_beyond_the_number_are_refused_and_the_others_live(web: str) -> None:
    with ExitStack() as stack:
        connections = [stack.enter_context(_open(web)) for _ in range(MOST * 3)]
        first, last = connections[0], connections[MOST * 2 :]
        first.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert first.recv(65536).startswith(b"HTTP/1.1 200 ")
        for connection in last:
            answer = _all(connection)
            assert answer.startswith("HTTP/1.1 503 Service Unavailable\r\n")
            assert "There are too many connections" in answer
    wait_until(lambda: httpx.get(f"{web}/healthz").status_code == 200)


def test_a_token_of_a_network_is_not_met_by_a_header(web: str) -> None:
    make_account("olga", "operator")
    own = replace(FOUNDER, name="olga")
    secret = issue_token(own, "olga", "office", scopes=("*",), networks=("203.0.113.0/24",)).secret
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "x-forwarded-for"):
        for value in ("203.0.113.9", "203.0.113.9, 127.0.0.1", "for=203.0.113.9"):
            headers = {"Authorization": f"Bearer {secret}", name: value}
            for address in ("/api/v1/services", "/api/v1/tokens", "/apis/r/s.example.com/v1/things"):
                answer = httpx.get(web + address, headers=headers)
                assert answer.status_code == 401, (address, name, value, answer.text)


@pytest.mark.parametrize(
    "headers",
    ["", "Authorization: Bearer swy_wrong\r\n", "Authorization: Bearer a.b.c\r\n", "Cookie: sessionid=x\r\n"],
)
@pytest.mark.parametrize(
    "line",
    [
        POST,
        POST.replace("POST", "PUT"),
        POST.replace("v1/things", "mixin/resourceShadows:doThis"),
        POST.replace("POST", "DELETE"),
    ],
)
def test_a_stranger_is_refused_before_a_body_is_taken(web: str, line: str, headers: str) -> None:
    with _open(web) as connection:
        connection.sendall(f"{line}{headers}Expect: 100-continue\r\nContent-Length: 4000000\r\n\r\n".encode())
        answer = _all(connection)

    assert re.match(r"HTTP/1\.1 40[13] ", answer), answer
    assert "connection: close" in answer


def test_a_body_that_is_too_large_is_refused_by_its_length_and_by_its_size(web: str) -> None:
    make_account("olga", "operator")
    head = f"{POST}Authorization: Bearer {token_of('olga')}\r\n"
    with _open(web) as connection:
        connection.sendall(f"{head}Content-Length: 4194305\r\n\r\n".encode())
        assert _all(connection).startswith("HTTP/1.1 413 ")
    with _open(web) as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        connection.sendall(b"500000\r\n" + b" " * 0x500000)
        assert _all(connection).startswith("HTTP/1.1 413 ")


def test_an_account_and_an_address_without_one_make_so_many_requests(children: Children) -> None:
    make_account("olga", "operator")
    make_account("vera", "viewer")
    # Five at once, and one more every two seconds: fewer than any machine answers.
    web = children.start_web(SWITCHYARD_RESOURCE_RATE="30", SWITCHYARD_ANONYMOUS_RATE="30")
    address = f"{web}/apis/r/s.example.com/v1/things"

    answers = _until_refused(address, {"Authorization": f"Bearer {token_of('olga')}"})
    assert {answer.status_code for answer in answers[:-1]} == {404}
    assert len(answers) > 5
    refused = answers[-1]
    assert (refused.json()["code"], int(refused.headers["retry-after"]) >= 1) == ("too-many-requests", True)
    assert {answer.status_code for answer in _until_refused(address, {})[:-1]} == {401}
    # A caller with a good token is not locked out by strangers at the same address.
    assert httpx.get(address, headers={"Authorization": f"Bearer {token_of('vera')}"}).status_code == 404


def _until_refused(address: str, headers: dict[str, str]) -> list[httpx.Response]:
    """Send requests until there are too many; give the answers."""
    answers: list[httpx.Response] = []
    with httpx.Client(headers=headers) as client:
        for _ in attempts(least=1):
            answers.append(client.get(address))
            if answers[-1].status_code == 429:
                return answers
    raise AssertionError(f"none of {len(answers)} requests was refused")

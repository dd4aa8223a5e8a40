"""Outbound HTTP: no redirects, no proxies, answers of a bounded size, one deadline for the whole call."""

from __future__ import annotations

import select
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import httpcore
import httpx

from migrations_app.adapters.egress.sockets import TimedSocket, open_socket, resolve, tls_context
from migrations_app.domain.destinations import Destinations
from migrations_app.kernel.json_stream import ObjectSplitter
from migrations_app.ports.processes.outbound import (
    MOST_BYTES,
    AddressRefused,
    AnswerMissing,
    AnswerTooLarge,
    Deadline,
    HttpResponse,
    HttpStream,
    NotAnAddress,
    OutboundHttp,
)

MOST_LINE_BYTES = 64 * 1024 * 1024
_DEFAULTS = {"user-agent": "switchyard", "accept": "*/*"}
_OWN = frozenset({"host", "content-length", "accept-encoding", "connection", "transfer-encoding"})
_UNSENT = (httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.PoolTimeout, httpcore.UnsupportedProtocol)
_FAILED = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)


class StreamedAnswer(HttpStream):
    """An answer whose body is read as it comes."""

    def __init__(self, response: httpcore.Response) -> None:
        self.status = response.status
        self.headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
        }
        self._response = response

    def read(self, most_bytes: int) -> bytes:
        """Read the whole body.

        Raises: AnswerTooLarge, AnswerMissing.
        """
        self._check_plain()
        if self.headers.get("content-length", "0").isdigit():
            _check_size(int(self.headers.get("content-length", "0")), most_bytes)
        body = bytearray()
        with _no_answer():
            for part in self._parts():
                _check_size(len(body) + len(part), most_bytes)
                body += part
        return bytes(body)

    def lines(self) -> Iterator[bytes]:
        """Read line by line.

        Raises: AnswerTooLarge for an endless line, AnswerMissing.
        """
        self._check_plain()
        rest = bytearray()
        with _no_answer():
            for part in self._parts():
                rest += part
                if b"\n" in part:
                    *whole, last = bytes(rest).split(b"\n")
                    rest = bytearray(last)
                    yield from whole
                _check_size(len(rest), MOST_LINE_BYTES)
        if rest:
            yield bytes(rest)

    def objects(self) -> Iterator[bytes]:
        """Read JSON objects as they come, one a line or the elements of an array; nothing for a part in which none ends.

        Raises: AnswerTooLarge for an endless object, AnswerMissing also where the stream ends within one.
        """
        self._check_plain()
        splitter = ObjectSplitter()
        with _no_answer():
            for part in self._parts():
                whole = list(splitter.feed(part))
                yield from whole or [b""]
                _check_size(splitter.waiting, MOST_LINE_BYTES)
        if splitter.waiting:
            raise AnswerMissing(reached=True)

    def _parts(self) -> Iterable[bytes]:
        return self._response.iter_stream()

    def _check_plain(self) -> None:
        # What is compressed can be a thousand times larger than what was received.
        if self.headers.get("content-encoding", "identity").lower() != "identity":
            raise AnswerTooLarge


class EgressClient(OutboundHttp):
    """Sends HTTP requests to what `destinations` admits; `keep` connections between calls to the same host.

    Units: `connect_seconds` bounds the name, the connection and TLS together where the whole call may take longer.
    """

    def __init__(
        self, destinations: Destinations, *, keep: bool = False, connect_seconds: float | None = None
    ) -> None:
        self._connect_seconds = connect_seconds
        self._pool = httpcore.ConnectionPool(
            ssl_context=tls_context(),
            max_connections=100,
            max_keepalive_connections=20 if keep else 0,
            keepalive_expiry=5.0,
            network_backend=_Backend(destinations),
        )

    def send_for_status(self, url: str, body: bytes, headers: Mapping[str, str], deadline: Deadline) -> int:
        """Post and give the status; the connection is closed there, and no body is read.

        Raises: AddressRefused, AnswerMissing.
        """
        with self.stream("POST", url, headers=headers, body=body, deadline=deadline) as answer:
            return answer.status

    def request(
        self,
        method: str,
        url: str,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
        most_bytes: int = MOST_BYTES,
    ) -> HttpResponse:
        """Send a request and read the whole answer.

        Raises: AddressRefused, AnswerMissing, AnswerTooLarge.
        """
        with self.stream(method, url, headers=headers, body=body, deadline=deadline) as answer:
            return HttpResponse(answer.status, answer.headers, answer.read(most_bytes))

    @contextmanager
    def stream(
        self,
        method: str,
        url: str,
        *,
        deadline: Deadline,
        headers: Mapping[str, str] | None = None,
        body: bytes = b"",
    ) -> Iterator[StreamedAnswer]:
        """Send a request and give the answer once its headers are there; it is closed after the block.

        Raises: AddressRefused, AnswerMissing.
        """
        given = [(name, value) for name, value in (headers or {}).items() if name.lower() not in _OWN]
        named = {name.lower() for name, _ in given}
        given += [(name, value) for name, value in _DEFAULTS.items() if name not in named]
        own = {"Host": _host_of(url), "Content-Length": str(len(body)), "Accept-Encoding": "identity"}
        # The deadline goes through the pool to the sockets below, which ask it before each wait.
        connect = (
            deadline if self._connect_seconds is None else Deadline(min(deadline, self._connect_seconds))
        )
        limits = {"pool": float(deadline), "connect": connect, "read": deadline, "write": deadline}
        request = httpcore.Request(
            method,
            _parse(url),
            headers=[*given, *own.items()],
            content=body,
            extensions={"timeout": limits},
        )
        with _no_answer():
            response = self._pool.handle_request(request)
        try:
            yield StreamedAnswer(response)
        finally:
            response.close()

    def close(self) -> None:
        """Close all connections; what is being read ends."""
        self._pool.close()


def check_destination(url: str, destinations: Destinations, seconds: float) -> None:
    """Refuse an address before it is kept; a name that is not known yet is judged when it is used.

    Raises: NotAnAddress · AddressRefused.
    """
    parts = _parse(url)
    host, port = parts.host.decode("ascii"), parts.port or {b"https": 443}.get(parts.scheme, 80)
    try:
        found = resolve(host, port, Deadline(seconds))
    except OSError:
        return
    if not any(destinations.admit(host, port, address) for _, address, _ in found):
        raise AddressRefused


def _parse(url: str) -> httpcore.URL:
    parts = _url(url)
    return httpcore.URL(scheme=parts.raw_scheme, host=parts.raw_host, port=parts.port, target=parts.raw_path)


def _host_of(url: str) -> str:
    return _url(url).netloc.decode("ascii")


def _url(url: str) -> httpx.URL:
    if any(ord(letter) < 0x21 or ord(letter) == 0x7F for letter in url) or "\\" in url:
        raise NotAnAddress
    try:
        parts = httpx.URL(url)
    except (httpx.InvalidURL, UnicodeError, ValueError) as error:
        raise NotAnAddress from error
    if parts.scheme not in ("http", "https") or not parts.raw_host or parts.userinfo:
        raise NotAnAddress
    if not 0 < (parts.port or 80) <= 65535:
        raise AddressRefused
    return parts


def _check_size(size: int, most: int) -> None:
    if size > most:
        raise AnswerTooLarge


@contextmanager
def _no_answer() -> Iterator[None]:
    try:
        yield
    except _FAILED as error:
        raise AnswerMissing(reached=not isinstance(error, _UNSENT)) from error


class _Backend(httpcore.NetworkBackend):
    """Connects to what a name was resolved to, once, and only where that may be connected to."""

    def __init__(self, destinations: Destinations) -> None:
        self._destinations = destinations

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect; the name is not looked up again afterwards."""
        assert isinstance(timeout, Deadline)
        with _as_httpcore(httpcore.ConnectTimeout, httpcore.ConnectError):
            return _Stream(open_socket(host, port, self._destinations, timeout))


class _Stream(httpcore.NetworkStream):
    """A connection each step of which ends with the deadline that comes with it."""

    def __init__(self, opened: TimedSocket | ssl.SSLSocket) -> None:
        self._socket = opened

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Receive some bytes."""
        with _as_httpcore(httpcore.ReadTimeout, httpcore.ReadError):
            self._wait(timeout)
            return self._socket.recv(max_bytes)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all bytes."""
        with _as_httpcore(httpcore.WriteTimeout, httpcore.WriteError):
            while buffer:
                self._wait(timeout)
                buffer = buffer[self._socket.send(buffer) :]

    def close(self) -> None:
        """Close at once, also under a thread that waits for bytes."""
        try:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        finally:
            # A call that its deadline interrupts here must not keep the socket open.
            self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """Go on under TLS; the certificate must name the host."""
        with _as_httpcore(httpcore.ConnectTimeout, httpcore.ConnectError):
            try:
                self._wait(timeout)
                return _Stream(ssl_context.wrap_socket(self._socket, server_hostname=server_hostname))
            except BaseException:
                self._socket.close()
                raise

    def get_extra_info(self, info: str) -> Any:
        """Tell the pool what it asks of a connection."""
        if info == "is_readable":
            poll = select.poll()
            poll.register(self._socket.fileno(), select.POLLIN)
            return bool(poll.poll(0))
        return self._socket if info == "socket" else None

    def _wait(self, timeout: float | None) -> None:
        self._socket.settimeout(timeout.wait_seconds() if isinstance(timeout, Deadline) else timeout)


@contextmanager
def _as_httpcore(late: type[Exception], failed: type[Exception]) -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise failed(str(error)) from error

"""Calls over gRPC to a server at an admitted address; what is sent and answered are serialized messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ipaddress import IPv6Address
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

import grpc

from migrations_app.adapters.egress.sockets import named_destinations, resolve
from migrations_app.domain.destinations import origin_of
from migrations_app.ports.processes.outbound import AddressRefused, Deadline, EgressError

DETAILS_KEY = "grpc-status-details-bin"
PLAIN, SECURE = "grpc", "grpcs"
Metadata = Sequence[tuple[str, str]]


class GrpcFailure(Exception):
    """How a call ended that was refused: its code, its sentence, and its details as a serialized google.rpc.Status."""

    def __init__(self, code: int, message: str, details: bytes) -> None:
        super().__init__(message)
        self.code, self.message, self.details = code, message, details


class GrpcClient:
    """Calls methods of one server, `grpc://host:port` or, with TLS, `grpcs://host:port`."""

    def __init__(self, url: str, *, most_bytes: int) -> None:
        self._url, self._most_bytes = url, most_bytes
        self._destinations = named_destinations([url])
        self._channel: grpc.Channel | None = None
        self._lock = Lock()

    def unary(self, path: str, request: bytes, metadata: Metadata, deadline: Deadline) -> bytes:
        """Make a call that is answered once.

        Raises: GrpcFailure · EgressError when no server is reached.
        """
        call = self._opened(deadline).unary_unary(path)
        try:
            answer: bytes = call(request, timeout=deadline.wait_seconds(), metadata=metadata)
        except grpc.RpcError as error:
            self._reopen(error)
            raise _failure(error) from error
        return answer

    @contextmanager
    def stream(
        self, path: str, request: bytes, metadata: Metadata, deadline: Deadline
    ) -> Iterator[Iterator[bytes]]:
        """Make a call that is answered again and again; it is cancelled when the block ends, or when nothing comes
        within the deadline's silence.

        Raises: GrpcFailure, also while answers are read · EgressError when no server is reached.
        """
        call = self._opened(deadline).unary_stream(path)(request, metadata=metadata)
        watched = _Silence(call, deadline.wait_seconds())
        try:
            yield self._read(call, watched)
        finally:
            watched.end()
            call.cancel()

    def close(self) -> None:
        """Close the connection; calls under way end."""
        with self._lock:
            if self._channel is not None:
                self._channel.close()
            self._channel = None

    def _read(self, call: grpc.Call, watched: _Silence) -> Iterator[bytes]:
        try:
            for message in call:
                watched.heard()
                yield message
        except grpc.RpcError as error:
            self._reopen(error)
            raise _failure(error) from error

    def _reopen(self, error: Any) -> None:
        """Look the name up again after a failure to reach the server: it may be elsewhere by now."""
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            self.close()

    def _opened(self, deadline: Deadline) -> grpc.Channel:
        with self._lock:
            if self._channel is None:
                self._channel = self._open(deadline)
            return self._channel

    def _open(self, deadline: Deadline) -> grpc.Channel:
        host, port = origin_of(self._url)
        try:
            found = resolve(host, port, deadline)
        except OSError as error:
            raise EgressError(f"{host} is not reached: {error}") from error
        admitted = [address for _, address, _ in found if self._destinations.admit(host, port, address)]
        if not admitted:
            raise AddressRefused
        options = [
            ("grpc.max_receive_message_length", self._most_bytes),
            ("grpc.default_authority", f"{host}:{port}"),
            # A proxy of the environment would dial another address than the one that was looked at.
            ("grpc.enable_http_proxy", 0),
        ]
        versions = {isinstance(each, IPv6Address) for each in admitted}
        kind = "ipv6" if versions == {True} else "ipv4"
        targets = [
            f"[{each}]:{port}" if kind == "ipv6" else f"{each}:{port}"
            for each in admitted
            if isinstance(each, IPv6Address) is (kind == "ipv6")
        ]
        target = f"{kind}:{','.join(targets)}"
        if urlsplit(self._url).scheme == SECURE:
            named = [*options, ("grpc.ssl_target_name_override", host)]
            return grpc.secure_channel(target, grpc.ssl_channel_credentials(), options=named)
        return grpc.insecure_channel(target, options=options)


class _Silence:
    """Cancels a call in which nothing is heard for some seconds."""

    def __init__(self, call: grpc.Call, seconds: float) -> None:
        self._call, self._seconds, self._heard_at = call, seconds, monotonic()
        self._ended = Event()
        Thread(target=self._watch, name="grpc-silence", daemon=True).start()

    def heard(self) -> None:
        self._heard_at = monotonic()

    def end(self) -> None:
        self._ended.set()

    def _watch(self) -> None:
        while not self._ended.wait(max(0.1, self._heard_at + self._seconds - monotonic())):
            if monotonic() - self._heard_at >= self._seconds:
                self._call.cancel()
                return


def _failure(error: Any) -> GrpcFailure:
    trailers = dict(error.trailing_metadata() or ())
    details = trailers.get(DETAILS_KEY, b"")
    return GrpcFailure(error.code().value[0], error.details() or "", details)

"""A registry over the published services of its Meta API, by gRPC."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

# Imported for what they register: the messages that details are made of.
import google.rpc.error_details_pb2 as details_pb2
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status

from migrations_app.adapters.egress.grpc_client import GrpcClient, GrpcFailure
from migrations_app.adapters.registry_clients.http import SignCall, authorization
from migrations_app.adapters.registry_clients.published_requests import (
    PublishedCall,
    document_of,
    published_call,
)
from migrations_app.engine.registry.meta_client import MetaClient, unavailable
from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.processes.outbound import Deadline, EgressError

DETAILS = (details_pb2.ErrorInfo, details_pb2.BadRequest, details_pb2.PreconditionFailure)
# Longer than the stream's heartbeat, so that a silent connection is known to be dead.
SILENCE_SECONDS = 25.0
ENDLESS_SECONDS = 10 * 366 * 86_400.0
MOST_BYTES = 64 * 1024 * 1024
ANSWERED, REFUSED = 200, 400


class GrpcTransport:
    """`ports.registry_transport.RegistryTransport` over gRPC: the calls that the addresses are bound to."""

    def __init__(self, url: str, token: str | SignCall, timeout_seconds: float) -> None:
        self._client = GrpcClient(url, most_bytes=MOST_BYTES)
        self._seconds = max(SILENCE_SECONDS, timeout_seconds)
        self._token = token

    def send(self, method: str, path: str, body: bytes, *, if_match: str = "") -> tuple[int, bytes]:
        call = published_call(method, path, _object(body))
        metadata = [*self._metadata(call, method, path), *([("if-match", if_match)] if if_match else [])]
        request = call.request.SerializeToString()
        try:
            answer = self._client.unary(call.path, request, metadata, Deadline(self._seconds))
        except GrpcFailure as failure:
            return REFUSED, _status(failure)
        except (EgressError, TimeoutError) as error:
            raise unavailable(error) from error
        return ANSWERED, _line(call, answer)

    @contextmanager
    def stream(self, path: str, body: bytes) -> Iterator[tuple[int, Iterator[bytes]]]:
        call = published_call("POST", path, _object(body))
        deadline = Deadline(ENDLESS_SECONDS, silence_seconds=self._seconds)
        metadata = self._metadata(call, "POST", path)
        request = call.request.SerializeToString()
        try:
            with self._client.stream(call.path, request, metadata, deadline) as answers:
                lines = (_line(call, each) for each in answers)
                try:
                    first = list(_next(lines))
                except GrpcFailure as failure:
                    yield REFUSED, iter([_status(failure)])
                    return
                yield ANSWERED, chain(first, lines)
        except GrpcFailure as failure:
            raise unavailable(failure) from failure
        except (EgressError, TimeoutError) as error:
            raise unavailable(error) from error

    def close(self) -> None:
        self._client.close()

    def _metadata(self, call: PublishedCall, method: str, path: str) -> Sequence[tuple[str, str]]:
        said = ("authorization", authorization(self._token, method, path))
        return [said, *([("dry-run", call.dry_run)] if call.dry_run else [])]


class GrpcRegistry(MetaClient):
    """`ports.registry.RegistryClient` over gRPC."""

    def __init__(self, url: str, token: str | SignCall, *, timeout_seconds: float = 10.0) -> None:
        super().__init__(GrpcTransport(url, token, timeout_seconds))


def _object(body: bytes) -> JsonObject | None:
    found = json.decode(body) if body else None
    return found if isinstance(found, dict) else None


def _line(call: PublishedCall, answer: bytes) -> bytes:
    """Write a serialized answer as JSON.

    Raises: Busy (`registry-unavailable`) for what is no message of that kind.
    """
    try:
        return json.encode(document_of(call.method.answer.FromString(answer)))
    except DecodeError as error:
        raise unavailable("it sent something else than the published message") from error


def _next(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Give the first line, if there is one."""
    for line in lines:
        yield line
        return


def _status(failure: GrpcFailure) -> bytes:
    """Write a refusal as the Meta API does over HTTP: a google.rpc.Status in JSON."""
    status = Status(code=failure.code, message=failure.message)
    if failure.details:
        status.MergeFromString(failure.details)
    try:
        written = MessageToDict(status, descriptor_pool=Default())
    except TypeError:
        # Details of a kind that is not known here.
        written = {"code": status.code, "message": status.message}
    return json.encode(written)

"""One client of the published services in two forms: over HTTP by their rules, and over gRPC."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote

import grpc
import httpx
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import MethodOptions
from google.protobuf.descriptor_pool import Default
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from tests.contract.meta.published import PACKAGE, Published, pool

VARIABLE = re.compile(r"\{(?P<field>[a-z_.]+)=[^}]+\}")


class Failed(Exception):
    """A call that was refused: the name of its code, and what its details say."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.message)
        self.code = Code.Name(status.code)
        self.details = {each.TypeName().rpartition(".")[2]: each for each in status.details}
        info = error_details_pb2.ErrorInfo()
        assert self.details["ErrorInfo"].Unpack(info)
        self.reason, self.metadata = info.reason, dict(info.metadata)


class Transport(Protocol):
    """Calls methods; what is sent and answered are the published messages."""

    def call(self, method: str, fields: Any = None, *, dry_run: bool = False, if_match: str = "") -> Any:
        """Make a unary call; raise Failed when it is refused."""

    def watch(self, method: str, fields: Any = None) -> Generator[Any, None, None]:
        """Open a stream."""

    def close(self) -> None:
        """Close the connections."""


def service_of(method: str) -> Any:
    """Find the service that has a method."""
    for one in ("Region", "Service", "Deployment", "Resource"):
        found = pool().FindServiceByName(f"{PACKAGE}.{one}Service")
        if method in found.methods_by_name:
            return found
    raise LookupError(method)


@dataclass(slots=True)
class Rest:
    """Over HTTP, by the rule of each method: the name in the address, the body, everything else in the query."""

    url: str
    token: str
    _http: httpx.Client = field(default_factory=lambda: httpx.Client(timeout=60.0))

    def call(self, method: str, fields: Any = None, *, dry_run: bool = False, if_match: str = "") -> Any:
        verb, url, query, body, answer = self._request(method, fields or {})
        headers = {"If-Match": f'"{if_match}"'} if if_match else {}
        found = self._http.request(
            verb,
            url,
            params=query + ([("validate_only", "true")] if dry_run else []),
            headers=headers | self._headers(),
            **({} if body is None else {"json": body}),
        )
        if found.status_code >= 400:
            raise Failed(json_format.ParseDict(found.json(), Status(), descriptor_pool=Default()))
        return json_format.ParseDict(found.json(), answer())

    def watch(self, method: str, fields: Any = None) -> Generator[Any, None, None]:
        verb, url, query, _, answer = self._request(method, fields or {})
        with self._http.stream(verb, url, params=query, headers=self._headers()) as found:
            if found.status_code >= 400:
                raise Failed(
                    json_format.ParseDict(json.loads(found.read()), Status(), descriptor_pool=Default())
                )
            for line in found.iter_lines():
                yield json_format.ParseDict(json.loads(line), answer())

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _request(self, method: str, fields: Any) -> tuple[str, str, list[tuple[str, str]], Any, Any]:
        described = service_of(method).methods_by_name[method]
        options = MethodOptions.FromString(described.GetOptions().SerializeToString())
        rule = options.Extensions[annotations_pb2.http]
        verb = rule.WhichOneof("pattern")
        path = getattr(rule, verb)
        request = json_format.ParseDict(fields, GetMessageClass(described.input_type)())
        if variable := VARIABLE.search(path):
            value: Any = request
            for key in variable["field"].split("."):
                value = getattr(value, key)
            if variable["field"] in ("name", "parent"):
                request.ClearField(variable["field"])
            path = path[: variable.start()] + quote(value) + path[variable.end() :]
        written = json_format.MessageToDict(request)
        body = written.pop(rule.body, {}) if rule.body else None
        return (
            verb.upper(),
            self.url + path,
            list(_pairs("", written)),
            body,
            GetMessageClass(described.output_type),
        )


@dataclass(slots=True)
class Grpc:
    """Over gRPC."""

    channel: grpc.Channel
    token: str

    def call(self, method: str, fields: Any = None, *, dry_run: bool = False, if_match: str = "") -> Any:
        more = [("dry-run", "true")] if dry_run else []
        more += [("if-match", f'"{if_match}"')] if if_match else []
        client = Published(self.channel, self.token, tuple(more))
        try:
            return client.call(service_of(method).name, method, fields)
        except grpc.RpcError as error:
            raise failed(error) from error

    def close(self) -> None:
        self.channel.close()

    def watch(self, method: str, fields: Any = None) -> Generator[Any, None, None]:
        stream: Any = Published(self.channel, self.token).watch(service_of(method).name, method, fields)
        try:
            yield from stream
        except grpc.RpcError as error:
            raise failed(error) from error
        finally:
            stream.cancel()


def failed(error: Any) -> Exception:
    """Read the status of a call; a connection that broke has no details."""
    trailers = dict(error.trailing_metadata() or ())
    if "grpc-status-details-bin" not in trailers:
        return ConnectionError(error.details())
    status = Status.FromString(trailers["grpc-status-details-bin"])
    assert (status.code, status.message) == (error.code().value[0], error.details())
    return Failed(status)


def _pairs(before: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _pairs(f"{before}.{key}".lstrip("."), inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _pairs(before, inner)
    else:
        yield before, str(value).lower() if isinstance(value, bool) else str(value)

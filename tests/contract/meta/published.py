"""A client of the published services, with message classes compiled here from the definitions."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import grpc
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parents[3] / "migrations_app" / "domain" / "registry" / "protos"
PACKAGE = "goten.meta.v1"


@cache
def pool() -> DescriptorPool:
    """Compile the definitions."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "meta.binpb"
        includes = [PROTOS, Path(annotations_pb2.__file__).parents[2], files("grpc_tools") / "_proto"]
        named = [str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto")]
        options = ["--include_imports", f"--descriptor_set_out={out}"]
        assert protoc.main(["protoc", *(f"-I{each}" for each in includes), *options, *named]) == 0
        found = DescriptorPool()
        for file in FileDescriptorSet.FromString(out.read_bytes()).file:
            found.Add(file)  # type: ignore[attr-defined]
    return found


def message(name: str) -> Any:
    """Give the class of a message of the package."""
    full = name if "." in name and not name[0].isupper() else f"{PACKAGE}.{name}"
    return GetMessageClass(pool().FindMessageTypeByName(full))


@dataclass(frozen=True, slots=True)
class Published:
    """A client that knows nothing but the definitions."""

    channel: grpc.Channel
    token: str = ""
    metadata: tuple[tuple[str, str], ...] = ()

    def call(self, service: str, method: str, fields: Any = None, *, timeout: float = 20.0) -> Any:
        """Make a unary call."""
        return self._multi(service, method, "unary_unary")(
            self._request(service, method, fields or {}), timeout=timeout, metadata=self._metadata()
        )

    def watch(self, service: str, method: str, fields: Any = None, *, timeout: float = 60.0) -> Iterator[Any]:
        """Open a stream."""
        stream: Iterator[Any] = self._multi(service, method, "unary_stream")(
            self._request(service, method, fields or {}), timeout=timeout, metadata=self._metadata()
        )
        return stream

    def _multi(self, service: str, method: str, form: str) -> Any:
        described = pool().FindServiceByName(f"{PACKAGE}.{service}").methods_by_name[method]
        return getattr(self.channel, form)(
            f"/{PACKAGE}.{service}/{method}",
            request_serializer=lambda each: each.SerializeToString(),
            response_deserializer=GetMessageClass(described.output_type).FromString,
        )

    def _request(self, service: str, method: str, fields: dict[str, Any]) -> Any:
        described = pool().FindServiceByName(f"{PACKAGE}.{service}").methods_by_name[method]
        return json_format.ParseDict(fields, GetMessageClass(described.input_type)())

    def _metadata(self) -> tuple[tuple[str, str], ...]:
        bearer = (("authorization", f"Bearer {self.token}"),) if self.token else ()
        return (*bearer, *self.metadata)


def published(channel: grpc.Channel, token: str = "", **metadata: str) -> Published:
    """Make a client; keywords are metadata, with underscores for hyphens."""
    return Published(channel, token, tuple((key.replace("_", "-"), value) for key, value in metadata.items()))

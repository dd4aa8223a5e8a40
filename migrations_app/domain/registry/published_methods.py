"""The published messages and methods, compiled from the .proto files beside this module when they are first needed."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet, MethodOptions
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc_tools import protoc

PROTOS = Path(__file__).parent / "protos"
SERVICES = tuple(f"goten.meta.v1.{one}Service" for one in ("Region", "Service", "Deployment", "Resource"))
_VARIABLE = re.compile(r"\{(?P<field>[a-z_.]+)=(?P<pattern>[^}]+)\}")


@dataclass(frozen=True, slots=True)
class Binding:
    """Where a method is served over HTTP: the verb, the address around the name, the field that is the body."""

    verb: str
    before: str
    field: str
    pattern: str
    after: str
    body: str


@dataclass(frozen=True, slots=True)
class PublishedMethod:
    """One method of the published services."""

    service: str
    name: str
    request: type[Message]
    answer: type[Message]
    streams: bool
    binding: Binding


@cache
def pool() -> DescriptorPool:
    """Compile the definitions into a pool of their own."""
    with tempfile.TemporaryDirectory(prefix="switchyard-meta-") as folder:
        out = Path(folder) / "meta.binpb"
        # The definitions of google.api are installed as the folder google/api; those of protobuf come with the compiler.
        installed = Path(annotations_pb2.__file__).parents[2]
        includes = [PROTOS, installed, files("grpc_tools") / "_proto"]
        named = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
        code = protoc.main(
            [
                "protoc",
                *(f"-I{each}" for each in includes),
                "--include_imports",
                f"--descriptor_set_out={out}",
                *named,
            ]
        )
        if code != 0:
            raise RuntimeError(f"The definitions of the Meta API do not compile: protoc ended with {code}.")
        found = DescriptorPool()
        for file in FileDescriptorSet.FromString(out.read_bytes()).file:
            found.Add(file)
        return found


@cache
def methods() -> dict[str, PublishedMethod]:
    """Give every method by its gRPC path."""
    found: dict[str, PublishedMethod] = {}
    for name in SERVICES:
        service = pool().FindServiceByName(name)
        for each in service.methods:
            found[f"/{name}/{each.name}"] = PublishedMethod(
                name,
                each.name,
                GetMessageClass(each.input_type),
                GetMessageClass(each.output_type),
                bool(each.server_streaming),
                _binding(each),
            )
    return found


def _binding(method: MethodDescriptor) -> Binding:
    # The options are read again by the classes that know google.api.http: those of the pool's own do not.
    options = MethodOptions.FromString(method.GetOptions().SerializeToString())
    rule: Any = options.Extensions[annotations_pb2.http]
    assert isinstance(rule, HttpRule)
    verb = rule.WhichOneof("pattern") or "post"
    path = str(getattr(rule, verb))
    variable = _VARIABLE.search(path)
    if variable is None:
        return Binding(verb.upper(), path, "", "", "", rule.body)
    before, after = path[: variable.start()], path[variable.end() :]
    return Binding(verb.upper(), before, variable["field"], variable["pattern"], after, rule.body)

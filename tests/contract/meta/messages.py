"""Message classes of `meta.proto`, and parsing by protobuf's own strict JSON parser."""

from __future__ import annotations

import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

# Imported for what they register: the messages that meta.proto builds on and that errors carry.
import google.rpc.error_details_pb2
from google.protobuf import any_pb2, descriptor_pb2, json_format, message_factory, timestamp_pb2
from google.protobuf.descriptor_pool import Default
from grpc_tools import protoc

REGISTERED = (any_pb2, timestamp_pb2, google.rpc.error_details_pb2)
HERE = Path(__file__).parent


@cache
def _classes() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "meta.pb"
        bundled = files("grpc_tools") / "_proto"
        code = protoc.main(
            ["protoc", f"-I{HERE}", f"-I{bundled}", f"--descriptor_set_out={out}", "meta.proto"]
        )
        assert code == 0
        described = descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())
    pool = Default()
    for file in described.file:
        pool.Add(file)  # type: ignore[attr-defined]
    found = dict(pool.FindFileByName("meta.proto").message_types_by_name)
    found |= dict(found["Deployment"].nested_types_by_name)
    return {name: message_factory.GetMessageClass(descriptor) for name, descriptor in found.items()}


def parse(message: str, answer: Any) -> Any:
    """Parse an answer; an unknown field, a wrong type or a wrong enum fails."""
    return json_format.ParseDict(answer, _classes()[message](), descriptor_pool=Default())

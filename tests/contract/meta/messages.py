"""Parsing of answers by protobuf's own strict JSON parser, with the published messages."""

from __future__ import annotations

from typing import Any

# Imported for what they register: the messages that errors carry.
import google.rpc.error_details_pb2 as details_pb2
from google.protobuf import json_format
from google.protobuf.descriptor_pool import Default
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

from tests.contract.meta.published import message as message_class

REGISTERED = (details_pb2.ErrorInfo,)


def parse(message: str, answer: Any) -> Any:
    """Parse an answer; an unknown field, a wrong type or a wrong enum fails."""
    return json_format.ParseDict(answer, message_class(message)())


def parse_error(answer: Any) -> dict[str, Any]:
    """Parse an error as google.rpc.Status, and give what its details say under short names."""
    status = json_format.ParseDict(answer, Status(), descriptor_pool=Default())
    assert set(answer) == {"code", "message", "details"}
    kinds = [each["@type"] for each in answer["details"]]
    assert len(kinds) == len({*kinds})
    assert kinds[0] == "type.googleapis.com/google.rpc.ErrorInfo"
    info = answer["details"][0]
    return {
        **answer,
        "status": Code.Name(status.code),
        "reason": info["reason"],
        "who_can": info.get("metadata", {}).get("who_can", ""),
        "remedy": info.get("metadata", {}).get("remedy", ""),
    }

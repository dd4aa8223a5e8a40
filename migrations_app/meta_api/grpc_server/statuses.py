"""Errors of the Meta API as the status of a gRPC call, with their details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Imported for what they register: the messages that details are made of.
import google.rpc.error_details_pb2 as details_pb2
import grpc
from google.protobuf.descriptor_pool import Default
from google.protobuf.json_format import ParseDict, ParseError
from google.rpc.status_pb2 import Status

DETAILS_KEY = "grpc-status-details-bin"
DETAILS = (details_pb2.ErrorInfo, details_pb2.BadRequest, details_pb2.PreconditionFailure)
_CODES = {code.value[0]: code for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class GrpcStatus:
    """How a call ends: the code, the sentence, and the details as a serialized google.rpc.Status."""

    code: grpc.StatusCode
    message: str
    details: bytes

    def trailers(self, headers: Mapping[str, str]) -> tuple[tuple[str, str | bytes], ...]:
        """Write the trailing metadata: the details, and what the answer's headers tell."""
        return ((DETAILS_KEY, self.details), *headers.items())


def status_of_body(body: Mapping[str, Any]) -> GrpcStatus:
    """Read the error body of a view, which is a google.rpc.Status in JSON."""
    try:
        status = ParseDict(dict(body), Status(), descriptor_pool=Default())
    except ParseError:
        # Not a body of the Meta API: middleware of the server answered by itself.
        status = Status(
            code=grpc.StatusCode.UNAVAILABLE.value[0], message="The server does not serve just now."
        )
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return GrpcStatus(code, status.message, status.SerializeToString())

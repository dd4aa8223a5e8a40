"""Methods of protobuf services: their messages, and the address that `google.api.http` gives them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from google.api import annotations_pb2
from google.api.http_pb2 import HttpRule
from google.protobuf.descriptor_pb2 import MethodDescriptorProto

from migrations_app.domain.schema.ir import Method, Streaming
from migrations_app.domain.schema.methods import read_template


def read_method(given: MethodDescriptorProto, short: Callable[[str], str], kind: str) -> Method:
    """Read a method; one whose address ends in a verb is a custom method, whatever its name begins with."""
    request, response = short(given.input_type), short(given.output_type)
    for http_method, template, body in _addresses(given):
        path, verb, name_field = read_template(template)
        if verb:
            return Method(
                given.name,
                request,
                response,
                "custom",
                verb=verb,
                name_field=name_field,
                http_method=http_method,
                reads=http_method == "GET",
                streaming=_streaming(given),
                path=path,
                body=body,
            )
    return Method(given.name, request, response, kind, streaming=_streaming(given), body=_rule(given).body)


def _rule(given: MethodDescriptorProto) -> HttpRule:
    found: HttpRule = given.options.Extensions[annotations_pb2.http]
    return found


def _addresses(given: MethodDescriptorProto) -> Iterator[tuple[str, str, str]]:
    rule = _rule(given)
    for each in (rule, *rule.additional_bindings):
        verb = each.WhichOneof("pattern")
        if verb in ("get", "put", "post", "delete", "patch"):
            yield verb.upper(), getattr(each, verb), each.body


def _streaming(given: MethodDescriptorProto) -> Streaming:
    if given.client_streaming:
        return Streaming.BOTH if given.server_streaming else Streaming.CLIENT
    return Streaming.SERVER if given.server_streaming else Streaming.NONE

"""Custom methods over HTTP: `POST …/{name}:verb` in any version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from migrations_app.domain.access import Actor, Target, decide, require
from migrations_app.domain.methods.permissions import METHOD
from migrations_app.domain.schema.ir import Method, Schema
from migrations_app.domain.schema.methods import OWN_VERBS, find_method, verbs_of
from migrations_app.domain.schema.types import (
    EnumType,
    FieldMaskType,
    FilterType,
    ObjectType,
    ReferenceType,
    ScalarKind,
    ScalarType,
    Type,
)
from migrations_app.engine.methods.server import MethodRequest, MethodServer
from migrations_app.engine.serving.routing import ServingMode
from migrations_app.kernel.errors import Invalid, MethodDiscontinued, Missing, Refused
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import message as worded
from migrations_app.ports.shadow_reads import AnsweredCall, ShadowReads
from migrations_app.resource_api.addresses import RequestAddress, ResourceLocation, place_of
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.exchange import READS, ResourceRequest, Response, Watched
from migrations_app.resource_api.parameters import DRY_RUN, query_of
from migrations_app.web.deprecations import headers_of
from migrations_app.web.messages import form_of
from migrations_app.web.problems import CONTENT_TYPE, problem_of

LONGEST_SECONDS, STREAM_SECONDS = 60.0, 600.0
HANDLER_HEADER = "Switchyard-Handler"
_DEADLINE = "x-server-timeout"


def method_at(schema: Schema, place: ResourceLocation, verb: str) -> Method:
    """Find the method behind an address.

    Raises: Missing (`method-missing`) with the verbs that there are.
    """
    found = find_method(schema, place.type, verb, is_collection=place.is_collection)
    if found is None:
        known = verbs_of(schema, place.type, is_collection=place.is_collection)
        what = f"collection of {place.type}" if place.is_collection else place.type
        raise Missing(
            worded(
                "{service} {version} has no method :{verb} of a {what}.",
                service=schema.service,
                version=schema.version,
                verb=verb[:80],
                what=what,
            ),
            code="method-missing",
            remedy=worded("It has {known}.", known=", ".join(f":{each}" for each in known))
            if known
            else worded("It has none."),
        )
    return found


def allowed_method(
    actor: Actor, address: RequestAddress, request: ResourceRequest, schema_of: Callable[[], Schema]
) -> tuple[Schema, ResourceLocation, Method]:
    """Find the method that a request calls, if the actor may call it.

    Who may not write here is refused for everything but methods that read, and not told which there are.

    Raises: Denied (`denied`) · Missing (`method-missing`, `address`, `version`) · Invalid.
    """
    target = _target(address)
    writes = any(decide(actor, action, target).allowed for action in ("resource.write", METHOD))
    if not writes and not _names_methods(actor, target):
        require(actor, "resource.read", target)
    try:
        schema = schema_of()
        place = place_of(schema, address.rest)
        method = method_at(schema, place, address.verb)
    except Refused:
        if not writes and not request.reads:
            require(actor, "resource.write", target)
        raise
    require_method(actor, method, address)
    return schema, place, method


def _names_methods(actor: Actor, target: Target) -> bool:
    """Tell whether an actor holds the permission of a single method at a place."""
    here = [grant for grant in actor.grants if grant.covers(target)]
    carried = [each for grant in here for each in grant.permissions or ()] + [*(actor.scopes or ())]
    return bool(here) and any(each.startswith(f"{METHOD}:") for each in carried)


def require_method(actor: Actor, method: Method, address: RequestAddress) -> None:
    """See that an actor may call a method: by its own permission, or by that to read or write resources.

    Raises: Denied (`denied`).
    """
    target = _target(address)
    if not any(decide(actor, each, target).allowed for each in (METHOD, f"{METHOD}:{method.name}")):
        require(actor, "resource.read" if method.reads else "resource.write", target)


def forwarded_action(schema: Schema, address: RequestAddress, actor: Actor) -> str:
    """Name the permission in which a request is handed on to the region that owns what it writes."""
    if not is_call(address) or decide(actor, "resource.write", _target(address)).allowed:
        return "resource.write"
    return f"{METHOD}:{method_at(schema, place_of(schema, address.rest), address.verb).name}"


def is_call(address: RequestAddress) -> bool:
    """Tell whether an address is one of a custom method."""
    return bool(address.verb) and address.verb not in OWN_VERBS


def _target(address: RequestAddress) -> Target:
    return Target("deployment", service=address.service, region=address.region)


def call_method(
    server: MethodServer,
    method: Method,
    address: RequestAddress,
    place: ResourceLocation,
    schema: Schema,
    request: ResourceRequest,
    actor: Actor,
    shadows: ShadowReads,
) -> Response:
    """Answer a call of a custom method; one that reads, by the version that is stored, is handed to `shadows`.

    Raises: Invalid · what `MethodServer.call` raises.
    """
    asked = _asked(method, address, place, schema, request, actor, LONGEST_SECONDS)
    try:
        answer = server.call(asked)
    except MethodDiscontinued as error:
        # An answer, not an error: the day since when its version retires is added to answers.
        problem = problem_of(error, instance=request.path, request_id=asked.request_id)
        headers = {**headers_of(None, None), "Content-Type": CONTENT_TYPE}
        return Response(problem.status, problem.body, headers)
    if method.reads and answer.how is ServingMode.NATIVE:
        where = asked.region, asked.service, asked.version
        shadows.note(AnsweredCall(*where, method, asked.name, asked.message, actor, answer.document))
    headers = {"Switchyard-Served": answer.how.value, HANDLER_HEADER: answer.handler_version}
    return Response(200, answer.document, headers)


def begin_stream(
    server: MethodServer,
    method: Method,
    address: RequestAddress,
    place: ResourceLocation,
    schema: Schema,
    request: ResourceRequest,
    actor: Actor,
) -> Watched:
    """Begin the server stream of a custom method.

    Raises: Invalid · what `MethodServer.stream` raises.
    """
    asked = _asked(method, address, place, schema, request, actor, STREAM_SECONDS)
    stream = server.stream(asked)
    return Watched(stream, form_of(request.headers.get("accept", "")), stream.close)


def _asked(
    method: Method,
    address: RequestAddress,
    place: ResourceLocation,
    schema: Schema,
    request: ResourceRequest,
    actor: Actor,
    longest: float,
) -> MethodRequest:
    if request.method != method.http_method and not (request.method in READS and method.http_method == "GET"):
        raise Invalid(
            worded(
                "{name} is called by {http_method}, not by {method}.",
                name=method.name,
                http_method=method.http_method,
                method=request.method,
            ),
            code="method-not-allowed",
        )
    fields = _scalars(schema, method) if request.method in READS else {}
    known = fields.keys() if request.method in READS else {DRY_RUN}
    query = query_of(request.query, known)
    message = _of_query(query, fields) if request.method in READS else _message(request, schema, method)
    return MethodRequest(
        address.region,
        address.service,
        address.version,
        method,
        place.name or place.parent,
        message,
        actor,
        request.headers.get("x-request-id", ""),
        _seconds(request, longest),
        dry_run=query.get(DRY_RUN) == "true" and request.method not in READS,
    )


def _scalars(schema: Schema, method: Method) -> Mapping[str, Type]:
    """List the fields of a request that parameters can give: single values other than the name."""
    message = schema.resolve(schema.type(method.request)) if method.request else None
    given = message.fields if isinstance(message, ObjectType) else ()
    single = (ScalarType, EnumType, ReferenceType, FieldMaskType, FilterType)
    types = {each.key: schema.resolve(each.type) for each in given if each.name != method.name_field}
    return {key: each for key, each in types.items() if isinstance(each, single)}


def _of_query(query: Mapping[str, str], fields: Mapping[str, Type]) -> JsonObject:
    return {key: _parameter(fields[key], text) for key, text in query.items()}


def _parameter(given: Type, text: str) -> Json:
    """Read a parameter as its type is written in JSON; what does not fit is refused with the message."""
    if isinstance(given, ScalarType) and given.json_encoding != "string":
        if given.kind is ScalarKind.BOOL:
            return {"true": True, "false": False}.get(text, text)
        if given.kind.value[0] in "iuf" and given.kind.value[1:].isdigit():
            with suppress(ValueError):
                return float(text) if given.kind.value[0] == "f" else int(text)
    return text


def _message(request: ResourceRequest, schema: Schema, method: Method) -> JsonObject:
    """Read the message of a request; where the rule of the method names a field, the body is that field."""
    body = read_body(request.body) if request.body else {}
    if method.body not in ("", "*"):
        asked = schema.types.get(method.request)
        field = asked.field(method.body) if isinstance(asked, ObjectType) else None
        return {method.body if field is None else field.key: body}
    if not isinstance(body, dict):
        raise Invalid(worded("Send a JSON object."), code="document")
    return body


def _seconds(request: ResourceRequest, longest: float) -> float:
    """Tell how long the caller waits.

    Raises: Invalid (`timeout`).
    """
    text = request.headers.get(_DEADLINE, "")
    if not text:
        return longest / 2 if longest == LONGEST_SECONDS else longest
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0.0 < seconds < 86400.0:
        raise Invalid(
            worded("{text} is no number of seconds.", text=repr(text[:40])),
            code="timeout",
            remedy=worded("Such as 2.5."),
        )
    return min(seconds, longest)

"""Calls of custom methods in any version: routed to the handler of the version that is active, and converted."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from migrations_app.domain.access import Actor
from migrations_app.domain.conversion.methods.converter import MethodConverter
from migrations_app.domain.methods.registration import Handler
from migrations_app.domain.schema.ir import Method, Schema, Streaming
from migrations_app.domain.schema.methods import address_key
from migrations_app.engine.methods.messages import checked_request, checked_response
from migrations_app.engine.methods.peer_deployments import OwnerRegions
from migrations_app.engine.methods.service_call import HandlerLocation, ServiceCall
from migrations_app.engine.methods.shown import ShownResource, home_route, shown_in
from migrations_app.engine.methods.streams import MethodStream
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.routing import ServingMode, ServingRoute
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.stored_names import find
from migrations_app.engine.serving.writes.coordination import Named, OwnedElsewhere, placed
from migrations_app.kernel.errors import (
    DryRunRefused,
    NotFound,
    ReadOnlyBeforeSwitch,
    Refused,
    VersionNotServed,
)
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.services.method_handlers import Handlers, Timed
from migrations_app.ports.store import Reading, StoredResource

_TRIES = 4


@dataclass(frozen=True, slots=True)
class MethodRequest:
    """A call in the words of the version it is made in; `name` is the resource, or the parent of a collection."""

    region: str
    service: str
    version: str
    method: Method
    name: str
    message: JsonObject
    actor: Actor
    request_id: str = ""
    seconds: float = 30.0
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """The response in the caller's version, how it came about, and the version whose handler answered."""

    document: JsonObject
    how: ServingMode
    handler_version: str


@dataclass(frozen=True, slots=True)
class _Target:
    """The handler of a call, its version, and the call's name and message there."""

    handler: Handler
    route: ServingRoute
    method: Method
    converter: MethodConverter | None
    name: str
    first: ShownResource | None


class MethodServer:
    """Answers calls of custom methods."""

    def __init__(
        self, servers: ResourceServers, handlers: Handlers, timed: Timed, owners: OwnerRegions | None = None
    ) -> None:
        self._servers, self._handlers, self._timed = servers, handlers, timed
        self._owners = owners

    def call(self, request: MethodRequest) -> MethodAnswer:
        """Answer a call by the handler of the active version, or where it has none by that of the call's own.

        A handler runs again from the start when the active version changed before it wrote anything.

        Raises: Invalid (`document`, `method-not-converted`) · Missing (`not-found`, `method-discontinued`) ·
        Conflict (`read-only-before-switch`) · OwnedElsewhere · Refused (`method-not-served`) · Busy
        (`deadline-exceeded`) · DryRunRefused · InvariantBroken (`handler-failed`, `handler-response`) · what the handler refuses.
        """
        ends_at = time.monotonic() + request.seconds
        message = self._message(request)
        for attempt in range(_TRIES):
            route, target = self._target(request)
            _check_dry_run(request, target)
            call = self._call_of(request, target, message, ends_at)
            try:
                made = self._answered(target, call)
            except (ReadOnlyBeforeSwitch, VersionNotServed):
                if call.commits or attempt == _TRIES - 1:
                    raise
                continue
            return MethodAnswer(self._answer(route, target, call, made), route.how, target.route.version)
        raise AssertionError("the last attempt returns or raises")

    def stream(self, request: MethodRequest) -> MethodStream:
        """Begin the server stream of a method; its messages are converted one by one.

        Raises: what `call` raises before its handler begins.
        """
        message = self._message(request)
        route, target = self._target(request)
        _check_dry_run(request, target)
        call = self._call_of(request, target, message, time.monotonic() + request.seconds)

        def _opened() -> Iterable[object]:
            made = target.handler.answer(call)
            # A single message that is no stream is refused as one.
            return made if isinstance(made, Iterator) else [made]

        def _shown(made: object) -> JsonObject:
            return self._answer(route, target, call, made)

        stream = MethodStream(_what(target, call), _opened, _shown, call.end, self._timed.release)
        stream.begin()
        return stream

    def _message(self, request: MethodRequest) -> JsonObject:
        """Check the request.

        Raises: Invalid · Refused (`method-not-served`) when the method takes a stream of requests.
        """
        if request.method.streaming in (Streaming.CLIENT, Streaming.BOTH):
            raise Refused(
                message(
                    "{name} takes a stream of requests, which HTTP does not carry.", name=request.method.name
                ),
                code="method-not-served",
            )
        schema = self._servers.schema(request.region, request.service, request.version)
        return checked_request(schema, request.method, request.name, request.message)

    def _answered(self, target: _Target, call: ServiceCall) -> object:
        seconds = call.remaining_seconds()
        return self._timed.call(_what(target, call), lambda: target.handler.answer(call), seconds, call.end)

    def _call_of(
        self, request: MethodRequest, target: _Target, message: JsonObject, ends_at: float
    ) -> ServiceCall:
        sent = message if target.converter is None else target.converter.request(message)
        method = target.method
        key = address_key(target.route.schema, method)
        if key:
            sent = {**sent, key: target.name}
        place = HandlerLocation(request.region, request.service, target.route.version)
        return ServiceCall(
            self._servers,
            place,
            target.name,
            sent,
            request.actor,
            request.request_id,
            ends_at,
            key,
            target.first,
            method.resource,
            _collection(target.route.schema, method),
            dry_run=request.dry_run,
            owners=self._owners,
        )

    def _target(self, request: MethodRequest) -> tuple[ServingRoute, _Target]:
        """Read what the call acts on, which tells the active version, and find the handler."""
        try:
            route, found = self._read(request)
        except NotFound:
            if not request.method.reads:
                self._check_home(request)
            raise
        method = request.method
        if not method.reads:
            if route.how is ServingMode.PREVIEW:
                raise ReadOnlyBeforeSwitch(
                    message(
                        "{version} of {deployment} is read-only until it becomes active.",
                        version=request.version,
                        deployment=route.served.deployment,
                    ),
                    remedy=message("Call the method in the version that is active."),
                )
            if found is not None and found.owning_region not in ("", request.region):
                raise OwnedElsewhere(request.name, found.owning_region)
        return route, self._handler_target(request, route, found)

    def _read(self, request: MethodRequest) -> tuple[ServingRoute, StoredResource | None]:
        return self._servers.router.read(
            request.region,
            request.service,
            request.version,
            lambda route, reading: _acted_on(route, reading, request),
            # A look that asks nothing would not notice that the active version has changed.
            once=not request.method.is_collection,
        )

    def _check_home(self, request: MethodRequest) -> None:
        """See that a resource that is not here would not be another region's.

        Raises: OwnedElsewhere.
        """
        route = self._servers.router.likely(request.region, request.service, request.version)
        named = Named(request.method.resource, request.name)
        owner = placed(self._servers.placing, route, [named]).other_region()
        if owner is not None:
            raise OwnedElsewhere(request.name, owner)

    def _handler_target(
        self, request: MethodRequest, route: ServingRoute, stored: StoredResource | None
    ) -> _Target:
        own = self._handlers.find(request.service, request.region, request.version, request.method)
        if route.how is not ServingMode.TRANSLATED or (own is not None and own.always):
            return _own_target(request, route, own, stored)
        converter = route.served.compiled.method(request.method.name, request.version, route.stored_version)
        there = converter.target_method
        handler = self._handlers.find(request.service, request.region, route.stored_version, there)
        if handler is None:
            return _own_target(request, route, own, stored)
        home = home_route(route)
        if stored is not None:
            first = ShownResource(shown_in(home, there.resource, stored), stored)
            return _Target(handler, home, there, converter, stored.name, first)
        name = converter.name(request.name)
        if name is None:
            raise NotFound(
                message(
                    "{name} has no name in {stored_version}.",
                    name=request.name,
                    stored_version=route.stored_version,
                ),
                name=request.name,
            )
        return _Target(handler, home, there, converter, name, None)

    def _answer(self, route: ServingRoute, target: _Target, call: ServiceCall, made: object) -> JsonObject:
        stored = call.stored(made) if isinstance(made, dict) else None
        response: JsonObject
        if stored is not None and isinstance(made, dict):
            response = made
        else:
            response = checked_response(target.route.schema, target.method, {} if made is None else made)
        if target.converter is None:
            return response
        if stored is not None and target.converter.answered is not None:
            # With what the bag keeps for the caller's version, which the handler's does not show.
            return shown_in(route, target.converter.answered.source_type, stored)
        return target.converter.response(response)


def _what(target: _Target, call: ServiceCall) -> str:
    return f"{target.method.name} of {call.place.service} {call.place.version}"


def _acted_on(route: ServingRoute, reading: Reading, request: MethodRequest) -> StoredResource | None:
    """Read the resource of a call; a collection has none.

    Raises: Missing (`not-found`).
    """
    method = request.method
    if method.is_collection:
        return None
    presenter = presenter_of(route.schema, method.resource, route.served.unknown)
    found = find(route, reading, method.resource, presenter.check_name(request.name))
    if found is None:
        raise NotFound(
            message("There is no {resource} {name}.", resource=method.resource, name=request.name),
            name=request.name,
        )
    return found


def _collection(schema: Schema, method: Method) -> str:
    """Tell the collection of the resources that a method acts on, as addresses write it."""
    return schema.resource(method.resource).patterns[0].rpartition("/")[0].rpartition("/")[2]


def _own_target(
    request: MethodRequest, route: ServingRoute, handler: Handler | None, stored: StoredResource | None
) -> _Target:
    """Take the handler of the call's own version.

    Raises: Refused (`method-not-served`).
    """
    method = request.method
    if handler is None:
        raise Refused(
            message(
                "{service} {version} has no handler of {name} in {region}.",
                service=request.service,
                version=request.version,
                name=method.name,
                region=request.region,
            ),
            code="method-not-served",
            remedy=message(
                "Install one with SWITCHYARD_EXTENSIONS, or name its backend in SWITCHYARD_METHOD_BACKENDS."
            ),
        )
    first = None if stored is None else ShownResource(shown_in(route, method.resource, stored), stored)
    return _Target(handler, route, method, None, request.name, first)


def _check_dry_run(request: MethodRequest, target: _Target) -> None:
    """See that a dry run is asked of a handler that says that it can be taken back.

    Raises: DryRunRefused.
    """
    if request.dry_run and not (target.handler.dry_run and request.method.streaming is Streaming.NONE):
        raise DryRunRefused(
            message(
                "{name} of {version} has no dry run: what its code does cannot be taken back.",
                name=target.method.name,
                version=target.route.version,
            ),
            remedy=message("Leave the dry run out; nothing was written."),
        )

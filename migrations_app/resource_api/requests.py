"""HTTP requests of the resource API turned into calls of the servers, and their answers into JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.schema.ir import Method, Schema, Streaming
from migrations_app.engine.methods.server import MethodServer
from migrations_app.engine.service_hooks.responses import HookedResponses
from migrations_app.engine.serving.presentation import presenter_of
from migrations_app.engine.serving.read_sampling import ReadSampler
from migrations_app.engine.serving.reading import ListRequest, ResourcePage
from migrations_app.engine.serving.routing import ServingMode
from migrations_app.engine.serving.searching import SearchRequest
from migrations_app.engine.serving.servers import ResourceServers
from migrations_app.engine.serving.shadowing.shadows import SHADOWS
from migrations_app.engine.serving.writes.coordination import OwnedElsewhere
from migrations_app.engine.serving.writes.requests import WriteRequest
from migrations_app.kernel.errors import Busy, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.services.usage import BrownOuts, NoBrownOuts, Unnoted, UsageLog, Use
from migrations_app.ports.shadow_reads import Answered, ShadowReads, Unshadowed
from migrations_app.resource_api import methods, watches, writes
from migrations_app.resource_api.actions import check_action, check_offered, method_of
from migrations_app.resource_api.addresses import RequestAddress, ResourceLocation, address_of, place_of
from migrations_app.resource_api.bodies import read_body
from migrations_app.resource_api.deprecated_use.body_details import watched_with_details, with_details
from migrations_app.resource_api.deprecated_use.brown_outs import BrownOutCheck
from migrations_app.resource_api.deprecated_use.field_headers import told_of_fields
from migrations_app.resource_api.deprecated_use.uses import use_of
from migrations_app.resource_api.exchange import READS, ResourceRequest, Response, Watched
from migrations_app.resource_api.forwarding import Forwarding
from migrations_app.resource_api.openapi.document import openapi
from migrations_app.resource_api.paging import check_whole, page_size
from migrations_app.resource_api.parameters import DRY_RUN, parameters_of
from migrations_app.resource_api.published_requests import filter_dialect, translated
from migrations_app.resource_api.response_hooks import amended
from migrations_app.resource_api.responses import (
    batch_response,
    check_form,
    headers_of,
    in_form,
    rehearsed_response,
    response_of,
)
from migrations_app.resource_api.returned import resources_in, sampled
from migrations_app.resource_api.shadows import answer_shadows, watch_shadows
from migrations_app.web.messages import form_of

_SHADOWED = ("get", "batchGet", "list")


class ResourceApi:
    """Answers requests for resources."""

    def __init__(
        self,
        servers: ResourceServers,
        usage: UsageLog | None = None,
        forwarding: Forwarding | None = None,
        shadows: ShadowReads | None = None,
        methods: MethodServer | None = None,
        hooks: HookedResponses | None = None,
        brown_outs: BrownOuts | None = None,
    ) -> None:
        self._servers, self._usage, self._forwarding = servers, usage or Unnoted(), forwarding
        self._brown_outs = BrownOutCheck(servers, self._usage, brown_outs or NoBrownOuts())
        self._methods, self._hooks = methods, hooks
        self._shadows, self._sampler = shadows or Unshadowed(), ReadSampler()

    def answer(self, request: ResourceRequest, actor: Actor, via: Peer | None = None) -> Response:
        """Answer one request on behalf of an actor; `via` is the deployment that handed it on to this one.

        A write that another region owns is handed on, once: who got it from a peer answers itself.

        Raises: the errors of the kernel, which the application answers over HTTP.
        """
        notice = self._brown_outs.notice(request, actor) if via is None else None
        if notice is not None and (refusal := notice.refusal(request)) is not None:
            return refusal
        try:
            response = self._answer(request, actor)
        except OwnedElsewhere as owned:
            if via is not None:
                raise _unsettled(owned, via) from owned
            if self._forwarding is None:
                raise
            address = address_of(request.path)
            here = Peer(address.service, address.region)
            schema = self._servers.schema(*_where(address))
            response = self._forwarding.forward(
                request,
                actor,
                here,
                owned,
                lambda moved: self.answer(moved, actor, here),
                methods.forwarded_action(schema, address, actor),
            )
        if via is not None:
            return response
        if notice is not None:
            notice, response = self._brown_outs.answered(notice, response)
        response = self._in_form(request, response)
        return response if notice is None else notice.announced(response)

    def _in_form(self, request: ResourceRequest, response: Response) -> Response:
        """Write an answer in the form that its request asks for."""
        if response.status >= 400 or not isinstance(response.document, dict):
            return response
        address = address_of(request.path)
        schema = self._servers.schema(*_where(address))
        return in_form(schema, address, request, with_details(schema, address, request, response))

    def _answer(self, request: ResourceRequest, actor: Actor) -> Response:
        address = address_of(request.path)
        if methods.is_call(address):
            return self._call(address, request, actor)
        target = Target("deployment", service=address.service, region=address.region)
        require(actor, "resource.read" if request.reads else "resource.write", target)
        schema = self._servers.schema(address.region, address.service, address.version)
        if address.rest == "" and address.verb == "batchWrite" and request.method == "POST":
            query = parameters_of("batchWrite", request)
            response = self._batch_write(address, request, actor.name, query)
            use = self._note(schema, address, request, actor, query, "batchWrite")
            return _with_deprecations(response, use)
        if address.rest == "openapi.json" and address.verb == "" and request.method in READS:
            parameters_of("openapi", request)
            return Response(200, openapi(schema, address.region))
        if address.rest.startswith(f"{SHADOWS}/") and address.verb == "" and request.method in READS:
            return answer_shadows(self._servers, schema, address, request)
        place = place_of(schema, address.rest)
        method = method_of(place, request.method, address.verb)
        request = translated(schema, place.type, method, request)
        check_form(schema, place.type, method, request.form)
        query = parameters_of(method, request)
        response = self._answered(method, address, place, query, request, actor.name)
        use = self._note(schema, address, request, actor, query, method, place.type, response)
        if method in _SHADOWED and not query.keys() & {"fieldMask", "view"}:
            self._sample(schema, address, place, method, response)
        if self._hooks is not None:
            where, caller = _where(address), actor.name
            response = amended(self._hooks, where, schema, place.type, method, query, caller, response)
        return _with_deprecations(response, use)

    def _call(self, address: RequestAddress, request: ResourceRequest, actor: Actor) -> Response:
        """Call a custom method."""
        schema, place, method = self._method(address, request, actor)
        if self._methods is None:
            raise Invalid(message("Custom methods are not called here."), code="method-not-allowed")
        check_form(schema, place.type, method, request.form)
        response = methods.call_method(
            self._methods, method, address, place, schema, request, actor, self._shadows
        )
        self._note(schema, address, request, actor, {}, method.name, place.type)
        return response

    def _method(
        self, address: RequestAddress, request: ResourceRequest, actor: Actor
    ) -> tuple[Schema, ResourceLocation, Method]:
        schema_of = partial(self._servers.schema, *_where(address))
        return methods.allowed_method(actor, address, request, schema_of)

    def _stream(self, address: RequestAddress, request: ResourceRequest, actor: Actor) -> Watched | None:
        """Begin the server stream of a custom method; None for one that answers once."""
        schema, place, method = self._method(address, request, actor)
        if method.streaming is not Streaming.SERVER or self._methods is None:
            return None
        begin = partial(methods.begin_stream, self._methods, method, address, place, schema, request, actor)
        begun = self._brown_outs.stream(request, actor, begin)
        self._note(schema, address, request, actor, {}, method.name, place.type)
        return begun

    def _sample(
        self,
        schema: Schema,
        address: RequestAddress,
        place: ResourceLocation,
        method: str,
        response: Response,
    ) -> None:
        """Hand an answer of the version that is stored over to those who compare it with the next one's."""
        if response.headers.get("Switchyard-Served") != ServingMode.NATIVE:
            return
        resources = resources_in(schema, place.type, method, response)
        if resources is None:
            return
        self._shadows.note(Answered(*_where(address), place.type, resources))

    def _answered(
        self,
        method: str,
        address: RequestAddress,
        place: ResourceLocation,
        query: Mapping[str, str],
        request: ResourceRequest,
        caller: str,
    ) -> Response:
        """Answer by the method.

        Raises: Invalid (`method-not-allowed`) also for what the version opts out of.
        """
        schema = self._servers.schema(*_where(address))
        check_offered(schema, place, request.method, address.verb)
        match method:
            case "list":
                return self._list(address, place, query)
            case "get":
                return self._get(address, place, query)
            case "batchGet":
                return self._batch_get(address, place, query, request)
            case "search":
                return self._search(address, place, query)
        match method:
            case "create":
                write = writes.create(schema, place, query, request)
                return self._write(address, caller, write, query, created=True)
            case "update":
                return self._write(address, caller, writes.update(schema, place, query, request), query)
        return self._write(address, caller, writes.delete(place, query, request), query)

    def _note(
        self,
        schema: Schema,
        address: RequestAddress,
        request: ResourceRequest,
        actor: Actor,
        query: Mapping[str, str],
        method: str,
        type_: str = "",
        answer: Response | None = None,
    ) -> Use:
        returned = sampled(self._sampler, schema, type_, method, actor.name, answer)
        use = use_of(schema, address, request, actor, query, method, type_, returned)
        self._usage.note(use)
        return use

    def watcher(self, request: ResourceRequest, actor: Actor) -> Watched | None:
        """Begin the watch, or the stream of a method, that a request asks for; None when it asks for something else.

        Raises: Denied, Missing, Invalid.
        """
        if request.method not in ("GET", "POST") or ":" not in request.path:
            return None
        address = address_of(request.path)
        if methods.is_call(address):
            return self._stream(address, request, actor)
        if not request.path.endswith(":watch"):
            return None
        return self._brown_outs.stream(request, actor, lambda: self._watch(address, request, actor))

    def _watch(self, address: RequestAddress, request: ResourceRequest, actor: Actor) -> Watched:
        require(actor, "resource.read", Target("deployment", service=address.service, region=address.region))
        schema = self._servers.schema(*_where(address))
        if address.rest.startswith(f"{SHADOWS}/"):
            return watch_shadows(self._servers, schema, address, request)
        place = place_of(schema, address.rest)
        check_action(schema, place.type, "watch")
        query = watches.parameters(request)
        watch = self._servers.watch(_where(address), watches.asked(place, query, filter_dialect(schema)))
        # Begun before the stream, so that what is wrong with the request is answered as an error.
        watch.begin()
        use = self._note(schema, address, request, actor, query, "watch", place.type)
        watched = self._brown_outs.watched(Watched(watch, form_of(request.headers.get("accept", ""))), use)
        return watched_with_details(schema, place.type, request.headers, watched)

    def _get(self, address: RequestAddress, place: ResourceLocation, query: Mapping[str, str]) -> Response:
        found = self._servers.reading.get(
            *_where(address), place.type, place.name, query.get("fieldMask", ""), query.get("view", "")
        )
        return response_of(found)

    def _list(self, address: RequestAddress, place: ResourceLocation, query: Mapping[str, str]) -> Response:
        schema = self._servers.schema(*_where(address))
        listed = ListRequest(
            type=place.type,
            parent=place.parent,
            filter=query.get("filter", ""),
            dialect=query.get("filterDialect", "") or filter_dialect(schema),
            order_by=query.get("orderBy", ""),
            mask=query.get("fieldMask", ""),
            page_size=page_size(schema, place.type, query),
            page_token=query.get("pageToken", ""),
            total="true" in (query.get("showTotal", ""), query.get("includePagingInfo", "")),
            view=query.get("view", ""),
        )
        page = self._servers.reading.list(*_where(address), listed)
        return self._paged(address, place, page, info=query.get("includePagingInfo", "") == "true")

    def _search(self, address: RequestAddress, place: ResourceLocation, query: Mapping[str, str]) -> Response:
        if self._servers.searching is None:
            raise Invalid(message("{type} cannot be searched.", type=place.type), code="not-searchable")
        schema = self._servers.schema(*_where(address))
        asked = SearchRequest(
            type=place.type,
            phrase=query.get("phrase", ""),
            parent=place.parent,
            mask=query.get("fieldMask", ""),
            view=query.get("view", ""),
            page_size=page_size(schema, place.type, query),
            page_token=query.get("pageToken", ""),
        )
        return self._paged(address, place, self._servers.searching.find(*_where(address), asked))

    def _batch_get(
        self,
        address: RequestAddress,
        place: ResourceLocation,
        query: Mapping[str, str],
        request: ResourceRequest,
    ) -> Response:
        names = [name for name in query.get("names", "").split(",") if name]
        if request.method == "POST":
            body = read_body(request.body)
            sent = body.get("names") if isinstance(body, dict) else None
            if not isinstance(sent, list) or not all(isinstance(name, str) for name in sent):
                raise Invalid(message("Send {form}.", form="{names: […]}"), code="document")
            names = [str(name) for name in sent]
        shown = query.get("fieldMask", ""), query.get("view", "")
        found = self._servers.reading.batch_get(*_where(address), place.type, names, *shown)
        return self._paged(address, place, found)

    def _paged(
        self, address: RequestAddress, place: ResourceLocation, page: ResourcePage, *, info: bool = False
    ) -> Response:
        schema = self._servers.schema(*_where(address))
        check_whole(schema, place.type, page.next)
        document: JsonObject = {presenter_of(schema, place.type).plural: list(page.documents)}
        if page.next:
            document["nextPageToken"] = page.next
        if page.previous:
            document["prevPageToken"] = page.previous
        if page.total is not None:
            document["totalSize"] = page.total
        if info:
            document |= {"currentOffset": page.offset, "totalResultsCount": page.total}
        if page.missing:
            document["missing"] = list(page.missing)
        return Response(200, document, headers_of(page.how))

    def _write(
        self,
        address: RequestAddress,
        caller: str,
        write: WriteRequest,
        query: Mapping[str, str],
        *,
        created: bool = False,
    ) -> Response:
        if query.get(DRY_RUN) == "true":
            return rehearsed_response(self._servers.writing.rehearse(*_where(address), [write], caller))
        (found,) = self._servers.writing.write(*_where(address), [write], caller)
        if found is None:
            return Response(200, {})
        return response_of(found, 201 if created else 200)

    def _batch_write(
        self, address: RequestAddress, request: ResourceRequest, caller: str, query: Mapping[str, str]
    ) -> Response:
        schema = self._servers.schema(*_where(address))
        asked = writes.batch(schema, request)
        for write in asked:
            check_action(schema, write.type, write.verb)
        if query.get(DRY_RUN) == "true":
            rehearsal = self._servers.writing.rehearse(*_where(address), asked, caller)
            return rehearsed_response(rehearsal, several=True)
        found = self._servers.writing.write(*_where(address), asked, caller)
        return batch_response(found)


def _with_deprecations(response: Response, use: Use) -> Response:
    """Add to an answer what it tells of deprecated fields that its request used."""
    headers = told_of_fields(use)
    return replace(response, headers={**response.headers, **headers}) if headers else response


def _unsettled(owned: OwnedElsewhere, via: Peer) -> Busy:
    return Busy(
        message(
            "{region} takes this region for the owner, but here the owner is {owned_region}: {message}",
            region=via.region,
            owned_region=owned.region,
            message=owned.message,
        ),
        code="ownership-unsettled",
        remedy=message("Try again: policies and copies reach every region within seconds."),
        region=owned.region,
    )


def _where(address: RequestAddress) -> tuple[str, str, str]:
    return address.region, address.service, address.version

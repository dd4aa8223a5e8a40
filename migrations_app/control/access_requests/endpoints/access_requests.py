"""Asking for access when one may do nothing yet, and deciding what was asked for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access_requests.commands.request_access import (
    AccessAnswer,
    decide_access,
    request_access,
)
from migrations_app.control.access_requests.queries import access_requests, way_to_access
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import SIGNED_IN, RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class NewAccessRequestSchema(RequestBody, frozen=True, kw_only=True):
    """Why the account needs access."""

    comment: Annotated[str, Meta(max_length=4000)] = ""


class AccessRequestSchema(ResponseBody, frozen=True, kw_only=True):
    """Who asks for access, and the answer."""

    id: str
    who: str
    comment: str
    at: Instant
    state: Annotated[str, one_of(["open", "granted", "refused", "withdrawn"])]
    answer: str
    decided_by: str
    decided_at: Instant | None


class AccessContactSchema(ResponseBody, frozen=True, kw_only=True):
    """Who could give access, and what became of asking."""

    who_can: list[str]
    request: AccessRequestSchema | None


class AccessDecisionSchema(RequestBody, frozen=True, kw_only=True):
    """A role within a scope; without one it is refused, and `answer` says why."""

    role: Annotated[str, Meta(max_length=20)] = ""
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    answer: Annotated[str, Meta(max_length=4000)] = ""


class WayToAccessView(RestView):
    """`/session/access`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN, "POST": SIGNED_IN}

    @extend_schema(operation_id="way_to_access", responses=AccessContactSchema)
    def get(self, request: Request) -> Response:
        """Tell who could give you access, and what became of asking."""
        return Response(way_to_access(self.actor))

    @extend_schema(
        operation_id="request_access",
        request=NewAccessRequestSchema,
        parameters=[DRY_RUN],
        responses={201: AccessContactSchema},
    )
    def post(self, request: Request) -> Response:
        """Ask for access; it stands on the overview of those who manage it."""
        comment = read(NewAccessRequestSchema, request.data).comment

        def ask() -> JsonObject:
            request_access(self.actor, comment)
            return way_to_access(self.actor)

        return Response(rehearsed(is_dry_run(request), ask), status=201)


class AccessRequestsView(RestView):
    """`/access/requests`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read"}

    @extend_schema(
        operation_id="access_requests", responses=page_schema("AccessRequest", AccessRequestSchema)
    )
    def get(self, request: Request) -> Response:
        """List who asks for access and has no answer yet."""
        return Response(everything(access_requests(self.actor)))


class AccessRequestView(RestView):
    """`/access/requests/{id}`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.manage"}

    @extend_schema(
        operation_id="decide_access",
        request=AccessDecisionSchema,
        parameters=[DRY_RUN],
        responses={204: None},
    )
    def post(self, request: Request, id: str) -> Response:
        """Give who asked a role, or refuse with an answer."""
        given = read(AccessDecisionSchema, request.data)
        decision = AccessAnswer(given.role, given.service, given.region, given.answer)
        rehearsed(is_dry_run(request), lambda: decide_access(self.actor, id, decision))
        return Response(status=204)


urlpatterns = [
    path("session/access", WayToAccessView.as_view()),
    path("access/requests", AccessRequestsView.as_view()),
    path("access/requests/<str:id>", AccessRequestView.as_view()),
]

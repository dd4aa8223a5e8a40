"""Asking those who may: what stands behind the Ask button of every refusal."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access_requests.commands.ask_anybody import (
    RequestedPermission,
    ask_anybody,
    settle_ask,
)
from migrations_app.control.access_requests.queries import ask_as_json, asks
from migrations_app.domain.access import PERMISSIONS
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import SIGNED_IN, RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class NewPermissionRequestSchema(RequestBody, frozen=True, kw_only=True):
    """What is asked for, and where it is done."""

    permission: Annotated[str, one_of(tuple(PERMISSIONS))]
    what: Annotated[str, Meta(min_length=1, max_length=300)]
    link: Annotated[
        str, Meta(min_length=1, max_length=1000, description="The page of this console where it is done.")
    ]
    comment: Annotated[str, Meta(max_length=4000)] = ""
    service: Annotated[str, Meta(max_length=200)] = ""
    region: Annotated[str, Meta(max_length=100)] = ""


class PermissionRequestSchema(ResponseBody, frozen=True, kw_only=True):
    """What was asked for."""

    id: str
    who: str
    permission: str
    what: str
    link: str
    comment: str
    at: Instant


class AsksView(RestView):
    """`/asks`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN, "POST": SIGNED_IN}

    @extend_schema(operation_id="asks", responses=page_schema("PermissionRequest", PermissionRequestSchema))
    def get(self, request: Request) -> Response:
        """List what you asked for, and what is asked of you."""
        return Response(everything(list(asks(self.actor))))

    @extend_schema(
        operation_id="ask",
        request=NewPermissionRequestSchema,
        parameters=[DRY_RUN],
        responses={201: PermissionRequestSchema},
    )
    def post(self, request: Request) -> Response:
        """Ask those who may; it stands on their overview for a week."""
        given = read(NewPermissionRequestSchema, request.data)
        requested = RequestedPermission(
            given.permission, given.what, given.link, given.comment, given.service, given.region
        )

        def keep() -> JsonObject:
            return ask_as_json(ask_anybody(self.actor, requested))

        return Response(rehearsed(is_dry_run(request), keep), status=201)


class PermissionRequestView(RestView):
    """`/asks/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": SIGNED_IN}

    @extend_schema(operation_id="settle_ask", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: str) -> Response:
        """Put away what was asked for: done, refused or no longer wanted."""
        rehearsed(is_dry_run(request), lambda: settle_ask(self.actor, id))
        return Response(status=204)


urlpatterns = [path("asks", AsksView.as_view()), path("asks/<str:id>", PermissionRequestView.as_view())]

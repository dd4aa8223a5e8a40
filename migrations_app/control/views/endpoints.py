"""Saved views of the console's lists."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.views.commands.save_view import View, forget_view, save_view
from migrations_app.control.views.queries import view, views
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import RequestBody, ResponseBody, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import SIGNED_IN, RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class ViewSchema(ResponseBody, frozen=True, kw_only=True):
    """A view of a list: what its address says, under a name."""

    name: str
    query: str
    first: bool
    shared: bool
    everybody: Annotated[bool, Meta(description="The page opens with it for who chose none of their own.")]
    owner: str


class SaveViewSchema(RequestBody, frozen=True, kw_only=True):
    """What to keep."""

    query: Annotated[str, Meta(max_length=2000)]
    first: bool = False
    shared: bool = False
    everybody: Annotated[bool, Meta(description="Takes `policy.write`.")] = False


class ViewsView(RestView):
    """`/views/{page}`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN}

    @extend_schema(operation_id="views", responses=page_schema("View", ViewSchema))
    def get(self, request: Request, page: str) -> Response:
        """List one's own views of a page, and those that others share."""
        return Response(everything(list(views(self.actor, page))))


class ViewView(RestView):
    """`/views/{page}/{name}`."""

    may: ClassVar[dict[str, str]] = dict.fromkeys(("GET", "PUT", "DELETE"), SIGNED_IN)

    @extend_schema(operation_id="view", responses=ViewSchema)
    def get(self, request: Request, page: str, name: str) -> Response:
        """Give a view of one's own, or one that others share; 410 where that was forgotten."""
        return Response(view(self.actor, page, name))

    @extend_schema(
        operation_id="save_view",
        request=SaveViewSchema,
        parameters=[DRY_RUN],
        responses=page_schema("View", ViewSchema),
    )
    def put(self, request: Request, page: str, name: str) -> Response:
        """Keep a view of one's own, in place of the one of this name."""
        given = read(SaveViewSchema, request.data)

        def keep() -> list[JsonObject]:
            save_view(
                self.actor,
                View(page[:40], name[:80], given.query, given.first, given.shared, given.everybody),
            )
            return views(self.actor, page)

        return Response(everything(list(rehearsed(is_dry_run(request), keep))))

    @extend_schema(operation_id="forget_view", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, page: str, name: str) -> Response:
        """Forget a view of one's own."""
        rehearsed(is_dry_run(request), lambda: forget_view(self.actor, page, name))
        return Response(status=204)


urlpatterns = [
    path("views/<str:page>", ViewsView.as_view()),
    path("views/<str:page>/<str:name>", ViewView.as_view()),
]

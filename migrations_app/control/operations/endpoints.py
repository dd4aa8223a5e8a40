"""Long operations, followed by the callers that asked for them."""

from __future__ import annotations

import uuid
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.operations import queries as known
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import shown
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import PAGED, page_schema
from migrations_app.web.waiting import IF_REV_GT, WAIT, seen_rev, wait_until

STATES = ["running", "done", "failed"]
ASK_AGAIN_SECONDS = 1


def follow_headers(operation: JsonObject) -> dict[str, str]:
    """Say where an operation is followed, and while it runs, after how many seconds to ask again."""
    again = {"Retry-After": str(ASK_AGAIN_SECONDS)} if operation["state"] == "running" else {}
    return {"Location": f"/api/v1/operations/{operation['id']}", **again}


class OperationSchema(ResponseBody, frozen=True, kw_only=True):
    """A long operation."""

    id: UUID
    rev: int
    kind: str
    kind_title: (
        Annotated[str, Meta(description="What the kind is called; its name where it has no title.")]
        | UnsetType
    ) = UNSET
    target_kind: str
    target_kind_title: str | UnsetType = UNSET
    target: str
    state: Annotated[str, one_of(STATES)]
    requested_by: str
    request_id: str
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None
    created_at: Instant
    finished_at: Instant | None


class OperationsView(RestView):
    """`/operations`."""

    may: ClassVar[dict[str, str]] = {"GET": "operation.read"}

    @extend_schema(
        operation_id="operations",
        parameters=[
            *(
                OpenApiParameter(name, str, enum=STATES if name == "state" else None)
                for name in known.FILTERS
            ),
            *PAGED,
        ],
        responses=page_schema("Operation", OperationSchema),
    )
    def get(self, request: Request) -> Response:
        """List operations, newest first, such as those that one request began."""
        asked = asked_page(request)
        given = request.query_params.dict()
        found = known.operations(self.actor, given, after=asked.after, limit=asked.fetch)
        return listed(asked, found, key=lambda each: [each["created_at"], each["id"]], show=lambda each: each)


class OperationView(RestView):
    """`/operations/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "operation.read"}

    @extend_schema(operation_id="operation", parameters=[WAIT, IF_REV_GT], responses=OperationSchema)
    def get(self, request: Request, id: uuid.UUID) -> Response:
        """Give one operation; with `wait`, once it has ended or is newer than the revision that was seen.

        While it runs, `Retry-After` says after how many seconds to ask again.
        """
        seen = seen_rev(request)
        wait_until(request, lambda: known.has_news(self.actor, id, seen))
        found = known.operation(self.actor, id)
        return shown(request, found, found["rev"], alive=False, status=200, **follow_headers(found))


urlpatterns = [
    path("operations", OperationsView.as_view()),
    path("operations/<uuid:id>", OperationView.as_view()),
]

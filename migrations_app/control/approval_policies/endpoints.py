"""Who is on duty for approvals."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approval_policies.commands.take_duty import leave_duty, take_duty
from migrations_app.control.approval_policies.queries.duty import duties
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class OnCallTurnSchema(ResponseBody, frozen=True, kw_only=True):
    """One person's turn."""

    name: str
    display_name: str
    roles: list[str]
    since: Instant
    until: Instant


class NewOnCallTurnSchema(RequestBody, frozen=True, kw_only=True):
    """How long one's own turn lasts from now."""

    hours: Annotated[int, Meta(ge=1, le=336)]


class DutyView(RestView):
    """`/duty`."""

    may: ClassVar[dict[str, str]] = {
        "GET": "approval.read",
        "PUT": "approval.vote",
        "DELETE": "approval.vote",
    }
    located = in_body

    @extend_schema(operation_id="duty", responses=page_schema("OnCallTurn", OnCallTurnSchema))
    def get(self, request: Request) -> Response:
        """List who is on duty."""
        return Response(everything(list(duties(self.actor))))

    @extend_schema(
        operation_id="take_duty",
        request=NewOnCallTurnSchema,
        parameters=[DRY_RUN],
        responses=page_schema("OnCallTurn", OnCallTurnSchema),
    )
    def put(self, request: Request) -> Response:
        """Be on duty for so many hours from now."""
        hours = read(NewOnCallTurnSchema, request.data).hours

        def take() -> list[JsonObject]:
            take_duty(self.actor, hours)
            return duties(self.actor)

        return Response(everything(list(rehearsed(is_dry_run(request), take))))

    @extend_schema(operation_id="leave_duty", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request) -> Response:
        """Be off duty."""
        rehearsed(is_dry_run(request), lambda: leave_duty(self.actor))
        return Response(status=204)


urlpatterns = [path("duty", DutyView.as_view())]

"""Debug sessions that record conversions."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.queries.places import of_deployment
from migrations_app.control.resource_logs.commands.observe_conversions import (
    end_observation,
    observe_conversions,
)
from migrations_app.control.resource_logs.queries.conversions import (
    observation,
    observations,
    recorded_conversions,
)
from migrations_app.control.resource_logs.schemas import (
    ConversionRecordSchema,
    ConversionSessionSchema,
    ObserveConversionsSchema,
)
from migrations_app.web.contract import read
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, PAGED, everything, page_schema

BASE = "deployments/<str:service>/<str:region>/conversion-sessions"


class ConversionSessionsView(RestView):
    """`/deployments/{service}/{region}/conversion-sessions`."""

    may: ClassVar[dict[str, str]] = {"GET": "activity.observe", "POST": "activity.observe"}
    located = of_deployment

    @extend_schema(
        operation_id="conversion_sessions",
        responses=page_schema("ConversionSession", ConversionSessionSchema),
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """List the newest sessions."""
        return Response(everything(to_builtins(observations(self.actor, service, region))))

    @extend_schema(
        operation_id="observe_conversions",
        request=ObserveConversionsSchema,
        parameters=[DRY_RUN],
        responses={201: ConversionSessionSchema},
    )
    def post(self, request: Request, service: str, region: str) -> Response:
        """Record the conversions of a client or of a resource for a while; the audit log says who did."""
        given = read(ObserveConversionsSchema, request.data)

        def _open() -> ConversionSessionSchema:
            session = observe_conversions(self.actor, service, region, given)
            return observation(self.actor, service, region, session)

        shown = rehearsed(is_dry_run(request), _open)
        return Response(to_builtins(shown), status=201)


class ConversionSessionView(RestView):
    """`/deployments/{service}/{region}/conversion-sessions/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "activity.observe", "DELETE": "activity.observe"}
    located = of_deployment

    @extend_schema(operation_id="conversion_session", responses=ConversionSessionSchema)
    def get(self, request: Request, service: str, region: str, id: str) -> Response:
        """Show one session."""
        return Response(to_builtins(observation(self.actor, service, region, id)))

    @extend_schema(operation_id="end_conversion_session", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, service: str, region: str, id: str) -> Response:
        """End a session; what it recorded stays."""
        rehearsed(is_dry_run(request), lambda: end_observation(self.actor, service, region, id))
        return Response(status=204)


class ConversionRecordsView(RestView):
    """`/deployments/{service}/{region}/conversion-sessions/{id}/records`."""

    may: ClassVar[dict[str, str]] = {"GET": "activity.observe"}

    @extend_schema(
        operation_id="recorded_conversions",
        parameters=PAGED,
        responses=page_schema("ConversionRecord", ConversionRecordSchema),
    )
    def get(self, request: Request, service: str, region: str, id: str) -> Response:
        """List what a session recorded, in order."""
        asked = asked_page(request)
        found = recorded_conversions(
            self.actor, service, region, id, after=asked.after_int(), limit=asked.fetch
        )
        return listed(asked, found, key=lambda record: [int(record.id)], show=to_builtins)


urlpatterns = [
    path(BASE, ConversionSessionsView.as_view()),
    path(f"{BASE}/<str:id>", ConversionSessionView.as_view()),
    path(f"{BASE}/<str:id>/records", ConversionRecordsView.as_view()),
]

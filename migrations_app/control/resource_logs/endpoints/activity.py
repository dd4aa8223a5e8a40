"""The activity log of a deployment, and what its logs keep."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.queries.places import of_deployment
from migrations_app.control.resource_logs.commands.set_log_settings import set_log_settings
from migrations_app.control.resource_logs.queries.activity import activity, activity_key, logs
from migrations_app.control.resource_logs.schemas import (
    ActivityQuestionSchema,
    ActivitySchema,
    LogSettingsRequestSchema,
    LogsSchema,
)
from migrations_app.web.contract import read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.paging import asked_page, filters_in, listed
from migrations_app.web.preconditions import etag, expected_rev, is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, MAY_MATCH, PAGED, page_schema


class ActivityView(RestView):
    """`/deployments/{service}/{region}/activity`."""

    may: ClassVar[dict[str, str]] = {"GET": "activity.read"}

    @extend_schema(
        operation_id="activity",
        parameters=parameters_of(ActivityQuestionSchema) + PAGED,
        responses=page_schema("Activity", ActivitySchema),
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """List the requests that were answered, the newest first: all writes, and a share of the reads."""
        asked = asked_page(request)
        question = read(ActivityQuestionSchema, filters_in(request), from_text=True)
        found = activity(self.actor, service, region, question, after=asked.after, limit=asked.fetch)
        return listed(asked, found, key=activity_key, show=to_builtins)


class LogsView(RestView):
    """`/deployments/{service}/{region}/logs`."""

    may: ClassVar[dict[str, str]] = {"GET": "activity.read", "PUT": "registry.write"}
    located = of_deployment

    @extend_schema(operation_id="logs", responses=LogsSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Show what the logs of a deployment keep, and what is known to be missing."""
        return self._shown(service, region)

    @extend_schema(
        operation_id="set_logs",
        request=LogSettingsRequestSchema,
        parameters=[MAY_MATCH, DRY_RUN],
        responses=LogsSchema,
    )
    def put(self, request: Request, service: str, region: str) -> Response:
        """Set which share of reads is logged, and how long entries are kept."""
        given = read(LogSettingsRequestSchema, request.data)
        rev = expected_rev(request, required=False)

        def _set() -> Response:
            set_log_settings(self.actor, service, region, given, rev)
            return self._shown(service, region)

        return rehearsed(is_dry_run(request), _set)

    def _shown(self, service: str, region: str) -> Response:
        shown = logs(self.actor, service, region)
        return Response(to_builtins(shown), headers={"ETag": etag(shown.rev)})


urlpatterns = [
    path("deployments/<str:service>/<str:region>/activity", ActivityView.as_view()),
    path("deployments/<str:service>/<str:region>/logs", LogsView.as_view()),
]

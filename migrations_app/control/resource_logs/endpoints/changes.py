"""The resource change log of a deployment."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import to_builtins
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.resource_logs.queries.changes import change_key, resource_changes
from migrations_app.control.resource_logs.schemas import ResourceChangeSchema, ResourceChangesQuestionSchema
from migrations_app.web.contract import read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.paging import asked_page, filters_in, listed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import PAGED, page_schema


class ResourceChangesView(RestView):
    """`/deployments/{service}/{region}/resource-changes`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="resource_changes",
        parameters=parameters_of(ResourceChangesQuestionSchema) + PAGED,
        responses=page_schema("ResourceChange", ResourceChangeSchema),
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """List what clients changed, the newest first, in every version that the deployment stored."""
        asked = asked_page(request)
        question = read(ResourceChangesQuestionSchema, filters_in(request), from_text=True)
        found = resource_changes(self.actor, service, region, question, after=asked.after, limit=asked.fetch)
        return listed(asked, found, key=change_key, show=to_builtins)


urlpatterns = [path("deployments/<str:service>/<str:region>/resource-changes", ResourceChangesView.as_view())]

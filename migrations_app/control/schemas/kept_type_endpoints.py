"""Types that a deployment keeps of versions before the one it serves, and their export."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.http import HttpResponseBase
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.schemas.commands.export_kept_type import KeptTypeAddress, export_kept_type
from migrations_app.control.schemas.queries.kept_types import kept_types
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import everything, page_schema
from migrations_app.web.streams import Streamed


class KeptTypeExportSchema(ResponseBody, frozen=True, kw_only=True):
    """An export that came to its end."""

    at: Instant
    by: str
    resources: int
    sha256: Annotated[str, Meta(description="Of the bytes that were sent.")]


class KeptTypeSchema(ResponseBody, frozen=True, kw_only=True):
    """A type that has no place in the version served, or in the one that is upgraded to."""

    type: str
    version: Annotated[str, Meta(description="The last version that has it, which serves it.")]
    without: Annotated[str, Meta(description="The version that does not have it.")]
    stored: Annotated[int | None, Meta(description="Resources now; null when the data cannot be read.")]
    exported: Annotated[
        bool | None,
        Meta(description="Whether all of them were exported as they are; null when that is unknown."),
    ]
    changed_since: Annotated[
        bool | None, Meta(description="Whether any was written since the newest export; null without one.")
    ]
    export: Annotated[KeptTypeExportSchema | None, Meta(description="The newest export.")]


class KeptTypesView(RestView):
    """`/deployments/{service}/{region}/kept-types`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="kept_types", responses=page_schema("KeptType", KeptTypeSchema))
    def get(self, request: Request, service: str, region: str) -> Response:
        """List the types that a deployment keeps of other versions, and whether they were exported."""
        return Response(everything(kept_types(self.actor, service, region)))


class KeptTypeExportView(RestView):
    """`/deployments/{service}/{region}/kept-types/{type}/{version}/export`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.write"}

    @extend_schema(operation_id="export_kept_type", responses={(200, "application/x-ndjson"): str})
    def get(self, request: Request, service: str, region: str, type: str, version: str) -> HttpResponseBase:
        """Export the resources, a JSON document per line, as their version shows them; a whole export is noted."""
        lines = export_kept_type(self.actor, KeptTypeAddress(service, region, type, version))
        answer = Streamed(lines, content_type="application/x-ndjson")
        answer["Content-Disposition"] = f'attachment; filename="{type}@{version}.jsonl"'
        return answer


_BASE = "deployments/<str:service>/<str:region>/kept-types"
urlpatterns = [
    path(_BASE, KeptTypesView.as_view()),
    path(f"{_BASE}/<str:type>/<str:version>/export", KeptTypeExportView.as_view()),
]

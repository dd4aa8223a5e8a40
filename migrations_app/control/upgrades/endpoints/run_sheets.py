"""Run sheets as signed files, and the public keys that verify them."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.http import HttpResponse
from django.urls import path
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_naive
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.upgrades.commands.share_run_sheet import FORMATS, share_run_sheet
from migrations_app.control.upgrades.run_sheet.keys import report_keys
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.contract import ResponseBody
from migrations_app.web.rest_view import OPEN, RestView
from migrations_app.web.shared_schemas import everything, page_schema


class ReportKeySchema(ResponseBody, frozen=True, kw_only=True):
    """A public key (Ed25519) that shared run sheets are or were signed with."""

    key: Annotated[str, Meta(description="32 bytes in base64 for addresses, without `=`.")]
    current: Annotated[bool, Meta(description="Whether files are signed with it now.")]


class RunSheetView(RestView):
    """`/upgrades/{id}/run-sheet`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="upgrade_run_sheet",
        parameters=[
            OpenApiParameter("as", enum=[*FORMATS], default="html", description="`md`: Markdown."),
            OpenApiParameter("at", OpenApiTypes.DATETIME, description="As of this moment; left out: now."),
        ],
        responses={(200, "text/html"): str, (200, "text/markdown"): str},
    )
    def get(self, request: Request, id: str) -> HttpResponse:
        """Give the run sheet as of a moment as a signed file; that it was shared is noted in the audit log."""
        query = request.query_params
        at = query.get("at")
        moment = parse_datetime(at) if at else None
        if at and (moment is None or is_naive(moment)):
            raise Invalid(
                message("at is {at}.", at=repr(at)),
                code="moment",
                remedy=message("Write it as 2026-03-01T14:00:00Z."),
            )
        shared = share_run_sheet(self.actor, id, moment, query.get("as", "html"))
        headers = {"Content-Disposition": f'attachment; filename="{shared.name}"'}
        return HttpResponse(shared.content, content_type=shared.media_type, headers=headers)


class ReportKeysView(RestView):
    """`/report-keys`."""

    may: ClassVar[dict[str, str]] = {"GET": OPEN}

    @extend_schema(operation_id="report_keys", responses=page_schema("ReportKey", ReportKeySchema))
    def get(self, request: Request) -> Response:
        """List the public keys that shared run sheets are verified with, the current one first."""
        return Response(everything([{"key": each.key, "current": each.current} for each in report_keys()]))


urlpatterns = [
    path("upgrades/<str:id>/run-sheet", RunSheetView.as_view()),
    path("report-keys", ReportKeysView.as_view()),
]

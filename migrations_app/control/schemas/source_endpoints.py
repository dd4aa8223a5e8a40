"""Compatibility in the author's own language: the lines of the sources that differ."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.schemas.endpoints import CompatibilityQuestion, setting_of
from migrations_app.control.schemas.queries.changed_lines import changed_lines
from migrations_app.web.contract import ResponseBody, read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import everything, page_schema


class SourceExcerptSchema(ResponseBody, frozen=True, kw_only=True):
    """How the author of a version declared something."""

    file: str
    line: int
    lines: list[str]
    left_out: Annotated[int, Meta(description="Lines of the declaration beyond those.")]


class ChangedLinesSchema(ResponseBody, frozen=True, kw_only=True):
    """A place of the report in both versions; null where it is not in the sources, or they are in another language."""

    path: str
    before: SourceExcerptSchema | None
    after: SourceExcerptSchema | None


class ChangedLinesView(RestView):
    """`/services/{service}/compatibility/lines`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="changed_lines",
        parameters=[*parameters_of(CompatibilityQuestion)],
        responses=page_schema("ChangedLines", ChangedLinesSchema),
    )
    def get(self, request: Request, name: str) -> Response:
        """Show for each place of the report how its author wrote it in both versions."""
        asked = read(CompatibilityQuestion, request.query_params.dict(), from_text=True)
        lines = changed_lines(self.actor, name, asked.before, asked.after, setting_of(asked))
        return Response(everything(lines))


urlpatterns = [path("services/<str:name>/compatibility/lines", ChangedLinesView.as_view())]

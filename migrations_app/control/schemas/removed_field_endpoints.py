"""Which fields have no counterpart in another version, and which new ones they may have become."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.schemas.queries.removed_fields import fields_without_counterpart
from migrations_app.web.contract import RequestBody, ResponseBody, read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases, everything, page_schema


class VersionPairQuestion(RequestBody, frozen=True, kw_only=True):
    """Which two versions."""

    before: Annotated[str, Meta(min_length=1)]
    after: Annotated[str, Meta(min_length=1)]


class FieldCandidateSchema(ResponseBody, frozen=True, kw_only=True):
    """A new field that an old one may have become."""

    path: Annotated[str, Meta(description="Its path in the type that the old one's type becomes.")]
    confidence: Annotated[float, Meta(description="How sure that is, from 0 to 1.")]
    reasons: Annotated[list[str], Meta(description="What speaks for it and against it.")]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET


class RemovedFieldSchema(ResponseBody, frozen=True, kw_only=True):
    """A field of the older version of an edge that has no counterpart in the newer one."""

    source: Annotated[str, Meta(description="The older version of the edge.")]
    target: Annotated[str, Meta(description="The newer version of the edge.")]
    type: str
    path: str
    written: Annotated[
        bool, Meta(description="Whether the edge gives it up; else the edge says nothing of it.")
    ]
    candidates: Annotated[list[FieldCandidateSchema], Meta(description="At most three, the likeliest first.")]


class RemovedFieldsView(RestView):
    """`/services/{service}/compatibility/removedFields`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="removed_fields",
        parameters=[*parameters_of(VersionPairQuestion)],
        responses=page_schema("RemovedField", RemovedFieldSchema),
    )
    def get(self, request: Request, name: str) -> Response:
        """List the fields without counterpart of every edge between two versions, with the fields they may have become."""
        asked = read(VersionPairQuestion, request.query_params.dict(), from_text=True)
        return Response(everything(fields_without_counterpart(self.actor, name, asked.before, asked.after)))


urlpatterns = [
    path("services/<str:name>/compatibility/removedFields", RemovedFieldsView.as_view()),
]

"""Resources as the console shows them: a list in one version, and one resource in all of them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.queries.resources import ResourceListQuery, resource, resources
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases

HOW = ("native", "translated", "preview", "would be")


class ResourcesQuestion(RequestBody, frozen=True, kw_only=True):
    """Which resources to list."""

    version: Annotated[str, Meta(max_length=32)] = ""
    type: Annotated[str, Meta(max_length=100)] = ""
    filter: Annotated[str, Meta(max_length=4000)] = ""
    page_token: Annotated[str, Meta(max_length=4000)] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 50


class ResourceQuestion(RequestBody, frozen=True, kw_only=True):
    """Which resource; the version says whose name it is."""

    name: Annotated[str, Meta(min_length=1, max_length=2048)]
    version: Annotated[str, Meta(max_length=32)] = ""


class ListedResourceSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource in a list."""

    name: str
    revision: str
    updated_at: Instant | None
    fields: dict[str, Any]


class ResourcesSchema(ResponseBody, frozen=True, kw_only=True):
    """A page of resources; `hidden` are those that this version cannot name."""

    service: str
    region: str
    active_version: str
    version: str
    versions: list[str]
    type: str
    types: list[str]
    how: Annotated[str, one_of(HOW[:3])]
    hidden: int
    items: list[ListedResourceSchema]
    next_page_token: str


class ConversionStepSchema(ResponseBody, frozen=True, kw_only=True):
    """One step of a conversion: where from and to, the values as JSON (empty: absent), and what the bag did."""

    op: str
    source: str
    target: str
    before: str
    after: str
    bag: str


class VersionViewSchema(ResponseBody, frozen=True, kw_only=True):
    """The resource in one version, or why that version has none."""

    version: str
    how: Annotated[str, one_of(HOW)]
    type: str | None
    name: str | None
    document: dict[str, Any] | None
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET
    steps: list[ConversionStepSchema]


class BagEntrySchema(ResponseBody, frozen=True, kw_only=True):
    """What a bag keeps, and why."""

    path: str
    key: str
    field: str
    value: str
    sentence: str
    phrases: Phrases | UnsetType = UNSET


class ResourceSchema(ResponseBody, frozen=True, kw_only=True):
    """One resource in every version."""

    id: str
    service: str
    region: str
    name: str
    type: str
    stored_version: str
    revision: str
    metadata: dict[str, Any]
    stored: dict[str, Any]
    bags: list[BagEntrySchema]
    views: list[VersionViewSchema]


class ResourcesView(RestView):
    """`/deployments/{service}/{region}/resources`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="resources",
        parameters=parameters_of(ResourcesQuestion),
        responses=ResourcesSchema,
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """List resources as one version shows them."""
        asked = read(ResourcesQuestion, request.query_params.dict(), from_text=True)
        wanted = ResourceListQuery(asked.version, asked.type, asked.filter, asked.page_token, asked.limit)
        return Response(resources(self.actor, region, service, wanted))


class ResourceVersionsView(RestView):
    """`/deployments/{service}/{region}/resource`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="resource", parameters=parameters_of(ResourceQuestion), responses=ResourceSchema
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """Show one resource in each version, with its bags and the steps of its conversions."""
        asked = read(ResourceQuestion, request.query_params.dict(), from_text=True)
        return Response(resource(self.actor, region, service, asked.name, asked.version))


urlpatterns = [
    path("deployments/<str:service>/<str:region>/resources", ResourcesView.as_view()),
    path("deployments/<str:service>/<str:region>/resource", ResourceVersionsView.as_view()),
]

"""Resources as the console shows them: a list in one version, and one resource in all of them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.queries.resources import Wanted, resource, resources
from migrations_app.web.doors import Door
from migrations_app.web.shapes import StrictShape, read

HOW = ("native", "translated", "preview", "would be")


class ResourcesQuestion(StrictShape):
    """Which resources to list."""

    version = serializers.CharField(max_length=32, default="", allow_blank=True)
    type = serializers.CharField(max_length=100, default="", allow_blank=True)
    filter = serializers.CharField(max_length=4000, default="", allow_blank=True)
    page_token = serializers.CharField(max_length=4000, default="", allow_blank=True)
    limit = serializers.IntegerField(min_value=1, max_value=500, default=50)


class ResourceQuestion(StrictShape):
    """Which resource; the version says whose name it is."""

    name = serializers.CharField(max_length=2048)
    version = serializers.CharField(max_length=32, default="", allow_blank=True)


class ResourceLineShape(serializers.Serializer[Any]):
    """A resource in a list."""

    name = serializers.CharField()
    revision = serializers.CharField()
    updated_at = serializers.DateTimeField(allow_null=True)
    fields = serializers.DictField()  # type: ignore[assignment]


class ResourcesShape(serializers.Serializer[Any]):
    """A page of resources; `hidden` are those that this version cannot name."""

    service = serializers.CharField()
    region = serializers.CharField()
    active_version = serializers.CharField()
    version = serializers.CharField()
    versions = serializers.ListField(child=serializers.CharField())
    type = serializers.CharField()
    types = serializers.ListField(child=serializers.CharField())
    how = serializers.ChoiceField(HOW[:3])
    hidden = serializers.IntegerField()
    items = ResourceLineShape(many=True)
    next_page_token = serializers.CharField(allow_blank=True)


class ConversionStepShape(serializers.Serializer[Any]):
    """One step of a conversion: where from and to, the values as JSON (empty: absent), and what the bag did."""

    op = serializers.CharField()
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    target = serializers.CharField(allow_blank=True)
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    bag = serializers.CharField(allow_blank=True)


class VersionViewShape(serializers.Serializer[Any]):
    """The resource in one version, or why that version has none."""

    version = serializers.CharField()
    how = serializers.ChoiceField(HOW)
    type = serializers.CharField(allow_null=True)
    name = serializers.CharField(allow_null=True)
    document = serializers.DictField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    steps = ConversionStepShape(many=True)


class BagEntryShape(serializers.Serializer[Any]):
    """What a bag keeps, and why."""

    path = serializers.CharField(allow_blank=True)
    key = serializers.CharField()
    field = serializers.CharField()
    value = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()


class ResourceShape(serializers.Serializer[Any]):
    """One resource in every version."""

    id = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField()
    stored_version = serializers.CharField()
    revision = serializers.CharField()
    metadata = serializers.DictField()
    stored = serializers.DictField()
    bags = BagEntryShape(many=True)
    views = VersionViewShape(many=True)


def _asked(*names: str) -> list[OpenApiParameter]:
    return [OpenApiParameter(name, str) for name in names]


class ResourcesDoor(Door):
    """`/deployments/{service}/{region}/resources`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="resources",
        parameters=_asked("version", "type", "filter", "page_token", "limit"),
        responses=ResourcesShape,
    )
    def get(self, request: Request, service: str, region: str) -> Response:
        """List resources as one version shows them."""
        asked = read(ResourcesQuestion, request.query_params.dict())
        return Response(resources(self.actor, region, service, Wanted(**asked)))


class ResourceDoor(Door):
    """`/deployments/{service}/{region}/resource`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="resource", parameters=_asked("name", "version"), responses=ResourceShape)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Show one resource in each version, with its bags and the steps of its conversions."""
        asked = read(ResourceQuestion, request.query_params.dict())
        return Response(resource(self.actor, region, service, asked["name"], asked["version"]))


urlpatterns = [
    path("deployments/<str:service>/<str:region>/resources", ResourcesDoor.as_view()),
    path("deployments/<str:service>/<str:region>/resource", ResourceDoor.as_view()),
]

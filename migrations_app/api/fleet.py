"""The fleet matrix, and the fleet folder that automation applies."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.api.shapes import everything, page_shape
from migrations_app.queries.fleet import fleet
from migrations_app.queries.services import regions
from migrations_app.web.doors import Door


class FleetRegionShape(serializers.Serializer[Any]):
    """A column of the matrix."""

    name = serializers.CharField()
    title = serializers.CharField()
    zone = serializers.CharField(
        allow_blank=True, help_text="Its time zone, from the annotation `timeZone` of the region."
    )


class FleetServiceShape(serializers.Serializer[Any]):
    """A row of the matrix; services stand above what they import."""

    name = serializers.CharField()
    display_name = serializers.CharField()
    versions = serializers.ListField(child=serializers.CharField())
    rank = serializers.IntegerField()
    imports = serializers.ListField(child=serializers.CharField())


class CellShape(serializers.Serializer[Any]):
    """A deployment: what it runs, and where its upgrade is."""

    service = serializers.CharField()
    region = serializers.CharField()
    name = serializers.CharField()
    current_version = serializers.CharField(allow_blank=True)
    target_version = serializers.CharField(allow_null=True)
    state = serializers.CharField()
    ready = serializers.IntegerField()
    total = serializers.IntegerField()
    automatic = serializers.BooleanField()
    disabled = serializers.BooleanField()
    upgrade_id = serializers.CharField(allow_null=True)
    rev = serializers.IntegerField()
    labels = serializers.DictField(child=serializers.CharField())
    data_version = serializers.CharField(allow_blank=True)
    lag_seconds = serializers.FloatField(
        required=False,
        allow_null=True,
        help_text="Of the slowest shard; only while an upgrade of this console is live.",
    )
    started_at = serializers.DateTimeField(required=False, allow_null=True, help_text="Of the live upgrade.")
    owner = serializers.CharField(required=False, help_text="Who planned the live upgrade.")


class FleetShape(serializers.Serializer[Any]):
    """The whole matrix."""

    regions = FleetRegionShape(many=True)
    services = FleetServiceShape(many=True)
    cells = CellShape(many=True)


class RegionShape(serializers.Serializer[Any]):
    """A region."""

    name = serializers.CharField()
    title = serializers.CharField()
    rev = serializers.IntegerField()


class FleetDoor(Door):
    """`/fleet`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(operation_id="fleet", responses=FleetShape)
    def get(self, request: Request) -> Response:
        """Show regions, services and deployments."""
        return Response(fleet(self.actor))


class RegionsDoor(Door):
    """`/regions`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="regions", responses=page_shape("Region", RegionShape))
    def get(self, request: Request) -> Response:
        """List the regions."""
        return Response(everything(regions(self.actor)))


urlpatterns = [path("fleet", FleetDoor.as_view()), path("regions", RegionsDoor.as_view())]

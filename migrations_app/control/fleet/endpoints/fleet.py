"""The fleet matrix, and the fleet folder that automation applies."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.queries.windows_ahead import fleet_windows
from migrations_app.control.fleet.queries.fleet import fleet
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.queries.services import regions
from migrations_app.web.doors import Door
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.shapes import DRY_RUN, everything, page_shape


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
    percent = serializers.IntegerField(required=False, allow_null=True, help_text="null: not counted yet.")
    unknown_shards = serializers.IntegerField(
        required=False, help_text="Shards whose last report is too old to be believed."
    )
    oldest_report_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="How old the figures of the live upgrade are."
    )
    blocked = serializers.BooleanField(required=False, help_text="Something holds the live upgrade up.")
    started_at = serializers.DateTimeField(required=False, allow_null=True, help_text="Of the live upgrade.")
    owner = serializers.CharField(required=False, help_text="Who planned the live upgrade.")


class FleetShape(serializers.Serializer[Any]):
    """The whole matrix."""

    regions = FleetRegionShape(many=True)
    services = FleetServiceShape(many=True)
    cells = CellShape(many=True)


class OutlookShape(serializers.Serializer[Any]):
    """Whether a deployment may switch now, and until when, or from when on."""

    allowed = serializers.BooleanField()
    sentence = serializers.CharField()
    rule = serializers.CharField(allow_blank=True, help_text="The window or freeze that says so.")
    opens = serializers.DateTimeField(allow_null=True)
    closes = serializers.DateTimeField(allow_null=True)


class FleetWindowsShape(serializers.Serializer[Any]):
    """The next window of each deployment: `of[service][region]` numbers one of `outlooks`."""

    outlooks = OutlookShape(many=True)
    of = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))


class ExampleShape(serializers.Serializer[Any]):
    """What loading the example fleet came to."""

    regions = serializers.ListField(child=serializers.CharField())
    services = serializers.ListField(child=serializers.CharField())
    deployments = serializers.ListField(child=serializers.CharField())
    changed = serializers.IntegerField(help_text="How much was not there before.")


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


class FleetWindowsDoor(Door):
    """`/fleet/windows`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(operation_id="fleet_windows", responses=FleetWindowsShape)
    def get(self, request: Request) -> Response:
        """Tell of every deployment when it may switch next."""
        return Response(fleet_windows(self.actor))


class ExampleDoor(Door):
    """`/fleet/example`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}

    @extend_schema(
        operation_id="load_example_fleet", request=None, parameters=[DRY_RUN], responses=ExampleShape
    )
    def post(self, request: Request) -> Response:
        """Register the example fleet; what is there already stays as it is."""
        done = rehearsed(is_dry_run(request), lambda: apply_fleet(self.actor, settings.EXAMPLE_FLEET))
        return Response(
            {
                "regions": list(done.regions),
                "services": list(done.services),
                "deployments": list(done.deployments),
                "changed": done.changed,
            }
        )


class RegionsDoor(Door):
    """`/regions`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="regions", responses=page_shape("Region", RegionShape))
    def get(self, request: Request) -> Response:
        """List the regions."""
        return Response(everything(regions(self.actor)))


urlpatterns = [
    path("fleet", FleetDoor.as_view()),
    path("fleet/windows", FleetWindowsDoor.as_view()),
    path("fleet/example", ExampleDoor.as_view()),
    path("regions", RegionsDoor.as_view()),
]

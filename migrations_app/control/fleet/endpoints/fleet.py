"""The fleet matrix, and the fleet folder that automation applies."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.conf import settings
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.queries.windows_ahead import fleet_windows
from migrations_app.control.fleet.queries.fleet import fleet
from migrations_app.control.registry.commands.apply_fleet import apply_fleet
from migrations_app.control.registry.queries.services import regions
from migrations_app.control.registry.queries.timelines import first_served
from migrations_app.control.usage.queries.callers import old_callers
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, Phrases, everything, page_schema


class FleetRegionSchema(ResponseBody, frozen=True, kw_only=True):
    """A column of the matrix."""

    name: str
    title: str
    zone: Annotated[str, Meta(description="Its time zone, from the annotation `timeZone` of the region.")]


class FleetImportSchema(ResponseBody, frozen=True, kw_only=True):
    """Which version of an import a version of the service uses."""

    service: str
    version: str
    for_version: str


class FleetServiceSchema(ResponseBody, frozen=True, kw_only=True):
    """A row of the matrix; services stand above what they import."""

    name: str
    display_name: str
    versions: list[str]
    rank: int
    imports: list[str]
    import_versions: Annotated[
        list[FleetImportSchema], Meta(description="By version of the service; empty where none is declared.")
    ]


class CellSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment: what it runs, and where its upgrade is."""

    service: str
    region: str
    name: str
    current_version: str
    target_version: str | None
    state: str
    ready: int
    total: int
    automatic: bool
    disabled: bool
    upgrade_id: str | None
    rev: int
    labels: dict[str, str]
    data_version: str
    lag_seconds: (
        Annotated[
            float | None,
            Meta(description="Of the slowest shard; only while an upgrade of this console is live."),
        ]
        | UnsetType
    ) = UNSET
    percent: Annotated[int | None, Meta(description="null: not counted yet.")] | UnsetType = UNSET
    unknown_shards: (
        Annotated[int, Meta(description="Shards whose last report is too old to be believed.")] | UnsetType
    ) = UNSET
    oldest_report_at: (
        Annotated[Instant | None, Meta(description="How old the figures of the live upgrade are.")]
        | UnsetType
    ) = UNSET
    blocked: Annotated[bool, Meta(description="Something holds the live upgrade up.")] | UnsetType = UNSET
    started_at: Annotated[Instant | None, Meta(description="Of the live upgrade.")] | UnsetType = UNSET
    owner: Annotated[str, Meta(description="Who planned the live upgrade.")] | UnsetType = UNSET


class FleetSchema(ResponseBody, frozen=True, kw_only=True):
    """The whole matrix."""

    regions: list[FleetRegionSchema]
    services: list[FleetServiceSchema]
    cells: list[CellSchema]


class WindowOutlookSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether a deployment may switch now, and until when, or from when on."""

    allowed: bool
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    rule: Annotated[str, Meta(description="The window or freeze that says so.")]
    opens: Instant | None
    closes: Instant | None


class FleetWindowsSchema(ResponseBody, frozen=True, kw_only=True):
    """The next window of each deployment: `of[service][region]` numbers one of `outlooks`."""

    outlooks: list[WindowOutlookSchema]
    of: dict[str, dict[str, int]]


class FleetCallersSchema(ResponseBody, frozen=True, kw_only=True):
    """Clients of versions before the newest, as `callers[service][region]`; what had none is not named."""

    days: int
    callers: dict[str, dict[str, int]]


class FleetVersionsSchema(ResponseBody, frozen=True, kw_only=True):
    """When each version was served for the first time, as `since[service][version]`; one that never was is not named."""

    since: Annotated[
        dict[str, dict[str, Instant | None]], Meta(description="Null where the change was not noted.")
    ]


class ExampleFleetSchema(ResponseBody, frozen=True, kw_only=True):
    """What loading the example fleet came to."""

    regions: list[str]
    services: list[str]
    deployments: list[str]
    changed: Annotated[int, Meta(description="How much was not there before.")]


class RegionSchema(ResponseBody, frozen=True, kw_only=True):
    """A region."""

    name: str
    title: str
    rev: int


class FleetView(RestView):
    """`/fleet`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(operation_id="fleet", responses=FleetSchema)
    def get(self, request: Request) -> Response:
        """Show regions, services and deployments."""
        return Response(fleet(self.actor))


class FleetWindowsView(RestView):
    """`/fleet/windows`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(operation_id="fleet_windows", responses=FleetWindowsSchema)
    def get(self, request: Request) -> Response:
        """Tell of every deployment when it may switch next."""
        return Response(fleet_windows(self.actor))


class FleetCallersView(RestView):
    """`/fleet/callers`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="fleet_callers", responses=FleetCallersSchema)
    def get(self, request: Request) -> Response:
        """Count the clients that call versions before the newest, by service and region."""
        return Response(old_callers(self.actor))


class FleetVersionsView(RestView):
    """`/fleet/versions`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="fleet_versions", responses=FleetVersionsSchema)
    def get(self, request: Request) -> Response:
        """Tell when each version of each service was served for the first time."""
        return Response(first_served(self.actor))


class ExampleView(RestView):
    """`/fleet/example`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}

    @extend_schema(
        operation_id="load_example_fleet", request=None, parameters=[DRY_RUN], responses=ExampleFleetSchema
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


class RegionsView(RestView):
    """`/regions`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="regions", responses=page_schema("Region", RegionSchema))
    def get(self, request: Request) -> Response:
        """List the regions."""
        return Response(everything(regions(self.actor)))


urlpatterns = [
    path("fleet", FleetView.as_view()),
    path("fleet/windows", FleetWindowsView.as_view()),
    path("fleet/callers", FleetCallersView.as_view()),
    path("fleet/versions", FleetVersionsView.as_view()),
    path("fleet/example", ExampleView.as_view()),
    path("regions", RegionsView.as_view()),
]

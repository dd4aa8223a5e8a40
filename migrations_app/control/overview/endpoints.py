"""The overview: what one wants to know first."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.overview.queries.overview import overview
from migrations_app.control.upgrade_state.schemas import UpgradeSummarySchema
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases


class UpgradeCountsSchema(ResponseBody, frozen=True, kw_only=True):
    """How many upgrades are in which situation."""

    running: int
    waiting_mine: int
    waiting_others: int
    stalled: int
    failed: int
    reversible: int


class FollowedDeploymentSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that one follows; another `key` means that it moved on."""

    service: str
    region: str
    current_version: str
    state: str
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    link: str
    key: str


class SwitchSchema(ResponseBody, frozen=True, kw_only=True):
    """An upgrade that switched, and for how long it paused writes."""

    id: str
    service: str
    region: str
    from_version: str
    to_version: str
    at: Instant
    freeze_ms: float | None


class WeekSchema(ResponseBody, frozen=True, kw_only=True):
    """What was switched in the last seven days; null where no switch has a figure."""

    switches: int
    rolled_back: int
    median_freeze_ms: float | None
    longest_freeze_ms: float | None
    newest: list[SwitchSchema]


class NeedSchema(ResponseBody, frozen=True, kw_only=True):
    """Something that waits for the caller."""

    kind: str
    id: str
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    deadline: Instant | None
    link: str
    put_away: Annotated[str, Meta(description="The address that puts an ask away.")] | UnsetType = UNSET


class VersionCountSchema(ResponseBody, frozen=True, kw_only=True):
    """How many deployments of a service are on a version."""

    version: str
    count: int


class ServiceSkewSchema(ResponseBody, frozen=True, kw_only=True):
    """On which versions the deployments of a service are."""

    service: str
    versions: list[VersionCountSchema]


class WindowOpeningSchema(ResponseBody, frozen=True, kw_only=True):
    """A window or freeze that is open, or opens within a day."""

    name: str
    effect: str
    opens: Instant
    closes: Instant
    open: bool


class OverviewSchema(ResponseBody, frozen=True, kw_only=True):
    """What one wants to know first."""

    now: UpgradeCountsSchema
    needs_you: list[NeedSchema]
    running: list[UpgradeSummarySchema]
    skew: list[ServiceSkewSchema]
    windows: list[WindowOpeningSchema]
    followed: list[FollowedDeploymentSchema]
    week: WeekSchema
    first_use: Annotated[bool, Meta(description="No upgrade was ever planned within the caller's scope.")]


class OverviewView(RestView):
    """`/overview`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(operation_id="overview", responses=OverviewSchema)
    def get(self, request: Request) -> Response:
        """Give the overview."""
        return Response(overview(self.actor))


urlpatterns = [path("overview", OverviewView.as_view())]

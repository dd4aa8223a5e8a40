"""The overview: what one wants to know first."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.overview.queries.overview import overview
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.rest_view import RestView


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


class OverviewSchema(ResponseBody, frozen=True, kw_only=True):
    """What one wants to know first."""

    now: UpgradeCountsSchema
    needs_you: list[dict[str, Any]]
    running: list[dict[str, Any]]
    skew: list[dict[str, Any]]
    windows: list[dict[str, Any]]
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

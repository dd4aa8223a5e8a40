"""What clients were seen to use of a service, version by version and key by key."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.usage.queries.usage import usage, usage_of_keys
from migrations_app.domain.compatibility.evidence import DEFAULT_PERIOD_DAYS
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.contract import Instant, ResponseBody
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases, everything, page_schema

DAYS = OpenApiParameter("days", int, description="How many days back, 1 to 396; 35 by default.")


class MethodUseSchema(ResponseBody, frozen=True, kw_only=True):
    """How often a method was called."""

    method: str
    messages: int


class ClientUseSchema(ResponseBody, frozen=True, kw_only=True):
    """What one release of a client used of a version."""

    client: str
    release: str
    messages: int
    first_seen: Instant
    last_seen: Instant
    methods: list[MethodUseSchema]


class VersionUseSchema(ResponseBody, frozen=True, kw_only=True):
    """Who used a version."""

    version: str
    messages: int
    last_seen: Instant
    clients: list[ClientUseSchema]


class UsageSchema(ResponseBody, frozen=True, kw_only=True):
    """Who used which version of a service; `uncounted` messages of any service found no room to be counted."""

    service: str
    days: int
    since: date
    uncounted: int
    versions: list[VersionUseSchema]


class KeyStatesSchema(ResponseBody, frozen=True, kw_only=True):
    """In how many messages a key stood in which state; `shown` counts answers that returned it, of those looked into."""

    absent: int
    null: int
    empty: int
    value: int
    shown: int


class ClaimSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether what was seen proves that a key is not used, or why it does not."""

    proved: bool
    upper_bound: float
    reasons: list[str]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET


class KeyUseSchema(ResponseBody, frozen=True, kw_only=True):
    """How a key of the messages to a method was sent; `clients` are those that sent it."""

    method: str
    path: str
    messages: int
    states: KeyStatesSchema
    clients: list[str]
    first_seen: Instant | None
    last_seen: Instant | None
    unused: ClaimSchema


class UsageView(RestView):
    """`/services/{service}/usage`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="usage",
        parameters=[
            OpenApiParameter("version", str),
            OpenApiParameter(
                "region", str, description="Calls in this region only; in all regions by default."
            ),
            DAYS,
        ],
        responses=UsageSchema,
    )
    def get(self, request: Request, name: str) -> Response:
        """Show who uses which version of a service."""
        asked = {key: str(request.query_params.get(key, "")) for key in ("version", "region")}
        return Response(usage(self.actor, name, **asked, days=_days(request)))


class KeyUsageView(RestView):
    """`/services/{service}/usage/keys`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="usage_keys",
        parameters=[
            OpenApiParameter("version", str, required=True),
            OpenApiParameter("method", str, description="Such as Secret.create."),
            OpenApiParameter("client", str),
            DAYS,
        ],
        responses=page_schema("KeyUse", KeyUseSchema),
    )
    def get(self, request: Request, name: str) -> Response:
        """Show how each key of a version's messages was sent."""
        asked = {key: str(request.query_params.get(key, "")) for key in ("version", "method", "client")}
        if not asked["version"]:
            raise Invalid(message("Say which version."), code="version")
        return Response(everything([*usage_of_keys(self.actor, name, **asked, days=_days(request))]))


def _days(request: Request) -> int:
    text = str(request.query_params.get("days", DEFAULT_PERIOD_DAYS))
    if not text.isascii() or not text.isdigit() or len(text) > 3:
        raise Invalid(message("days is a whole number."), code="days")
    return int(text)


urlpatterns = [
    path("services/<str:name>/usage", UsageView.as_view()),
    path("services/<str:name>/usage/keys", KeyUsageView.as_view()),
]

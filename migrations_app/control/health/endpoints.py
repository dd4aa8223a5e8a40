"""The health of the system, and work that is quarantined until a person looks."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.health import queries as known
from migrations_app.control.health.commands.retry_work import retry_work
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, Phrases, RemedyPhrases, everything, page_schema

STATUSES = ["ok", "degraded", "down", "unknown"]


class ComponentSchema(ResponseBody, frozen=True, kw_only=True):
    """One part of the system."""

    name: str
    status: Annotated[str, one_of(STATUSES)]
    detail: str
    since: Instant | None
    remedy: str | None
    phrases: Phrases | UnsetType = UNSET
    remedy_phrases: Phrases | UnsetType = UNSET
    runbook: Annotated[str, Meta(description="The page of the console that says what to do.")]


class WorkClassSchema(ResponseBody, frozen=True, kw_only=True):
    """One class of background work."""

    work_class: str
    share: Annotated[
        float | None, Meta(description="Its share of worker time; null: it goes before all others.")
    ]
    due: Annotated[int, Meta(description="How many of its keys are due, and no worker holds them.")]
    late_seconds: Annotated[float, Meta(description="For how long the first of them has been due.")]
    used_seconds: Annotated[float, Meta(description="Time that workers used for it so far.")]


class HealthSchema(ResponseBody, frozen=True, kw_only=True):
    """The whole, which is as its worst part."""

    status: Annotated[str, one_of(STATUSES)]
    components: list[ComponentSchema]
    work_classes: list[WorkClassSchema]


class ControllerSchema(ResponseBody, frozen=True, kw_only=True):
    """A controller in one region; no region: what is Switchyard's own."""

    region: str
    controller: str
    keys: Annotated[int, Meta(description="How many keys it looks after.")]
    held: Annotated[int, Meta(description="How many of them a worker holds just now.")]
    late: Annotated[int, Meta(description="How many are due since 30 s, and no worker holds them.")]
    quarantined: int
    leader: Annotated[str, Meta(description="The worker that holds a key, or else held one last.")]
    last_turn_at: Instant | None
    age_seconds: float | None


class QuarantinedWorkSchema(ResponseBody, frozen=True, kw_only=True):
    """A key of work that needs a person."""

    controller: str
    key: str
    code: str
    reason: str
    phrases: Phrases | UnsetType = UNSET
    remedy: str
    remedy_phrases: RemedyPhrases | UnsetType = UNSET
    since: Instant
    attempts: int


class RetryKeySchema(RequestBody, frozen=True, kw_only=True):
    """Which key shall go on."""

    controller: Annotated[str, Meta(min_length=1, max_length=64)]
    key: Annotated[str, Meta(min_length=1, max_length=400)]


class HealthView(RestView):
    """`/health`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read"}

    @extend_schema(operation_id="health", responses=HealthSchema)
    def get(self, request: Request) -> Response:
        """Tell how the system is."""
        return Response(known.health(self.actor))


class ControllersView(RestView):
    """`/health/controllers`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read"}

    @extend_schema(operation_id="controllers", responses=page_schema("Controller", ControllerSchema))
    def get(self, request: Request) -> Response:
        """List the controllers by region."""
        return Response(everything(known.controllers(self.actor)))


class QuarantinedWorkView(RestView):
    """`/health/quarantined-work`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read", "POST": "work.retry"}
    located = in_body

    @extend_schema(
        operation_id="quarantined_work", responses=page_schema("QuarantinedWork", QuarantinedWorkSchema)
    )
    def get(self, request: Request) -> Response:
        """List the quarantined keys."""
        return Response(everything(known.quarantined_work(self.actor)))

    @extend_schema(
        operation_id="retry_work", request=RetryKeySchema, parameters=[DRY_RUN], responses={204: None}
    )
    def post(self, request: Request) -> Response:
        """Let a quarantined key go on."""
        given = read(RetryKeySchema, request.data)
        rehearsed(is_dry_run(request), lambda: retry_work(self.actor, given.controller, given.key))
        return Response(status=204)


urlpatterns = [
    path("health", HealthView.as_view()),
    path("health/controllers", ControllersView.as_view()),
    path("health/quarantined-work", QuarantinedWorkView.as_view()),
]

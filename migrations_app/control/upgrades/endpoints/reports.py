"""What is told of an upgrade to be taken away: everything in one document, the same to read, and each shard's story."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.upgrade_state.check_schemas import CheckSchema
from migrations_app.control.upgrade_state.schemas import ShardTransitionSchema
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.control.upgrades.queries.history import history
from migrations_app.control.upgrades.queries.report import as_markdown
from migrations_app.domain.switch.states import State
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.ports.upgrades import ShardState
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases, everything, page_schema

FORMS = ("json", "md")


class TransitionSchema(ResponseBody, frozen=True, kw_only=True):
    """The upgrade came into another state."""

    at: Instant
    state: Annotated[str, one_of(State)]
    who: str


class ShardChangesSchema(ResponseBody, frozen=True, kw_only=True):
    """Changes of the states of shards as columns, oldest first."""

    shard: list[int]
    at: list[Instant]
    state: list[Annotated[str, one_of(ShardState)]]
    complete: Annotated[bool, Meta(description="Whether none was left out for their number.")]


class ShardComparisonsSchema(ResponseBody, frozen=True, kw_only=True):
    """The start of the last comparison of each whole shard that ended without a difference, before the switch; as columns."""

    shard: list[int]
    at: list[Instant]


class VersionCallersSchema(ResponseBody, frozen=True, kw_only=True):
    """How many clients called a version in the upgrade's region, before the switch and since."""

    version: str
    before_switch: int
    since_switch: Annotated[int | None, Meta(description="null: there was no switch.")]


class CallersOfVersionsSchema(ResponseBody, frozen=True, kw_only=True):
    """Clients of the two versions, from a week before the upgrade began until it ended."""

    seen_from: Instant
    switched_at: Instant | None
    versions: list[VersionCallersSchema]


class SheetRequestSchema(ResponseBody, frozen=True, kw_only=True):
    """A request for approval, with the checks as they were then."""

    at: Instant
    who: str
    purpose: str
    evidence: list[CheckSchema]


class SheetVoteSchema(ResponseBody, frozen=True, kw_only=True):
    """A vote; `void` says why it does not count any more. `evidence` holds the checks as they were then."""

    at: Instant
    who: str
    verdict: str
    purpose: str
    void: str
    void_phrases: Phrases | UnsetType = UNSET
    evidence: list[CheckSchema]


class SheetSwitchStepSchema(ResponseBody, frozen=True, kw_only=True):
    """A step of the switch."""

    step: str
    at: Instant
    took_seconds: float | None
    state: str


class HistorySchema(ResponseBody, frozen=True, kw_only=True):
    """What was recorded of an upgrade, with its times."""

    as_of: Instant
    transitions: list[TransitionSchema]
    shards: ShardChangesSchema
    compared: ShardComparisonsSchema
    callers: CallersOfVersionsSchema
    requests: list[SheetRequestSchema]
    votes: list[SheetVoteSchema]
    switch_steps: list[SheetSwitchStepSchema]


class ReportView(RestView):
    """`/upgrades/{id}/report`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="upgrade_report",
        parameters=[OpenApiParameter("as", str, enum=FORMS, description="`md`: to be read by people.")],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/markdown"): str},
    )
    def get(self, request: Request, id: str) -> Response | HttpResponse:
        """Tell everything about an upgrade in one document."""
        form = request.query_params.get("as", "json")
        if form not in FORMS:
            raise Invalid(
                message("There is no report as {form}.", form=form),
                code="report-form",
                remedy=message("Use json or md."),
            )
        headers = {"Content-Disposition": f'attachment; filename="upgrade-{id}.{form}"'}
        document = known.report(self.actor, id)
        if form == "json":
            return Response(document, headers=headers)
        return HttpResponse(
            as_markdown(document), content_type="text/markdown; charset=utf-8", headers=headers
        )


class HistoryView(RestView):
    """`/upgrades/{id}/history`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="upgrade_history", responses=HistorySchema)
    def get(self, request: Request, id: str) -> Response:
        """Show what was recorded of an upgrade, to draw it to scale and to replay it."""
        return Response(history(self.actor, id))


class ShardTurnsView(RestView):
    """`/upgrades/{id}/shards/{shard}/turns`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="shard_turns", responses=page_schema("ShardTransition", ShardTransitionSchema)
    )
    def get(self, request: Request, id: str, shard: int) -> Response:
        """Tell how one shard came to where it is, oldest first."""
        return Response(everything(known.shard_turns(self.actor, id, shard)))


urlpatterns = [
    path("upgrades/<str:id>/report", ReportView.as_view()),
    path("upgrades/<str:id>/history", HistoryView.as_view()),
    path("upgrades/<str:id>/shards/<int:shard>/turns", ShardTurnsView.as_view()),
]

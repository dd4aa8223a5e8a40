"""Evictions of deployments that do not come back: asked for by one, agreed to by two others."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.endpoints.approvals import VoteCommentSchema, VoteSchema
from migrations_app.control.regions.commands.evict_deployment import (
    ask_eviction,
    does_answer,
    vote_on_eviction,
)
from migrations_app.control.regions.queries import evictions as known
from migrations_app.control.regions.queries.places import of_eviction
from migrations_app.control.registry.queries.places import of_deployment
from migrations_app.control.upgrade_state.schemas import AvailableActionSchema
from migrations_app.domain.approvals.votes import Ballot, RequestState, VoteVerdict
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Peer
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed, shown, with_current_state
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH


class EvictionSchema(ResponseBody, frozen=True, kw_only=True):
    """A request to evict a deployment, with its votes, and whether the caller may vote."""

    id: str
    rev: int
    deployment: str
    state: Annotated[str, one_of(RequestState)]
    reason: str
    asked_by: str
    created_at: Instant
    deadline: Instant
    digest: str
    needed: int
    votes_given: int
    vote: AvailableActionSchema
    votes: list[VoteSchema]


class EvictionsSchema(ResponseBody, frozen=True, kw_only=True):
    """The evictions of a deployment, the newest first, and whether the caller may ask for another."""

    evict: AvailableActionSchema
    items: list[EvictionSchema]


class AskEvictionSchema(RequestBody, frozen=True, kw_only=True):
    """Why a deployment does not come back."""

    reason: Annotated[str, Meta(min_length=1, max_length=4000)]


class EvictionsView(RestView):
    """`/constraints/{service}/{region}/evictions`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read", "POST": "deployment.evict"}
    located = of_deployment

    @extend_schema(operation_id="evictions", responses=EvictionsSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """List the evictions of a deployment."""
        items = known.evictions_of(self.actor, service, region)
        answers = does_answer(Peer(service, region))
        return Response(
            {"evict": known.may_evict(self.actor, service, region, answers=answers), "items": items}
        )

    @extend_schema(
        operation_id="evict",
        request=AskEvictionSchema,
        parameters=[DRY_RUN],
        responses={201: EvictionSchema},
    )
    def post(self, request: Request, service: str, region: str) -> Response:
        """Ask for the eviction of a deployment that does not answer."""
        reason = read(AskEvictionSchema, request.data).reason

        def ask() -> JsonObject:
            return known.eviction(self.actor, ask_eviction(self.actor, service, region, reason))

        return Response(rehearsed(is_dry_run(request), ask), status=201)


class EvictionView(RestView):
    """`/evictions/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="eviction", responses=EvictionSchema)
    def get(self, request: Request, id: str) -> Response:
        """Show a request; its ETag is the digest of what is agreed to, which a vote must name."""
        found = known.eviction(self.actor, id)
        return shown(request, found, found["digest"])


class EvictionVoteView(RestView):
    """`/evictions/{id}/{approve|reject}`."""

    may: ClassVar[dict[str, str]] = {"POST": "deployment.evict"}
    located = of_eviction

    @extend_schema(request=VoteCommentSchema, parameters=[IF_MATCH, DRY_RUN], responses=EvictionSchema)
    def post(self, request: Request, id: str, verdict: str) -> Response:
        """Vote for what If-Match names; the last vote that is needed evicts the deployment."""
        comment, seen = read(VoteCommentSchema, request.data).comment, expected_tag(request)
        ballot = Ballot(VoteVerdict(verdict), seen or "", comment)

        def vote() -> JsonObject:
            return known.eviction(self.actor, vote_on_eviction(self.actor, id, ballot))

        found = with_current_state(
            lambda: rehearsed(is_dry_run(request), vote),
            lambda: known.eviction(self.actor, id),
            lambda: known.last_changed(id),
        )
        return shown(request, found, found["digest"])


urlpatterns = [
    path("constraints/<str:service>/<str:region>/evictions", EvictionsView.as_view()),
    path("evictions/<str:id>", EvictionView.as_view()),
    path("evictions/<str:id>/approve", EvictionVoteView.as_view(), {"verdict": "approve"}),
    path("evictions/<str:id>/reject", EvictionVoteView.as_view(), {"verdict": "reject"}),
]

"""Requests for approval, and the votes on them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approval_policies.endpoints import OnCallTurnSchema
from migrations_app.control.approvals.commands.answer_changes import answer_changes
from migrations_app.control.approvals.commands.break_glass import review_emergency
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.delegate_vote import delegate_vote
from migrations_app.control.approvals.commands.vote_together import VoteOutcome, approve_together
from migrations_app.control.approvals.queries import approvals as known
from migrations_app.control.approvals.queries.approval_places import of_approval, of_emergency
from migrations_app.control.approvals.schemas import ImpactSchema
from migrations_app.control.upgrade_state.check_schemas import CheckSchema
from migrations_app.control.upgrade_state.schemas import AvailableActionSchema
from migrations_app.domain.approvals.policy import OF_UPGRADES
from migrations_app.domain.approvals.risk import RiskLevel
from migrations_app.domain.approvals.votes import Ballot, RequestState, VoteVerdict
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed, shown, with_current_state
from migrations_app.web.problems import problem_of
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, PAGED, Phrases, everything, page_schema


class VoteSchema(ResponseBody, frozen=True, kw_only=True):
    """One person's word."""

    who: str
    verdict: Annotated[str, one_of(VoteVerdict)]
    comment: str
    at: Instant
    round: int
    void_reason: str
    void_phrases: Phrases | UnsetType = UNSET


class DelegationSchema(ResponseBody, frozen=True, kw_only=True):
    """A vote lent to another person."""

    who: str
    to: str
    comment: str
    at: Instant


class StageVotesSchema(ResponseBody, frozen=True, kw_only=True):
    """One group in its turn: how many of it must agree, and how many have."""

    group: str
    needed: int
    votes_given: int


class ImpactSummarySchema(ResponseBody, frozen=True, kw_only=True):
    """How a request stands at a glance; equal `change`s of low risk may be approved together."""

    risk: Annotated[str, one_of(RiskLevel)]
    failing: Annotated[int, Meta(description="How many checks of the evidence fail now.")]
    unknown: Annotated[int, Meta(description="How many of them are unknown.")]
    change: str


class ApprovalSummarySchema(ResponseBody, frozen=True, kw_only=True):
    """A request as lists show it."""

    id: str
    rev: int
    digest: str
    upgrade_id: str
    what: str
    what_phrases: Phrases | UnsetType = UNSET
    purpose: Annotated[str, one_of(OF_UPGRADES)]
    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    asked_by: str
    comment: str
    ticket: str
    created_at: Instant
    deadline: Instant
    state: Annotated[str, one_of(RequestState)]
    closed_reason: str
    closed_reason_phrases: Phrases | UnsetType = UNSET
    needed: int
    votes_given: int
    stages: Annotated[
        list[StageVotesSchema], Meta(description="Whose votes are taken, in order; empty when none are.")
    ]
    policy: str
    votes: list[VoteSchema]
    impact_summary: Annotated[
        ImpactSummarySchema | None, Meta(description="Null in lists once the request is settled.")
    ]
    delegations: list[DelegationSchema]
    on_approve: str
    on_approve_phrases: Phrases | UnsetType = UNSET
    undo: str
    undo_phrases: Phrases | UnsetType = UNSET
    who_can: list[str]
    actions: list[AvailableActionSchema]


class CheckDifferenceSchema(ResponseBody, frozen=True, kw_only=True):
    """A check that came out otherwise than when approval was asked for."""

    check: str
    then: CheckSchema | None
    now: CheckSchema


class WorseCheckSchema(ResponseBody, frozen=True, kw_only=True):
    """A check that passed when an approval was given that counts, and fails now."""

    check: str
    who: Annotated[str, Meta(description="Who voted then, the newest of them.")]
    at: Instant
    then: Annotated[str, Meta(description="What it said when they voted.")]
    then_phrases: Phrases | UnsetType = UNSET
    now: str
    now_phrases: Phrases | UnsetType = UNSET


class ExcludedVoterSchema(ResponseBody, frozen=True, kw_only=True):
    """An account that cannot vote here because who planned or asked changed it."""

    who: str
    reason: str
    phrases: Phrases | UnsetType = UNSET


class ApprovalSchema(ApprovalSummarySchema, frozen=True, kw_only=True):
    """A request with its evidence then and now, what it puts at stake, and who is there to decide."""

    evidence_then: list[CheckSchema]
    evidence_now: list[CheckSchema]
    differences: list[CheckDifferenceSchema]
    worse: Annotated[list[WorseCheckSchema], Meta(description="What got worse since a vote.")]
    void_when_worse: Annotated[
        bool,
        Meta(
            description="By the policy: votes are void when a check gets worse. Otherwise they bind to the plan."
        ),
    ]
    impact: ImpactSchema
    excluded: Annotated[
        list[ExcludedVoterSchema], Meta(description="Accounts whose votes are refused, and why.")
    ]
    on_duty: list[OnCallTurnSchema]


class BulkVoteItemSchema(RequestBody, frozen=True, kw_only=True):
    """One request, and the digest of the evidence that was seen."""

    id: Annotated[str, Meta(min_length=1, max_length=16)]
    digest: Annotated[str, Meta(min_length=1, max_length=64)]


class BulkVoteSchema(RequestBody, frozen=True, kw_only=True):
    """The same change in up to a hundred places."""

    requests: Annotated[list[BulkVoteItemSchema], Meta(min_length=1, max_length=100)]
    comment: Annotated[str, Meta(max_length=4000)] = ""


class BulkVoteOutcomeSchema(ResponseBody, frozen=True, kw_only=True):
    """What became of one request: 200, or the problem that refused the vote."""

    id: str
    status: int
    problem: dict[str, Any] | None


class BulkVoteAnswerSchema(ResponseBody, frozen=True, kw_only=True):
    """The outcomes, in the order of the requests."""

    items: list[BulkVoteOutcomeSchema]


class VoteCommentSchema(RequestBody, frozen=True, kw_only=True):
    """What the voter has to say."""

    comment: Annotated[str, Meta(max_length=4000)] = ""


class DelegateSchema(VoteCommentSchema, frozen=True, kw_only=True):
    """Who shall vote in one's place; one's own name takes it back."""

    to: Annotated[str, Meta(min_length=1, max_length=150)]


class ApprovalsView(RestView):
    """`/approvals`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="approvals",
        parameters=[OpenApiParameter("tab", str, enum=list(known.TABS)), *PAGED],
        responses=page_schema("Approval", ApprovalSummarySchema),
    )
    def get(self, request: Request) -> Response:
        """List requests: those that need me, those I asked for, all open ones, those decided."""
        page, tab = asked_page(request), request.query_params.get("tab", "open")
        found = known.summaries(self.actor, tab, page.after, page.fetch)
        return listed(page, found, lambda each: known.key_of(each[0]), lambda each: each[1])


class TogetherView(RestView):
    """`/approvals:approve`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = in_body

    @extend_schema(
        operation_id="approve_together",
        request=BulkVoteSchema,
        parameters=[DRY_RUN],
        responses={207: BulkVoteAnswerSchema},
    )
    def post(self, request: Request) -> Response:
        """Approve one change in several places, where its risk is low; one refused stops no other."""
        given = read(BulkVoteSchema, request.data)
        seen = [(each.id, each.digest) for each in given.requests]
        found = rehearsed(is_dry_run(request), lambda: approve_together(self.actor, seen, given.comment))
        return Response({"items": [_outcome(each) for each in found]}, status=207)


def _outcome(of: VoteOutcome) -> JsonObject:
    problem = problem_of(of.error) if of.error else None
    return {
        "id": of.id,
        "status": problem.status if problem else 200,
        "problem": problem.body if problem else None,
    }


class ApprovalView(RestView):
    """`/approvals/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(operation_id="approval", responses=ApprovalSchema)
    def get(self, request: Request, id: str) -> Response:
        """Show a request; its ETag is the digest of the evidence, which a vote must name."""
        return _shown(request, known.approval(self.actor, id))


class VoteView(RestView):
    """`/approvals/{id}/{approve|reject|request-changes}`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_approval

    @extend_schema(
        request=VoteCommentSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=ApprovalSchema,
    )
    def post(self, request: Request, id: str, verdict: str) -> Response:
        """Vote for the evidence that If-Match names."""
        comment, seen = read(VoteCommentSchema, request.data).comment, expected_tag(request)
        ballot = Ballot(VoteVerdict(verdict), seen or "", comment)

        def vote() -> JsonObject:
            cast_vote(self.actor, id, ballot)
            return known.approval(self.actor, id)

        body = with_current_state(
            lambda: rehearsed(is_dry_run(request), vote),
            lambda: known.approval(self.actor, id),
            lambda: known.last_changed(id),
        )
        return _shown(request, body)


class AnswerView(RestView):
    """`/approvals/{id}/answer`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.request"}
    located = of_approval

    @extend_schema(
        operation_id="answer_changes",
        request=VoteCommentSchema,
        parameters=[DRY_RUN],
        responses=ApprovalSchema,
    )
    def post(self, request: Request, id: str) -> Response:
        """Answer the changes that were asked for: a new round begins, in which everybody may vote again."""
        comment = read(VoteCommentSchema, request.data).comment

        def answer() -> JsonObject:
            answer_changes(self.actor, id, comment)
            return known.approval(self.actor, id)

        return _shown(request, rehearsed(is_dry_run(request), answer))


class DelegateView(RestView):
    """`/approvals/{id}/delegate`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_approval

    @extend_schema(
        operation_id="delegate_vote", request=DelegateSchema, parameters=[DRY_RUN], responses=ApprovalSchema
    )
    def post(self, request: Request, id: str) -> Response:
        """Let another person vote in one's place; naming oneself takes it back."""
        given = read(DelegateSchema, request.data)

        def lend() -> JsonObject:
            delegate_vote(self.actor, id, given.to, given.comment)
            return known.approval(self.actor, id)

        return _shown(request, rehearsed(is_dry_run(request), lend))


class BreakGlassReviewSchema(ResponseBody, frozen=True, kw_only=True):
    """A break-glass override, and its review."""

    id: str
    upgrade_id: str
    service: str
    region: str
    purpose: Annotated[str, one_of(OF_UPGRADES)]
    who: str
    reason: str
    ticket: str
    at: Instant
    used_at: Instant | None
    reviewed_by: str
    reviewed_at: Instant | None
    review: str


class EmergenciesView(RestView):
    """`/emergencies`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="emergencies", responses=page_schema("BreakGlassReview", BreakGlassReviewSchema)
    )
    def get(self, request: Request) -> Response:
        """List the emergencies that went on without votes, newest first."""
        return Response(everything(known.emergencies(self.actor)))


class ReviewView(RestView):
    """`/emergencies/{id}/review`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_emergency

    @extend_schema(
        operation_id="review_emergency",
        request=VoteCommentSchema,
        parameters=[DRY_RUN],
        responses={204: None},
    )
    def post(self, request: Request, id: str) -> Response:
        """Close the review of an emergency."""
        comment = read(VoteCommentSchema, request.data).comment
        rehearsed(is_dry_run(request), lambda: review_emergency(self.actor, id, comment))
        return Response(status=204)


def _shown(request: Request, body: JsonObject) -> Response:
    return shown(request, body, body["digest"], alive=True)


urlpatterns = [
    path("approvals", ApprovalsView.as_view()),
    path("approvals:approve", TogetherView.as_view()),
    path("approvals/<str:id>", ApprovalView.as_view()),
    path("approvals/<str:id>/approve", VoteView.as_view(), {"verdict": "approve"}),
    path("approvals/<str:id>/reject", VoteView.as_view(), {"verdict": "reject"}),
    path("approvals/<str:id>/request-changes", VoteView.as_view(), {"verdict": "changes"}),
    path("approvals/<str:id>/answer", AnswerView.as_view()),
    path("approvals/<str:id>/delegate", DelegateView.as_view()),
    path("emergencies", EmergenciesView.as_view()),
    path("emergencies/<str:id>/review", ReviewView.as_view()),
]

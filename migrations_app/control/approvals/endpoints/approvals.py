"""Requests for approval, and the votes on them."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approval_policies.endpoints import DutyShape
from migrations_app.control.approvals.commands.answer_changes import answer_changes
from migrations_app.control.approvals.commands.break_glass import review_emergency
from migrations_app.control.approvals.commands.cast_vote import cast_vote
from migrations_app.control.approvals.commands.delegate_vote import delegate_vote
from migrations_app.control.approvals.commands.vote_together import Outcome, approve_together
from migrations_app.control.approvals.queries import approvals as known
from migrations_app.control.approvals.queries.approval_places import of_approval, of_emergency
from migrations_app.control.approvals.schemas import StakesShape
from migrations_app.control.upgrade_state.schemas import ActionShape, CheckShape, choices
from migrations_app.domain.approvals.policy import OF_UPGRADES
from migrations_app.domain.approvals.risk import Level
from migrations_app.domain.approvals.votes import Ballot, RequestState, Verdict
from migrations_app.kernel.json import JsonObject
from migrations_app.web.doors import Door, in_body
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed, shown, telling
from migrations_app.web.problems import problem_of
from migrations_app.web.shapes import DRY_RUN, IF_MATCH, PAGED, StrictShape, everything, page_shape, read


class VoteShape(serializers.Serializer[Any]):
    """One person's word."""

    who = serializers.CharField()
    verdict = choices(Verdict)
    comment = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()
    round = serializers.IntegerField()
    void_reason = serializers.CharField(allow_blank=True)


class DelegationShape(serializers.Serializer[Any]):
    """A word lent to somebody else."""

    who = serializers.CharField()
    to = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class StageVotesShape(serializers.Serializer[Any]):
    """One group in its turn: how many of it must agree, and how many have."""

    group = serializers.CharField()
    needed = serializers.IntegerField()
    given = serializers.IntegerField()


class GlanceShape(serializers.Serializer[Any]):
    """How a request stands at a glance; equal `change`s of low risk may be approved together."""

    risk = choices(Level)
    failing = serializers.IntegerField(help_text="How many checks of the evidence fail now.")
    unknown = serializers.IntegerField(help_text="How many of them nobody can tell.")
    change = serializers.CharField()


class ApprovalSummaryShape(serializers.Serializer[Any]):
    """A request as lists show it."""

    id = serializers.CharField()
    rev = serializers.IntegerField()
    digest = serializers.CharField()
    upgrade_id = serializers.CharField()
    what = serializers.CharField()
    purpose = choices(OF_UPGRADES)
    deployment = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    from_version = serializers.CharField()
    to_version = serializers.CharField()
    asked_by = serializers.CharField()
    comment = serializers.CharField(allow_blank=True)
    ticket = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField()
    state = choices(RequestState)
    closed_reason = serializers.CharField(allow_blank=True)
    needed = serializers.IntegerField()
    given = serializers.IntegerField()
    stages = StageVotesShape(many=True, help_text="Whose votes are taken, in order; empty when none are.")
    policy = serializers.CharField()
    votes = VoteShape(many=True)
    glance = GlanceShape(allow_null=True, help_text="Null in lists once the request is settled.")
    delegations = DelegationShape(many=True)
    on_approve = serializers.CharField()
    undo = serializers.CharField()
    who_can = serializers.ListField(child=serializers.CharField())
    actions = ActionShape(many=True)


class DifferenceShape(serializers.Serializer[Any]):
    """A check that came out otherwise than when approval was asked for."""

    check = serializers.CharField()
    then = CheckShape(allow_null=True)
    now = CheckShape()


class ExcludedVoterShape(serializers.Serializer[Any]):
    """An account that cannot vote here because who planned or asked changed it."""

    who = serializers.CharField()
    reason = serializers.CharField()


class ApprovalShape(ApprovalSummaryShape):
    """A request with its evidence then and now, what it puts at stake, and who is there to decide."""

    evidence_then = CheckShape(many=True)
    evidence_now = CheckShape(many=True)
    differences = DifferenceShape(many=True)
    stakes = StakesShape()
    excluded = ExcludedVoterShape(many=True, help_text="Accounts whose votes are refused, and why.")
    on_duty = DutyShape(many=True)


class TogetherItemShape(StrictShape):
    """One request, and the digest of the evidence that was seen."""

    id = serializers.CharField(max_length=16)
    digest = serializers.CharField(max_length=64)


class TogetherShape(StrictShape):
    """The same change in up to a hundred places."""

    requests = serializers.ListField(child=TogetherItemShape(), min_length=1, max_length=100)
    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")


class TogetherOutcomeShape(serializers.Serializer[Any]):
    """What became of one request: 200, or the problem that refused the vote."""

    id = serializers.CharField()
    status = serializers.IntegerField()
    problem = serializers.DictField(allow_null=True)


class TogetherAnswerShape(serializers.Serializer[Any]):
    """The outcomes, in the order of the requests."""

    items = TogetherOutcomeShape(many=True)


class VerdictShape(StrictShape):
    """What the voter has to say."""

    comment = serializers.CharField(max_length=4000, required=False, allow_blank=True, default="")


class DelegateShape(VerdictShape):
    """Who shall vote in one's place; one's own name takes it back."""

    to = serializers.CharField(max_length=150)


class ApprovalsDoor(Door):
    """`/approvals`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="approvals",
        parameters=[OpenApiParameter("tab", str, enum=list(known.TABS)), *PAGED],
        responses=page_shape("Approval", ApprovalSummaryShape),
    )
    def get(self, request: Request) -> Response:
        """List requests: those that need me, those I asked for, all open ones, those decided."""
        page, tab = asked_page(request), request.query_params.get("tab", "open")
        found = known.summaries(self.actor, tab, page.after, page.fetch)
        return listed(page, found, lambda each: known.key_of(each[0]), lambda each: each[1])


class TogetherDoor(Door):
    """`/approvals:approve`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = in_body

    @extend_schema(
        operation_id="approve_together",
        request=TogetherShape,
        parameters=[DRY_RUN],
        responses={207: TogetherAnswerShape},
    )
    def post(self, request: Request) -> Response:
        """Approve one change in several places, where its risk is low; one refused stops no other."""
        given = read(TogetherShape, request.data)
        seen = [(each["id"], each["digest"]) for each in given["requests"]]
        found = rehearsed(is_dry_run(request), lambda: approve_together(self.actor, seen, given["comment"]))
        return Response({"items": [_outcome(each) for each in found]}, status=207)


def _outcome(of: Outcome) -> JsonObject:
    problem = problem_of(of.error) if of.error else None
    return {
        "id": of.id,
        "status": problem.status if problem else 200,
        "problem": problem.body if problem else None,
    }


class ApprovalDoor(Door):
    """`/approvals/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(operation_id="approval", responses=ApprovalShape)
    def get(self, request: Request, id: str) -> Response:
        """Show a request; its ETag is the digest of the evidence, which a vote must name."""
        return _shown(request, known.approval(self.actor, id))


class VoteDoor(Door):
    """`/approvals/{id}/{approve|reject|request-changes}`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_approval

    @extend_schema(
        request=VerdictShape,
        parameters=[IF_MATCH, DRY_RUN],
        responses=ApprovalShape,
    )
    def post(self, request: Request, id: str, verdict: str) -> Response:
        """Vote for the evidence that If-Match names."""
        comment, seen = read(VerdictShape, request.data)["comment"], expected_tag(request)
        ballot = Ballot(Verdict(verdict), seen or "", comment)

        def vote() -> JsonObject:
            cast_vote(self.actor, id, ballot)
            return known.approval(self.actor, id)

        body = telling(
            lambda: rehearsed(is_dry_run(request), vote),
            lambda: known.approval(self.actor, id),
            lambda: known.last_changed(id),
        )
        return _shown(request, body)


class AnswerDoor(Door):
    """`/approvals/{id}/answer`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.request"}
    located = of_approval

    @extend_schema(
        operation_id="answer_changes", request=VerdictShape, parameters=[DRY_RUN], responses=ApprovalShape
    )
    def post(self, request: Request, id: str) -> Response:
        """Answer the changes that were asked for: a new round begins, in which everybody may vote again."""
        comment = read(VerdictShape, request.data)["comment"]

        def answer() -> JsonObject:
            answer_changes(self.actor, id, comment)
            return known.approval(self.actor, id)

        return _shown(request, rehearsed(is_dry_run(request), answer))


class DelegateDoor(Door):
    """`/approvals/{id}/delegate`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_approval

    @extend_schema(
        operation_id="delegate_vote", request=DelegateShape, parameters=[DRY_RUN], responses=ApprovalShape
    )
    def post(self, request: Request, id: str) -> Response:
        """Let somebody else vote in one's place; naming oneself takes it back."""
        given = read(DelegateShape, request.data)

        def lend() -> JsonObject:
            delegate_vote(self.actor, id, given["to"], given["comment"])
            return known.approval(self.actor, id)

        return _shown(request, rehearsed(is_dry_run(request), lend))


class EmergencyShape(serializers.Serializer[Any]):
    """A glass that was broken, and its review."""

    id = serializers.CharField()
    upgrade_id = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    purpose = choices(OF_UPGRADES)
    who = serializers.CharField()
    reason = serializers.CharField()
    ticket = serializers.CharField()
    at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True)
    reviewed_by = serializers.CharField(allow_blank=True)
    reviewed_at = serializers.DateTimeField(allow_null=True)
    review = serializers.CharField(allow_blank=True)


class EmergenciesDoor(Door):
    """`/emergencies`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(operation_id="emergencies", responses=page_shape("Emergency", EmergencyShape))
    def get(self, request: Request) -> Response:
        """List the emergencies that went on without votes, newest first."""
        return Response(everything(known.emergencies(self.actor)))


class ReviewDoor(Door):
    """`/emergencies/{id}/review`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_emergency

    @extend_schema(
        operation_id="review_emergency", request=VerdictShape, parameters=[DRY_RUN], responses={204: None}
    )
    def post(self, request: Request, id: str) -> Response:
        """Close the review of an emergency."""
        comment = read(VerdictShape, request.data)["comment"]
        rehearsed(is_dry_run(request), lambda: review_emergency(self.actor, id, comment))
        return Response(status=204)


def _shown(request: Request, body: JsonObject) -> Response:
    return shown(request, body, body["digest"], alive=True)


urlpatterns = [
    path("approvals", ApprovalsDoor.as_view()),
    path("approvals:approve", TogetherDoor.as_view()),
    path("approvals/<str:id>", ApprovalDoor.as_view()),
    path("approvals/<str:id>/approve", VoteDoor.as_view(), {"verdict": "approve"}),
    path("approvals/<str:id>/reject", VoteDoor.as_view(), {"verdict": "reject"}),
    path("approvals/<str:id>/request-changes", VoteDoor.as_view(), {"verdict": "changes"}),
    path("approvals/<str:id>/answer", AnswerDoor.as_view()),
    path("approvals/<str:id>/delegate", DelegateDoor.as_view()),
    path("emergencies", EmergenciesDoor.as_view()),
    path("emergencies/<str:id>/review", ReviewDoor.as_view()),
]

"""Constraints between deployments: what is under way, and the audit of references."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.constraints.queries import audit_references, constraints, constraints_of
from migrations_app.web.contract import ResponseBody, one_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases


class ConstraintCountsSchema(ResponseBody, frozen=True, kw_only=True):
    """How much is under way in a deployment."""

    owed: Annotated[int, Meta(description="Confirmations it owes to others.")]
    oldest_owed_seconds: float
    blockades: Annotated[int, Meta(description="References others announced that are not settled.")]
    oldest_blockade_seconds: float
    overdue_blockades: Annotated[int, Meta(description="Those whose outcome is asked for.")]
    pending_deletes: int
    deleting: int
    oldest_deleting_seconds: float


class BlockerSchema(ResponseBody, frozen=True, kw_only=True):
    """Who blocks a deletion: a resource, and the field by which it refers."""

    type: str
    name: str
    path: str


class SubscriptionSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment whose deletions another one follows."""

    service: str
    region: str
    state: Annotated[
        str,
        one_of(
            ("following", "unknown", "quarantined"),
            description="`unknown` when it was not heard of for a minute.",
        ),
    ]
    position: Annotated[str, Meta(description="Where the present round goes on; empty between two rounds.")]
    behind_seconds: Annotated[
        float | None,
        Meta(description="Deletions before that are heard of and carried on; none before a first round."),
    ]
    waiting: Annotated[int, Meta(description="Resources being deleted there that may be referred to here.")]
    problem: str
    problem_phrases: Phrases | UnsetType = UNSET


class ConstraintWaitSchema(ResponseBody, frozen=True, kw_only=True):
    """Work on confirmations or deletions that another deployment holds up."""

    work: Annotated[str, one_of(("pending", "deleting"))]
    waits_for: str
    waits_for_phrases: Phrases | UnsetType = UNSET
    quarantined: Annotated[bool, Meta(description="True when a person must look.")]
    seconds: float


class PendingDeletionSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource that is being deleted, and who may refer to it."""

    type: str
    name: str
    state: Annotated[str, one_of(("DELETE_PENDING", "DELETING"))]
    age_seconds: float
    sources: list[str]
    root: str
    blockers: Annotated[
        list[BlockerSchema], Meta(description="The first who block it within its own deployment.")
    ]


class CopySourceSchema(ResponseBody, frozen=True, kw_only=True):
    """How far a deployment has followed one other region, in one version."""

    region: Annotated[str, Meta(description="The region that owns what is copied.")]
    version: str
    state: Annotated[
        str,
        one_of(
            ("following", "comparing", "unknown"), description="`unknown` when the region does not answer."
        ),
    ]
    position: Annotated[str, Meta(description="A place in the changes of that region.")]
    behind_seconds: Annotated[
        float | None,
        Meta(description="How old the copies are at most; none before they were caught up once."),
    ]
    waiting: Annotated[int, Meta(description="Changes known to wait there.")]
    problem: str
    problem_phrases: Phrases | UnsetType = UNSET


class PolicyChangeSchema(ResponseBody, frozen=True, kw_only=True):
    """How far the resources under a changed policy have been touched."""

    scope: Annotated[str, Meta(description="The policy holder; empty for the service's own.")]
    looked: int
    changed: int
    open_seconds: float
    at: Annotated[str, Meta(description="The last resource looked at.")]
    checking: Annotated[bool, Meta(description="True in the second pass, which looks for late writes.")]


class ConstraintsSchema(ResponseBody, frozen=True, kw_only=True):
    """References of a deployment to others and of others to it; `unknown` when it did not answer, `evicted` when none waits for it."""

    deployment: str
    service: str
    region: str
    state: Annotated[str, one_of(("known", "unknown", "evicted"))]
    reason: str
    phrases: Phrases | UnsetType = UNSET
    tally: ConstraintCountsSchema | None
    moving: list[PendingDeletionSchema]
    read_copies: list[CopySourceSchema]
    policy_changes: list[PolicyChangeSchema]


class DeploymentConstraintsSchema(ConstraintsSchema, frozen=True, kw_only=True):
    """References between one deployment and others, with what it follows."""

    subscriptions: list[SubscriptionSchema]
    waits: list[ConstraintWaitSchema]


class ConstraintFindingSchema(ResponseBody, frozen=True, kw_only=True):
    """What does not hold, or has not ended: a reference, a read copy, an attempt, a deletion; or nothing is known."""

    source: str
    target: str
    path: Annotated[str, Meta(description="The field that refers; none for a read copy.")]
    what: Annotated[
        str, one_of(("gone", "unlisted", "lacking", "stale", "extra", "unsettled", "undeleted", "unknown"))
    ]
    reason: str


class ReferenceAuditSchema(ResponseBody, frozen=True, kw_only=True):
    """What an audit of references found."""

    findings: list[ConstraintFindingSchema]
    more: bool


class AllConstraintsSchema(ResponseBody, frozen=True, kw_only=True):
    """References between deployments, of each."""

    items: list[ConstraintsSchema]


class ConstraintsView(RestView):
    """`/constraints`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="constraints", responses=AllConstraintsSchema)
    def get(self, request: Request) -> Response:
        """Tell what deployments have under way with each other."""
        return Response({"items": constraints(self.actor)})


class DeploymentConstraintsView(RestView):
    """`/constraints/{service}/{region}`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="deployment_constraints", responses=DeploymentConstraintsSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Tell what one deployment has under way with others."""
        return Response(constraints_of(self.actor, service, region))


class ReferenceAuditView(RestView):
    """`/constraints/{service}/{region}/audit`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="audit_references", responses=ReferenceAuditSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Compare what a deployment refers to, and keeps copies of, with what is there."""
        return Response(audit_references(self.actor, service, region))


urlpatterns = [
    path("constraints", ConstraintsView.as_view()),
    path("constraints/<str:service>/<str:region>", DeploymentConstraintsView.as_view()),
    path("constraints/<str:service>/<str:region>/audit", ReferenceAuditView.as_view()),
]

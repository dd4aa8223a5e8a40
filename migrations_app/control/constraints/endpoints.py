"""Constraints between deployments: what is under way, and the audit of references."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.constraints.queries import audit_references, constraints, constraints_of
from migrations_app.web.doors import Door


class TallyShape(serializers.Serializer[Any]):
    """How much is under way in a deployment."""

    owed = serializers.IntegerField(help_text="Confirmations it owes to others.")
    oldest_owed_seconds = serializers.FloatField()
    blockades = serializers.IntegerField(help_text="References others announced that are not settled.")
    oldest_blockade_seconds = serializers.FloatField()
    overdue_blockades = serializers.IntegerField(help_text="Those whose outcome is asked for.")
    pending_deletes = serializers.IntegerField()
    deleting = serializers.IntegerField()
    oldest_deleting_seconds = serializers.FloatField()


class BlockerShape(serializers.Serializer[Any]):
    """Who blocks a deletion: a resource, and the field by which it refers."""

    type = serializers.CharField()
    name = serializers.CharField()
    path = serializers.CharField()


class SubscriptionShape(serializers.Serializer[Any]):
    """A deployment whose deletions another one follows."""

    service = serializers.CharField()
    region = serializers.CharField()
    state = serializers.ChoiceField(
        ("following", "unknown", "parked"), help_text="`unknown` when it was not heard of for a minute."
    )
    position = serializers.CharField(
        allow_blank=True, help_text="Where the present round goes on; empty between two rounds."
    )
    behind_seconds = serializers.FloatField(
        allow_null=True,
        help_text="Deletions before that are heard of and carried on; none before a first round.",
    )
    waiting = serializers.IntegerField(
        help_text="Resources being deleted there that may be referred to here."
    )
    problem = serializers.CharField(allow_blank=True)


class WaitShape(serializers.Serializer[Any]):
    """Work on confirmations or deletions that somebody else holds up."""

    work = serializers.ChoiceField(("pending", "deleting"))
    waits_for = serializers.CharField()
    parked = serializers.BooleanField(help_text="True when a person must look.")
    seconds = serializers.FloatField()


class MovingShape(serializers.Serializer[Any]):
    """A resource that is being deleted, and who may refer to it."""

    type = serializers.CharField()
    name = serializers.CharField()
    state = serializers.ChoiceField(("DELETE_PENDING", "DELETING"))
    age_seconds = serializers.FloatField()
    sources = serializers.ListField(child=serializers.CharField())
    root = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    blockers = BlockerShape(many=True, help_text="The first who block it within its own deployment.")


class CopySourceShape(serializers.Serializer[Any]):
    """How far a deployment has followed one other region, in one version."""

    region = serializers.CharField(help_text="The region that owns what is copied.")
    version = serializers.CharField()
    state = serializers.ChoiceField(
        ("following", "comparing", "unknown"), help_text="`unknown` when the region does not answer."
    )
    position = serializers.CharField(allow_blank=True, help_text="A place in the changes of that region.")
    behind_seconds = serializers.FloatField(
        allow_null=True, help_text="How old the copies are at most; none before they were level once."
    )
    waiting = serializers.IntegerField(help_text="Changes known to wait there.")
    problem = serializers.CharField(allow_blank=True)


class PolicyChangeShape(serializers.Serializer[Any]):
    """How far the resources under a changed policy have been touched."""

    scope = serializers.CharField(
        allow_blank=True, help_text="The policy holder; empty for the service's own."
    )
    looked = serializers.IntegerField()
    changed = serializers.IntegerField()
    open_seconds = serializers.FloatField()
    at = serializers.CharField(allow_blank=True, help_text="The last resource looked at.")
    checking = serializers.BooleanField(help_text="True in the second pass, which looks for late writes.")


class ConstraintsShape(serializers.Serializer[Any]):
    """A deployment's dealings with others; `unknown` when it did not answer, `evicted` when nobody waits for it."""

    deployment = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    state = serializers.ChoiceField(("known", "unknown", "evicted"))
    reason = serializers.CharField(allow_blank=True)
    tally = TallyShape(allow_null=True)
    moving = MovingShape(many=True)
    read_copies = CopySourceShape(many=True)
    policy_changes = PolicyChangeShape(many=True)


class DeploymentConstraintsShape(ConstraintsShape):
    """One deployment's dealings with others, with what it follows."""

    subscriptions = SubscriptionShape(many=True)
    waits = WaitShape(many=True)


class FindingShape(serializers.Serializer[Any]):
    """What does not hold, or has not ended: a reference, a read copy, an attempt, a deletion; or nothing is known."""

    source = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField()
    path = serializers.CharField(allow_blank=True, help_text="The field that refers; none for a read copy.")
    what = serializers.ChoiceField(
        ("gone", "unlisted", "lacking", "stale", "extra", "unsettled", "undeleted", "unknown")
    )
    reason = serializers.CharField(allow_blank=True)


class ReferenceAuditShape(serializers.Serializer[Any]):
    """What an audit of references found."""

    findings = FindingShape(many=True)
    more = serializers.BooleanField()


class AllConstraintsShape(serializers.Serializer[Any]):
    """Every deployment's dealings with others."""

    items = ConstraintsShape(many=True)


class ConstraintsDoor(Door):
    """`/constraints`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="constraints", responses=AllConstraintsShape)
    def get(self, request: Request) -> Response:
        """Tell what deployments have under way with each other."""
        return Response({"items": constraints(self.actor)})


class DeploymentConstraintsDoor(Door):
    """`/constraints/{service}/{region}`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="deployment_constraints", responses=DeploymentConstraintsShape)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Tell what one deployment has under way with others."""
        return Response(constraints_of(self.actor, service, region))


class ReferenceAuditDoor(Door):
    """`/constraints/{service}/{region}/audit`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="audit_references", responses=ReferenceAuditShape)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Compare what a deployment refers to, and keeps copies of, with what is there."""
        return Response(audit_references(self.actor, service, region))


urlpatterns = [
    path("constraints", ConstraintsDoor.as_view()),
    path("constraints/<str:service>/<str:region>", DeploymentConstraintsDoor.as_view()),
    path("constraints/<str:service>/<str:region>/audit", ReferenceAuditDoor.as_view()),
]

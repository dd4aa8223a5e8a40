"""Approval policies."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.actions.apply_policy import apply_policy, delete_policy
from migrations_app.api.shapes import StrictShape, everything, page_shape, read
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope
from migrations_app.queries import approvals as known
from migrations_app.web.doors import Door
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed


class NewPolicyShape(StrictShape):
    """A policy: how many must agree, from which group, and where it counts."""

    name = serializers.CharField(max_length=100)
    purpose = serializers.ChoiceField([each.value for each in Purpose])
    service = serializers.CharField(max_length=200, default="*")
    region = serializers.CharField(max_length=100, default="*")
    environment = serializers.CharField(max_length=100, default="*")
    needed = serializers.IntegerField(min_value=0, max_value=10, default=1)
    group = serializers.CharField(max_length=150, default="approver", allow_blank=True)
    last_approver_may_run = serializers.BooleanField(default=True)
    expires_seconds = serializers.IntegerField(min_value=60, max_value=2_592_000, default=86_400)
    critical = serializers.BooleanField(default=False)
    window_needed = serializers.BooleanField(default=False)
    break_glass_group = serializers.CharField(max_length=150, default="admin")


class PolicyShape(NewPolicyShape):
    """A policy as it is kept; revision 0 is what counts where nobody said otherwise."""

    rev = serializers.IntegerField()
    updated_by = serializers.CharField(allow_blank=True)


class PoliciesDoor(Door):
    """`/policies`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "PUT": "policy.write"}

    @extend_schema(operation_id="policies", responses=page_shape("Policy", PolicyShape))
    def get(self, request: Request) -> Response:
        """List the policies."""
        return Response(everything(known.policies(self.actor)))

    @extend_schema(
        operation_id="apply_policy", request=NewPolicyShape, responses=page_shape("Policy", PolicyShape)
    )
    def put(self, request: Request) -> Response:
        """Set a policy by its name; open requests are asked anew under what then counts."""
        given = read(NewPolicyShape, request.data)
        policy, rev = policy_from(given), expected_rev(request, required=False)
        rehearsed(is_dry_run(request), lambda: apply_policy(self.actor, policy, rev))
        return Response(everything(known.policies(self.actor)))


class PolicyDoor(Door):
    """`/policies/{name}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": "policy.write"}

    @extend_schema(operation_id="delete_policy", responses={204: None})
    def delete(self, request: Request, name: str) -> Response:
        """Remove a policy."""
        rehearsed(is_dry_run(request), lambda: delete_policy(self.actor, name))
        return Response(status=204)


def policy_from(given: dict[str, Any]) -> Policy:
    """Make a policy of what was sent."""
    scope = Scope(given.pop("service"), given.pop("region"), given.pop("environment"))
    return Policy(scope=scope, purpose=Purpose(given.pop("purpose")), **given)


urlpatterns = [
    path("policies", PoliciesDoor.as_view()),
    path("policies/<str:name>", PolicyDoor.as_view()),
]

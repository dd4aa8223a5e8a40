"""Approval policies."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.commands.apply_policy import apply_policy, delete_policy
from migrations_app.control.approvals.endpoints.rule_changes import WarningsShape, changing
from migrations_app.control.approvals.queries import rules as known
from migrations_app.control.approvals.queries.policy_preview import preview
from migrations_app.control.approvals.queries.rule_places import of_policy
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.about import about_from
from migrations_app.domain.approvals.policy import Policy, Purpose, Scope, Stage
from migrations_app.domain.switch.plan import Kind
from migrations_app.kernel.json import JsonObject
from migrations_app.web.doors import Door, in_body
from migrations_app.web.preconditions import expected_rev, is_dry_run, shown
from migrations_app.web.shapes import DRY_RUN, IF_MATCH, StrictShape, everything, page_shape, read


class StageShape(StrictShape):
    """So many of one group, who vote after those before them."""

    group = serializers.CharField(max_length=150)
    needed = serializers.IntegerField(min_value=1, max_value=10, default=1)


class AboutShape(StrictShape):
    """Which upgrades are meant; all that is named must hold, and what is left out asks for nothing."""

    from_version = serializers.CharField(
        max_length=64,
        required=False,
        allow_blank=True,
        help_text="Its version until now: a name, or a pattern.",
    )
    to_version = serializers.CharField(
        max_length=64, required=False, allow_blank=True, help_text="Its new version: a name, or a pattern."
    )
    kinds = serializers.ListField(
        child=serializers.ChoiceField([each.value for each in Kind]), required=False, max_length=len(Kind)
    )
    without_way_back = serializers.BooleanField(
        required=False, help_text="Only those after whose switch the old version is not kept in step."
    )


class PolicyRulesShape(StrictShape):
    """What a policy says: how many must agree, from which group, and where it counts."""

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
    then = StageShape(many=True, default=list, help_text="Who votes after the first group, in order.")
    free_seconds = serializers.IntegerField(
        min_value=0,
        max_value=86_400,
        default=0,
        help_text="For `revert`: so long after the switch going back takes no votes.",
    )
    about = AboutShape(default=dict, help_text="Which upgrades of its scope are meant; `{}`: all of them.")


class NewPolicyShape(PolicyRulesShape):
    """A policy with its name."""

    name = serializers.CharField(max_length=100)


class PurposeShape(StrictShape):
    """What a policy is for."""

    purpose = serializers.ChoiceField([each.value for each in Purpose])


class PolicyShape(NewPolicyShape):
    """A policy as it is kept; revision 0 is what counts where nobody said otherwise."""

    rev = serializers.IntegerField()
    updated_by = serializers.CharField(allow_blank=True)


class ChangedPolicyShape(PolicyShape):
    """A policy as it is after a change, and what the change means for upgrades under way."""

    warnings = serializers.ListField(child=serializers.CharField())


class PoliciesDoor(Door):
    """`/policies`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "POST": "policy.write"}
    located = in_body

    @extend_schema(operation_id="policies", responses=page_shape("Policy", PolicyShape))
    def get(self, request: Request) -> Response:
        """List the policies."""
        return Response(everything(known.policies(self.actor)))

    @extend_schema(
        operation_id="create_policy",
        request=NewPolicyShape,
        parameters=[DRY_RUN],
        responses={201: ChangedPolicyShape},
    )
    def post(self, request: Request) -> Response:
        """Set a new policy; open requests are asked anew under what then counts."""
        policy = policy_from(read(NewPolicyShape, request.data))
        body = changing(self.actor, is_dry_run(request), lambda: _applied(self.actor, policy, 0))
        return shown(request, body, body["rev"], status=201, Location=f"/api/v1/policies/{policy.name}")


class PolicyDoor(Door):
    """`/policies/{name}`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "PUT": "policy.write", "DELETE": "policy.write"}
    located = of_policy

    @extend_schema(operation_id="policy", responses=PolicyShape)
    def get(self, request: Request, name: str) -> Response:
        """Show a policy."""
        body = known.policy(self.actor, name)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="change_policy",
        request=PolicyRulesShape,
        parameters=[IF_MATCH, DRY_RUN],
        responses=ChangedPolicyShape,
    )
    def put(self, request: Request, name: str) -> Response:
        """Set a policy anew; open requests are asked anew under what then counts."""
        given, rev = read(PolicyRulesShape, request.data), expected_rev(request)
        policy = policy_from({"name": name, **given})
        body = changing(self.actor, is_dry_run(request), lambda: _applied(self.actor, policy, rev))
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="delete_policy",
        parameters=[IF_MATCH, DRY_RUN],
        responses={200: WarningsShape, 204: None},
    )
    def delete(self, request: Request, name: str) -> Response:
        """Remove a policy; a dry run says what that would mean."""
        rev, dry = expected_rev(request), is_dry_run(request)

        def remove() -> JsonObject:
            delete_policy(self.actor, name, rev)
            return {}

        body = changing(self.actor, dry, remove)
        return Response(body) if dry else Response(status=204)


class PolicyThatCountsDoor(Door):
    """`/policies/explain`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="explain_policy",
        parameters=[
            OpenApiParameter("deployment", str, required=True),
            OpenApiParameter("purpose", str, enum=[each.value for each in Purpose]),
        ],
        responses=PolicyShape,
    )
    def get(self, request: Request) -> Response:
        """Tell which policy counts for a deployment."""
        asked = request.query_params
        purpose = read(PurposeShape, {"purpose": asked.get("purpose", "switch")})["purpose"]
        return Response(known.policy_that_counts(self.actor, asked.get("deployment", ""), Purpose(purpose)))


class PreviewedUpgradeShape(serializers.Serializer[Any]):
    """An upgrade that the policy matches, and whether it would have decided about it."""

    id = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    from_version = serializers.CharField()
    to_version = serializers.CharField()
    state = serializers.CharField()
    by = serializers.CharField(allow_blank=True)
    decides = serializers.BooleanField(help_text="No other policy is more specific or stricter.")
    decided_by = serializers.CharField()


class PolicyPreviewShape(serializers.Serializer[Any]):
    """What a policy would mean."""

    seen = serializers.IntegerField()
    upgrades = PreviewedUpgradeShape(many=True)
    voters = serializers.ListField(child=serializers.CharField())


class PolicyPreviewDoor(Door):
    """`/policies/preview`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.read"}

    @extend_schema(operation_id="preview_policy", request=NewPolicyShape, responses=PolicyPreviewShape)
    def post(self, request: Request) -> Response:
        """Tell which of the last 50 upgrades a policy matches and would have decided, and who could vote."""
        return Response(preview(self.actor, policy_from(read(NewPolicyShape, request.data))))


def _applied(actor: Actor, policy: Policy, rev: int | None) -> JsonObject:
    return known.policy(actor, apply_policy(actor, policy, rev))


def policy_from(given: dict[str, Any]) -> Policy:
    """Make a policy of what was sent."""
    scope = Scope(given.pop("service"), given.pop("region"), given.pop("environment"))
    then = tuple(Stage(each["group"], each["needed"]) for each in given.pop("then"))
    about = about_from(given.pop("about"))
    return Policy(scope=scope, purpose=Purpose(given.pop("purpose")), then=then, about=about, **given)


urlpatterns = [
    path("policies", PoliciesDoor.as_view()),
    path("policies/preview", PolicyPreviewDoor.as_view()),
    path("policies/explain", PolicyThatCountsDoor.as_view()),
    path("policies/<str:name>", PolicyDoor.as_view()),
]

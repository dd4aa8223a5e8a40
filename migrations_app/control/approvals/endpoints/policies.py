"""Approval policies."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.commands.apply_policy import apply_policy, delete_policy, has_policy
from migrations_app.control.approvals.endpoints.rule_changes import WarningPhrases, WarningsSchema, changing
from migrations_app.control.approvals.queries import rules as known
from migrations_app.control.approvals.queries.policy_preview import preview
from migrations_app.control.approvals.queries.rule_places import of_policy
from migrations_app.domain.access import Actor
from migrations_app.domain.approvals.about import about_from
from migrations_app.domain.approvals.policy import ApprovalStage, Policy, Purpose, Scope
from migrations_app.domain.switch.plan import UpgradeKind
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import RequestBody, ResponseBody, given_in, one_of, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, shown
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, everything, page_schema
from migrations_app.web.upserts import UPSERT, expected_state


class StageSchema(RequestBody, frozen=True, kw_only=True):
    """So many of one group, who vote after those before them."""

    group: Annotated[str, Meta(min_length=1, max_length=150)]
    needed: Annotated[int, Meta(ge=1, le=10)] = 1


class UpgradeSelectorSchema(RequestBody, frozen=True, kw_only=True):
    """Which upgrades are meant; all that is named must hold, and what is left out asks for nothing."""

    from_version: (
        Annotated[str, Meta(max_length=64, description="Its version until now: a name, or a pattern.")]
        | UnsetType
    ) = UNSET
    to_version: (
        Annotated[str, Meta(max_length=64, description="Its new version: a name, or a pattern.")] | UnsetType
    ) = UNSET
    kinds: (
        Annotated[list[Annotated[str, one_of(UpgradeKind)]], Meta(max_length=len(UpgradeKind))] | UnsetType
    ) = UNSET
    without_rollback: (
        Annotated[
            bool, Meta(description="Only those after whose switch the old version is not kept current.")
        ]
        | UnsetType
    ) = UNSET


class PolicyRulesSchema(RequestBody, frozen=True, kw_only=True):
    """What a policy says: how many must agree, from which group, and where it counts."""

    purpose: Annotated[str, one_of(Purpose)]
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    environment: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    needed: Annotated[int, Meta(ge=0, le=10)] = 1
    group: Annotated[str, Meta(max_length=150)] = "approver"
    last_approver_may_run: bool = True
    expires_seconds: Annotated[int, Meta(ge=60, le=2_592_000)] = 86_400
    critical: bool = False
    window_needed: bool = False
    break_glass_group: Annotated[str, Meta(min_length=1, max_length=150)] = "admin"
    then: Annotated[list[StageSchema], Meta(description="Who votes after the first group, in order.")] = []
    free_seconds: Annotated[
        int,
        Meta(
            ge=0, le=86_400, description="For `revert`: so long after the switch rolling back takes no votes."
        ),
    ] = 0
    about: Annotated[
        UpgradeSelectorSchema, Meta(description="Which upgrades of its scope are meant; `{}`: all of them.")
    ] = UpgradeSelectorSchema()
    void_when_worse: Annotated[
        bool,
        Meta(
            description="Votes are void once a check fails that passed when one of them was given. Otherwise they bind to the "
            "plan, and the switch waits until every check passes."
        ),
    ] = False


class NewPolicySchema(PolicyRulesSchema, frozen=True, kw_only=True):
    """A policy with its name."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]


class PurposeSchema(RequestBody, frozen=True, kw_only=True):
    """What a policy is for."""

    purpose: Annotated[str, one_of(Purpose)]


class PolicySchema(NewPolicySchema, frozen=True, kw_only=True):
    """A policy as it is kept; revision 0 is what counts by default."""

    rev: int
    updated_by: str


class ChangedPolicySchema(PolicySchema, frozen=True, kw_only=True):
    """A policy as it is after a change, and what the change means for upgrades under way."""

    warnings: list[str]
    warning_phrases: WarningPhrases


class PoliciesView(RestView):
    """`/policies`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "POST": "policy.write"}
    located = in_body

    @extend_schema(operation_id="policies", responses=page_schema("Policy", PolicySchema))
    def get(self, request: Request) -> Response:
        """List the policies."""
        return Response(everything(known.policies(self.actor)))

    @extend_schema(
        operation_id="create_policy",
        request=NewPolicySchema,
        parameters=[DRY_RUN],
        responses={201: ChangedPolicySchema},
    )
    def post(self, request: Request) -> Response:
        """Set a new policy; open requests are asked again under what then counts."""
        given = read(NewPolicySchema, request.data)
        policy = policy_from(given.name, given)
        body = changing(self.actor, is_dry_run(request), lambda: _applied(self.actor, policy, 0))
        return shown(request, body, body["rev"], status=201, Location=f"/api/v1/policies/{policy.name}")


class PolicyView(RestView):
    """`/policies/{name}`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "PUT": "policy.write", "DELETE": "policy.write"}
    located = of_policy

    @extend_schema(operation_id="policy", responses=PolicySchema)
    def get(self, request: Request, name: str) -> Response:
        """Show a policy."""
        body = known.policy(self.actor, name)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="change_policy",
        request=PolicyRulesSchema,
        parameters=[*UPSERT, DRY_RUN],
        responses={200: ChangedPolicySchema, 201: ChangedPolicySchema},
    )
    def put(self, request: Request, name: str) -> Response:
        """Set a policy, created where there is none; open requests are asked again under what then counts."""
        given, expected = read(PolicyRulesSchema, request.data), expected_state(request)
        policy = policy_from(name, given)
        # The two defaults are shown with revision 0.
        is_new = not has_policy(name) if expected.tag == "0" else expected.creates(name, has_policy(name))
        rev = 0 if is_new else expected.rev
        body = changing(self.actor, is_dry_run(request), lambda: _applied(self.actor, policy, rev))
        return shown(request, body, body["rev"], status=201 if is_new and expected.tag is None else 200)

    @extend_schema(
        operation_id="delete_policy",
        parameters=[IF_MATCH, DRY_RUN],
        responses={200: WarningsSchema, 204: None},
    )
    def delete(self, request: Request, name: str) -> Response:
        """Remove a policy; a dry run says what that would mean."""
        rev, dry = expected_rev(request), is_dry_run(request)

        def remove() -> JsonObject:
            delete_policy(self.actor, name, rev)
            return {}

        body = changing(self.actor, dry, remove)
        return Response(body) if dry else Response(status=204)


class PolicyThatCountsView(RestView):
    """`/policies/explain`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="explain_policy",
        parameters=[
            OpenApiParameter("deployment", str, required=True),
            OpenApiParameter("purpose", str, enum=[each.value for each in Purpose]),
        ],
        responses=PolicySchema,
    )
    def get(self, request: Request) -> Response:
        """Tell which policy counts for a deployment."""
        asked = request.query_params
        purpose = read(PurposeSchema, {"purpose": asked.get("purpose", "switch")}).purpose
        return Response(known.policy_that_counts(self.actor, asked.get("deployment", ""), Purpose(purpose)))


class PreviewedUpgradeSchema(ResponseBody, frozen=True, kw_only=True):
    """An upgrade that the policy matches, and whether it would have decided about it."""

    id: str
    service: str
    region: str
    from_version: str
    to_version: str
    state: str
    by: str
    decides: Annotated[bool, Meta(description="No other policy is more specific or stricter.")]
    decided_by: str


class PolicyPreviewSchema(ResponseBody, frozen=True, kw_only=True):
    """What a policy would mean."""

    seen: int
    upgrades: list[PreviewedUpgradeSchema]
    voters: list[str]


class PolicyPreviewView(RestView):
    """`/policies/preview`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.read"}

    @extend_schema(operation_id="preview_policy", request=NewPolicySchema, responses=PolicyPreviewSchema)
    def post(self, request: Request) -> Response:
        """Tell which of the last 50 upgrades a policy matches and would have decided, and who could vote."""
        given = read(NewPolicySchema, request.data)
        return Response(preview(self.actor, policy_from(given.name, given)))


def _applied(actor: Actor, policy: Policy, rev: int | None) -> JsonObject:
    return known.policy(actor, apply_policy(actor, policy, rev))


def policy_from(name: str, given: PolicyRulesSchema) -> Policy:
    """Make a policy of what was sent."""
    return Policy(
        name,
        Purpose(given.purpose),
        Scope(given.service, given.region, given.environment),
        given.needed,
        given.group,
        given.last_approver_may_run,
        given.expires_seconds,
        given.critical,
        given.window_needed,
        given.break_glass_group,
        tuple(ApprovalStage(each.group, each.needed) for each in given.then),
        given.free_seconds,
        about_from(given_in(given.about)),
        given.void_when_worse,
    )


urlpatterns = [
    path("policies", PoliciesView.as_view()),
    path("policies/preview", PolicyPreviewView.as_view()),
    path("policies/explain", PolicyThatCountsView.as_view()),
    path("policies/<str:name>", PolicyView.as_view()),
]

"""Accounts, roles and bindings, and why an account may or may not do something."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.db import transaction
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.bind_role import (
    Bounds,
    NewBinding,
    bind_role,
    has_binding,
    rebind_role,
    unbind_role,
)
from migrations_app.control.access.commands.change_password import set_password
from migrations_app.control.access.commands.create_account import NewAccount, create_account, set_active
from migrations_app.control.access.commands.set_second_factor import take_second_factors
from migrations_app.control.access.queries import access as known
from migrations_app.control.access.queries.binding_places import of_binding
from migrations_app.control.access.schemas import ConditionsSchema, GrantSchema
from migrations_app.control.access.sign_in.identity_claims import claims_of, groups_of
from migrations_app.domain.access import Target
from migrations_app.domain.conditions import Conditions, conditions_from
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.web.contract import (
    VERBATIM,
    Email,
    Instant,
    RequestBody,
    ResponseBody,
    given_in,
    one_of,
    read,
)
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import SIGNED_IN, RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, Phrases, everything, page_schema


class AccountSchema(ResponseBody, frozen=True, kw_only=True):
    """An account and the roles it holds."""

    name: str
    email: str
    display_name: str
    kind: Annotated[str, one_of(["user", "service"])]
    groups: list[str]
    active: bool
    created_at: Instant
    last_sign_in: Instant | None
    roles: list[str] | UnsetType = UNSET


class NewAccountSchema(RequestBody, frozen=True, kw_only=True):
    """An account to be."""

    name: Annotated[str, Meta(min_length=1, max_length=150)]
    email: Email | UnsetType = UNSET
    display_name: Annotated[str, Meta(max_length=150)] | UnsetType = UNSET
    kind: Annotated[str, one_of(["user", "service"])] = "user"
    password: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)] | UnsetType = UNSET


class ChangeAccountSchema(RequestBody, frozen=True, kw_only=True):
    """Whether an account is open, a new password for it, and whether its second factors are lost."""

    active: bool | UnsetType = UNSET
    password: Annotated[str, Meta(min_length=1, max_length=1000, extra=VERBATIM)] | UnsetType = UNSET
    lost_second_factor: (
        Annotated[
            bool,
            Meta(
                description="Takes its authenticator, passkeys and recovery codes away, and ends its sessions."
            ),
        ]
        | UnsetType
    ) = UNSET


class NewBindingSchema(RequestBody, frozen=True, kw_only=True):
    """A role for an account or a group, within a scope."""

    subject_kind: Annotated[str, one_of(["account", "group"])] = "account"
    subject: Annotated[str, Meta(min_length=1, max_length=150)]
    role: Annotated[str, Meta(min_length=1, max_length=20)]
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    environment: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    expires_at: Instant | UnsetType | None = UNSET
    conditions: ConditionsSchema | UnsetType = UNSET


class BindingBoundsSchema(RequestBody, frozen=True, kw_only=True):
    """Where a role counts, and until when."""

    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    environment: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    expires_at: Instant | None = None
    conditions: ConditionsSchema | UnsetType = UNSET


class BindingSchema(ResponseBody, frozen=True, kw_only=True):
    """A role binding; its tag is its ETag."""

    id: int
    tag: str
    subject_kind: str
    subject: str
    role: str
    service: str
    region: str
    environment: str
    expires_at: Instant | None
    conditions: ConditionsSchema
    counts: Annotated[str, Meta(description="The conditions in words.")]
    counts_now: Annotated[bool, Meta(description="Whether its days and hours let it count now.")]
    created_by: str
    created_at: Instant


class AccessQuestionSchema(RequestBody, frozen=True, kw_only=True):
    """Whose access to what is asked about."""

    account: Annotated[str, Meta(min_length=1, max_length=150)] | UnsetType = UNSET
    action: Annotated[str, Meta(min_length=1, max_length=64)]
    target_kind: Annotated[str, Meta(min_length=1, max_length=64)] = "system"
    target: Annotated[str, Meta(max_length=400)] = ""
    service: Annotated[str, Meta(max_length=200)] = ""
    region: Annotated[str, Meta(max_length=100)] = ""
    requested_by: Annotated[str, Meta(max_length=150)] = ""
    at: Annotated[Instant | None, Meta(description="At this instant; now when left out.")] = None
    address: Annotated[str, Meta(max_length=64, description="From this address.")] = ""


class ExplanationSchema(ResponseBody, frozen=True, kw_only=True):
    """A decision and what it rests on."""

    account: str
    action: str
    target: str
    allowed: bool
    reason: str
    phrases: Phrases | UnsetType = UNSET
    who_can: list[str]
    bindings: Annotated[list[str], Meta(description="`grants` in words.")]
    grants: list[GrantSchema]


class AccountsView(RestView):
    """`/access/accounts`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage"}

    @extend_schema(operation_id="accounts", responses=page_schema("Account", AccountSchema))
    def get(self, request: Request) -> Response:
        """List the accounts."""
        return Response(everything(known.accounts(self.actor)))

    @extend_schema(
        operation_id="create_account",
        request=NewAccountSchema,
        parameters=[DRY_RUN],
        responses={201: AccountSchema},
    )
    def post(self, request: Request) -> Response:
        """Create an account."""
        given = read(NewAccountSchema, request.data)
        new = NewAccount(
            given.name, given.email or "", given.kind, given.display_name or "", given.password or None
        )
        return Response(rehearsed(is_dry_run(request), lambda: create_account(self.actor, new)), status=201)


class OneAccountView(RestView):
    """`/access/accounts/{name}`."""

    may: ClassVar[dict[str, str]] = {"PATCH": "access.manage"}

    @extend_schema(
        operation_id="change_account",
        request=ChangeAccountSchema,
        parameters=[DRY_RUN],
        responses=AccountSchema,
    )
    def patch(self, request: Request, name: str) -> Response:
        """Open or close an account, give it a new password, or take away the second factors that it lost."""
        given = read(ChangeAccountSchema, request.data)
        if not (given_in(given).keys() - {"lost_second_factor"} or given.lost_second_factor):
            raise Invalid(
                message("Nothing is to be changed."),
                code="nothing-to-change",
                remedy=message("Give `active`, `password` or `lost_second_factor`."),
            )

        def change() -> JsonObject:
            # All or nothing: where a later change is refused, the earlier ones of the request are not made either.
            with transaction.atomic():
                if given.password is not UNSET:
                    set_password(self.actor, name, given.password)
                if given.lost_second_factor:
                    take_second_factors(self.actor, name)
                if given.active is not UNSET:
                    set_active(self.actor, name, given.active)
            return known.account(self.actor, name)

        return Response(rehearsed(is_dry_run(request), change))


class BindingsView(RestView):
    """`/access/bindings`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage", "PUT": "access.manage"}
    located = in_body

    @extend_schema(operation_id="bindings", responses=page_schema("Binding", BindingSchema))
    def get(self, request: Request) -> Response:
        """List the role bindings."""
        return Response(everything(known.bindings(self.actor)))

    @extend_schema(
        operation_id="bind_role",
        request=NewBindingSchema,
        parameters=[DRY_RUN],
        responses={201: BindingSchema},
    )
    def post(self, request: Request) -> Response:
        """Give a role."""
        given = read(NewBindingSchema, request.data)
        new = _binding(given)
        return Response(rehearsed(is_dry_run(request), lambda: bind_role(self.actor, new)), status=201)

    @extend_schema(
        operation_id="apply_binding",
        request=NewBindingSchema,
        parameters=[DRY_RUN],
        responses={200: BindingSchema, 201: BindingSchema},
    )
    def put(self, request: Request) -> Response:
        """Give a role; where the subject holds it within this scope, only its end and its conditions change."""
        new = _binding(read(NewBindingSchema, request.data))
        creates = not has_binding(new)
        body = rehearsed(is_dry_run(request), lambda: bind_role(self.actor, new))
        return shown(request, body, body["tag"], status=201 if creates else 200)


class BindingView(RestView):
    """`/access/bindings/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "PUT": "access.manage", "DELETE": "access.manage"}
    located = of_binding

    @extend_schema(operation_id="binding", responses=BindingSchema)
    def get(self, request: Request, binding: int) -> Response:
        """Show a role binding."""
        body = known.binding(self.actor, binding)
        return shown(request, body, body["tag"])

    @extend_schema(
        operation_id="rebind_role",
        request=BindingBoundsSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=BindingSchema,
    )
    def put(self, request: Request, binding: int) -> Response:
        """Give a role other bounds."""
        given, seen = read(BindingBoundsSchema, request.data), expected_tag(request)
        conditions = _conditions(given.conditions)
        bounds = Bounds(given.service, given.region, given.environment, given.expires_at, conditions)
        dry = is_dry_run(request)
        body = rehearsed(dry, lambda: rebind_role(self.actor, binding, bounds, seen))
        return shown(request, body, body["tag"])

    @extend_schema(operation_id="unbind_role", parameters=[IF_MATCH, DRY_RUN], responses={204: None})
    def delete(self, request: Request, binding: int) -> Response:
        """Take a role away."""
        seen = expected_tag(request)
        rehearsed(is_dry_run(request), lambda: unbind_role(self.actor, binding, seen))
        return Response(status=204)


def _binding(given: NewBindingSchema) -> NewBinding:
    return NewBinding(
        given.subject_kind,
        given.subject,
        given.role,
        given.service,
        given.region,
        given.environment,
        given.expires_at or None,
        _conditions(given.conditions),
    )


def _conditions(given: ConditionsSchema | UnsetType) -> Conditions:
    return conditions_from(given_in(given) if given is not UNSET else {})


class ExplainView(RestView):
    """`/access/explain`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}

    @extend_schema(operation_id="explain_access", request=AccessQuestionSchema, responses=ExplanationSchema)
    def post(self, request: Request) -> Response:
        """Explain a decision."""
        asked = read(AccessQuestionSchema, request.data)
        target = Target(
            asked.target_kind,
            asked.target,
            service=asked.service,
            region=asked.region,
            requested_by=asked.requested_by,
        )
        account = asked.account or self.actor.name
        return Response(known.explain(self.actor, account, asked.action, target, asked.at, asked.address))


class GroupsSchema(RequestBody, frozen=True, kw_only=True):
    """Groups by name, or a token of the identity provider that names them."""

    groups: Annotated[list[Annotated[str, Meta(min_length=1, max_length=150)]], Meta(max_length=500)] = []
    token: Annotated[str, Meta(max_length=20_000)] = ""


class GroupGrantsSchema(ResponseBody, frozen=True, kw_only=True):
    """What groups of the identity provider give here."""

    groups: list[str]
    unbound: list[str]
    bindings: Annotated[list[str], Meta(description="`grants` in words.")]
    grants: list[GrantSchema]
    roles: list[str]
    permissions: list[str]


class GroupsView(RestView):
    """`/access/groups`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.read"}
    answers_once = False  # a token that was pasted is kept nowhere

    @extend_schema(operation_id="test_groups", request=GroupsSchema, responses=GroupGrantsSchema)
    def post(self, request: Request) -> Response:
        """Tell which roles an account with these groups, or with this token of the provider, would hold."""
        given = read(GroupsSchema, request.data)
        groups = given.groups or groups_of(claims_of(given.token))
        return Response(known.groups_give(self.actor, groups))


urlpatterns = [
    path("access/groups", GroupsView.as_view()),
    path("access/accounts", AccountsView.as_view()),
    path("access/accounts/<str:name>", OneAccountView.as_view()),
    path("access/bindings", BindingsView.as_view()),
    path("access/bindings/<int:binding>", BindingView.as_view()),
    path("access/explain", ExplainView.as_view()),
]

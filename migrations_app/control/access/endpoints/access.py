"""Accounts, roles and bindings, and why somebody may or may not do something."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import transaction
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.bind_role import (
    Bounds,
    NewBinding,
    bind_role,
    rebind_role,
    unbind_role,
)
from migrations_app.control.access.commands.change_password import set_password
from migrations_app.control.access.commands.create_account import NewAccount, create_account, set_active
from migrations_app.control.access.commands.set_second_factor import take_second_factors
from migrations_app.control.access.queries import access as known
from migrations_app.control.access.queries.binding_places import of_binding
from migrations_app.control.access.sign_in.identity_claims import claims_of, groups_of
from migrations_app.domain.access import Target
from migrations_app.domain.conditions import conditions_from
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.web.doors import SIGNED_IN, Door, in_body
from migrations_app.web.preconditions import expected_tag, is_dry_run, rehearsed, shown
from migrations_app.web.shapes import DRY_RUN, IF_MATCH, StrictShape, everything, page_shape, read


class AccountShape(serializers.Serializer[Any]):
    """An account and the roles it holds."""

    name = serializers.CharField()
    email = serializers.CharField(allow_blank=True)
    display_name = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(["user", "service"])
    groups = serializers.ListField(child=serializers.CharField())
    active = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    last_sign_in = serializers.DateTimeField(allow_null=True)
    roles = serializers.ListField(child=serializers.CharField(), required=False)


class NewAccountShape(StrictShape):
    """An account to be."""

    name = serializers.CharField(max_length=150)
    email = serializers.EmailField(required=False, allow_blank=True)
    display_name = serializers.CharField(max_length=150, required=False, allow_blank=True)
    kind = serializers.ChoiceField(["user", "service"], default="user")
    password = serializers.CharField(max_length=1000, required=False, trim_whitespace=False)


class ChangeAccountShape(StrictShape):
    """Whether an account is open, a new password for it, and whether its second factors are lost."""

    active = serializers.BooleanField(required=False)
    password = serializers.CharField(max_length=1000, required=False, trim_whitespace=False)
    lost_second_factor = serializers.BooleanField(
        required=False,
        help_text="Takes its authenticator, passkeys and recovery codes away, and ends its sessions.",
    )


class ConditionsShape(StrictShape):
    """When a role counts: all of it must hold, what is left out asks for nothing."""

    days = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=7),
        required=False,
        max_length=7,
        help_text="1 is Monday.",
    )
    start = serializers.CharField(max_length=5, required=False, help_text="From this time of day: `08:30`.")
    end = serializers.CharField(max_length=5, required=False, help_text="Before this one.")
    zone = serializers.CharField(max_length=64, required=False)
    networks = serializers.ListField(
        child=serializers.CharField(max_length=64), required=False, max_length=20, help_text="`10.20.0.0/16`"
    )


class NewBindingShape(StrictShape):
    """A role for an account or a group, within a scope."""

    subject_kind = serializers.ChoiceField(["account", "group"], default="account")
    subject = serializers.CharField(max_length=150)
    role = serializers.CharField(max_length=20)
    service = serializers.CharField(max_length=200, default="*")
    region = serializers.CharField(max_length=100, default="*")
    environment = serializers.CharField(max_length=100, default="*")
    expires_at = serializers.DateTimeField(required=False, allow_null=True)
    conditions = ConditionsShape(required=False)


class BoundsShape(StrictShape):
    """Where a role counts, and until when."""

    service = serializers.CharField(max_length=200, default="*")
    region = serializers.CharField(max_length=100, default="*")
    environment = serializers.CharField(max_length=100, default="*")
    expires_at = serializers.DateTimeField(default=None, allow_null=True)
    conditions = ConditionsShape(required=False)


class BindingShape(serializers.Serializer[Any]):
    """A role binding; its tag is its ETag."""

    id = serializers.IntegerField()
    tag = serializers.CharField()
    subject_kind = serializers.CharField()
    subject = serializers.CharField()
    role = serializers.CharField()
    service = serializers.CharField()
    region = serializers.CharField()
    environment = serializers.CharField()
    expires_at = serializers.DateTimeField(allow_null=True)
    conditions = ConditionsShape()
    counts = serializers.CharField(help_text="The conditions in words.")
    counts_now = serializers.BooleanField(help_text="Whether its days and hours let it count now.")
    created_by = serializers.CharField()
    created_at = serializers.DateTimeField()


class AskShape(StrictShape):
    """Whose access to what is asked about."""

    account = serializers.CharField(max_length=150, required=False)
    action = serializers.CharField(max_length=64)
    target_kind = serializers.CharField(max_length=64, default="system")
    target = serializers.CharField(max_length=400, default="", allow_blank=True)
    service = serializers.CharField(max_length=200, default="", allow_blank=True)
    region = serializers.CharField(max_length=100, default="", allow_blank=True)
    requested_by = serializers.CharField(max_length=150, default="", allow_blank=True)
    at = serializers.DateTimeField(
        default=None, allow_null=True, help_text="At this instant; now when left out."
    )
    address = serializers.CharField(
        max_length=64, default="", allow_blank=True, help_text="From this address."
    )


class ExplanationShape(serializers.Serializer[Any]):
    """A decision and what it rests on."""

    account = serializers.CharField()
    action = serializers.CharField()
    target = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField()
    who_can = serializers.ListField(child=serializers.CharField())
    bindings = serializers.ListField(child=serializers.CharField())


class AccountsDoor(Door):
    """`/access/accounts`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage"}

    @extend_schema(operation_id="accounts", responses=page_shape("Account", AccountShape))
    def get(self, request: Request) -> Response:
        """List the accounts."""
        return Response(everything(known.accounts(self.actor)))

    @extend_schema(operation_id="create_account", request=NewAccountShape, responses={201: AccountShape})
    def post(self, request: Request) -> Response:
        """Create an account."""
        new = NewAccount(**read(NewAccountShape, request.data))
        return Response(rehearsed(is_dry_run(request), lambda: create_account(self.actor, new)), status=201)


class OneAccountDoor(Door):
    """`/access/accounts/{name}`."""

    may: ClassVar[dict[str, str]] = {"PATCH": "access.manage"}

    @extend_schema(operation_id="change_account", request=ChangeAccountShape, responses=AccountShape)
    def patch(self, request: Request, name: str) -> Response:
        """Open or close an account, give it a new password, or take away the second factors that it lost."""
        given = read(ChangeAccountShape, request.data)
        if not (given.keys() - {"lost_second_factor"} or given.get("lost_second_factor")):
            raise Invalid(
                "Nothing is to be changed.",
                code="nothing-to-change",
                remedy="Give `active`, `password` or `lost_second_factor`.",
            )

        def change() -> JsonObject:
            # All or nothing: where a later change is refused, the earlier ones of the request are not made either.
            with transaction.atomic():
                if "password" in given:
                    set_password(self.actor, name, given["password"])
                if given.get("lost_second_factor"):
                    take_second_factors(self.actor, name)
                if "active" in given:
                    set_active(self.actor, name, given["active"])
            return known.account(self.actor, name)

        return Response(rehearsed(is_dry_run(request), change))


class BindingsDoor(Door):
    """`/access/bindings`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage"}
    located = in_body

    @extend_schema(operation_id="bindings", responses=page_shape("Binding", BindingShape))
    def get(self, request: Request) -> Response:
        """List the role bindings."""
        return Response(everything(known.bindings(self.actor)))

    @extend_schema(operation_id="bind_role", request=NewBindingShape, responses={201: BindingShape})
    def post(self, request: Request) -> Response:
        """Give a role."""
        new = NewBinding(**_conditioned(read(NewBindingShape, request.data)))
        return Response(rehearsed(is_dry_run(request), lambda: bind_role(self.actor, new)), status=201)


class BindingDoor(Door):
    """`/access/bindings/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "PUT": "access.manage", "DELETE": "access.manage"}
    located = of_binding

    @extend_schema(operation_id="binding", responses=BindingShape)
    def get(self, request: Request, binding: int) -> Response:
        """Show a role binding."""
        body = known.binding(self.actor, binding)
        return shown(request, body, body["tag"])

    @extend_schema(
        operation_id="rebind_role",
        request=BoundsShape,
        parameters=[IF_MATCH, DRY_RUN],
        responses=BindingShape,
    )
    def put(self, request: Request, binding: int) -> Response:
        """Give a role other bounds."""
        bounds, seen = Bounds(**_conditioned(read(BoundsShape, request.data))), expected_tag(request)
        dry = is_dry_run(request)
        body = rehearsed(dry, lambda: rebind_role(self.actor, binding, bounds, seen))
        return shown(request, body, body["tag"])

    @extend_schema(operation_id="unbind_role", parameters=[IF_MATCH, DRY_RUN], responses={204: None})
    def delete(self, request: Request, binding: int) -> Response:
        """Take a role away."""
        seen = expected_tag(request)
        rehearsed(is_dry_run(request), lambda: unbind_role(self.actor, binding, seen))
        return Response(status=204)


def _conditioned(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "conditions": conditions_from(given.get("conditions") or {})}


class ExplainDoor(Door):
    """`/access/explain`."""

    may: ClassVar[dict[str, str]] = {"POST": SIGNED_IN}

    @extend_schema(operation_id="explain_access", request=AskShape, responses=ExplanationShape)
    def post(self, request: Request) -> Response:
        """Explain a decision."""
        asked = read(AskShape, request.data)
        target = Target(
            asked["target_kind"],
            asked["target"],
            service=asked["service"],
            region=asked["region"],
            requested_by=asked["requested_by"],
        )
        account = asked.get("account") or self.actor.name
        return Response(
            known.explain(self.actor, account, asked["action"], target, asked["at"], asked["address"])
        )


class GroupsShape(StrictShape):
    """Groups by name, or a token of the identity provider that names them."""

    groups = serializers.ListField(child=serializers.CharField(max_length=150), default=list, max_length=500)
    token = serializers.CharField(max_length=20_000, default="", allow_blank=True)


class GroupsGiveShape(serializers.Serializer[Any]):
    """What groups of the identity provider give here."""

    groups = serializers.ListField(child=serializers.CharField())
    unbound = serializers.ListField(child=serializers.CharField())
    bindings = serializers.ListField(child=serializers.CharField())
    roles = serializers.ListField(child=serializers.CharField())
    permissions = serializers.ListField(child=serializers.CharField())


class GroupsDoor(Door):
    """`/access/groups`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.read"}
    answers_once = False  # a token that was pasted is kept nowhere

    @extend_schema(operation_id="test_groups", request=GroupsShape, responses=GroupsGiveShape)
    def post(self, request: Request) -> Response:
        """Tell which roles somebody with these groups, or with this token of the provider, would hold."""
        given = read(GroupsShape, request.data)
        groups = given["groups"] or groups_of(claims_of(given["token"]))
        return Response(known.groups_give(self.actor, groups))


urlpatterns = [
    path("access/groups", GroupsDoor.as_view()),
    path("access/accounts", AccountsDoor.as_view()),
    path("access/accounts/<str:name>", OneAccountDoor.as_view()),
    path("access/bindings", BindingsDoor.as_view()),
    path("access/bindings/<int:binding>", BindingDoor.as_view()),
    path("access/explain", ExplainDoor.as_view()),
]

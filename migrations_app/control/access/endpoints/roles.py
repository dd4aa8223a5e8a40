"""Roles: those built in, and those put together from the list of permissions."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.access.commands.make_role import (
    RoleWish,
    change_role,
    delete_role,
    has_made_role,
    make_role,
)
from migrations_app.control.access.queries import access as known
from migrations_app.domain.access import PERMISSIONS
from migrations_app.domain.granting import check_made
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, everything, page_schema
from migrations_app.web.upserts import UPSERT, expected_state


class PermissionSchema(ResponseBody, frozen=True, kw_only=True):
    """A permission and what it lets one do."""

    permission: str
    title: str


class RoleSchema(ResponseBody, frozen=True, kw_only=True):
    """A role and its permissions; one that is built in has the revision 0 and stays as it is."""

    role: str
    title: str
    made: Annotated[bool, Meta(description="It was made here; the others are built in.")]
    rev: int
    permissions: list[PermissionSchema]
    changed_by: str
    changed_at: Instant | None


class RoleRulesSchema(RequestBody, frozen=True, kw_only=True):
    """What a role is for, and what it carries."""

    title: Annotated[str, Meta(max_length=200)] = ""
    permissions: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=64)]],
        Meta(min_length=1, max_length=len(PERMISSIONS)),
    ]


class NewRoleSchema(RoleRulesSchema, frozen=True, kw_only=True):
    """A role to be."""

    role: Annotated[str, Meta(min_length=1, max_length=20)]


class RolesView(RestView):
    """`/access/roles`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage"}

    @extend_schema(operation_id="roles", responses=page_schema("Role", RoleSchema))
    def get(self, request: Request) -> Response:
        """List the roles."""
        return Response(everything(known.roles(self.actor)))

    @extend_schema(
        operation_id="make_role", request=NewRoleSchema, parameters=[DRY_RUN], responses={201: RoleSchema}
    )
    def post(self, request: Request) -> Response:
        """Make a role, of permissions that you hold everywhere yourself."""
        given = read(NewRoleSchema, request.data)
        spec = RoleWish(given.role, tuple(given.permissions), given.title)
        body = rehearsed(is_dry_run(request), lambda: make_role(self.actor, spec))
        return shown(request, body, body["rev"], status=201, Location=f"/api/v1/access/roles/{spec.name}")


class RoleView(RestView):
    """`/access/roles/{role}`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "PUT": "access.manage", "DELETE": "access.manage"}

    @extend_schema(operation_id="role", responses=RoleSchema)
    def get(self, request: Request, role: str) -> Response:
        """Show a role."""
        body = known.role(self.actor, role)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="change_role",
        request=RoleRulesSchema,
        parameters=[*UPSERT, DRY_RUN],
        responses={200: RoleSchema, 201: RoleSchema},
    )
    def put(self, request: Request, role: str) -> Response:
        """Make a role, or change one that was made: at once, for everybody who holds it."""
        given, expected = read(RoleRulesSchema, request.data), expected_state(request)
        spec = RoleWish(role, check_made(role, given.permissions), given.title)
        creates = expected.creates(f"role {role}", has_made_role(role))

        def keep() -> JsonObject:
            if creates:
                return make_role(self.actor, spec)
            return change_role(self.actor, spec, expected.rev)

        body = rehearsed(is_dry_run(request), keep)
        return shown(request, body, body["rev"], status=201 if creates else 200)

    @extend_schema(operation_id="delete_role", parameters=[IF_MATCH, DRY_RUN], responses={204: None})
    def delete(self, request: Request, role: str) -> Response:
        """Take a role away that no account holds and no policy asks."""
        rev = expected_rev(request)
        rehearsed(is_dry_run(request), lambda: delete_role(self.actor, role, rev))
        return Response(status=204)


urlpatterns = [
    path("access/roles", RolesView.as_view()),
    path("access/roles/<str:role>", RoleView.as_view()),
]

"""References of a resource in groups: counts of any size at once, and the single references of one group in pages."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.endpoints.references import (
    KINDS,
    ReferenceNodeSchema,
    UnansweredDeploymentSchema,
)
from migrations_app.control.references.queries.groups import KEY, group_members, reference_groups
from migrations_app.web.contract import RequestBody, ResponseBody, one_of, read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.paging import asked_page, filters_in, foreign_cursor, listed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import PAGED, page_schema

DIRECTIONS = ("in", "out")
FullName = Annotated[
    str,
    Meta(
        min_length=1, max_length=2048, description="Full name //{service}/{region}/{name}, or a plain name."
    ),
]


class GroupsQuestion(RequestBody, frozen=True, kw_only=True):
    """The resource whose references are counted."""

    name: FullName


class ReferenceGroupSchema(ResponseBody, frozen=True, kw_only=True):
    """References that one field of one type makes by one rule, from or to one deployment.

    `direction` is `in` for references to the resource. Service, region, version and type are those of the other
    end; of a deployment that may not be read the type is `hidden`, and only the count is shown.
    """

    direction: Annotated[str, one_of(DIRECTIONS)]
    service: str
    region: str
    version: str
    type: str
    field: Annotated[str, Meta(description="The field that refers, wherever it is, such as spec.keys[].")]
    kind: Annotated[str, one_of(KINDS)]
    count: int
    is_exact: Annotated[bool, Meta(description="False: there are at least so many.")]


class ReferenceGroupsSchema(ResponseBody, frozen=True, kw_only=True):
    """The references around a resource, counted."""

    focus: ReferenceNodeSchema
    groups: list[ReferenceGroupSchema]
    unknown: list[UnansweredDeploymentSchema]


class GroupMembersQuestion(GroupsQuestion, frozen=True, kw_only=True):
    """Which group of the references of a resource: as `/references/groups` names it."""

    direction: Annotated[str, one_of(DIRECTIONS)]
    service: Annotated[str, Meta(min_length=1, max_length=253)]
    region: Annotated[str, Meta(min_length=1, max_length=100)]
    version: Annotated[str, Meta(max_length=32)] = ""
    type: Annotated[str, Meta(min_length=1, max_length=100)]
    field: Annotated[str, Meta(max_length=1000)]
    kind: Annotated[str, one_of(KINDS)]


class GroupMemberSchema(ResponseBody, frozen=True, kw_only=True):
    """A single reference of a group: the resource at its other end, and where the reference stands."""

    id: str
    path: str


class ReferrerGroupsView(RestView):
    """`/references/groups`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="reference_groups",
        parameters=parameters_of(GroupsQuestion),
        responses=ReferenceGroupsSchema,
    )
    def get(self, request: Request) -> Response:
        """Count what refers to a resource and what it refers to, by deployment, type, field and rule."""
        asked = read(GroupsQuestion, request.query_params.dict(), from_text=True)
        return Response(reference_groups(self.actor, asked.name))


class GroupMembersView(RestView):
    """`/references/groups/members`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="reference_group_members",
        parameters=[*parameters_of(GroupMembersQuestion), *PAGED],
        responses=page_schema("GroupMember", GroupMemberSchema),
    )
    def get(self, request: Request) -> Response:
        """List the single references of a group."""
        asked = read(GroupMembersQuestion, filters_in(request), from_text=True)
        page = asked_page(request)
        group = {name: getattr(asked, name) for name in KEY}
        members = group_members(self.actor, asked.name, group, _after(page.after), page.fetch)
        return listed(
            page, members, lambda member: member.key, lambda member: {"id": member.id, "path": member.path}
        )


def _after(key: object) -> tuple[str, int]:
    match key:
        case None:
            return "", -1
        case [str() as name, int() as number]:
            return name, number
    raise foreign_cursor()


urlpatterns = [
    path("references/groups", ReferrerGroupsView.as_view()),
    path("references/groups/members", GroupMembersView.as_view()),
]

"""References between resources: the graph around one, and what its deletion would meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.queries.building import building
from migrations_app.control.references.queries.references import deletion_check, find_resources, references
from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases, everything, page_schema

KINDS = ("BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK")
PLACE = ("service", "region", "version")
STATES = tuple(each.value for each in NodeState)

NAME = OpenApiParameter(
    "name", str, required=True, description="Full name //{service}/{region}/{name}, or a plain name."
)


class ReferenceNodeSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource in the graph."""

    id: str
    name: str
    type: str
    service: str
    region: str
    version: str
    state: Annotated[str, one_of(STATES)]
    changed_at: Annotated[Instant | None, Meta(description="Known of those that were looked up.")]


class ReferenceEdgeSchema(ResponseBody, frozen=True, kw_only=True):
    """One reference; `version` is the one its source is stored in."""

    source: str
    target: str
    kind: Annotated[str, one_of(KINDS)]
    path: str
    version: str


class IncomingReferenceSchema(ReferenceEdgeSchema, frozen=True, kw_only=True):
    """A reference with what is known of its source; empty where its deployment told nothing more."""

    type: str
    owner: Annotated[
        str, Meta(description="What the source names as its owner, else what its name lies under.")
    ]
    since: Annotated[Instant | None, Meta(description="Since when the source is there.")]


class UnansweredDeploymentSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that did not answer."""

    service: str
    region: str
    reason: str
    phrases: Phrases | UnsetType = UNSET


class HiddenResourcesSchema(ResponseBody, frozen=True, kw_only=True):
    """How many resources are not shown, and why."""

    budget: int
    filter: int


class ReferencesSchema(ResponseBody, frozen=True, kw_only=True):
    """The graph around a resource."""

    focus: str
    nodes: list[ReferenceNodeSchema]
    edges: list[ReferenceEdgeSchema]
    hidden: HiddenResourcesSchema
    unknown: list[UnansweredDeploymentSchema]


class DeletionCheckSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether a resource may be deleted."""

    focus: ReferenceNodeSchema
    verdict: Annotated[str, one_of(("safe", "blocked", "unknown"))]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    blockers: list[IncomingReferenceSchema]
    cascades: list[ReferenceNodeSchema]
    unsets: list[IncomingReferenceSchema]
    unknown: list[UnansweredDeploymentSchema]


class ReferencesView(RestView):
    """`/references`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="references",
        parameters=[
            NAME,
            OpenApiParameter("direction", str, enum=["in", "out", "both"]),
            OpenApiParameter("depth", int),
            OpenApiParameter("limit", int, description="At most so many resources: 1 to 5000, else 300."),
        ],
        responses=ReferencesSchema,
    )
    def get(self, request: Request) -> Response:
        """Show what refers to a resource and what it refers to."""
        depth = request.query_params.get("depth", "1")
        if depth not in ("1", "2", "3", "4"):
            raise Invalid(message("The depth is 1 to 4."), code="depth")
        direction = request.query_params.get("direction", "both")
        limit = request.query_params.get("limit", "300")
        if not (limit.isascii() and limit.isdigit() and len(limit) < 5 and 1 <= int(limit) <= 5000):
            raise Invalid(message("The limit is 1 to 5000."), code="limit")
        return Response(references(self.actor, _name(request), direction, int(depth), int(limit)))


class FillingVersionSchema(ResponseBody, frozen=True, kw_only=True):
    """A version whose references are being filled: it is copied to, and not served yet."""

    service: str
    region: str
    version: str
    served: Annotated[str, Meta(description="The version whose references are told until then.")]
    upgrade_id: str
    percent: Annotated[
        int | None,
        Meta(
            description="Whole percent as the upgrade shows it: 100 once all shards are caught up, null before all are counted."
        ),
    ]
    oldest_report_at: Annotated[
        Instant | None, Meta(description="How old the percent is; null: no shard has reported.")
    ]
    sentence: str
    phrases: Phrases | UnsetType = UNSET


class BuildingView(RestView):
    """`/references/building`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="references_building",
        parameters=[OpenApiParameter(name, str) for name in PLACE],
        responses=page_schema("FillingVersion", FillingVersionSchema),
    )
    def get(self, request: Request) -> Response:
        """Tell how far the references are of versions that are copied to and not served yet."""
        return Response(everything(building(self.actor, _texts(request, PLACE))))


class ResourceMatchesSchema(ResponseBody, frozen=True, kw_only=True):
    """Resources that were found, and what may be asked for; `more` when something was left out.

    `building` names what has no answer yet: deployments that are copied to the version that was asked for.
    """

    items: list[ReferenceNodeSchema]
    more: bool
    types: list[str]
    versions: list[str]
    unknown: list[UnansweredDeploymentSchema]
    building: list[FillingVersionSchema]


class FindView(RestView):
    """`/references/search`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="find_resources",
        parameters=[
            OpenApiParameter("text", str, description="A whole name, or the last part of one."),
            *(OpenApiParameter(name, str) for name in ("type", *PLACE)),
        ],
        responses=ResourceMatchesSchema,
    )
    def get(self, request: Request) -> Response:
        """Find resources by name, kind, deployment or version, to look at what refers to them."""
        given = _texts(request, ("text", "type", *PLACE))
        found = find_resources(self.actor, given)
        return Response({**found, "building": building(self.actor, given) if given["version"] else []})


class DeletionCheckView(RestView):
    """`/deletion-check`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="deletion_check", parameters=[NAME], responses=DeletionCheckSchema)
    def get(self, request: Request) -> Response:
        """Tell whether a resource may be deleted, and what goes with it."""
        return Response(deletion_check(self.actor, _name(request)))


def _texts(request: Request, names: Sequence[str]) -> dict[str, str]:
    return {name: str(request.query_params.get(name, ""))[:500].replace("\0", "") for name in names}


def _name(request: Request) -> str:
    name = str(request.query_params.get("name", ""))
    if not name or len(name) > 2048 or "\0" in name:
        raise Invalid(
            message(
                "Say which resource: name=//{form}/{form_2}/{form_3}.",
                form="{service}",
                form_2="{region}",
                form_3="{name}",
            ),
            code="name",
        )
    return name


urlpatterns = [
    path("references", ReferencesView.as_view()),
    path("references/search", FindView.as_view()),
    path("references/building", BuildingView.as_view()),
    path("deletion-check", DeletionCheckView.as_view()),
]

"""References between resources: the graph around one, and what its deletion would meet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.queries.building import building
from migrations_app.control.references.queries.references import deletion_check, find_resources, references
from migrations_app.kernel.errors import Invalid
from migrations_app.web.doors import Door
from migrations_app.web.shapes import everything, page_shape

KINDS = ("BLOCK", "CASCADE", "UNSET", "OWNER", "WEAK")
PLACE = ("service", "region", "version")
STATES = ("ACTIVE", "DELETE_PENDING", "DELETING", "MISSING", "UNKNOWN")

NAME = OpenApiParameter(
    "name", str, required=True, description="Full name //{service}/{region}/{name}, or a plain name."
)


class ReferenceNodeShape(serializers.Serializer[Any]):
    """A resource in the graph."""

    id = serializers.CharField()
    name = serializers.CharField()
    type = serializers.CharField(allow_blank=True)
    service = serializers.CharField()
    region = serializers.CharField()
    version = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(STATES)
    changed_at = serializers.DateTimeField(allow_null=True, help_text="Known of those that were looked up.")


class ReferenceEdgeShape(serializers.Serializer[Any]):
    """One reference; `version` is the one its source is stored in."""

    source = serializers.CharField()  # type: ignore[assignment]
    target = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    path = serializers.CharField()
    version = serializers.CharField(allow_blank=True)


class ReferringShape(ReferenceEdgeShape):
    """A reference with what is known of its source; empty where its deployment told nothing more."""

    type = serializers.CharField(allow_blank=True)
    owner = serializers.CharField(
        allow_blank=True, help_text="What the source names as its owner, else what its name lies under."
    )
    since = serializers.DateTimeField(allow_null=True, help_text="Since when the source is there.")


class UnansweredShape(serializers.Serializer[Any]):
    """A deployment that did not answer."""

    service = serializers.CharField()
    region = serializers.CharField()
    reason = serializers.CharField()


class HiddenShape(serializers.Serializer[Any]):
    """How many resources are not shown, and why."""

    budget = serializers.IntegerField()
    filter = serializers.IntegerField()


class ReferencesShape(serializers.Serializer[Any]):
    """The graph around a resource."""

    focus = serializers.CharField()
    nodes = ReferenceNodeShape(many=True)
    edges = ReferenceEdgeShape(many=True)
    hidden = HiddenShape()
    unknown = UnansweredShape(many=True)


class DeletionCheckShape(serializers.Serializer[Any]):
    """Whether a resource may be deleted."""

    focus = ReferenceNodeShape()
    verdict = serializers.ChoiceField(("safe", "blocked", "unknown"))
    sentence = serializers.CharField()
    blockers = ReferringShape(many=True)
    cascades = ReferenceNodeShape(many=True)
    unsets = ReferringShape(many=True)
    unknown = UnansweredShape(many=True)


class ReferencesDoor(Door):
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
        responses=ReferencesShape,
    )
    def get(self, request: Request) -> Response:
        """Show what refers to a resource and what it refers to."""
        depth = request.query_params.get("depth", "1")
        if depth not in ("1", "2", "3", "4"):
            raise Invalid("The depth is 1 to 4.", code="depth")
        direction = request.query_params.get("direction", "both")
        limit = request.query_params.get("limit", "300")
        if not (limit.isascii() and limit.isdigit() and len(limit) < 5 and 1 <= int(limit) <= 5000):
            raise Invalid("The limit is 1 to 5000.", code="limit")
        return Response(references(self.actor, _name(request), direction, int(depth), int(limit)))


class BuildingShape(serializers.Serializer[Any]):
    """A version whose references are being filled: it is copied to, and not served yet."""

    service = serializers.CharField()
    region = serializers.CharField()
    version = serializers.CharField()
    served = serializers.CharField(help_text="The version whose references are told until then.")
    upgrade_id = serializers.CharField()
    percent = serializers.IntegerField(
        allow_null=True,
        help_text="Whole percent as the upgrade shows it: 100 once all shards are caught up, null before all are counted.",
    )
    oldest_report_at = serializers.DateTimeField(
        allow_null=True, help_text="How old the percent is; null: no shard has reported."
    )
    sentence = serializers.CharField()


class BuildingDoor(Door):
    """`/references/building`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="references_building",
        parameters=[OpenApiParameter(name, str) for name in PLACE],
        responses=page_shape("Building", BuildingShape),
    )
    def get(self, request: Request) -> Response:
        """Tell how far the references are of versions that are copied to and not served yet."""
        return Response(everything(building(self.actor, _texts(request, PLACE))))


class FoundResourcesShape(serializers.Serializer[Any]):
    """Resources that were found, and what may be asked for; `more` when something was left out.

    `building` names what has no answer yet: deployments that are copied to the version that was asked for.
    """

    items = ReferenceNodeShape(many=True)
    more = serializers.BooleanField()
    types = serializers.ListField(child=serializers.CharField())
    versions = serializers.ListField(child=serializers.CharField())
    unknown = UnansweredShape(many=True)
    building = BuildingShape(many=True)


class FindDoor(Door):
    """`/references/search`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(
        operation_id="find_resources",
        parameters=[
            OpenApiParameter("text", str, description="A whole name, or the last part of one."),
            *(OpenApiParameter(name, str) for name in ("type", *PLACE)),
        ],
        responses=FoundResourcesShape,
    )
    def get(self, request: Request) -> Response:
        """Find resources by name, kind, deployment or version, to look at what refers to them."""
        given = _texts(request, ("text", "type", *PLACE))
        found = find_resources(self.actor, given)
        return Response({**found, "building": building(self.actor, given) if given["version"] else []})


class DeletionCheckDoor(Door):
    """`/deletion-check`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read"}

    @extend_schema(operation_id="deletion_check", parameters=[NAME], responses=DeletionCheckShape)
    def get(self, request: Request) -> Response:
        """Tell whether a resource may be deleted, and what goes with it."""
        return Response(deletion_check(self.actor, _name(request)))


def _texts(request: Request, names: Sequence[str]) -> dict[str, str]:
    return {name: str(request.query_params.get(name, ""))[:500].replace("\0", "") for name in names}


def _name(request: Request) -> str:
    name = str(request.query_params.get("name", ""))
    if not name or len(name) > 2048 or "\0" in name:
        raise Invalid("Say which resource: name=//{service}/{region}/{name}.", code="name")
    return name


urlpatterns = [
    path("references", ReferencesDoor.as_view()),
    path("references/search", FindDoor.as_view()),
    path("references/building", BuildingDoor.as_view()),
    path("deletion-check", DeletionCheckDoor.as_view()),
]

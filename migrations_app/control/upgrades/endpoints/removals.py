"""What the new version of an upgrade does not have of the old one."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.schemas.endpoints import WaiverSchema
from migrations_app.control.schemas.kept_type_endpoints import KeptTypeSchema
from migrations_app.control.upgrades.queries.removals import removals
from migrations_app.domain.compatibility.removals import REMOVALS
from migrations_app.web.contract import ResponseBody, one_of
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import Phrases, everything, page_schema


class RemovalSchema(ResponseBody, frozen=True, kw_only=True):
    """A type, method, enum symbol or name pattern that has no counterpart in the new version."""

    rule: Annotated[str, one_of(sorted(REMOVALS))]
    path: Annotated[str, Meta(description="Its place, as the compatibility report names it.")]
    what: Annotated[str, Meta(description="The symbols, patterns, type or method.")]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    stored: Annotated[
        int | None,
        Meta(
            description="Resources of it, that hold it or are named so; null where nothing is stored or the data cannot be read."
        ),
    ]
    is_estimate: Annotated[bool, Meta(description="Whether `stored` is an estimate by a sample.")]
    callers: Annotated[list[str], Meta(description="Clients that were seen to use it.")]
    accepted: Annotated[bool, Meta(description="Whether a waiver is in force; the switch asks for that.")]
    waiver: WaiverSchema | None
    kept: Annotated[
        KeptTypeSchema | None, Meta(description="Of a type: where it is kept, and whether it was exported.")
    ]


class RemovalsView(RestView):
    """`/upgrades/{id}/removals`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="upgrade_removals", responses=page_schema("Removal", RemovalSchema))
    def get(self, request: Request, id: str) -> Response:
        """List what the new version does not have: how much is stored, who calls it, and who accepted it."""
        return Response(everything(removals(self.actor, id)))


urlpatterns = [path("upgrades/<str:id>/removals", RemovalsView.as_view())]

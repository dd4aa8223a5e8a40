"""Who still uses what of a version, and the announcement of a deadline to those who do."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.usage.commands.announce_deadline import DeadlineRequest, announce_deadline
from migrations_app.control.usage.queries.fields import used_places
from migrations_app.control.usage.schemas import (
    AnnouncedDeadlineSchema,
    AnnounceDeadlineSchema,
    UsedPlaceSchema,
)
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.contract import read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class UsedPlacesView(RestView):
    """`/services/{service}/usage/places`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="used_places",
        parameters=[
            OpenApiParameter("version", str, required=True),
            OpenApiParameter("client", str, description="Only what this client uses."),
        ],
        responses=page_schema("UsedPlace", UsedPlaceSchema),
    )
    def get(self, request: Request, name: str) -> Response:
        """List a version, its resource types and their fields with who uses them and when they may go."""
        version = str(request.query_params.get("version", ""))
        if not version:
            raise Invalid(message("Say which version."), code="version")
        client = str(request.query_params.get("client", ""))
        return Response(everything(used_places(self.actor, name, version, client)))


class DeadlinesView(RestView):
    """`/services/{service}/usage/deadlines`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_service

    @extend_schema(
        operation_id="announce_deadline",
        request=AnnounceDeadlineSchema,
        parameters=[DRY_RUN],
        responses={201: AnnouncedDeadlineSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Announce the removal of something to the channels that hear `usage.deadline`, with the clients that use it."""
        given = read(AnnounceDeadlineSchema, request.data)
        asked = DeadlineRequest(given.version, given.place, given.deadline, given.note)
        made = rehearsed(is_dry_run(request), lambda: announce_deadline(self.actor, name, asked))
        return Response(made, status=201)


urlpatterns = [
    path("services/<str:name>/usage/places", UsedPlacesView.as_view()),
    path("services/<str:name>/usage/deadlines", DeadlinesView.as_view()),
]

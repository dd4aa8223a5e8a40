"""Rollouts of definitions: changes in place that servers and clients make in phases."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.endpoints import contents
from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.rollouts.commands.definition_rollouts import (
    pause_definition_rollout,
    plan_definition_rollout,
    start_definition_rollout,
    stop_definition_rollout,
)
from migrations_app.control.rollouts.queries.definition_rollouts import (
    definition_rollouts,
    of_definition_rollout,
)
from migrations_app.control.rollouts.schemas import DefinitionRolloutSchema
from migrations_app.web.contract import RequestBody, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class NewDefinitionRolloutSchema(RequestBody, frozen=True, kw_only=True):
    """The definition that is to be served after the last phase."""

    files: Annotated[
        dict[str, str], Meta(description="The files of the service folder, path to content, base64.")
    ]
    note: Annotated[str, Meta(max_length=4000)] = ""
    start: Annotated[bool, Meta(description="Begin the first phase at once.")] = False


class StopDefinitionRolloutSchema(RequestBody, frozen=True, kw_only=True):
    """Why it ends."""

    reason: Annotated[str, Meta(max_length=4000)] = ""


class DefinitionRolloutsView(RestView):
    """`/services/{service}/definition-rollouts`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = of_service

    @extend_schema(
        operation_id="definition_rollouts",
        responses=page_schema("DefinitionRollout", DefinitionRolloutSchema),
    )
    def get(self, request: Request, name: str) -> Response:
        """List the rollouts of definitions of a service with their phases, newest first."""
        return Response(everything(definition_rollouts(self.actor, name)))

    @extend_schema(
        operation_id="plan_definition_rollout",
        request=NewDefinitionRolloutSchema,
        parameters=[DRY_RUN],
        responses={201: DefinitionRolloutSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Plan the phases of a definition that neither servers nor clients can change alone, and start them."""
        given = read(NewDefinitionRolloutSchema, request.data)
        files = contents(given.files)
        made = rehearsed(
            is_dry_run(request),
            lambda: plan_definition_rollout(self.actor, name, files, given.note, start=given.start),
        )
        return Response(made, status=201)


class StartDefinitionRolloutView(RestView):
    """`/definition-rollouts/{id}/start`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_definition_rollout

    @extend_schema(
        operation_id="start_definition_rollout",
        request=None,
        parameters=[DRY_RUN],
        responses=DefinitionRolloutSchema,
    )
    def post(self, request: Request, id: str) -> Response:
        """Begin the first phase, or go on after a pause."""
        return Response(rehearsed(is_dry_run(request), lambda: start_definition_rollout(self.actor, id)))


class PauseDefinitionRolloutView(RestView):
    """`/definition-rollouts/{id}/pause`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_definition_rollout

    @extend_schema(
        operation_id="pause_definition_rollout",
        request=None,
        parameters=[DRY_RUN],
        responses=DefinitionRolloutSchema,
    )
    def post(self, request: Request, id: str) -> Response:
        """Apply no further definition until it is started again."""
        return Response(rehearsed(is_dry_run(request), lambda: pause_definition_rollout(self.actor, id)))


class StopDefinitionRolloutView(RestView):
    """`/definition-rollouts/{id}/stop`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_definition_rollout

    @extend_schema(
        operation_id="stop_definition_rollout",
        request=StopDefinitionRolloutSchema,
        parameters=[DRY_RUN],
        responses=DefinitionRolloutSchema,
    )
    def post(self, request: Request, id: str) -> Response:
        """End it: the definition that is served stays."""
        reason = read(StopDefinitionRolloutSchema, request.data).reason
        return Response(
            rehearsed(is_dry_run(request), lambda: stop_definition_rollout(self.actor, id, reason))
        )


urlpatterns = [
    path("services/<str:name>/definition-rollouts", DefinitionRolloutsView.as_view()),
    path("definition-rollouts/<str:id>/start", StartDefinitionRolloutView.as_view()),
    path("definition-rollouts/<str:id>/pause", PauseDefinitionRolloutView.as_view()),
    path("definition-rollouts/<str:id>/stop", StopDefinitionRolloutView.as_view()),
]

"""Proposals of rollouts, and of what is left of one."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.rollouts.queries.proposals import proposal_of_rest, proposals
from migrations_app.control.rollouts.schemas import RolloutProposalSchema, RolloutRestSchema
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import everything, page_schema


class RolloutProposalsView(RestView):
    """`/rollouts/proposals`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="rollout_proposals",
        parameters=[
            OpenApiParameter("target_version", str, required=True),
            OpenApiParameter("services", str, description="Names, parted by commas."),
            OpenApiParameter("regions", str, description="Names, parted by commas; all without any."),
            OpenApiParameter("deployments", str, description="Names, parted by commas."),
        ],
        responses=page_schema("RolloutProposal", RolloutProposalSchema),
    )
    def get(self, request: Request) -> Response:
        """Propose waves for deployments that shall move to a version: balanced, fastest and safest."""

        def _names(key: str) -> list[str]:
            return [each for each in str(request.query_params.get(key, "")).split(",") if each]

        target = str(request.query_params.get("target_version", ""))
        found = proposals(self.actor, target, _names("services"), _names("regions"), _names("deployments"))
        return Response(everything(found))


class RolloutRestView(RestView):
    """`/rollouts/{id}/proposal`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="rollout_rest", responses=RolloutRestSchema)
    def get(self, request: Request, id: str) -> Response:
        """Tell whether the waves that did not begin still hold, and propose the ones that would."""
        return Response(proposal_of_rest(self.actor, id))


urlpatterns = [
    path("rollouts/proposals", RolloutProposalsView.as_view()),
    path("rollouts/<str:id>/proposal", RolloutRestView.as_view()),
]

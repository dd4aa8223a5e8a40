"""The definitions of a service that were to take the place of the served one, and what was decided on them."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.definition_changes.queries.reviews import definition_reviews
from migrations_app.control.definition_changes.schemas import DefinitionReviewSchema
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import everything, page_schema


class DefinitionReviewsView(RestView):
    """`/services/{service}/definitionReviews`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="definition_reviews", responses=page_schema("DefinitionReview", DefinitionReviewSchema)
    )
    def get(self, request: Request, name: str) -> Response:
        """List the newest fifty definitions that were applied or refused, newest first."""
        return Response(everything(definition_reviews(self.actor, name)))


urlpatterns = [path("services/<str:name>/definitionReviews", DefinitionReviewsView.as_view())]

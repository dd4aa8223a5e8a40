"""Versions of services that retire, as registry writers set it."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.endpoints import RetirementSchema
from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.usage.commands.retire_version import retire_version
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import RequestBody, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH


class RetireSchema(RequestBody, frozen=True, kw_only=True):
    """The day from which a version is no longer meant to be used; null takes it back."""

    retires_on: date | None
    note: Annotated[str, Meta(max_length=4000)] = ""
    accept_unexported: Annotated[
        bool,
        Meta(
            description="Retire although resources that only this version serves were not exported; the note says why."
        ),
    ] = False


class RetirementView(RestView):
    """`/services/{service}/versions/{version}/retirement`."""

    may: ClassVar[dict[str, str]] = {"PUT": "registry.write"}
    located = of_service

    @extend_schema(
        operation_id="retire_version",
        request=RetireSchema,
        parameters=[DRY_RUN, IF_MATCH],
        responses=RetirementSchema,
    )
    def put(self, request: Request, name: str, version: str) -> Response:
        """Set the day from which a version is no longer meant to be used, or take it back."""
        given, rev = read(RetireSchema, request.data), expected_rev(request)

        def keep() -> JsonObject:
            accept = given.accept_unexported
            return retire_version(
                self.actor, name, version, given.retires_on, given.note, rev, accept_unexported=accept
            )

        body = rehearsed(is_dry_run(request), keep)
        return shown(request, body, body["rev"])


urlpatterns = [path("services/<str:name>/versions/<str:version>/retirement", RetirementView.as_view())]

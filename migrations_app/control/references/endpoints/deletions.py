"""Deletions before they are done: checked in bulk, rehearsed, and waited for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.commands.rehearse_deletion import rehearse
from migrations_app.control.references.commands.watch_deletion import end_watch, watch_deletion
from migrations_app.control.references.queries.deletion_watches import watch_as_json, watches
from migrations_app.control.references.queries.references import deletion_checks
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import SIGNED_IN, RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, Phrases, everything, page_schema

VERDICTS = ("safe", "blocked", "unknown")


class NamesToCheckSchema(RequestBody, frozen=True, kw_only=True):
    """Up to a hundred names, full or plain."""

    names: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=2048)]], Meta(min_length=1, max_length=100)
    ]


class BriefCheckSchema(ResponseBody, frozen=True, kw_only=True):
    """The verdict on one of many; `id` is empty when no deployment here holds it."""

    name: str
    id: str
    verdict: Annotated[str, one_of(VERDICTS)]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    blockers: int
    cascades: int


class ResourceNameSchema(RequestBody, frozen=True, kw_only=True):
    """One resource by its full name."""

    name: Annotated[str, Meta(min_length=1, max_length=2048)]


class BlockingReferenceSchema(ResponseBody, frozen=True, kw_only=True):
    """Who refers, and from which field."""

    path: str
    message: str
    phrases: Phrases | UnsetType = UNSET


class DeletionRehearsalSchema(ResponseBody, frozen=True, kw_only=True):
    """What the server did before it took all back: deleted, refused, or would ask others first."""

    outcome: Annotated[str, one_of(("delete", "refuse", "ask"))]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    deleted: int
    asks: Annotated[list[str], Meta(description="Deployments that would be asked to agree.")]
    violations: list[BlockingReferenceSchema]


class DeletionWatchSchema(ResponseBody, frozen=True, kw_only=True):
    """A resource that a person waits for to be free to go."""

    id: str
    name: str
    verdict: Annotated[str, one_of((*VERDICTS, "gone"))]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    since: Instant
    looked_at: Instant | None
    cleared_at: Instant | None


class DeletionChecksView(RestView):
    """`/deletion-checks`."""

    may: ClassVar[dict[str, str]] = {"POST": "resource.read"}

    @extend_schema(
        operation_id="deletion_checks",
        request=NamesToCheckSchema,
        responses=page_schema("BriefCheck", BriefCheckSchema),
    )
    def post(self, request: Request) -> Response:
        """Tell of many resources whether they may be deleted; nothing is changed."""
        return Response(
            everything(list(deletion_checks(self.actor, read(NamesToCheckSchema, request.data).names)))
        )


class RehearsalsView(RestView):
    """`/deletion-check/rehearsals`."""

    may: ClassVar[dict[str, str]] = {"POST": "resource.write"}
    located = in_body

    @extend_schema(
        operation_id="rehearse_deletion", request=ResourceNameSchema, responses=DeletionRehearsalSchema
    )
    def post(self, request: Request) -> Response:
        """Delete a resource in a transaction that is taken back, and tell what came of it."""
        return Response(rehearse(self.actor, read(ResourceNameSchema, request.data).name))


class DeletionWatchesView(RestView):
    """`/deletion-watches`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read", "POST": "resource.read"}

    @extend_schema(
        operation_id="deletion_watches", responses=page_schema("DeletionWatch", DeletionWatchSchema)
    )
    def get(self, request: Request) -> Response:
        """List what you wait for."""
        return Response(everything(list(watches(self.actor))))

    @extend_schema(
        operation_id="watch_deletion",
        request=ResourceNameSchema,
        parameters=[DRY_RUN],
        responses={201: DeletionWatchSchema},
    )
    def post(self, request: Request) -> Response:
        """Wait until nothing blocks the deletion of a resource; you are told then."""
        name = read(ResourceNameSchema, request.data).name

        def keep() -> JsonObject:
            return watch_as_json(watch_deletion(self.actor, name))

        return Response(rehearsed(is_dry_run(request), keep), status=201)


class DeletionWatchView(RestView):
    """`/deletion-watches/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": SIGNED_IN}

    @extend_schema(operation_id="end_deletion_watch", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: str) -> Response:
        """Wait no longer, or put away what was told."""
        rehearsed(is_dry_run(request), lambda: end_watch(self.actor, id))
        return Response(status=204)


urlpatterns = [
    path("deletion-checks", DeletionChecksView.as_view()),
    path("deletion-check/rehearsals", RehearsalsView.as_view()),
    path("deletion-watches", DeletionWatchesView.as_view()),
    path("deletion-watches/<str:id>", DeletionWatchView.as_view()),
]

"""Deletions before they are done: checked in bulk, rehearsed, and waited for."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.references.commands.rehearse_deletion import rehearse
from migrations_app.control.references.commands.watch_deletion import end_watch, watch_deletion
from migrations_app.control.references.queries.deletion_watches import watch_as_json, watches
from migrations_app.control.references.queries.references import deletion_checks
from migrations_app.kernel.json import JsonObject
from migrations_app.web.doors import SIGNED_IN, Door, in_body
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.shapes import DRY_RUN, StrictShape, everything, page_shape, read

VERDICTS = ("safe", "blocked", "unknown")


class NamesToCheckShape(StrictShape):
    """Up to a hundred names, full or plain."""

    names = serializers.ListField(child=serializers.CharField(max_length=2048), min_length=1, max_length=100)


class BriefCheckShape(serializers.Serializer[Any]):
    """The verdict on one of many; `id` is empty when nobody here holds it."""

    name = serializers.CharField()
    id = serializers.CharField(allow_blank=True)
    verdict = serializers.ChoiceField(VERDICTS)
    sentence = serializers.CharField()
    blockers = serializers.IntegerField()
    cascades = serializers.IntegerField()


class ResourceNameShape(StrictShape):
    """One resource by its full name."""

    name = serializers.CharField(max_length=2048)


class RefusedByShape(serializers.Serializer[Any]):
    """Who refers, and from which field."""

    path = serializers.CharField()
    message = serializers.CharField()


class DeletionRehearsalShape(serializers.Serializer[Any]):
    """What the server did before it took all back: deleted, refused, or would ask others first."""

    outcome = serializers.ChoiceField(("delete", "refuse", "ask"))
    sentence = serializers.CharField()
    deleted = serializers.IntegerField()
    asks = serializers.ListField(
        child=serializers.CharField(), help_text="Deployments that would be asked to agree."
    )
    violations = RefusedByShape(many=True)


class DeletionWatchShape(serializers.Serializer[Any]):
    """A resource that somebody waits for to be free to go."""

    id = serializers.CharField()
    name = serializers.CharField()
    verdict = serializers.ChoiceField((*VERDICTS, "gone"))
    sentence = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    looked_at = serializers.DateTimeField(allow_null=True)
    cleared_at = serializers.DateTimeField(allow_null=True)


class DeletionChecksDoor(Door):
    """`/deletion-checks`."""

    may: ClassVar[dict[str, str]] = {"POST": "resource.read"}

    @extend_schema(
        operation_id="deletion_checks",
        request=NamesToCheckShape,
        responses=page_shape("BriefCheck", BriefCheckShape),
    )
    def post(self, request: Request) -> Response:
        """Tell of many resources whether they may be deleted; nothing is changed."""
        return Response(
            everything(list(deletion_checks(self.actor, read(NamesToCheckShape, request.data)["names"])))
        )


class RehearsalsDoor(Door):
    """`/deletion-check/rehearsals`."""

    may: ClassVar[dict[str, str]] = {"POST": "resource.write"}
    located = in_body

    @extend_schema(
        operation_id="rehearse_deletion", request=ResourceNameShape, responses=DeletionRehearsalShape
    )
    def post(self, request: Request) -> Response:
        """Delete a resource in a transaction that is taken back, and tell what came of it."""
        return Response(rehearse(self.actor, read(ResourceNameShape, request.data)["name"]))


class DeletionWatchesDoor(Door):
    """`/deletion-watches`."""

    may: ClassVar[dict[str, str]] = {"GET": "resource.read", "POST": "resource.read"}

    @extend_schema(operation_id="deletion_watches", responses=page_shape("DeletionWatch", DeletionWatchShape))
    def get(self, request: Request) -> Response:
        """List what you wait for."""
        return Response(everything(list(watches(self.actor))))

    @extend_schema(
        operation_id="watch_deletion",
        request=ResourceNameShape,
        parameters=[DRY_RUN],
        responses={201: DeletionWatchShape},
    )
    def post(self, request: Request) -> Response:
        """Wait until nothing blocks the deletion of a resource; you are told then."""
        name = read(ResourceNameShape, request.data)["name"]

        def keep() -> JsonObject:
            return watch_as_json(watch_deletion(self.actor, name))

        return Response(rehearsed(is_dry_run(request), keep), status=201)


class DeletionWatchDoor(Door):
    """`/deletion-watches/{id}`."""

    may: ClassVar[dict[str, str]] = {"DELETE": SIGNED_IN}

    @extend_schema(operation_id="end_deletion_watch", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: str) -> Response:
        """Wait no longer, or put away what was told."""
        rehearsed(is_dry_run(request), lambda: end_watch(self.actor, id))
        return Response(status=204)


urlpatterns = [
    path("deletion-checks", DeletionChecksDoor.as_view()),
    path("deletion-check/rehearsals", RehearsalsDoor.as_view()),
    path("deletion-watches", DeletionWatchesDoor.as_view()),
    path("deletion-watches/<str:id>", DeletionWatchDoor.as_view()),
]

"""The health of the system, and work that is parked until a person looks."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.health import queries as known
from migrations_app.control.health.commands.retry_work import retry_work
from migrations_app.web.doors import Door, in_body
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.shapes import StrictShape, everything, page_shape, read

STATUSES = ["ok", "degraded", "down", "unknown"]


class ComponentShape(serializers.Serializer[Any]):
    """One part of the system."""

    name = serializers.CharField()
    status = serializers.ChoiceField(STATUSES)
    detail = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    remedy = serializers.CharField(allow_null=True)
    runbook = serializers.CharField(help_text="The page of the console that says what to do.")


class WorkClassShape(serializers.Serializer[Any]):
    """One class of background work."""

    work_class = serializers.CharField()
    share = serializers.FloatField(
        allow_null=True, help_text="Its share of worker time; null: it goes before all others."
    )
    due = serializers.IntegerField(help_text="How many of its keys are due, and nobody holds them.")
    late_seconds = serializers.FloatField(help_text="For how long the first of them has been due.")
    used_seconds = serializers.FloatField(help_text="Time that workers used for it so far.")


class HealthShape(serializers.Serializer[Any]):
    """The whole, which is as its worst part."""

    status = serializers.ChoiceField(STATUSES)
    components = ComponentShape(many=True)
    work_classes = WorkClassShape(many=True)


class ControllerShape(serializers.Serializer[Any]):
    """A controller in one region; no region: what is Switchyard's own."""

    region = serializers.CharField(allow_blank=True)
    controller = serializers.CharField()
    keys = serializers.IntegerField(help_text="How many keys it looks after.")
    held = serializers.IntegerField(help_text="How many of them a worker holds just now.")
    late = serializers.IntegerField(help_text="How many are due since 30 s, and nobody holds them.")
    parked = serializers.IntegerField()
    leader = serializers.CharField(help_text="The worker that holds a key, or else held one last.")
    last_turn_at = serializers.DateTimeField(allow_null=True)
    age_seconds = serializers.FloatField(allow_null=True)


class ParkedWorkShape(serializers.Serializer[Any]):
    """A key of work that needs a person."""

    controller = serializers.CharField()
    key = serializers.CharField()
    code = serializers.CharField()
    reason = serializers.CharField()
    remedy = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()
    attempts = serializers.IntegerField()


class RetryShape(StrictShape):
    """Which key shall go on."""

    controller = serializers.CharField(max_length=64)
    key = serializers.CharField(max_length=400)


class HealthDoor(Door):
    """`/health`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read"}

    @extend_schema(operation_id="health", responses=HealthShape)
    def get(self, request: Request) -> Response:
        """Tell how the system is."""
        return Response(known.health(self.actor))


class ControllersDoor(Door):
    """`/health/controllers`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read"}

    @extend_schema(operation_id="controllers", responses=page_shape("Controller", ControllerShape))
    def get(self, request: Request) -> Response:
        """List the controllers by region."""
        return Response(everything(known.controllers(self.actor)))


class ParkedWorkDoor(Door):
    """`/health/parked-work`."""

    may: ClassVar[dict[str, str]] = {"GET": "health.read", "POST": "work.retry"}
    located = in_body

    @extend_schema(operation_id="parked_work", responses=page_shape("ParkedWork", ParkedWorkShape))
    def get(self, request: Request) -> Response:
        """List the parked keys."""
        return Response(everything(known.parked_work(self.actor)))

    @extend_schema(operation_id="retry_work", request=RetryShape, responses={204: None})
    def post(self, request: Request) -> Response:
        """Let a parked key go on."""
        given = read(RetryShape, request.data)
        rehearsed(is_dry_run(request), lambda: retry_work(self.actor, given["controller"], given["key"]))
        return Response(status=204)


urlpatterns = [
    path("health", HealthDoor.as_view()),
    path("health/controllers", ControllersDoor.as_view()),
    path("health/parked-work", ParkedWorkDoor.as_view()),
]

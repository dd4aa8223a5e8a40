"""The overview: what one wants to know first."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.overview.queries.overview import overview
from migrations_app.web.doors import Door


class NowShape(serializers.Serializer[Any]):
    """How many upgrades are in which situation."""

    running = serializers.IntegerField()
    waiting_mine = serializers.IntegerField()
    waiting_others = serializers.IntegerField()
    stalled = serializers.IntegerField()
    failed = serializers.IntegerField()
    reversible = serializers.IntegerField()


class FollowedShape(serializers.Serializer[Any]):
    """A deployment that one follows; another `key` means that it moved on."""

    service = serializers.CharField()
    region = serializers.CharField()
    current_version = serializers.CharField(allow_blank=True)
    state = serializers.CharField()
    sentence = serializers.CharField()
    link = serializers.CharField()
    key = serializers.CharField()


class OverviewShape(serializers.Serializer[Any]):
    """What one wants to know first."""

    now = NowShape()
    needs_you = serializers.ListField(child=serializers.DictField())
    running = serializers.ListField(child=serializers.DictField())
    skew = serializers.ListField(child=serializers.DictField())
    windows = serializers.ListField(child=serializers.DictField())
    followed = FollowedShape(many=True)


class OverviewDoor(Door):
    """`/overview`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(operation_id="overview", responses=OverviewShape)
    def get(self, request: Request) -> Response:
        """Give the overview."""
        return Response(overview(self.actor))


urlpatterns = [path("overview", OverviewDoor.as_view())]

"""The compatibility report of two versions of a service."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.api.shapes import StrictShape, read
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.report import Rule, Weight
from migrations_app.domain.compatibility.statuses import Policy, Strategy
from migrations_app.queries.compatibility import compatibility
from migrations_app.web.doors import Door

STRATEGIES = tuple(str(each) for each in Strategy)
POLICIES = {"no-loss": Policy.NO_LOSS, "loss-ok": Policy.LOSS_OK}
VERDICTS = ("same", "compatible", "handled", "breaking")


class CompatibilityQuestion(StrictShape):
    """Which versions, and how clients and servers treat what they do not know."""

    before = serializers.CharField()
    after = serializers.CharField()
    client = serializers.ChoiceField(STRATEGIES, default="filter")
    server = serializers.ChoiceField(STRATEGIES, default="strict")
    policy = serializers.ChoiceField(tuple(POLICIES), default="no-loss")


class CompatibilityFindingShape(serializers.Serializer[Any]):
    """One difference: who is hit, who goes first, what to do."""

    rule = serializers.ChoiceField([str(each) for each in Rule])
    weight = serializers.ChoiceField([str(each) for each in Weight])
    path = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    order = serializers.CharField()
    plan = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField())
    losing_updates = serializers.ListField(child=serializers.CharField())
    handled = serializers.BooleanField()
    advice = serializers.CharField()


class ConversionLossShape(serializers.Serializer[Any]):
    """What a conversion keeps out of sight, and how well."""

    way = serializers.CharField()
    path = serializers.CharField()
    op = serializers.CharField()
    kept = serializers.ChoiceField(("bag", "witness", "no", "hidden"))


class CompatibilityShape(serializers.Serializer[Any]):
    """The report."""

    service = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    client = serializers.ChoiceField(STRATEGIES)
    server = serializers.ChoiceField(STRATEGIES)
    policy = serializers.ChoiceField(tuple(POLICIES))
    verdict = serializers.ChoiceField(VERDICTS)
    sentence = serializers.CharField()
    counts = serializers.DictField(child=serializers.IntegerField())
    findings = CompatibilityFindingShape(many=True)
    losses = ConversionLossShape(many=True)


class CompatibilityDoor(Door):
    """`/services/{service}/compatibility`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="compatibility",
        parameters=[
            OpenApiParameter("before", str, required=True),
            OpenApiParameter("after", str, required=True),
            OpenApiParameter("client", str, enum=STRATEGIES, default="filter"),
            OpenApiParameter("server", str, enum=STRATEGIES, default="strict"),
            OpenApiParameter("policy", str, enum=tuple(POLICIES), default="no-loss"),
        ],
        responses=CompatibilityShape,
    )
    def get(self, request: Request, name: str) -> Response:
        """Compare two versions."""
        asked = read(CompatibilityQuestion, request.query_params.dict())
        setting = Setting(Strategy(asked["client"]), Strategy(asked["server"]), POLICIES[asked["policy"]])
        return Response(compatibility(self.actor, name, asked["before"], asked["after"], setting))


urlpatterns = [path("services/<str:name>/compatibility", CompatibilityDoor.as_view())]

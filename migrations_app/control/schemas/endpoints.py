"""The compatibility report of two versions of a service."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.operations.endpoints import OperationShape
from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.schemas.commands.run_compatibility import run_compatibility
from migrations_app.control.schemas.commands.waive_finding import (
    WaiverWish,
    approve_waiver,
    ask_waiver,
    end_waiver,
)
from migrations_app.control.schemas.queries.compatibility import compatibility, schema_of, waivers
from migrations_app.control.schemas.queries.places import of_waiver
from migrations_app.domain.compatibility.acceptance import RULES
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.buf import Category
from migrations_app.domain.compatibility.report import Class, Rule, Weight
from migrations_app.domain.compatibility.sarif import sarif
from migrations_app.domain.compatibility.statuses import Policy, Strategy
from migrations_app.kernel.errors import Invalid
from migrations_app.web.doors import Door
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.shapes import DRY_RUN, StrictShape, everything, page_shape, read

STRATEGIES = tuple(str(each) for each in Strategy)
POLICIES = {"no-loss": Policy.NO_LOSS, "loss-ok": Policy.LOSS_OK}
FORMS = ("json", "sarif")
BUF = tuple(str(each) for each in Category)
VERDICTS = ("same", "compatible", "handled", "breaking")


class CompatibilityQuestion(StrictShape):
    """Which versions, and how clients and servers treat what they do not know."""

    before = serializers.CharField()
    after = serializers.CharField()
    client = serializers.ChoiceField(STRATEGIES, default="filter")
    server = serializers.ChoiceField(STRATEGIES, default="strict")
    policy = serializers.ChoiceField(tuple(POLICIES), default="no-loss")


class ReportQuestion(CompatibilityQuestion):
    """Which part of the report is wanted, and in which form."""

    buf = serializers.ChoiceField(BUF, required=False)


class WaiverShape(serializers.Serializer[Any]):
    """A finding that is accepted until a day, once somebody else approved."""

    id = serializers.CharField()
    service = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()
    rule = serializers.CharField()
    path = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    change = serializers.CharField()
    reason = serializers.CharField()
    until = serializers.DateTimeField()
    state = serializers.ChoiceField(("asked", "in-force", "expired", "ended"))
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    approved_by = serializers.CharField(allow_blank=True)
    approved_at = serializers.DateTimeField(allow_null=True)
    ended_by = serializers.CharField(allow_blank=True)
    ended_at = serializers.DateTimeField(allow_null=True)


class NewWaiverShape(CompatibilityQuestion):
    """Which finding of the report is to be accepted, why, and until when."""

    rule = serializers.ChoiceField([*(str(each) for each in Rule), *RULES])
    path = serializers.CharField(max_length=500)
    where = serializers.CharField(max_length=100, allow_blank=True, default="")
    reason = serializers.CharField(max_length=4000)
    until = serializers.DateTimeField()


class CompatibilityFindingShape(serializers.Serializer[Any]):
    """One difference: who is hit, who goes first, what to do."""

    rule = serializers.ChoiceField([str(each) for each in Rule])
    weight = serializers.ChoiceField([str(each) for each in Weight])
    classes = serializers.ListField(
        child=serializers.ChoiceField([str(each) for each in Class]),
        help_text="Which kinds of clients meet it.",
    )
    buf = serializers.ListField(
        child=serializers.ChoiceField(BUF),
        help_text="In which of its categories Buf would report it, if one version followed the other in one package.",
    )
    path = serializers.CharField()
    where = serializers.CharField(allow_blank=True)
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)
    order = serializers.CharField()
    plan = serializers.ListField(
        child=serializers.CharField(), help_text="Who does what, step by step, where nothing converts."
    )
    transform = serializers.CharField(
        allow_blank=True,
        help_text="Lines of an edge: what handles it, with its place, or what could; … is for you to fill in.",
    )
    reasons = serializers.ListField(child=serializers.CharField())
    losing_updates = serializers.ListField(child=serializers.CharField())
    handled = serializers.BooleanField()
    waiver = WaiverShape(
        required=False,
        allow_null=True,
        help_text="Only where somebody has to accept it: null, or its waiver.",
    )
    advice = serializers.CharField()


class ConversionLossShape(serializers.Serializer[Any]):
    """What a conversion keeps out of sight, and how well."""

    way = serializers.CharField()
    path = serializers.CharField()
    op = serializers.CharField()
    kept = serializers.ChoiceField(("bag", "witness", "no", "hidden"))
    waiver = WaiverShape(
        required=False,
        allow_null=True,
        help_text="Only where somebody has to accept it: null, or its waiver.",
    )


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
    counts = serializers.DictField(
        child=serializers.IntegerField(), help_text="Differences that nothing handles, by weight."
    )
    classes = serializers.DictField(child=serializers.IntegerField(), help_text="All differences, by class.")
    buf = serializers.DictField(
        child=serializers.IntegerField(), help_text="All differences, by Buf's categories."
    )
    findings = CompatibilityFindingShape(many=True)
    losses = ConversionLossShape(many=True)
    to_accept = serializers.IntegerField(
        help_text="Places that break, are given up or hidden, and that no waiver in force accepts."
    )


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
            OpenApiParameter(
                "buf", str, enum=BUF, description="Only differences of this category; what is counted stays."
            ),
            OpenApiParameter("as", str, enum=FORMS, description="`sarif`: as tools of code review read it."),
        ],
        responses=CompatibilityShape,
    )
    def get(self, request: Request, name: str) -> Response:
        """Compare two versions."""
        given = request.query_params.dict()
        form = given.pop("as", "json")
        if form not in FORMS:
            raise Invalid(f"as is {form!r}.", code="report-form", remedy=f"Use {' or '.join(FORMS)}.")
        asked = read(ReportQuestion, given)
        buf = Category(asked["buf"]) if "buf" in asked else None
        report = compatibility(self.actor, name, asked["before"], asked["after"], _setting(asked), buf)
        return Response(sarif(report) if form == "sarif" else report)


class RunDoor(Door):
    """`/services/{service}/compatibility:run`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    located = of_service

    @extend_schema(
        operation_id="run_compatibility",
        request=CompatibilityQuestion,
        parameters=[DRY_RUN],
        responses={202: OperationShape},
    )
    def post(self, request: Request, name: str) -> Response:
        """Compare two versions by a worker; the operation tells how far it is, and ends with verdict and report."""
        asked = read(CompatibilityQuestion, request.data)
        begun = rehearsed(is_dry_run(request), lambda: run_compatibility(self.actor, name, asked))
        return Response(begun, status=202, headers={"Location": f"/api/v1/operations/{begun['id']}"})


class SchemaDoor(Door):
    """`/services/{service}/schemas/{version}`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="service_schema", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, name: str, version: str) -> Response:
        """Show the schema of a version, as the document that it could be applied from."""
        return Response(schema_of(self.actor, name, version))


class WaiversDoor(Door):
    """`/services/{service}/waivers`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = of_service

    @extend_schema(operation_id="waivers", responses=page_shape("Waiver", WaiverShape))
    def get(self, request: Request, name: str) -> Response:
        """List the waivers of a service, newest first."""
        return Response(everything(waivers(self.actor, name)))

    @extend_schema(
        operation_id="ask_waiver",
        request=NewWaiverShape,
        parameters=[DRY_RUN],
        responses={201: WaiverShape},
    )
    def post(self, request: Request, name: str) -> Response:
        """Ask that a finding be accepted until a day."""
        given = read(NewWaiverShape, request.data)
        wish = WaiverWish(
            name,
            given["before"],
            given["after"],
            given["rule"],
            given["path"],
            given["where"],
            given["reason"],
            given["until"],
            _setting(given),
        )
        return Response(rehearsed(is_dry_run(request), lambda: ask_waiver(self.actor, wish)), status=201)


class ApproveWaiverDoor(Door):
    """`/waivers/{id}/approve`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_waiver

    @extend_schema(operation_id="approve_waiver", request=None, parameters=[DRY_RUN], responses=WaiverShape)
    def post(self, request: Request, id: str) -> Response:
        """Let a waiver count; whoever asked for it cannot."""
        return Response(rehearsed(is_dry_run(request), lambda: approve_waiver(self.actor, id)))


class EndWaiverDoor(Door):
    """`/waivers/{id}/end`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    located = of_waiver

    @extend_schema(operation_id="end_waiver", request=None, parameters=[DRY_RUN], responses=WaiverShape)
    def post(self, request: Request, id: str) -> Response:
        """End a waiver before its time, or refuse it."""
        return Response(rehearsed(is_dry_run(request), lambda: end_waiver(self.actor, id)))


def _setting(asked: dict[str, Any]) -> Setting:
    return Setting(Strategy(asked["client"]), Strategy(asked["server"]), POLICIES[asked["policy"]])


urlpatterns = [
    path("services/<str:name>/compatibility", CompatibilityDoor.as_view()),
    path("services/<str:name>/compatibility:run", RunDoor.as_view()),
    path("services/<str:name>/schemas/<str:version>", SchemaDoor.as_view()),
    path("services/<str:name>/waivers", WaiversDoor.as_view()),
    path("waivers/<str:id>/approve", ApproveWaiverDoor.as_view()),
    path("waivers/<str:id>/end", EndWaiverDoor.as_view()),
]

"""The compatibility report of two versions of a service."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.definition_changes.schemas import ChangeDecisionSchema
from migrations_app.control.operations.endpoints import OperationSchema
from migrations_app.control.registry.endpoints import ServiceFolderSchema, contents
from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.schemas.commands.run_compatibility import run_compatibility
from migrations_app.control.schemas.commands.waive_change import waive_change
from migrations_app.control.schemas.commands.waive_finding import (
    WaiverWish,
    approve_waiver,
    ask_waiver,
    end_waiver,
)
from migrations_app.control.schemas.queries.compatibility import compatibility, schema_of, waivers
from migrations_app.control.schemas.queries.places import of_waiver
from migrations_app.control.schemas.queries.waiver_inbox import TABS, waivers_in_tab
from migrations_app.domain.compatibility.acceptance import RULES
from migrations_app.domain.compatibility.analyse import Setting
from migrations_app.domain.compatibility.buf import Category
from migrations_app.domain.compatibility.report import ClientClass, CompatibilityRule, Weight
from migrations_app.domain.compatibility.sarif import sarif
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Strategy
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.messages import message
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, given_in, one_of, read
from migrations_app.web.openapi.structs import parameters_of
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, Phrases, everything, page_schema

STRATEGIES = tuple(str(each) for each in Strategy)
POLICIES = {"no-loss": OutcomePolicy.NO_LOSS, "loss-ok": OutcomePolicy.LOSS_OK}
FORMS = ("json", "sarif")
BUF = tuple(str(each) for each in Category)
VERDICTS = ("same", "compatible", "handled", "breaking")


class CompatibilityQuestion(RequestBody, frozen=True, kw_only=True):
    """Which versions, and how clients and servers treat what they do not know."""

    before: Annotated[str, Meta(min_length=1)]
    after: Annotated[str, Meta(min_length=1)]
    client: Annotated[str, one_of(STRATEGIES)] = "filter"
    server: Annotated[str, one_of(STRATEGIES)] = "strict"
    policy: Annotated[str, one_of(tuple(POLICIES))] = "no-loss"


class ReportQuestion(CompatibilityQuestion, frozen=True, kw_only=True):
    """Which part of the report is wanted, and in which form."""

    buf: (
        Annotated[str, one_of(BUF, description="Only differences of this category; what is counted stays.")]
        | UnsetType
    ) = UNSET


class WaiverSchema(ResponseBody, frozen=True, kw_only=True):
    """A finding that is accepted until a day, once another person approved."""

    id: str
    service: str
    before: str
    after: str
    rule: str
    path: str
    where: str
    change: str
    reason: str
    until: Instant
    state: Annotated[str, one_of(("asked", "in-force", "expired", "used", "ended"))]
    asked_by: str
    asked_at: Instant
    approved_by: str
    approved_at: Instant | None
    ended_by: str
    ended_at: Instant | None
    used_for: Annotated[str, Meta(description="The fingerprint of the definition that was applied with it.")]
    decision: Annotated[
        ChangeDecisionSchema | None,
        Meta(
            description="Of a change in place: the decision when the waiver was asked for; null of findings."
        ),
    ]


class NewChangeWaiverSchema(ServiceFolderSchema, frozen=True, kw_only=True):
    """Which difference is to be accepted that applying these files would make, why, and until when."""

    version: Annotated[str, Meta(min_length=1)]
    rule: Annotated[str, one_of(CompatibilityRule)]
    path: Annotated[str, Meta(min_length=1, max_length=500)]
    reason: Annotated[str, Meta(min_length=1, max_length=4000)]
    until: Instant


class NewWaiverSchema(CompatibilityQuestion, frozen=True, kw_only=True):
    """Which finding of the report is to be accepted, why, and until when."""

    rule: Annotated[str, one_of([*(str(each) for each in CompatibilityRule), *RULES])]
    path: Annotated[str, Meta(min_length=1, max_length=500)]
    where: Annotated[str, Meta(max_length=100)] = ""
    reason: Annotated[str, Meta(min_length=1, max_length=4000)]
    until: Instant


class CompatibilityFindingSchema(ResponseBody, frozen=True, kw_only=True):
    """One difference: who is hit, who goes first, what to do."""

    rule: Annotated[str, one_of(CompatibilityRule)]
    weight: Annotated[str, one_of(Weight)]
    classes: Annotated[
        list[Annotated[str, one_of(ClientClass)]], Meta(description="Which kinds of clients meet it.")
    ]
    buf: Annotated[
        list[Annotated[str, one_of(BUF)]],
        Meta(
            description="In which of its categories Buf would report it, if one version followed the other in one package."
        ),
    ]
    path: str
    where: str
    before: str
    after: str
    order: str
    plan: Annotated[list[str], Meta(description="Who does what, step by step, where nothing converts.")]
    transform: Annotated[
        str,
        Meta(
            description="Lines of an edge: what handles it, with its place, or what could; … is for you to fill in."
        ),
    ]
    reasons: list[str]
    reason_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `reasons` in phrases.")] | UnsetType
    ) = UNSET
    losing_updates: list[str]
    handled: bool
    waiver: (
        Annotated[
            WaiverSchema | None,
            Meta(description="Only where a person has to accept it: null, or its waiver."),
        ]
        | UnsetType
    ) = UNSET
    advice: str


class ConversionLossSchema(ResponseBody, frozen=True, kw_only=True):
    """Fields that a conversion hides, and how well they are kept."""

    way: str
    path: str
    op: str
    kept: Annotated[str, one_of(("bag", "witness", "no", "hidden"))]
    waiver: (
        Annotated[
            WaiverSchema | None,
            Meta(description="Only where a person has to accept it: null, or its waiver."),
        ]
        | UnsetType
    ) = UNSET


class CompatibilitySchema(ResponseBody, frozen=True, kw_only=True):
    """The report."""

    service: str
    before: str
    after: str
    client: Annotated[str, one_of(STRATEGIES)]
    server: Annotated[str, one_of(STRATEGIES)]
    policy: Annotated[str, one_of(tuple(POLICIES))]
    verdict: Annotated[str, one_of(VERDICTS)]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    counts: Annotated[dict[str, int], Meta(description="Differences that nothing handles, by weight.")]
    classes: Annotated[dict[str, int], Meta(description="All differences, by class.")]
    buf: Annotated[dict[str, int], Meta(description="All differences, by Buf's categories.")]
    findings: list[CompatibilityFindingSchema]
    losses: list[ConversionLossSchema]
    to_accept: Annotated[
        int,
        Meta(description="Places that break, are given up or hidden, and that no waiver in force accepts."),
    ]


class CompatibilityView(RestView):
    """`/services/{service}/compatibility`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(
        operation_id="compatibility",
        parameters=[
            *parameters_of(ReportQuestion),
            OpenApiParameter("as", str, enum=FORMS, description="`sarif`: as tools of code review read it."),
        ],
        responses=CompatibilitySchema,
    )
    def get(self, request: Request, name: str) -> Response:
        """Compare two versions."""
        given = request.query_params.dict()
        form = given.pop("as", "json")
        if form not in FORMS:
            raise Invalid(
                message("as is {form}.", form=repr(form)),
                code="report-form",
                remedy=message("Use {forms}.", forms=" or ".join(FORMS)),
            )
        asked = read(ReportQuestion, given, from_text=True)
        buf = Category(asked.buf) if asked.buf else None
        report = compatibility(self.actor, name, asked.before, asked.after, setting_of(asked), buf)
        return Response(sarif(report) if form == "sarif" else report)


class RunView(RestView):
    """`/services/{service}/compatibility:run`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    located = of_service

    @extend_schema(
        operation_id="run_compatibility",
        request=CompatibilityQuestion,
        parameters=[DRY_RUN],
        responses={202: OperationSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Compare two versions by a worker; the operation tells how far it is, and ends with verdict and report."""
        asked = given_in(read(CompatibilityQuestion, request.data))
        begun = rehearsed(is_dry_run(request), lambda: run_compatibility(self.actor, name, asked))
        return Response(begun, status=202, headers={"Location": f"/api/v1/operations/{begun['id']}"})


class SchemaView(RestView):
    """`/services/{service}/schemas/{version}`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read"}

    @extend_schema(operation_id="service_schema", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, name: str, version: str) -> Response:
        """Show the schema of a version, as the document that it could be applied from."""
        return Response(schema_of(self.actor, name, version))


class WaiversView(RestView):
    """`/services/{service}/waivers`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = of_service

    @extend_schema(operation_id="waivers", responses=page_schema("Waiver", WaiverSchema))
    def get(self, request: Request, name: str) -> Response:
        """List the waivers of a service, newest first."""
        return Response(everything(waivers(self.actor, name)))

    @extend_schema(
        operation_id="ask_waiver",
        request=NewWaiverSchema,
        parameters=[DRY_RUN],
        responses={201: WaiverSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Ask that a finding be accepted until a day."""
        given = read(NewWaiverSchema, request.data)
        wish = WaiverWish(
            name,
            given.before,
            given.after,
            given.rule,
            given.path,
            given.where,
            given.reason,
            given.until,
            setting_of(given),
        )
        return Response(rehearsed(is_dry_run(request), lambda: ask_waiver(self.actor, wish)), status=201)


class WaiverInboxView(RestView):
    """`/waivers`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="waiver_inbox",
        parameters=[OpenApiParameter("tab", str, enum=list(TABS))],
        responses=page_schema("Waiver", WaiverSchema),
    )
    def get(self, request: Request) -> Response:
        """List waivers of all services: those that need me, those I asked for, all open ones, those decided."""
        return Response(everything(waivers_in_tab(self.actor, request.query_params.get("tab", "open"))))


class ChangeWaiversView(RestView):
    """`/services/{service}/changeWaivers`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_service

    @extend_schema(
        operation_id="waive_change",
        request=NewChangeWaiverSchema,
        parameters=[DRY_RUN],
        responses={201: WaiverSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Ask that a change in place be let through until a day, for one apply."""
        given = read(NewChangeWaiverSchema, request.data)
        place = (given.version, given.rule, given.path)
        files, terms = contents(given.files), (given.reason, given.until)
        made = rehearsed(is_dry_run(request), lambda: waive_change(self.actor, name, files, place, *terms))
        return Response(made, status=201)


class ApproveWaiverView(RestView):
    """`/waivers/{id}/approve`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_waiver

    @extend_schema(operation_id="approve_waiver", request=None, parameters=[DRY_RUN], responses=WaiverSchema)
    def post(self, request: Request, id: str) -> Response:
        """Let a waiver count; the one who asked for it cannot."""
        return Response(rehearsed(is_dry_run(request), lambda: approve_waiver(self.actor, id)))


class EndWaiverView(RestView):
    """`/waivers/{id}/end`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.read"}
    located = of_waiver

    @extend_schema(operation_id="end_waiver", request=None, parameters=[DRY_RUN], responses=WaiverSchema)
    def post(self, request: Request, id: str) -> Response:
        """End a waiver before its time, or refuse it."""
        return Response(rehearsed(is_dry_run(request), lambda: end_waiver(self.actor, id)))


def setting_of(asked: CompatibilityQuestion) -> Setting:
    """Read how clients and servers treat what they do not know."""
    return Setting(Strategy(asked.client), Strategy(asked.server), POLICIES[asked.policy])


urlpatterns = [
    path("services/<str:name>/compatibility", CompatibilityView.as_view()),
    path("services/<str:name>/compatibility:run", RunView.as_view()),
    path("services/<str:name>/schemas/<str:version>", SchemaView.as_view()),
    path("services/<str:name>/waivers", WaiversView.as_view()),
    path("services/<str:name>/changeWaivers", ChangeWaiversView.as_view()),
    path("waivers", WaiverInboxView.as_view()),
    path("waivers/<str:id>/approve", ApproveWaiverView.as_view()),
    path("waivers/<str:id>/end", EndWaiverView.as_view()),
]

"""Windows and freezes."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.commands.override_window import override_window
from migrations_app.control.approvals.commands.write_window import (
    change_window,
    create_window,
    delete_window,
    has_window,
)
from migrations_app.control.approvals.endpoints.rule_changes import WarningPhrases, WarningsSchema, changing
from migrations_app.control.approvals.queries import rules as known
from migrations_app.control.approvals.queries import windows_ahead as known_windows
from migrations_app.control.approvals.queries.rule_places import of_window
from migrations_app.control.upgrade_state.queries import of_upgrade
from migrations_app.domain.approvals.policy import Scope
from migrations_app.domain.approvals.windows import Effect, WindowSpan
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, Phrases, everything, page_schema
from migrations_app.web.upserts import UPSERT, expected_state


class WindowRulesSchema(RequestBody, frozen=True, kw_only=True):
    """When a window or freeze is open: by cron and minutes, or from one local time to another."""

    effect: Annotated[str, one_of(Effect)]
    zone: Annotated[str, Meta(min_length=1, max_length=64)] = "UTC"
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    environment: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    cron: Annotated[str, Meta(max_length=100)] = ""
    minutes: Annotated[int, Meta(ge=0, le=10_080)] = 0
    overrun_minutes: Annotated[
        int,
        Meta(
            ge=0,
            le=1440,
            description="No switch begins so long before the window closes or the freeze opens.",
        ),
    ] = 0
    starts: Annotated[str, Meta(max_length=25)] = ""
    ends: Annotated[str, Meta(max_length=25)] = ""
    reason: Annotated[str, Meta(max_length=4000)] = ""
    ticket: Annotated[str, Meta(max_length=200)] = ""
    overriders: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=200)]],
        Meta(
            max_length=50,
            description="Who may let an upgrade go past it: names of accounts, and roles as `role NAME`.",
        ),
    ] = []


class NewWindowSchema(WindowRulesSchema, frozen=True, kw_only=True):
    """A window or freeze with its name."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]


class OccurrenceSchema(RequestBody, frozen=True, kw_only=True):
    """One opening."""

    opens: Instant
    closes: Instant
    note: str


class WindowSchema(NewWindowSchema, frozen=True, kw_only=True):
    """A window as it is kept, with its next openings."""

    rev: int
    created_by: Annotated[str, Meta(min_length=1)]
    next: list[OccurrenceSchema]


class ChangedWindowSchema(WindowSchema, frozen=True, kw_only=True):
    """A window as it is after a change, and what the change means for upgrades under way."""

    warnings: list[str]
    warning_phrases: WarningPhrases


class SwitchPermissionSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether a deployment may switch at an instant."""

    deployment: str
    environment: str
    at: Instant
    allowed: bool
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    winner: str
    considered: list[str]
    considered_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `considered` in phrases.")] | UnsetType
    ) = UNSET
    next_open: Instant | None
    overriders: Annotated[list[str], Meta(description="Who may override what forbids it.")]
    may_override: Annotated[bool, Meta(description="Whether you may.")]
    override_refusal: Annotated[str, Meta(description="Why you may not.")]
    override_refusal_phrases: Phrases | UnsetType = UNSET


class WindowsView(RestView):
    """`/windows`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "POST": "window.write"}
    located = in_body

    @extend_schema(operation_id="windows", responses=page_schema("Window", WindowSchema))
    def get(self, request: Request) -> Response:
        """List windows and freezes with their next ten openings."""
        return Response(everything(known.windows(self.actor)))

    @extend_schema(
        operation_id="create_window",
        request=NewWindowSchema,
        parameters=[DRY_RUN],
        responses={201: ChangedWindowSchema},
    )
    def post(self, request: Request) -> Response:
        """Set a new window or freeze; a dry run previews its openings and what it would hold back."""
        given = read(NewWindowSchema, request.data)
        rule, ticket = rule_from(given.name, given)

        def keep() -> JsonObject:
            return known.window(self.actor, create_window(self.actor, rule, ticket))

        body = changing(self.actor, is_dry_run(request), keep)
        return shown(request, body, body["rev"], status=201, Location=f"/api/v1/windows/{rule.name}")


class WindowView(RestView):
    """`/windows/{name}`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read", "PUT": "window.write", "DELETE": "window.write"}
    located = of_window

    @extend_schema(operation_id="window", responses=WindowSchema)
    def get(self, request: Request, name: str) -> Response:
        """Show a window or freeze with its next ten openings."""
        body = known.window(self.actor, name)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="change_window",
        request=WindowRulesSchema,
        parameters=[*UPSERT, DRY_RUN],
        responses={200: ChangedWindowSchema, 201: ChangedWindowSchema},
    )
    def put(self, request: Request, name: str) -> Response:
        """Set a window or freeze: created where there is none, and kept as it is where it is so already."""
        expected = expected_state(request)
        creates = expected.creates(f"window {name}", has_window(name))
        rule, ticket = rule_from(name, read(WindowRulesSchema, request.data))

        def keep() -> JsonObject:
            if creates:
                return known.window(self.actor, create_window(self.actor, rule, ticket))
            return known.window(self.actor, change_window(self.actor, rule, expected.rev, ticket))

        body = changing(self.actor, is_dry_run(request), keep)
        return shown(request, body, body["rev"], status=201 if creates else 200)

    @extend_schema(
        operation_id="delete_window",
        parameters=[IF_MATCH, DRY_RUN],
        responses={200: WarningsSchema, 204: None},
    )
    def delete(self, request: Request, name: str) -> Response:
        """Remove a window or freeze; a dry run says what that would mean."""
        rev, dry = expected_rev(request), is_dry_run(request)

        def remove() -> JsonObject:
            delete_window(self.actor, name, rev)
            return {}

        body = changing(self.actor, dry, remove)
        return Response(body) if dry else Response(status=204)


class ExplainWindowView(RestView):
    """`/windows/explain`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="explain_window",
        parameters=[
            OpenApiParameter("deployment", str, required=True),
            OpenApiParameter("at", str, description="An instant; now when left out."),
        ],
        responses=SwitchPermissionSchema,
    )
    def get(self, request: Request) -> Response:
        """Tell whether a deployment may switch at an instant, and by which rule."""
        text = request.query_params.get("at", "")
        at = timezone.now() if not text else _instant(text)
        return Response(known.explain(self.actor, request.query_params.get("deployment", ""), at))


class WindowSpanSchema(ResponseBody, frozen=True, kw_only=True):
    """A stretch of time, whether a switch is allowed in it, and the rule that says so (none: no rule does)."""

    opens: Instant
    closes: Instant
    allowed: bool
    winner: str


class AheadView(RestView):
    """`/windows/ahead`."""

    may: ClassVar[dict[str, str]] = {"GET": "approval.read"}

    @extend_schema(
        operation_id="windows_ahead",
        parameters=[OpenApiParameter("deployment", str, required=True)],
        responses=page_schema("WindowSpan", WindowSpanSchema),
    )
    def get(self, request: Request) -> Response:
        """Part the next seven days of a deployment by the rule that wins."""
        return Response(
            everything(known_windows.week_of(self.actor, request.query_params.get("deployment", "")))
        )


class NewWindowOverrideSchema(RequestBody, frozen=True, kw_only=True):
    """Why an upgrade may go past what forbids its switch now."""

    reason: Annotated[str, Meta(min_length=1, max_length=4000)]


class WindowOverrideSchema(ResponseBody, frozen=True, kw_only=True):
    """What was lifted for one upgrade, and until when."""

    rules: list[str]
    who: str
    reason: str
    until: Instant


class OverrideWindowView(RestView):
    """`/upgrades/{id}/window-override`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.switch"}
    located = of_upgrade

    @extend_schema(
        operation_id="override_window",
        request=NewWindowOverrideSchema,
        parameters=[DRY_RUN],
        responses={201: WindowOverrideSchema},
    )
    def post(self, request: Request, id: str) -> Response:
        """Let one upgrade go past the windows and freezes in its way, for an hour."""
        reason = read(NewWindowOverrideSchema, request.data).reason
        made = rehearsed(is_dry_run(request), lambda: override_window(self.actor, id, reason))
        return Response(made, status=201)


def rule_from(name: str, given: WindowRulesSchema) -> tuple[WindowSpan, str]:
    """Make a rule, and its ticket, of what was sent."""
    rule = WindowSpan(
        name,
        Effect(given.effect),
        given.zone,
        Scope(given.service, given.region, given.environment),
        given.cron,
        given.minutes,
        _local(given.starts),
        _local(given.ends),
        given.reason,
        given.overrun_minutes,
        tuple(given.overriders),
    )
    return rule, given.ticket


def _local(text: str) -> Any:
    if not text:
        return None
    found = _parsed(text)
    if found.tzinfo is not None:
        raise Invalid(
            message("{text} names a zone.", text=repr(text)),
            code="local-time",
            remedy=message("Write the local time of the zone."),
        )
    return found


def _instant(text: str) -> Any:
    found = _parsed(text)
    if found.tzinfo is None:
        raise Invalid(
            message("{text} names no zone.", text=repr(text)),
            code="instant",
            remedy=message("End it with Z."),
        )
    return found


def _parsed(text: str) -> Any:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise Invalid(
            message("{text} is no time.", text=repr(text)),
            code="time",
            remedy=message("Write 2026-12-24T22:00:00."),
        )
    return found


urlpatterns = [
    path("windows", WindowsView.as_view()),
    path("windows/explain", ExplainWindowView.as_view()),
    path("windows/ahead", AheadView.as_view()),
    path("windows/<str:name>", WindowView.as_view()),
    path("upgrades/<str:id>/window-override", OverrideWindowView.as_view()),
]

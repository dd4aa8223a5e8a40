"""Upgrades: planned, watched, acted on, and told about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.commands.break_glass import break_glass
from migrations_app.control.approvals.commands.request_approval import request_approval
from migrations_app.control.operations.endpoints import follow_headers
from migrations_app.control.upgrade_state.queries import of_upgrade
from migrations_app.control.upgrade_state.schemas import (
    CommentSchema,
    FacetsSchema,
    NewRequestToPeopleSchema,
    NewUpgradeSchema,
    QuarantineActionSchema,
    QuarantinedResourceSchema,
    SamplesSchema,
    TimelineEntrySchema,
    UpgradeActionSchema,
    UpgradeSchema,
    UpgradeSummarySchema,
)
from migrations_app.control.upgrades.commands.ask_people import ask_people, settle_asked
from migrations_app.control.upgrades.commands.comment_upgrade import comment_upgrade
from migrations_app.control.upgrades.commands.edit_upgrade import edit_upgrade
from migrations_app.control.upgrades.commands.enable_reverse_replication import enable_reverse_replication
from migrations_app.control.upgrades.commands.extend_window import extend_window
from migrations_app.control.upgrades.commands.pause_upgrade import (
    pause_upgrade,
    resume_upgrade,
    throttle_upgrade,
)
from migrations_app.control.upgrades.commands.plan_upgrade import plan_upgrade
from migrations_app.control.upgrades.commands.request_switch import (
    abort_upgrade,
    complete_upgrade,
    request_rollback,
    request_switch,
)
from migrations_app.control.upgrades.commands.resolve_quarantined import resolve_quarantined
from migrations_app.control.upgrades.commands.retry_shard import retry_shard
from migrations_app.control.upgrades.commands.settle_upgrade import settle_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.endpoints.upgrade_specs import upgrade_spec_from
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.control.upgrades.queries.prospects import prospects_of
from migrations_app.control.upgrades.queries.rehearsals import DIRECTIONS, rehearsal
from migrations_app.control.upgrades.queries.view import checks_as_json
from migrations_app.control.upgrades.schemas import DryRunSchema
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.guards import blockers
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.wordings import all_phrases_as_json
from migrations_app.web.contract import given_in, read
from migrations_app.web.paging import NOT_FILTERS, asked_page, listed, only_fields, page_of
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown, with_current_state
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, PAGED, everything, page_schema
from migrations_app.web.waiting import IF_REV_GT, WAIT, seen_rev, wait_until


class UpgradesView(RestView):
    """`/upgrades`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read", "POST": "upgrade.plan"}
    located = in_body

    @extend_schema(
        operation_id="upgrades",
        parameters=[OpenApiParameter(name, str) for name in (*known.PARAMETERS, "fields")]
        + PAGED
        + [
            OpenApiParameter(
                "sort", str, enum=[f"{sign}{name}" for name in known.SORTS for sign in ("", "-")]
            ),
            OpenApiParameter("count", str, enum=["exact", "estimate"], description="Count them all as well."),
        ],
        responses=page_schema("Upgrade", UpgradeSummarySchema),
    )
    def get(self, request: Request) -> Response:
        """List upgrades, newest first or as `sort` says."""
        page, sort = asked_page(request), request.query_params.get("sort", known.NEWEST)
        given = filters_of(request)
        found = known.listed(self.actor, given, sort, page.after, page.fetch)
        body = page_of(page, found, lambda row: known.key_of(row, sort), known.show)
        counted = request.query_params.get("count")
        if counted:
            body["count"] = known.count(self.actor, given, counted)
        return Response(only_fields(request, body))

    @extend_schema(
        operation_id="plan_upgrade",
        request=NewUpgradeSchema,
        parameters=[DRY_RUN],
        responses={200: DryRunSchema, 201: UpgradeSchema},
    )
    def post(self, request: Request) -> Response:
        """Plan an upgrade, and start it when asked to; a dry run says what it would do."""
        given = read(NewUpgradeSchema, request.data)
        spec = upgrade_spec_from(given)
        if is_dry_run(request):
            planned = plan_upgrade(self.actor, spec, dry_run=True)
            return Response(
                {
                    "plan": planned.plan.as_json(),
                    "plan_digest": planned.plan.digest,
                    "checks": checks_as_json(planned.checks),
                    "would": [str(words) for words in planned.would],
                    "would_phrases": all_phrases_as_json(planned.would),
                    "possible": not blockers(planned.checks),
                    "prospects": prospects_of(self.actor, planned.plan),
                }
            )
        upgrade_id = plan_upgrade(self.actor, spec).upgrade_id
        if given.start:
            start_upgrade(self.actor, upgrade_id)
        body = known.upgrade(self.actor, upgrade_id)
        return shown(
            request, body, body["rev"], alive=True, status=201, Location=f"/api/v1/upgrades/{upgrade_id}"
        )


class FacetsView(RestView):
    """`/upgrades/facets`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="upgrade_facets",
        parameters=[OpenApiParameter(name, str) for name in known.PARAMETERS],
        responses=FacetsSchema,
    )
    def get(self, request: Request) -> Response:
        """Count upgrades by what lists can be narrowed to; each count leaves its own filter out."""
        return Response(known.facets(self.actor, filters_of(request)))


def filters_of(request: Request) -> dict[str, str]:
    """Read the filters of a list of upgrades."""
    others = (*NOT_FILTERS, "sort", "count")
    return {name: str(value) for name, value in request.query_params.items() if name not in others}


class UpgradeView(RestView):
    """`/upgrades/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="upgrade", parameters=[WAIT, IF_REV_GT], responses=UpgradeSchema)
    def get(self, request: Request, id: str) -> Response:
        """Show an upgrade, or wait for a newer revision of it first."""
        seen = seen_rev(request)
        if seen is not None:
            wait_until(request, lambda: known.rev_of(self.actor, id) > seen)
        body = known.upgrade(self.actor, id)
        return shown(request, body, body["rev"], alive=True)


Act = Callable[[Actor, str, int | None, UpgradeActionSchema], object]

ACTS: dict[str, tuple[str, bool, Act]] = {
    "start": ("upgrade.start", False, lambda actor, id, rev, _: start_upgrade(actor, id, rev)),
    "edit": (
        "upgrade.plan",
        False,
        lambda actor, id, rev, given: edit_upgrade(actor, id, given_in(given), rev),
    ),
    "retry-shard": (
        "upgrade.repair",
        False,
        lambda actor, id, rev, given: retry_shard(
            actor, id, None if given.shard is UNSET else given.shard, rev
        ),
    ),
    "pause": ("upgrade.pause", False, lambda actor, id, rev, _: pause_upgrade(actor, id, rev)),
    "resume": ("upgrade.resume", False, lambda actor, id, rev, _: resume_upgrade(actor, id, rev)),
    "throttle": (
        "upgrade.pause",
        False,
        lambda actor, id, rev, given: throttle_upgrade(actor, id, given.limit, rev),
    ),
    "request-approval": (
        "approval.request",
        False,
        lambda actor, id, rev, given: request_approval(actor, id, given.comment, given.ticket, rev),
    ),
    "switch": ("upgrade.switch", True, lambda actor, id, rev, _: request_switch(actor, id, rev)),
    "rollback": ("upgrade.rollback", True, lambda actor, id, rev, _: request_rollback(actor, id, rev)),
    "complete": ("upgrade.complete", True, lambda actor, id, rev, _: complete_upgrade(actor, id, rev)),
    "abort": (
        "upgrade.abort",
        True,
        lambda actor, id, rev, given: abort_upgrade(actor, id, rev, given.comment),
    ),
    "extend": (
        "upgrade.complete",
        False,
        lambda actor, id, rev, given: extend_window(actor, id, given.hours, rev),
    ),
    "enable-reverse-replication": (
        "upgrade.complete",
        False,
        lambda actor, id, rev, _: enable_reverse_replication(actor, id, rev),
    ),
    "settle": (
        "upgrade.rollback",
        False,
        lambda actor, id, rev, given: settle_upgrade(actor, id, given.comment, rev),
    ),
    "break-glass": (
        "upgrade.read",
        False,
        lambda actor, id, rev, given: break_glass(actor, id, given.comment, given.ticket, rev),
    ),
}
"""Each action with the permission it takes, and whether it goes on after the answer."""


class UpgradeActView(RestView):
    """`/upgrades/{id}/{action}`: If-Match names what was seen; the action decides again under the lock."""

    action: ClassVar[str] = ""
    located = of_upgrade

    def post(self, request: Request, id: str) -> Response:
        """Take the action, and show the upgrade as it is then."""
        given = read(UpgradeActionSchema, request.data)
        rev, (_, goes_on, act) = expected_rev(request), ACTS[self.action]

        def rehearse() -> JsonObject:
            act(self.actor, id, rev, given)
            shown = known.upgrade(self.actor, id)
            if dry and self.action in DIRECTIONS:
                shown["rehearsal"] = rehearsal(self.actor, id, self.action)
            return shown

        dry = is_dry_run(request)
        body = with_current_state(
            lambda: rehearsed(dry, rehearse),
            lambda: known.upgrade(self.actor, id),
            lambda: known.last_changed(self.actor, id),
        )
        operation = known.operation_of(self.actor, id) if goes_on and not dry else ""
        if not operation:
            return shown(request, body, body["rev"], alive=True)
        return shown(
            request,
            body,
            body["rev"],
            alive=True,
            status=202,
            **follow_headers({"id": operation, "state": "running"}),
        )


def act_door(action: str) -> Any:
    """Make the endpoint of one action."""
    described = extend_schema(
        operation_id=f"{action.replace('-', '_')}_upgrade",
        request=UpgradeActionSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses={200: UpgradeSchema, 202: UpgradeSchema},
    )
    made = type(
        f"{action.title().replace('-', '')}UpgradeView",
        (UpgradeActView,),
        {"action": action, "may": {"POST": ACTS[action][0]}, "__doc__": f"`/upgrades/{{id}}/{action}`."},
    )
    return extend_schema_view(post=described)(made).as_view()


class LinesView(RestView):
    """`/upgrades/{id}/events`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read", "POST": "upgrade.comment"}
    located = of_upgrade

    @extend_schema(
        operation_id="upgrade_events",
        parameters=PAGED,
        responses=page_schema("UpgradeEvent", TimelineEntrySchema),
    )
    def get(self, request: Request, id: str) -> Response:
        """Tell the story, oldest first."""
        page = asked_page(request)
        found = known.lines(self.actor, id, page.after_int(), page.fetch)
        return listed(page, found, lambda line: [line["seq"]], lambda line: line)

    @extend_schema(
        operation_id="comment_upgrade",
        request=CommentSchema,
        parameters=[DRY_RUN],
        responses={201: TimelineEntrySchema},
    )
    def post(self, request: Request, id: str) -> Response:
        """Comment on the upgrade; the comment is a line of its story."""
        text = read(CommentSchema, request.data).comment

        def say() -> JsonObject:
            return known.line(self.actor, id, comment_upgrade(self.actor, id, text))

        return Response(rehearsed(is_dry_run(request), say), status=201)


class UpgradePermissionRequestView(RestView):
    """`/upgrades/{id}/ask`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.read", "DELETE": "upgrade.read"}
    located = of_upgrade

    @extend_schema(
        operation_id="ask_people",
        request=NewRequestToPeopleSchema,
        parameters=[DRY_RUN],
        responses={201: TimelineEntrySchema},
    )
    def post(self, request: Request, id: str) -> Response:
        """Ask those who may for an action that one may not take oneself."""
        given = read(NewRequestToPeopleSchema, request.data)

        def ask() -> JsonObject:
            return known.line(self.actor, id, ask_people(self.actor, id, given.action, given.comment))

        return Response(rehearsed(is_dry_run(request), ask), status=201)

    @extend_schema(
        operation_id="settle_asked",
        parameters=[OpenApiParameter("action", str, required=True), DRY_RUN],
        responses={204: None},
    )
    def delete(self, request: Request, id: str) -> Response:
        """Put away what was asked for of this upgrade: done, refused or no longer wanted."""
        action = str(request.query_params.get("action", ""))
        rehearsed(is_dry_run(request), lambda: settle_asked(self.actor, id, action))
        return Response(status=204)


class SamplesView(RestView):
    """`/upgrades/{id}/samples`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="upgrade_samples", responses=SamplesSchema)
    def get(self, request: Request, id: str) -> Response:
        """Give the curves."""
        return Response(known.samples(self.actor, id))


class QuarantinedResourcesView(RestView):
    """`/upgrades/{id}/quarantine`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read", "POST": "upgrade.repair"}
    located = of_upgrade

    @extend_schema(
        operation_id="upgrade_quarantine",
        responses=page_schema("QuarantinedResource", QuarantinedResourceSchema),
    )
    def get(self, request: Request, id: str) -> Response:
        """List what could not be carried over."""
        return Response(everything(list(known.quarantined(self.actor, id))))

    @extend_schema(
        operation_id="resolve_quarantined",
        request=QuarantineActionSchema,
        parameters=[DRY_RUN],
        responses=page_schema("QuarantinedResource", QuarantinedResourceSchema),
    )
    def post(self, request: Request, id: str) -> Response:
        """Have a quarantined resource tried again, or exclude it by name."""
        given = read(QuarantineActionSchema, request.data)

        def mend() -> list[JsonObject]:
            waive = given.verdict == "waive"
            resolve_quarantined(self.actor, id, given.type, given.name, waive=waive, why=given.comment)
            return list(known.quarantined(self.actor, id))

        return Response(everything(rehearsed(is_dry_run(request), mend)))


urlpatterns = [
    path("upgrades", UpgradesView.as_view()),
    path("upgrades/facets", FacetsView.as_view()),
    path("upgrades/<str:id>", UpgradeView.as_view()),
    path("upgrades/<str:id>/events", LinesView.as_view()),
    path("upgrades/<str:id>/ask", UpgradePermissionRequestView.as_view()),
    path("upgrades/<str:id>/samples", SamplesView.as_view()),
    path("upgrades/<str:id>/quarantine", QuarantinedResourcesView.as_view()),
    *(path(f"upgrades/<str:id>/{action}", act_door(action)) for action in ACTS),
]

"""Being told: one's own rules, the hours one is left alone, and what was sent."""

from __future__ import annotations

from datetime import time
from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.notifications.commands.write_notice import (
    NoticeSpec,
    add_notice,
    change_notice,
    delete_notice,
    set_hours,
)
from migrations_app.control.notifications.endpoints.hooks import DeliverySchema
from migrations_app.control.notifications.queries import notices as known
from migrations_app.domain.notices import Hours, NotificationPace
from migrations_app.web.contract import RequestBody, ResponseBody, TimeOfDay, one_of, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import SIGNED_IN, RestView
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH

PACES = tuple(str(each) for each in NotificationPace)
CLOCK = ("%H:%M", "%H:%M:%S")


class NewNotificationRuleSchema(RequestBody, frozen=True, kw_only=True):
    """What one is to be told of, where it happens, and how soon."""

    events: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(min_length=1, max_length=20)
    ]
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    pace: Annotated[str, one_of(PACES)] = "at-once"
    active: bool = True


class NotificationRuleSchema(ResponseBody, frozen=True, kw_only=True):
    """A rule of one's own."""

    id: str
    rev: int
    events: list[str]
    service: str
    region: str
    pace: Annotated[str, one_of(PACES)]
    active: bool


class NewQuietHoursSchema(RequestBody, frozen=True, kw_only=True):
    """Quiet hours, and when a daily digest comes; on the clocks of a zone."""

    zone: Annotated[str, Meta(min_length=1, max_length=64)] = "UTC"
    quiet_from: TimeOfDay | None = None
    quiet_to: TimeOfDay | None = None
    daily_at: TimeOfDay = time(8)


class QuietHoursSchema(ResponseBody, frozen=True, kw_only=True):
    """One's hours."""

    rev: int
    zone: str
    quiet_from: str | None
    quiet_to: str | None
    daily_at: str


class NotificationSettingsSchema(ResponseBody, frozen=True, kw_only=True):
    """How one is told."""

    mail: str
    sends_mail: Annotated[bool, Meta(description="This installation has a mail server.")]
    hours: QuietHoursSchema
    rules: list[NotificationRuleSchema]
    sent: list[DeliverySchema]


class NoticesView(RestView):
    """`/notices`."""

    may: ClassVar[dict[str, str]] = {"GET": SIGNED_IN, "POST": SIGNED_IN}

    @extend_schema(operation_id="notices", responses=NotificationSettingsSchema)
    def get(self, request: Request) -> Response:
        """Show one's own rules of being told."""
        return Response(known.notices(self.actor))

    @extend_schema(
        operation_id="add_notice",
        request=NewNotificationRuleSchema,
        parameters=[DRY_RUN],
        responses={201: NotificationRuleSchema},
    )
    def post(self, request: Request) -> Response:
        """Make a rule: events that come by mail, at once or gathered."""
        spec = _spec(request)
        body = rehearsed(is_dry_run(request), lambda: add_notice(self.actor, spec))
        return shown(request, body, body["rev"], status=201)


class NoticeView(RestView):
    """`/notices/{id}`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN, "DELETE": SIGNED_IN}

    @extend_schema(
        operation_id="change_notice",
        request=NewNotificationRuleSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=NotificationRuleSchema,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change a rule of one's own."""
        spec, rev = _spec(request), expected_rev(request)
        body = rehearsed(is_dry_run(request), lambda: change_notice(self.actor, id, spec, rev))
        return shown(request, body, body["rev"])

    @extend_schema(operation_id="delete_notice", parameters=[IF_MATCH, DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: str) -> Response:
        """Take a rule away."""
        rev = expected_rev(request)
        rehearsed(is_dry_run(request), lambda: delete_notice(self.actor, id, rev))
        return Response(status=204)


class HoursView(RestView):
    """`/notices/hours`."""

    may: ClassVar[dict[str, str]] = {"PUT": SIGNED_IN}

    @extend_schema(
        operation_id="set_notice_hours",
        request=NewQuietHoursSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=QuietHoursSchema,
    )
    def put(self, request: Request) -> Response:
        """Say when one wants to be told, and when to be left alone."""
        given, rev = read(NewQuietHoursSchema, request.data), expected_rev(request)
        hours = Hours(given.zone, given.quiet_from, given.quiet_to, given.daily_at)
        body = rehearsed(is_dry_run(request), lambda: set_hours(self.actor, hours, rev))
        return shown(request, body, body["rev"])


def _spec(request: Request) -> NoticeSpec:
    given = read(NewNotificationRuleSchema, request.data)
    return NoticeSpec(tuple(given.events), given.service, given.region, given.pace, given.active)


urlpatterns = [
    path("notices", NoticesView.as_view()),
    path("notices/hours", HoursView.as_view()),
    path("notices/<str:id>", NoticeView.as_view()),
]

"""Webhooks: who is told of what, their secrets, and the log of their deliveries."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.notifications.commands.write_webhook import (
    HookSpec,
    change_webhook,
    create_webhook,
    delete_webhook,
    replay_delivery,
    rotate_webhook,
    send_test_message,
    webhook_id,
)
from migrations_app.control.notifications.queries import hooks as known
from migrations_app.control.notifications.queries.hooks import FORMATS
from migrations_app.control.notifications.queries.places import of_hook
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.paging import asked_page, listed
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import PAGED, Phrases, everything, page_schema
from migrations_app.web.upserts import UPSERT, expected_state

DRY_RUN = OpenApiParameter("dry_run", bool, description="Say what would happen, and keep nothing.")
IF_MATCH = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, required=True)


class HookRulesSchema(RequestBody, frozen=True, kw_only=True):
    """A webhook as it shall be; its name is in the address."""

    format: Annotated[
        str, one_of(FORMATS, description="How it is told: signed JSON, a card of Slack or Teams, a mail.")
    ] = "signed"
    url: Annotated[
        str, Meta(max_length=2000, description="The whole address; left out or empty, the address stays.")
    ] = ""
    events: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(min_length=1, max_length=20)
    ]
    service: Annotated[str, Meta(min_length=1, max_length=200)] = "*"
    region: Annotated[str, Meta(min_length=1, max_length=100)] = "*"
    active: bool = True


class ChangeHookSchema(HookRulesSchema, frozen=True, kw_only=True):
    """A webhook as it shall be, with its name."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]


class NewHookSchema(ChangeHookSchema, frozen=True, kw_only=True):
    """A webhook to be: events by name or pattern, such as `upgrade.*`."""

    url: Annotated[str, Meta(min_length=1, max_length=2000)]


class HookSchema(ResponseBody, frozen=True, kw_only=True):
    """A webhook."""

    id: str
    name: str
    rev: int
    format: Annotated[str, one_of(FORMATS)]
    address: Annotated[
        str,
        Meta(
            description="Host and last four characters of the address, which is a credential; mail addresses whole."
        ),
    ]
    events: list[str]
    service: str
    region: str
    active: bool
    former_until: Instant | None
    created_by: str
    created_at: Instant
    waiting: int | UnsetType = UNSET
    retrying: int | UnsetType = UNSET
    failed: int | UnsetType = UNSET


class HookWithSecretSchema(HookSchema, frozen=True, kw_only=True):
    """A webhook with its secret, shown this once."""

    secret: str


class DeliverySchema(ResponseBody, frozen=True, kw_only=True):
    """A delivery and what became of it."""

    id: int
    seq: int
    event: str
    body: dict[str, Any]
    state: Annotated[str, one_of(("pending", "delivered", "failed"))]
    attempts: int
    next_at: Instant | None
    status: Annotated[
        str | None, Meta(description="The class of the answer, such as `2xx`; null when there was none.")
    ]
    took_ms: Annotated[int | None, Meta(description="Null when nothing was answered.")]
    error: str
    error_phrases: Phrases | UnsetType = UNSET
    created_at: Instant
    delivered_at: Instant | None


SECRETS = frozenset({"secret"})
"""What of an answer is shown once, and not kept for a repeat of the request."""


class HooksView(RestView):
    """`/hooks`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "POST": "access.manage"}
    located = in_body
    secrets = SECRETS

    @extend_schema(operation_id="hooks", responses=page_schema("Hook", HookSchema))
    def get(self, request: Request) -> Response:
        """List the webhooks."""
        return Response(everything(known.hooks(self.actor)))

    @extend_schema(
        operation_id="create_hook",
        request=NewHookSchema,
        parameters=[DRY_RUN],
        responses={201: HookWithSecretSchema},
    )
    def post(self, request: Request) -> Response:
        """Make a webhook; its secret is shown this once."""
        given = read(NewHookSchema, request.data)
        spec = _spec(given.name, given)
        body = rehearsed(is_dry_run(request), lambda: create_webhook(self.actor, spec))
        return shown(request, body, body["rev"], status=201)


class PreviewHookSchema(RequestBody, frozen=True, kw_only=True):
    """How a channel would be told, and of what."""

    format: Annotated[str, one_of(FORMATS)] = "signed"
    events: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=64)]], Meta(min_length=1, max_length=20)
    ]


class HookPreviewSchema(ResponseBody, frozen=True, kw_only=True):
    """A message as its receiver would read it."""

    event: str
    example: Annotated[bool, Meta(description="Nothing of the kind happened of late.")]
    message: dict[str, Any]


class HookPreviewView(RestView):
    """`/hooks/preview`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.read"}

    @extend_schema(operation_id="preview_hook", request=PreviewHookSchema, responses=HookPreviewSchema)
    def post(self, request: Request) -> Response:
        """Show how a channel would be told of the newest event it wants."""
        given = read(PreviewHookSchema, request.data)
        return Response(known.preview(self.actor, given.format, given.events))


class HookView(RestView):
    """`/hooks/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "PUT": "access.manage", "DELETE": "access.manage"}
    located = of_hook

    @extend_schema(operation_id="hook", responses=HookSchema)
    def get(self, request: Request, id: str) -> Response:
        """Show a webhook."""
        body = known.hook(self.actor, id)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="change_hook",
        request=ChangeHookSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=HookSchema,
    )
    def put(self, request: Request, id: str) -> Response:
        """Change a webhook."""
        given, rev = read(ChangeHookSchema, request.data), expected_rev(request)
        spec = _spec(given.name, given)
        body = rehearsed(is_dry_run(request), lambda: change_webhook(self.actor, id, spec, rev))
        return shown(request, body, body["rev"])

    @extend_schema(operation_id="delete_hook", parameters=[IF_MATCH, DRY_RUN], responses={204: None})
    def delete(self, request: Request, id: str) -> Response:
        """Remove a webhook and the log of its deliveries."""
        rev = expected_rev(request)
        rehearsed(is_dry_run(request), lambda: delete_webhook(self.actor, id, rev))
        return Response(status=204)


class NamedHookView(RestView):
    """`/hooks/by-name/{name}`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read", "PUT": "access.manage"}
    located = in_body
    secrets = SECRETS

    @extend_schema(operation_id="named_hook", responses=HookSchema)
    def get(self, request: Request, name: str) -> Response:
        """Show the webhook of a name."""
        body = known.hook(self.actor, webhook_id(name) or name)
        return shown(request, body, body["rev"])

    @extend_schema(
        operation_id="apply_hook",
        request=HookRulesSchema,
        parameters=[*UPSERT, DRY_RUN],
        responses={200: HookSchema, 201: HookWithSecretSchema},
    )
    def put(self, request: Request, name: str) -> Response:
        """Set a webhook by its name; the secret of one that is created is shown this once."""
        given, expected = read(HookRulesSchema, request.data), expected_state(request)
        spec, kept = _spec(name, given), webhook_id(name)
        creates = expected.creates(f"webhook {name}", kept is not None)

        def keep() -> JsonObject:
            if kept is None:
                return create_webhook(self.actor, spec)
            return change_webhook(self.actor, kept, spec, expected.rev)

        body = rehearsed(is_dry_run(request), keep)
        return shown(request, body, body["rev"], status=201 if creates else 200)


class RotateHookView(RestView):
    """`/hooks/{id}/rotate`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.manage"}
    located = of_hook
    secrets = SECRETS

    @extend_schema(
        operation_id="rotate_hook", request=None, parameters=[DRY_RUN], responses=HookWithSecretSchema
    )
    def post(self, request: Request, id: str) -> Response:
        """Give a new secret; for a day messages are signed with both."""
        return Response(rehearsed(is_dry_run(request), lambda: rotate_webhook(self.actor, id)))


class TestHookView(RestView):
    """`/hooks/{id}/test`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.manage"}
    located = of_hook

    @extend_schema(
        operation_id="test_hook", request=None, parameters=[DRY_RUN], responses={202: DeliverySchema}
    )
    def post(self, request: Request, id: str) -> Response:
        """Send a test message."""
        body = rehearsed(is_dry_run(request), lambda: send_test_message(self.actor, id))
        return Response(body, status=202)


class DeliveriesView(RestView):
    """`/hooks/{id}/deliveries`."""

    may: ClassVar[dict[str, str]] = {"GET": "access.read"}

    @extend_schema(
        operation_id="deliveries", parameters=PAGED, responses=page_schema("Delivery", DeliverySchema)
    )
    def get(self, request: Request, id: str) -> Response:
        """List the deliveries, newest first."""
        page = asked_page(request)
        found = known.deliveries(self.actor, id, page.after_int(), page.fetch)
        return listed(page, found, lambda row: [row.pk], known.delivery_as_json)


class ReplayView(RestView):
    """`/hooks/{id}/deliveries/{delivery}/replay`."""

    may: ClassVar[dict[str, str]] = {"POST": "access.manage"}
    located = of_hook

    @extend_schema(
        operation_id="replay_delivery", request=None, parameters=[DRY_RUN], responses={202: DeliverySchema}
    )
    def post(self, request: Request, id: str, delivery: int) -> Response:
        """Send a delivery again, under the same number."""
        body = rehearsed(is_dry_run(request), lambda: replay_delivery(self.actor, id, delivery))
        return Response(body, status=202)


def _spec(name: str, given: HookRulesSchema) -> HookSpec:
    return HookSpec(
        name,
        given.url,
        tuple(given.events),
        given.service,
        given.region,
        given.active,
        given.format,
    )


urlpatterns = [
    path("hooks", HooksView.as_view()),
    path("hooks/preview", HookPreviewView.as_view()),
    path("hooks/by-name/<str:name>", NamedHookView.as_view()),
    path("hooks/<str:id>", HookView.as_view()),
    path("hooks/<str:id>/rotate", RotateHookView.as_view()),
    path("hooks/<str:id>/test", TestHookView.as_view()),
    path("hooks/<str:id>/deliveries", DeliveriesView.as_view()),
    path("hooks/<str:id>/deliveries/<int:delivery>/replay", ReplayView.as_view()),
]

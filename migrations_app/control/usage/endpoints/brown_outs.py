"""Brown-outs of a service, and the strategies of its single unknown keys."""

from __future__ import annotations

from typing import ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.registry.queries.places import of_service
from migrations_app.control.usage.commands.brown_outs import (
    BrownOutSpec,
    approve_brown_out,
    request_brown_out,
    stop_brown_out,
)
from migrations_app.control.usage.commands.key_strategies import (
    KeyStrategySpec,
    end_key_strategy,
    set_key_strategy,
)
from migrations_app.control.usage.queries.brown_outs import brown_outs_of
from migrations_app.control.usage.queries.key_strategies import key_strategies
from migrations_app.control.usage.queries.places import of_brown_out, of_key_strategy
from migrations_app.control.usage.schemas import (
    BrownOutSchema,
    KeyStrategySchema,
    NewBrownOutSchema,
    NewKeyStrategySchema,
    StopBrownOutSchema,
)
from migrations_app.web.contract import given_in, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, everything, page_schema


class BrownOutsView(RestView):
    """`/services/{service}/usage/brown-outs`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = of_service

    @extend_schema(operation_id="brown_outs", responses=page_schema("BrownOut", BrownOutSchema))
    def get(self, request: Request, name: str) -> Response:
        """List the brown-outs of a service with what they refused, newest first."""
        return Response(everything(brown_outs_of(self.actor, name)))

    @extend_schema(
        operation_id="request_brown_out",
        request=NewBrownOutSchema,
        parameters=[DRY_RUN],
        responses={201: BrownOutSchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Refuse a share of the requests that use something deprecated, between two moments; it is announced."""
        spec = BrownOutSpec(**given_in(read(NewBrownOutSchema, request.data)))
        made = rehearsed(is_dry_run(request), lambda: request_brown_out(self.actor, name, spec))
        return Response(made, status=201)


class ApproveBrownOutView(RestView):
    """`/brown-outs/{id}/approve`."""

    may: ClassVar[dict[str, str]] = {"POST": "approval.vote"}
    located = of_brown_out

    @extend_schema(
        operation_id="approve_brown_out", request=None, parameters=[DRY_RUN], responses=BrownOutSchema
    )
    def post(self, request: Request, id: str) -> Response:
        """Approve a brown-out that another person requested, where a policy asks for it."""
        return Response(rehearsed(is_dry_run(request), lambda: approve_brown_out(self.actor, id)))


class StopBrownOutView(RestView):
    """`/brown-outs/{id}/stop`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_brown_out

    @extend_schema(
        operation_id="stop_brown_out",
        request=StopBrownOutSchema,
        parameters=[DRY_RUN],
        responses=BrownOutSchema,
    )
    def post(self, request: Request, id: str) -> Response:
        """Stop a brown-out: no request is refused a second later."""
        reason = read(StopBrownOutSchema, request.data).reason
        return Response(rehearsed(is_dry_run(request), lambda: stop_brown_out(self.actor, id, reason)))


class KeyStrategiesView(RestView):
    """`/services/{service}/usage/key-strategies`."""

    may: ClassVar[dict[str, str]] = {"GET": "registry.read", "POST": "registry.write"}
    located = of_service

    @extend_schema(operation_id="key_strategies", responses=page_schema("KeyStrategy", KeyStrategySchema))
    def get(self, request: Request, name: str) -> Response:
        """List the strategies of single unknown keys of a service, newest first."""
        return Response(everything(key_strategies(self.actor, name)))

    @extend_schema(
        operation_id="set_key_strategy",
        request=NewKeyStrategySchema,
        parameters=[DRY_RUN],
        responses={201: KeyStrategySchema},
    )
    def post(self, request: Request, name: str) -> Response:
        """Say what is done with one unknown key until an end; it takes the place of the strategy in force."""
        spec = KeyStrategySpec(**given_in(read(NewKeyStrategySchema, request.data)))
        made = rehearsed(is_dry_run(request), lambda: set_key_strategy(self.actor, name, spec))
        return Response(made, status=201)


class EndKeyStrategyView(RestView):
    """`/key-strategies/{id}/end`."""

    may: ClassVar[dict[str, str]] = {"POST": "registry.write"}
    located = of_key_strategy

    @extend_schema(
        operation_id="end_key_strategy", request=None, parameters=[DRY_RUN], responses=KeyStrategySchema
    )
    def post(self, request: Request, id: str) -> Response:
        """End a strategy before its time: that of the deployment applies again."""
        return Response(rehearsed(is_dry_run(request), lambda: end_key_strategy(self.actor, id)))


urlpatterns = [
    path("services/<str:name>/usage/brown-outs", BrownOutsView.as_view()),
    path("services/<str:name>/usage/key-strategies", KeyStrategiesView.as_view()),
    path("brown-outs/<str:id>/approve", ApproveBrownOutView.as_view()),
    path("brown-outs/<str:id>/stop", StopBrownOutView.as_view()),
    path("key-strategies/<str:id>/end", EndKeyStrategyView.as_view()),
]

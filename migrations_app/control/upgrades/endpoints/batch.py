"""Many upgrades planned at once: each on its own, with its own answer."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.db import transaction
from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.upgrade_state.schemas import NewUpgradeSchema, UpgradeSchema
from migrations_app.control.upgrades.commands.plan_upgrade import plan_upgrade
from migrations_app.control.upgrades.commands.start_upgrade import start_upgrade
from migrations_app.control.upgrades.endpoints.upgrade_specs import upgrade_spec_from
from migrations_app.control.upgrades.queries import upgrades as known
from migrations_app.domain.access import Actor
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.web.contract import RequestBody, ResponseBody, read
from migrations_app.web.preconditions import is_dry_run, rehearsed
from migrations_app.web.problems import problem_of
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN


class BatchSchema(RequestBody, frozen=True, kw_only=True):
    """Up to a hundred plans."""

    upgrades: Annotated[list[NewUpgradeSchema], Meta(min_length=1, max_length=100)]


class BatchItemSchema(ResponseBody, frozen=True, kw_only=True):
    """What became of one plan: the upgrade, or the problem that refused it."""

    deployment: str
    status: int
    upgrade: UpgradeSchema | None
    problem: dict[str, Any] | None


class BatchAnswerSchema(ResponseBody, frozen=True, kw_only=True):
    """The answers, in the order of the plans."""

    items: list[BatchItemSchema]


class BatchView(RestView):
    """`/upgrades:batch`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.plan"}
    located = in_body

    @extend_schema(
        operation_id="plan_upgrades",
        request=BatchSchema,
        parameters=[DRY_RUN],
        responses={207: BatchAnswerSchema},
    )
    def post(self, request: Request) -> Response:
        """Plan several upgrades, and start those that ask for it; one refused does not stop the others."""
        plans = read(BatchSchema, request.data).upgrades
        items = rehearsed(is_dry_run(request), lambda: [_answer(self.actor, each) for each in plans])
        return Response({"items": items}, status=207)


def _answer(actor: Actor, given: NewUpgradeSchema) -> dict[str, Any]:
    try:
        with transaction.atomic():
            upgrade_id = plan_upgrade(actor, upgrade_spec_from(given)).upgrade_id
            if given.start:
                start_upgrade(actor, upgrade_id)
    except SwitchyardError as error:
        problem = problem_of(error)
        return {
            "deployment": given.deployment,
            "status": problem.status,
            "upgrade": None,
            "problem": problem.body,
        }
    shown = known.upgrade(actor, upgrade_id)
    return {"deployment": given.deployment, "status": 201, "upgrade": shown, "problem": None}


urlpatterns = [path("upgrades:batch", BatchView.as_view())]

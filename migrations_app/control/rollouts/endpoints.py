"""Rollouts: several upgrades in waves, planned together, carried out one wave after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.rollouts.commands.plan_rollout import (
    DeploymentPlanResult,
    RolloutWish,
    digest_of_rehearsal,
    plan_rollout,
    possible,
    rehearse_rollout,
)
from migrations_app.control.rollouts.commands.replan_rollout import replan_rollout
from migrations_app.control.rollouts.commands.run_rollout import (
    pause_rollout,
    resume_rollout,
    retry_item,
    roll_wave_back,
    skip_item,
    start_rollout,
    stop_rollout,
)
from migrations_app.control.rollouts.queries import rollouts as known
from migrations_app.control.rollouts.queries.places import of_rollout
from migrations_app.control.upgrade_state.check_schemas import CheckSchema
from migrations_app.control.upgrade_state.schemas import AvailableActionSchema
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec
from migrations_app.control.upgrades.queries.prospects import prospects_of
from migrations_app.control.upgrades.queries.view import checks_as_json
from migrations_app.control.upgrades.schemas import UpgradeForecastSchema
from migrations_app.domain.access import Actor
from migrations_app.domain.switch.rollout import ItemState, RolloutState
from migrations_app.domain.switch.states import State
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, one_of, read
from migrations_app.web.preconditions import expected_rev, is_dry_run, rehearsed, shown, with_current_state
from migrations_app.web.problems import problem_of
from migrations_app.web.rest_view import RestView, in_body
from migrations_app.web.shared_schemas import DRY_RUN, IF_MATCH, Phrases, everything, page_schema


class NewRolloutSchema(RequestBody, frozen=True, kw_only=True):
    """Which deployments shall move to which version, wave after wave."""

    title: Annotated[str, Meta(max_length=200)] = ""
    comment: Annotated[str, Meta(max_length=4000)] = ""
    target_version: Annotated[str, Meta(min_length=1, max_length=64)]
    waves: Annotated[
        list[Annotated[list[Annotated[str, Meta(min_length=1, max_length=400)]], Meta(max_length=100)]],
        Meta(max_length=50),
    ]
    max_parallel: Annotated[int, Meta(ge=1, le=100)] = 1
    pause_seconds: Annotated[int, Meta(ge=0, le=604_800)] = 0
    automatic: bool | None = None
    downgrade_sync: bool = True
    rollback_hours: Annotated[int, Meta(ge=1, le=2160)] = 168
    start: bool = False
    plan_digest: Annotated[
        str,
        Meta(
            max_length=64, description="What the dry run called the plan: 412 when it would be another one."
        ),
    ] = ""


class RolloutItemSchema(ResponseBody, frozen=True, kw_only=True):
    """One deployment in its wave."""

    deployment: str
    service: str
    region: str
    from_version: str
    to_version: str
    state: Annotated[str, one_of(ItemState)]
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET
    upgrade_id: str
    upgrade_state: Annotated[str, one_of(State)]
    plan_digest: Annotated[str, Meta(description="The plan that the rollout begins, and no other.")]
    plan_changed: Annotated[bool, Meta(description="Its upgrade has another plan by now.")]
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    ready: int
    total: int
    percent: Annotated[int | None, Meta(description="null: not counted yet.")]
    lag_seconds: float | None
    unknown_shards: Annotated[int, Meta(description="Shards whose last report is too old to be believed.")]
    oldest_report_at: Instant | None
    blocked: Annotated[bool, Meta(description="Something holds its upgrade up.")]
    freeze_ms: Annotated[float | None, Meta(description="The pause of writes of its switch; null before it.")]
    reversible_until: Instant | None
    settled_at: Instant | None


class RolloutSummarySchema(ResponseBody, frozen=True, kw_only=True):
    """A rollout with its waves."""

    id: str
    rev: int
    title: str
    comment: str
    state: Annotated[str, one_of(RolloutState)]
    reason: str
    reason_phrases: Phrases | UnsetType = UNSET
    sentence: str
    phrases: Phrases | UnsetType = UNSET
    wave: int | None
    max_parallel: int
    pause_seconds: int
    plan_digest: Annotated[str, Meta(description="Names every deployment's plan, the order and the pace.")]
    created_by: str
    created_at: Instant
    finished_at: Instant | None
    waves: list[list[RolloutItemSchema]]


class RolloutSchema(RolloutSummarySchema, frozen=True, kw_only=True):
    """A rollout with what it offers."""

    actions: list[AvailableActionSchema]


class UnreachableDeploymentSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that cannot go to a version, and why."""

    deployment: str
    reason: str
    phrases: Phrases | UnsetType = UNSET


class RolloutTargetSchema(ResponseBody, frozen=True, kw_only=True):
    """A version of the services that were asked about; `reachable` where all of them can go there."""

    version: str
    reachable: bool
    unreachable: list[UnreachableDeploymentSchema]


class RolloutRehearsalItemSchema(ResponseBody, frozen=True, kw_only=True):
    """What the plan of one deployment would come to."""

    deployment: str
    wave: int
    possible: bool
    checks: list[CheckSchema]
    problem: dict[str, Any] | None
    prospects: UpgradeForecastSchema | None


class RolloutRehearsalSchema(ResponseBody, frozen=True, kw_only=True):
    """A rollout that was not kept."""

    possible: bool
    plan_digest: Annotated[
        str, Meta(description="Names the plan; empty when a deployment cannot be planned.")
    ]
    items: list[RolloutRehearsalItemSchema]


class RolloutActionSchema(RequestBody, frozen=True, kw_only=True):
    """What goes with an action: for `retry` and `skip` the deployment, for `skip` and `stop` the reason,
    for `start` and `replan` what was looked at."""

    deployment: Annotated[str, Meta(max_length=400)] = ""
    comment: Annotated[str, Meta(max_length=4000)] = ""
    plan_digest: Annotated[
        str,
        Meta(max_length=64, description="For `start`: the plan to begin; 412 when it is another one by now."),
    ] = ""
    proposal_digest: Annotated[
        str,
        Meta(
            max_length=64,
            description="For `replan`: the proposal to take; 412 when it is another one by now.",
        ),
    ] = ""


class RolloutsView(RestView):
    """`/rollouts`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read", "POST": "upgrade.plan"}
    located = in_body

    @extend_schema(operation_id="rollouts", responses=page_schema("Rollout", RolloutSummarySchema))
    def get(self, request: Request) -> Response:
        """List rollouts, newest first."""
        return Response(everything(list(known.rollouts(self.actor))))

    @extend_schema(
        operation_id="plan_rollout",
        request=NewRolloutSchema,
        parameters=[DRY_RUN],
        responses={200: RolloutRehearsalSchema, 201: RolloutSchema},
    )
    def post(self, request: Request) -> Response:
        """Plan a rollout, all of it or nothing; a dry run judges every deployment."""
        given = read(NewRolloutSchema, request.data)
        asked = _spec(given)
        if is_dry_run(request):
            found = rehearse_rollout(self.actor, asked)
            return Response(
                {
                    "possible": possible(found),
                    "plan_digest": digest_of_rehearsal(asked, found),
                    "items": [_rehearsed_item(self.actor, each) for each in found],
                }
            )
        rollout_id = plan_rollout(self.actor, asked)
        if given.start:
            start_rollout(self.actor, rollout_id)
        body = known.rollout(self.actor, rollout_id)
        return shown(
            request, body, body["rev"], alive=True, status=201, Location=f"/api/v1/rollouts/{rollout_id}"
        )


class RolloutTargetsView(RestView):
    """`/rollouts/targets`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(
        operation_id="rollout_targets",
        parameters=[
            OpenApiParameter("deployments", str, required=True, description="Names, parted by commas.")
        ],
        responses=page_schema("RolloutTarget", RolloutTargetSchema),
    )
    def get(self, request: Request) -> Response:
        """Tell to which versions some deployments can go together, and what keeps them from the others."""
        names = [each for each in request.query_params.get("deployments", "").split(",") if each]
        return Response(everything(known.targets(self.actor, names)))


class RolloutView(RestView):
    """`/rollouts/{id}`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="rollout", responses=RolloutSchema)
    def get(self, request: Request, id: str) -> Response:
        """Show a rollout."""
        body = known.rollout(self.actor, id)
        return shown(request, body, body["rev"], alive=True)


Act = Callable[[Actor, str, int | None, RolloutActionSchema], object]
ACTS: dict[str, Act] = {
    "start": lambda actor, id, rev, given: start_rollout(actor, id, rev, given.plan_digest),
    "pause": lambda actor, id, rev, _: pause_rollout(actor, id, rev),
    "resume": lambda actor, id, rev, _: resume_rollout(actor, id, rev),
    "retry": lambda actor, id, rev, given: retry_item(actor, id, given.deployment, rev),
    "replan": lambda actor, id, rev, given: replan_rollout(actor, id, rev, given.proposal_digest),
    "skip": lambda actor, id, rev, given: skip_item(actor, id, given.deployment, given.comment, rev),
    "stop": lambda actor, id, rev, given: stop_rollout(actor, id, given.comment, rev),
    "rollback": lambda actor, id, rev, _: roll_wave_back(actor, id, rev),
}


class RolloutActView(RestView):
    """`/rollouts/{id}/{action}`."""

    located = of_rollout
    action: ClassVar[str] = ""

    def post(self, request: Request, id: str) -> Response:
        """Take the action, and show the rollout as it is then."""
        given, rev = read(RolloutActionSchema, request.data), expected_rev(request)

        def act() -> JsonObject:
            ACTS[self.action](self.actor, id, rev, given)
            return known.rollout(self.actor, id)

        body = with_current_state(
            lambda: rehearsed(is_dry_run(request), act),
            lambda: known.rollout(self.actor, id),
            lambda: known.last_changed(id),
        )
        return shown(request, body, body["rev"], alive=True)


def act_door(action: str) -> Any:
    """Make the endpoint of one action."""
    described = extend_schema(
        operation_id=f"{action}_rollout",
        request=RolloutActionSchema,
        parameters=[IF_MATCH, DRY_RUN],
        responses=RolloutSchema,
    )
    may = {"POST": known.PERMISSIONS[action]}
    told = f"`/rollouts/{{id}}/{action}`."
    made = type(
        f"{action.title()}RolloutView", (RolloutActView,), {"action": action, "may": may, "__doc__": told}
    )
    return extend_schema_view(post=described)(made).as_view()


def _spec(given: NewRolloutSchema) -> RolloutWish:
    of_each = UpgradeSpec(
        "",
        given.target_version,
        automatic=given.automatic,
        downgrade_sync=given.downgrade_sync,
        rollback_hours=given.rollback_hours,
    )
    waves = tuple(tuple(wave) for wave in given.waves)
    return RolloutWish(
        waves,
        of_each,
        given.title,
        given.comment,
        given.max_parallel,
        given.pause_seconds,
        given.plan_digest,
    )


def _rehearsed_item(actor: Actor, each: DeploymentPlanResult) -> dict[str, Any]:
    checks = each.planned.checks if each.planned else ()
    return {
        "deployment": each.deployment,
        "wave": each.wave,
        "possible": possible([each]),
        "checks": checks_as_json(checks),
        "problem": problem_of(each.error).body if each.error else None,
        "prospects": prospects_of(actor, each.planned.plan) if each.planned else None,
    }


urlpatterns = [
    path("rollouts", RolloutsView.as_view()),
    path("rollouts/targets", RolloutTargetsView.as_view()),
    path("rollouts/<str:id>", RolloutView.as_view()),
    *(path(f"rollouts/<str:id>/{action}", act_door(action)) for action in ACTS),
]

"""Deployments: the list, the page of one, and applying a declaration of one."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.schemas import DependantSchema
from migrations_app.control.fleet.endpoints.fleet import CellSchema
from migrations_app.control.fleet.queries.deployments import FILTERS, deployment, deployments, last_changed
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.follow_deployment import follow_deployment
from migrations_app.control.registry.queries.places import of_deployment
from migrations_app.control.upgrade_state.schemas import SamplesSchema, UpgradeSummarySchema
from migrations_app.control.upgrades.commands.release_switch import release_switch
from migrations_app.control.upgrades.queries.upgrades import samples_of_day
from migrations_app.domain.registry.names import RegistryKind, deployment_name
from migrations_app.web.contract import Instant, RequestBody, ResponseBody, read
from migrations_app.web.paging import NOT_FILTERS, asked_page, listed
from migrations_app.web.preconditions import check_rev, etag, expected_rev, is_dry_run, rehearsed
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN, MAY_MATCH, PAGED, Phrases, page_schema


class ReachableVersionSchema(ResponseBody, frozen=True, kw_only=True):
    """A version and whether this deployment could move to it."""

    version: str
    reachable: bool
    reason: str
    phrases: Phrases | UnsetType = UNSET


class DeploymentImportSchema(ResponseBody, frozen=True, kw_only=True):
    """An import: the version it uses, and the one that runs in the same region."""

    service: str
    version: str
    current_version: str | None
    mismatch: bool


class DatabaseSchema(ResponseBody, frozen=True, kw_only=True):
    """Where the data of one version is kept."""

    namespace: str
    version: str
    disabled: bool
    resources: Annotated[int | None, Meta(description="As of its newest copy.")]


class OfferedActionSchema(ResponseBody, frozen=True, kw_only=True):
    """An action, whether the caller may take it now, and if not, why and who could."""

    action: str
    allowed: bool
    reason: str
    phrases: Phrases | UnsetType = UNSET
    who_can: list[str]


class ShardCountChangeSchema(ResponseBody, frozen=True, kw_only=True):
    """How many shards an upgrade had and has, and since when; its counts began again then."""

    before: int
    after: int
    at: Instant


class ModeChangeSchema(ResponseBody, frozen=True, kw_only=True):
    """Who said last how a deployment switches, and when."""

    who: str
    at: Instant


class DeploymentSchema(CellSchema, frozen=True, kw_only=True):
    """Everything about one deployment; `raw` is its message in the registry's own words."""

    sentence: str
    phrases: Phrases | UnsetType = UNSET
    newest_version: str
    reachable_versions: list[ReachableVersionSchema]
    db_data_version: str
    db_location_tag: str
    shard_count: Annotated[
        int | None, Meta(description="How many shards the data have; null where they are kept elsewhere.")
    ]
    public_domain: str
    imported_versions: list[DeploymentImportSchema]
    dependants: list[DependantSchema]
    databases: list[DatabaseSchema]
    upgrades: list[UpgradeSummarySchema]
    active_upgrade: UpgradeSummarySchema | None
    actions: list[OfferedActionSchema]
    switch_mode_set: ModeChangeSchema | None
    resharded: Annotated[
        ShardCountChangeSchema | None, Meta(description="While an upgrade runs whose shards changed.")
    ]
    followed: Annotated[bool, Meta(description="Whether the caller follows it.")]
    raw: dict[str, Any]


class ApplyDeploymentSchema(RequestBody, frozen=True, kw_only=True):
    """What a deployment shall be: its message in the registry's words, and the alias of its data database."""

    deployment: dict[str, Any]
    database: Annotated[str, Meta(max_length=64)] = ""


class DeploymentsView(RestView):
    """`/deployments`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(
        operation_id="deployments",
        parameters=[*(OpenApiParameter(name, str) for name in FILTERS), *PAGED],
        responses=page_schema("Deployment", CellSchema),
    )
    def get(self, request: Request) -> Response:
        """List deployments by name."""
        asked = asked_page(request)
        filters = {
            name: str(value) for name, value in request.query_params.items() if name not in NOT_FILTERS
        }
        after = str(asked.after[0]) if asked.after else None
        found = deployments(self.actor, filters, after=after, limit=asked.fetch)
        return listed(asked, found, lambda one: [one["name"]], lambda one: one)


class DeploymentView(RestView):
    """`/deployments/{service}/{region}`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read", "PUT": "registry.write", "DELETE": "registry.write"}
    located = of_deployment

    @extend_schema(operation_id="deployment", responses=DeploymentSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Show one deployment."""
        return self._shown(service, region)

    @extend_schema(
        operation_id="apply_deployment",
        request=ApplyDeploymentSchema,
        parameters=[MAY_MATCH, DRY_RUN],
        responses=DeploymentSchema,
    )
    def put(self, request: Request, service: str, region: str) -> Response:
        """Register the deployment, or change what the body names of it; again is the same as once."""
        given = read(ApplyDeploymentSchema, request.data)
        name = deployment_name(service, region)
        expected = expected_rev(request, required=False)

        def apply() -> Response:
            if expected is not None:
                current = deployment(self.actor, service, region)
                rev = int(str(current["rev"]))
                check_rev(expected, rev, current, last_changed(name, rev) if expected != rev else None)
            apply_deployment(self.actor, name, given.deployment, database=given.database)
            return self._shown(service, region)

        return rehearsed(is_dry_run(request), apply)

    @extend_schema(operation_id="delete_deployment", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, service: str, region: str) -> Response:
        """Remove a deployment that nothing stands on."""
        name = deployment_name(service, region)
        rehearsed(is_dry_run(request), lambda: delete_registered(self.actor, RegistryKind.DEPLOYMENT, name))
        return Response(status=204)

    def _shown(self, service: str, region: str) -> Response:
        shown = deployment(self.actor, service, region)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


class SwitchView(RestView):
    """`/deployments/{service}/{region}/switch`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.switch"}
    located = of_deployment

    @extend_schema(
        operation_id="switch_deployment", request=None, parameters=[DRY_RUN], responses=DeploymentSchema
    )
    def post(self, request: Request, service: str, region: str) -> Response:
        """Let a deployment whose data another system moves switch, once its shards are ready and people agree."""
        name = deployment_name(service, region)
        rehearsed(is_dry_run(request), lambda: release_switch(self.actor, name))
        shown = deployment(self.actor, service, region)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


class FollowView(RestView):
    """`/deployments/{service}/{region}/subscription`."""

    located = of_deployment
    may: ClassVar[dict[str, str]] = dict.fromkeys(("PUT", "DELETE"), "fleet.read")

    @extend_schema(
        operation_id="follow_deployment", request=None, parameters=[DRY_RUN], responses={204: None}
    )
    def put(self, request: Request, service: str, region: str) -> Response:
        """Follow it: its changes are told to the caller, on the overview and as notices."""
        return self._set(request, service, region, follow=True)

    @extend_schema(operation_id="unfollow_deployment", parameters=[DRY_RUN], responses={204: None})
    def delete(self, request: Request, service: str, region: str) -> Response:
        """Follow it no longer."""
        return self._set(request, service, region, follow=False)

    def _set(self, request: Request, service: str, region: str, *, follow: bool) -> Response:
        rehearsed(is_dry_run(request), lambda: follow_deployment(self.actor, service, region, follow=follow))
        return Response(status=204)


class DaySamplesView(RestView):
    """`/deployments/{service}/{region}/samples`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="deployment_samples", responses=SamplesSchema)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Give the curves of its upgrades within the last day."""
        return Response(samples_of_day(self.actor, service, region))


urlpatterns = [
    path("deployments", DeploymentsView.as_view()),
    path("deployments/<str:service>/<str:region>", DeploymentView.as_view()),
    path("deployments/<str:service>/<str:region>/subscription", FollowView.as_view()),
    path("deployments/<str:service>/<str:region>/samples", DaySamplesView.as_view()),
    path("deployments/<str:service>/<str:region>/switch", SwitchView.as_view()),
]

"""Deployments: the list, the page of one, and applying a declaration of one."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.approvals.schemas import DependantShape
from migrations_app.control.fleet.endpoints.fleet import CellShape
from migrations_app.control.fleet.queries.deployments import deployment, deployments, last_changed
from migrations_app.control.registry.commands.apply_deployment import apply_deployment
from migrations_app.control.registry.commands.delete_registered import delete_registered
from migrations_app.control.registry.commands.follow_deployment import follow_deployment
from migrations_app.control.registry.queries.places import of_deployment
from migrations_app.control.upgrade_state.schemas import SamplesShape
from migrations_app.control.upgrades.commands.release_switch import release_switch
from migrations_app.control.upgrades.queries.upgrades import samples_of_day
from migrations_app.domain.registry.names import Kind, deployment_name
from migrations_app.web.doors import Door
from migrations_app.web.paging import NOT_FILTERS, asked_page, listed
from migrations_app.web.preconditions import check_rev, etag, expected_rev, is_dry_run, rehearsed
from migrations_app.web.shapes import DRY_RUN, PAGED, StrictShape, page_shape, read


class ReachableShape(serializers.Serializer[Any]):
    """A version and whether this deployment could move to it."""

    version = serializers.CharField()
    reachable = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)


class ImportShape(serializers.Serializer[Any]):
    """An import: the version it uses, and the one that runs in the same region."""

    service = serializers.CharField()
    version = serializers.CharField()
    current_version = serializers.CharField(allow_null=True)
    mismatch = serializers.BooleanField()


class DatabaseShape(serializers.Serializer[Any]):
    """Where the data of one version is kept."""

    namespace = serializers.CharField()
    version = serializers.CharField()
    disabled = serializers.BooleanField()
    resources = serializers.IntegerField(allow_null=True, help_text="As of its newest copy.")


class OfferedShape(serializers.Serializer[Any]):
    """An action, whether the caller may take it now, and if not, why and who could."""

    action = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField(allow_blank=True)
    who_can = serializers.ListField(child=serializers.CharField())


class ReshardedShape(serializers.Serializer[Any]):
    """How many shards an upgrade had and has, and since when; its counts began anew then."""

    before = serializers.IntegerField()
    after = serializers.IntegerField()
    at = serializers.DateTimeField()


class ModeSetShape(serializers.Serializer[Any]):
    """Who said last how a deployment switches, and when."""

    who = serializers.CharField()
    at = serializers.DateTimeField()


class DeploymentShape(CellShape):
    """Everything about one deployment; `raw` is its message in the registry's own words."""

    sentence = serializers.CharField()
    newest_version = serializers.CharField(allow_blank=True)
    reachable_versions = ReachableShape(many=True)
    db_data_version = serializers.CharField(allow_blank=True)
    db_location_tag = serializers.CharField(allow_blank=True)
    public_domain = serializers.CharField(allow_blank=True)
    imported_versions = ImportShape(many=True)
    dependants = DependantShape(many=True)
    databases = DatabaseShape(many=True)
    upgrades = serializers.ListField(child=serializers.DictField())
    active_upgrade = serializers.DictField(allow_null=True)
    actions = OfferedShape(many=True)
    switch_mode_set = ModeSetShape(allow_null=True)
    resharded = ReshardedShape(allow_null=True, help_text="While an upgrade runs whose shards changed.")
    followed = serializers.BooleanField(help_text="Whether the caller follows it.")
    raw = serializers.DictField()


class ApplyDeploymentShape(StrictShape):
    """What a deployment shall be: its message in the registry's words, and the alias of its data database."""

    deployment = serializers.DictField()
    database = serializers.CharField(max_length=64, default="", allow_blank=True)


class DeploymentsDoor(Door):
    """`/deployments`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read"}

    @extend_schema(
        operation_id="deployments", parameters=PAGED, responses=page_shape("Deployment", CellShape)
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


class DeploymentDoor(Door):
    """`/deployments/{service}/{region}`."""

    may: ClassVar[dict[str, str]] = {"GET": "fleet.read", "PUT": "registry.write", "DELETE": "registry.write"}
    located = of_deployment

    @extend_schema(operation_id="deployment", responses=DeploymentShape)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Show one deployment."""
        return self._shown(service, region)

    @extend_schema(operation_id="apply_deployment", request=ApplyDeploymentShape, responses=DeploymentShape)
    def put(self, request: Request, service: str, region: str) -> Response:
        """Register the deployment, or change what the body names of it; again is the same as once."""
        given = read(ApplyDeploymentShape, request.data)
        name = deployment_name(service, region)
        expected = expected_rev(request, required=False)

        def apply() -> Response:
            if expected is not None:
                current = deployment(self.actor, service, region)
                rev = int(str(current["rev"]))
                check_rev(expected, rev, current, last_changed(name, rev) if expected != rev else None)
            apply_deployment(self.actor, name, given["deployment"], database=given["database"])
            return self._shown(service, region)

        return rehearsed(is_dry_run(request), apply)

    @extend_schema(operation_id="delete_deployment", responses={204: None})
    def delete(self, request: Request, service: str, region: str) -> Response:
        """Remove a deployment that nothing stands on."""
        name = deployment_name(service, region)
        rehearsed(is_dry_run(request), lambda: delete_registered(self.actor, Kind.DEPLOYMENT, name))
        return Response(status=204)

    def _shown(self, service: str, region: str) -> Response:
        shown = deployment(self.actor, service, region)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


class SwitchDoor(Door):
    """`/deployments/{service}/{region}/switch`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.switch"}
    located = of_deployment

    @extend_schema(
        operation_id="switch_deployment", request=None, parameters=[DRY_RUN], responses=DeploymentShape
    )
    def post(self, request: Request, service: str, region: str) -> Response:
        """Let a deployment whose data somebody else moves switch, once its shards are ready and people agree."""
        name = deployment_name(service, region)
        rehearsed(is_dry_run(request), lambda: release_switch(self.actor, name))
        shown = deployment(self.actor, service, region)
        return Response(shown, headers={"ETag": etag(shown["rev"])})


class FollowDoor(Door):
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


class DaySamplesDoor(Door):
    """`/deployments/{service}/{region}/samples`."""

    may: ClassVar[dict[str, str]] = {"GET": "upgrade.read"}

    @extend_schema(operation_id="deployment_samples", responses=SamplesShape)
    def get(self, request: Request, service: str, region: str) -> Response:
        """Give the curves of its upgrades within the last day."""
        return Response(samples_of_day(self.actor, service, region))


urlpatterns = [
    path("deployments", DeploymentsDoor.as_view()),
    path("deployments/<str:service>/<str:region>", DeploymentDoor.as_view()),
    path("deployments/<str:service>/<str:region>/subscription", FollowDoor.as_view()),
    path("deployments/<str:service>/<str:region>/samples", DaySamplesDoor.as_view()),
    path("deployments/<str:service>/<str:region>/switch", SwitchDoor.as_view()),
]

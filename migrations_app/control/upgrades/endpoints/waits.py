"""Waiting for an upgrade: an operation that ends when it has come so far."""

from __future__ import annotations

from typing import Annotated, ClassVar

from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from migrations_app.control.operations.endpoints import OperationSchema, follow_headers
from migrations_app.control.upgrade_state.commands.await_milestone import await_milestone
from migrations_app.control.upgrade_state.queries import of_upgrade
from migrations_app.domain.switch.milestones import Milestone
from migrations_app.web.contract import RequestBody, one_of, read
from migrations_app.web.preconditions import is_dry_run, rehearsed, shown
from migrations_app.web.rest_view import RestView
from migrations_app.web.shared_schemas import DRY_RUN


class UpgradeMilestoneSchema(RequestBody, frozen=True, kw_only=True):
    """How far the upgrade shall come."""

    until: Annotated[str, one_of(Milestone)]


class MilestoneView(RestView):
    """`/upgrades/{id}/wait`."""

    may: ClassVar[dict[str, str]] = {"POST": "upgrade.read"}
    located = of_upgrade

    @extend_schema(
        operation_id="await_upgrade",
        request=UpgradeMilestoneSchema,
        parameters=[DRY_RUN],
        responses={202: OperationSchema},
    )
    def post(self, request: Request, id: str) -> Response:
        """Wait until the upgrade is ready to switch, switched or complete: by an operation, the same when repeated."""
        milestone = Milestone(read(UpgradeMilestoneSchema, request.data).until)
        found = rehearsed(is_dry_run(request), lambda: await_milestone(self.actor, id, milestone))
        return shown(request, found, found["rev"], alive=False, status=202, **follow_headers(found))


urlpatterns = [path("upgrades/<str:id>/wait", MilestoneView.as_view())]

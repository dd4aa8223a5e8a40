"""The addresses of the console's REST API; each noun's file brings its own."""

from __future__ import annotations

from contextlib import suppress

from django.urls import Resolver404, URLPattern, re_path, resolve
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from migrations_app.control.access.endpoints import access, passkeys, roles, second_factor, session, tokens
from migrations_app.control.access_requests.endpoints import access_requests, asks
from migrations_app.control.approval_policies import endpoints as duty
from migrations_app.control.approvals.endpoints import approvals, policies, windows
from migrations_app.control.audit import endpoints as audit
from migrations_app.control.constraints import endpoints as constraints
from migrations_app.control.declarations import endpoints as declarations
from migrations_app.control.definition_changes import endpoints as definition_changes
from migrations_app.control.fleet.endpoints import deployments, fleet
from migrations_app.control.health import endpoints as health
from migrations_app.control.notifications.endpoints import hooks, notices
from migrations_app.control.operations import endpoints as operations
from migrations_app.control.overview import endpoints as overview
from migrations_app.control.references.endpoints import deletions, references, resources
from migrations_app.control.references.endpoints import groups as reference_groups
from migrations_app.control.regions import endpoints as evictions
from migrations_app.control.registry import endpoints as services
from migrations_app.control.resource_logs.endpoints import activity
from migrations_app.control.resource_logs.endpoints import changes as resource_changes
from migrations_app.control.resource_logs.endpoints import conversions as conversion_sessions
from migrations_app.control.rollouts import definition_endpoints as definition_rollouts
from migrations_app.control.rollouts import endpoints as rollouts
from migrations_app.control.rollouts import proposal_endpoints as rollout_proposals
from migrations_app.control.schemas import endpoints as compatibility
from migrations_app.control.schemas import kept_type_endpoints as kept_types
from migrations_app.control.schemas import removed_field_endpoints as removed_fields
from migrations_app.control.schemas import source_endpoints as compatibility_sources
from migrations_app.control.upgrades.endpoints import batch as upgrade_batch
from migrations_app.control.upgrades.endpoints import removals as upgrade_removals
from migrations_app.control.upgrades.endpoints import reports as upgrade_reports
from migrations_app.control.upgrades.endpoints import run_sheets as upgrade_run_sheets
from migrations_app.control.upgrades.endpoints import upgrades
from migrations_app.control.upgrades.endpoints import waits as upgrade_waits
from migrations_app.control.usage.endpoints import brown_outs, deprecations, retirements, usage, used_places
from migrations_app.control.views import endpoints as views
from migrations_app.kernel.errors import Missing
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.web.methods import SAFE
from migrations_app.web.openapi import schema
from migrations_app.web.rest_view import OPEN, RestView

__all__ = ["schema", "urlpatterns"]


@extend_schema(exclude=True)
class UnknownAddressView(RestView):
    """An address of the API that does not exist."""

    may = dict.fromkeys((*SAFE, "POST", "PUT", "PATCH", "DELETE"), OPEN)
    answers_once = False

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Say so to every caller.

        Raises: Missing (`missing`).
        """
        raise Missing(message("There is nothing at this address."), remedy=_remedy(request.path))


def _remedy(path: str) -> WordedMessage:
    """Name the address that was meant, where only the slash at the end is wrong."""
    meant = path.rstrip("/")
    with suppress(Resolver404):
        if meant != path and getattr(resolve(meant).func, "cls", None) is not UnknownAddressView:
            return message("Leave out the last slash: {address}", address=meant)
    return message("The addresses are listed at /api/v1/docs.")


NOUNS = (
    session,
    second_factor,
    passkeys,
    overview,
    health,
    access,
    access_requests,
    roles,
    tokens,
    audit,
    operations,
    fleet,
    deployments,
    declarations,
    definition_changes,
    duty,
    asks,
    services,
    retirements,
    usage,
    used_places,
    brown_outs,
    views,
    compatibility,
    kept_types,
    removed_fields,
    compatibility_sources,
    approvals,
    policies,
    upgrades,
    upgrade_batch,
    upgrade_waits,
    upgrade_reports,
    upgrade_removals,
    upgrade_run_sheets,
    definition_rollouts,
    rollout_proposals,
    rollouts,
    windows,
    references,
    reference_groups,
    deletions,
    deprecations,
    constraints,
    evictions,
    resources,
    resource_changes,
    activity,
    conversion_sessions,
    hooks,
    notices,
)

urlpatterns: list[URLPattern] = [
    *(pattern for noun in NOUNS for pattern in noun.urlpatterns),
    re_path(r"^(?!schema|docs|events)", UnknownAddressView.as_view()),
]

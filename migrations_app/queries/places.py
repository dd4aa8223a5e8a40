"""Where the things lie that addresses name: what a change of them is decided about before anything is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from migrations_app.adapters.repositories.evictions import eviction_target
from migrations_app.adapters.repositories.hooks import hook_target
from migrations_app.adapters.repositories.upgrade_moves import target_of
from migrations_app.adapters.repositories.voters import approval_target
from migrations_app.adapters.repositories.waivers import target_of_waiver
from migrations_app.domain.access import Target
from migrations_app.domain.registry.names import deployment_name
from migrations_app.models.access import RoleBinding
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest, Emergency
from migrations_app.models.evictions import Eviction
from migrations_app.models.hooks import Webhook
from migrations_app.models.rollouts import RolloutItem
from migrations_app.models.upgrades import Upgrade
from migrations_app.models.waivers import Waiver
from migrations_app.models.windows import WindowRule

Parts = Mapping[str, Any]


def of_deployment(parts: Parts) -> Sequence[Target]:
    """Locate the deployment of a service in a region."""
    service, region = parts["service"], parts["region"]
    return [Target("deployment", deployment_name(service, region), service, region)]


def of_service(parts: Parts) -> Sequence[Target]:
    """Locate a service: it is in every region."""
    return [Target("service", parts["name"], parts["name"])]


def of_upgrade(parts: Parts) -> Sequence[Target]:
    """Locate an upgrade where its deployment is."""
    return [target_of(row) for row in Upgrade.objects.filter(pk=parts["id"])]


def of_rollout(parts: Parts) -> Sequence[Target]:
    """Locate a rollout: it is wherever one of its upgrades is."""
    items = RolloutItem.objects.filter(rollout=parts["id"]).select_related("upgrade")
    return [target_of(item.upgrade) for item in items]


def of_approval(parts: Parts) -> Sequence[Target]:
    """Locate a request for approval where its upgrade is."""
    rows = ApprovalRequest.objects.filter(pk=parts["id"]).select_related("upgrade")
    return [approval_target(row) for row in rows]


def of_emergency(parts: Parts) -> Sequence[Target]:
    """Locate an emergency where its upgrade is."""
    rows = Emergency.objects.filter(pk=parts["id"]).select_related("upgrade")
    return [target_of(row.upgrade) for row in rows]


def of_eviction(parts: Parts) -> Sequence[Target]:
    """Locate a request for an eviction where the deployment is."""
    # Its number names it, not the deployment: that is told to who may see it.
    return [replace(eviction_target(row), id=row.id) for row in Eviction.objects.filter(pk=parts["id"])]


def of_waiver(parts: Parts) -> Sequence[Target]:
    """Locate a waiver: it counts for its service in every region."""
    return [target_of_waiver(row) for row in Waiver.objects.filter(pk=parts["id"])]


def of_policy(parts: Parts) -> Sequence[Target]:
    """Locate a policy by the scope it counts in."""
    rows = ApprovalPolicy.objects.filter(name=parts["name"])
    return [Target("policy", row.name, row.service, row.region, row.environment) for row in rows]


def of_window(parts: Parts) -> Sequence[Target]:
    """Locate a window or a freeze by the scope it counts in."""
    rows = WindowRule.objects.filter(name=parts["name"])
    return [Target("window", row.name, row.service, row.region, row.environment) for row in rows]


def of_hook(parts: Parts) -> Sequence[Target]:
    """Locate a channel by the scope it is told of."""
    return [hook_target(row) for row in Webhook.objects.filter(pk=parts["id"], owner=None)]


def of_binding(parts: Parts) -> Sequence[Target]:
    """Locate a binding by the scope its role counts in."""
    rows = RoleBinding.objects.filter(pk=parts["binding"])
    return [Target("binding", str(row.pk), row.service, row.region, row.environment) for row in rows]

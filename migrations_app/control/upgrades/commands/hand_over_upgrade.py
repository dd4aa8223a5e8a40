"""Upgrades of a mirrored registry: planned and approved here, begun there."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import current_request
from migrations_app.control.approvals.commands.request_approval import open_request
from migrations_app.control.registry.repository import registry
from migrations_app.control.upgrade_state.repository.evidence import approval_of
from migrations_app.control.upgrade_state.repository.moves import move
from migrations_app.control.upgrade_state.repository.upgrade_rows import (
    close_request,
    expect_rev,
    locked,
    target_of,
)
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec, plan_upgrade
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.approvals.standing import Approval
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.domain.registry.names import RegistryKind, service_name
from migrations_app.domain.registry.upgrade import check_begin
from migrations_app.domain.registry.values import Deployment, Service
from migrations_app.domain.switch.states import STATE_SENTENCES, State, UpgradeEvent
from migrations_app.domain.switch.words import count
from migrations_app.kernel.errors import Conflict, DeploymentMissing
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.upgrades import TimelineEntry
from migrations_app.wiring import mirrored


def begin_there(actor: Actor, deployment: str, target: str = "", ring: int = 0) -> str:
    """Begin an upgrade of a mirrored deployment, and give the id of its plan here.

    Once: asked again while approvals are missing, it is the same plan and the same request for them.
    Raises: Missing, Denied, Invalid, Conflict (`approval-needed`, and what `check_begin` refuses), Busy.
    """
    value = registry.get(RegistryKind.DEPLOYMENT, deployment)
    service = registry.get(RegistryKind.SERVICE, service_name(deployment.split("/")[1]))
    if not isinstance(value, Deployment) or not isinstance(service, Service):
        raise DeploymentMissing(message("There is no deployment {deployment}.", deployment=deployment))
    offer = value.available_upgrade
    wanted = target or (offer.api_version if offer else "")
    data_ring = (offer.total_shards_count if offer else 0) or ring or 16
    siblings = registry.deployments_of(service.id)
    check_begin(value, siblings, service, wanted, ring or data_ring, data_ring)
    return hand_over(actor, planned(actor, deployment, wanted, "begun through the registry"), ring=ring)


def hand_over(actor: Actor, upgrade_id: str, rev: int | None = None, *, ring: int = 0) -> str:
    """Let the mirrored registry begin a planned upgrade, once the approvals that are asked for here are given.

    Once: the request for approval is kept although it is refused for now; a registry that does not answer
    leaves plan and approvals as they are.
    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `approval-needed`), what that registry refuses, which
    a dry run asks it before votes are asked for, Busy.
    """
    registry = mirrored()
    if registry is None:
        raise Conflict(message("This console keeps its own registry."), code="registry-own")
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, "upgrade.start", target_of(row))
        expect_rev(row, rev)
    if row.state == State.PLANNED.value and registry.has_dry_runs():
        # No vote is requested on what that registry would refuse.
        registry.begin_upgrade(row.deployment, row.to_version, ring, dry_run=True)
    demand_approval(actor, upgrade_id, "upgrade.start", rev)
    registry.begin_upgrade(row.deployment, row.to_version, ring)
    link = link_of(row.deployment)
    place = link or settings.SWITCHYARD.meta_url
    words = message("{who} started it at {place}; it continues there.", who=actor.name, place=place)
    handed_over(actor, upgrade_id, words, link)
    return upgrade_id


def link_of(deployment: str) -> str:
    """Give the address of the page that shows a deployment where its registry is kept; empty where none is known."""
    env = settings.SWITCHYARD
    pages = env.meta_pages_url or (env.meta_url if env.meta_url.startswith("http") else "")
    _, service, _, region = deployment.split("/")
    return f"{pages.rstrip('/')}/services/{service}/deployments/{region}" if pages else ""


def planned(actor: Actor, deployment: str, target: str, comment: str) -> str:
    """Give the plan here of an upgrade that another system carries out: what approvals are given for.

    Raises: what `plan_upgrade` raises.
    """
    known = Upgrade.objects.filter(deployment=deployment, state=State.PLANNED.value, to_version=target)
    found = known.values_list("id", flat=True).first()
    return found or plan_upgrade(actor, UpgradeSpec(deployment, target, comment=comment)).upgrade_id


def demand_approval(actor: Actor, upgrade_id: str, permission: str, rev: int | None = None) -> None:
    """Let pass who has the approvals that a plan needs; ask for them when that was not done.

    Raises: Missing, Denied, Stale, Conflict (`upgrade-state`, `approval-needed`).
    """
    approval = _approval(actor, upgrade_id, permission, rev)
    if not approval.settled:
        needed = count(approval.policy.total, "approval")
        raise Conflict(
            message(
                "It takes {needed} of {groups}; {request_id} asks for them.",
                needed=needed,
                groups=approval.policy.groups,
                request_id=approval.request_id,
            ),
            code="approval-needed",
            remedy=message("Begin it again when they are given."),
            approval_id=approval.request_id,
            upgrade_id=upgrade_id,
        )


def handed_over(actor: Actor, upgrade_id: str, words: WordedMessage, link: str = "") -> None:
    """Use up the approvals of a plan that goes on elsewhere, and end it here."""
    with transaction.atomic():
        row = locked(upgrade_id)
        request = current_request(row, Purpose.SWITCH)
        if request is not None:
            close_request(request, RequestState.USED, message("The upgrade was started."))
        row.emergencies.filter(purpose=Purpose.SWITCH.value, used_at=None).update(used_at=timezone.now())
        move(row, UpgradeEvent.HAND_OVER, actor, TimelineEntry("handed-over", words), handed_over_to=link)


def _approval(actor: Actor, upgrade_id: str, permission: str, rev: int | None) -> Approval:
    with transaction.atomic():
        row = locked(upgrade_id)
        require(actor, permission, target_of(row))
        expect_rev(row, rev)
        if row.state != State.PLANNED.value:
            raise Conflict(
                STATE_SENTENCES[State(row.state)] + message("Only a planned upgrade can be started."),
                code="upgrade-state",
                state=row.state,
            )
        approval = approval_of(row, Purpose.SWITCH, timezone.now(), actor.person)
        over = ("none", RequestState.REJECTED.value, RequestState.EXPIRED.value, RequestState.VOID.value)
        if not approval.settled and approval.state in over:
            open_request(row, actor, approval.policy)
            approval = approval_of(row, Purpose.SWITCH, timezone.now(), actor.person)
    return approval

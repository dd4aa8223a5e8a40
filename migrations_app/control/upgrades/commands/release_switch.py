"""Let a deployment switch whose data another system moves: its shards are caught up, and people agree."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from migrations_app.control.approval_policies.repository.approvals import policy_for
from migrations_app.control.approval_policies.repository.windows import window_ruling
from migrations_app.control.registry.commands.change_deployment import change_deployment
from migrations_app.control.registry.commands.forward_change import is_mirror
from migrations_app.control.registry.commands.save_registered import target_of
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.saving import is_hosted
from migrations_app.control.upgrades.commands.hand_over_upgrade import demand_approval, handed_over, planned
from migrations_app.domain.access import Actor, require
from migrations_app.domain.approvals.about import Subject
from migrations_app.domain.approvals.policy import Purpose
from migrations_app.domain.registry.names import RegistryKind, last_id
from migrations_app.domain.registry.upgrade import check_release, release
from migrations_app.domain.registry.values import Deployment
from migrations_app.kernel.errors import Conflict, NotFound
from migrations_app.kernel.messages import message


def release_switch(actor: Actor, name: str) -> Deployment:
    """Take a READY upgrade on to SWITCHING, as `automaticVersionSwitch` would have done by itself.

    Once: asked again while approvals are missing, it is the same request for them; released twice, it is refused.
    Raises: Denied, Missing (`not-found`), Conflict (`registry-mirrored`, `upgrade-hosted`, `guard-window`,
    `approval-needed`, and what `check_release` refuses).
    """
    require(actor, "upgrade.switch", target_of(RegistryKind.DEPLOYMENT, name))
    value = registry.find(RegistryKind.DEPLOYMENT, name)
    if not isinstance(value, Deployment):
        raise NotFound(message("There is no {name}.", name=name), name=name)
    reason = why_not_here(name)
    if reason is not None:
        raise reason
    check_release(value)
    assert value.upgrade_state is not None
    target = value.upgrade_state.target_version
    # The system that moves its data keeps the old version or does not; its policy is that of one with a rollback.
    subject = Subject(value.current_version, target)
    policy = policy_for(value.service_id, value.region_id, Purpose.SWITCH, subject)
    ruling = window_ruling(value.service_id, value.region_id, timezone.now(), policy.window_needed)
    if not ruling.allowed:
        raise Conflict(ruling.message, code="guard-window", remedy=message("Wait for the next window."))
    upgrade_id = ""
    if policy.total:
        upgrade_id = planned(actor, name, target, f"the switch of {last_id(name)}, whose data are elsewhere")
        demand_approval(actor, upgrade_id, "upgrade.switch")
    with transaction.atomic():
        after = change_deployment(actor, name, "upgrade.release", release)
        if upgrade_id:
            words = message("{who} let it switch; its shards report when they have.", who=actor.name)
            handed_over(actor, upgrade_id, words)
    return after


def why_not_here(name: str) -> Conflict | None:
    """Say why a switch of this deployment is not released here."""
    if is_mirror():
        return Conflict(
            message("Another installation keeps its registry."),
            code="registry-mirrored",
            remedy=message("Let it switch in that registry's console."),
        )
    if is_hosted(name):
        return Conflict(
            message("The data of {name} are moved by Switchyard itself.", name=name),
            code="upgrade-hosted",
            remedy=message("Ask its upgrade to switch."),
        )
    return None

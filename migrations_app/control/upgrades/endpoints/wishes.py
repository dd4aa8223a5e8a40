"""What a request to plan an upgrade asks for."""

from __future__ import annotations

from migrations_app.control.upgrade_state.schemas import NewUpgradeShape
from migrations_app.control.upgrades.commands.plan_upgrade import Wish
from migrations_app.domain.switch.plan import Kind


def wish_from(given: NewUpgradeShape) -> Wish:
    """Make a wish of what was sent."""
    return Wish(
        given.deployment,
        given.target_version,
        Kind(given.kind),
        given.target_location,
        given.target_data_version,
        given.comment,
        given.automatic,
        given.downgrade_sync,
        given.rollback_hours,
    )

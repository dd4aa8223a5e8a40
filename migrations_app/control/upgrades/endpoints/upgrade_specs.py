"""What a request to plan an upgrade asks for."""

from __future__ import annotations

from migrations_app.control.upgrade_state.schemas import NewUpgradeSchema
from migrations_app.control.upgrades.commands.plan_upgrade import UpgradeSpec
from migrations_app.domain.switch.plan import UpgradeKind


def upgrade_spec_from(given: NewUpgradeSchema) -> UpgradeSpec:
    """Make a wish of what was sent."""
    return UpgradeSpec(
        given.deployment,
        given.target_version,
        UpgradeKind(given.kind),
        given.target_location,
        given.target_data_version,
        given.comment,
        given.automatic,
        given.downgrade_sync,
        given.rollback_hours,
        given.target_shard_count,
    )

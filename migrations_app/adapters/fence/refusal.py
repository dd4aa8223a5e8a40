"""Why a move of the fence did not happen, said alike by both backends."""

from __future__ import annotations

from migrations_app.kernel.errors import Conflict, Stale
from migrations_app.ports.fence import FenceState, Mode

LONGEST_FREEZE_SECONDS = 60.0


def refusal(expected: FenceState, found: FenceState, laggards: list[int] | None = None) -> Stale | Conflict:
    """Say why a move of the fence did not happen."""
    if (found.mode, found.active_version, found.epoch) != (
        expected.mode,
        expected.active_version,
        expected.epoch,
    ):
        return Stale(
            f"The fence of {found.site.deployment} moved: {found.active_version} is {found.mode} "
            f"at epoch {found.epoch}.",
            code="fence-moved",
            remedy="Read it again, then decide again.",
            found=found,
        )
    if found.expired:
        return Conflict("The freeze ran into its deadline.", code="freeze-expired", found=found)
    if found.mode is not Mode.FROZEN:
        return Conflict(f"This needs another mode than {found.mode}.", code="fence-mode", found=found)
    if found.parity_epoch != found.epoch:
        return Conflict("Parity was not proved in this freeze.", code="parity-missing", found=found)
    return Conflict(
        f"The follower has not read shards {laggards} to the end.",
        code="follower-behind",
        shards=tuple(laggards or ()),
        found=found,
    )

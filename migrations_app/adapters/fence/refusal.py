"""Why a move of the fence did not happen, said alike by both backends."""

from __future__ import annotations

from migrations_app.kernel.errors import Conflict, Stale
from migrations_app.kernel.messages import message
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
            message(
                "The fence of {deployment} moved: {active_version} is {mode} at epoch {epoch}.",
                deployment=found.site.deployment,
                active_version=found.active_version,
                mode=found.mode,
                epoch=found.epoch,
            ),
            code="fence-moved",
            remedy=message("Read it again, then decide again."),
            found=found,
        )
    if found.expired:
        return Conflict(message("The freeze reached its time limit."), code="freeze-expired", found=found)
    if found.mode is not Mode.FROZEN:
        return Conflict(
            message("This needs another mode than {mode}.", mode=found.mode), code="fence-mode", found=found
        )
    if found.parity_epoch != found.epoch:
        return Conflict(
            message("Verification did not finish in this freeze."), code="parity-missing", found=found
        )
    return Conflict(
        message("The replicator has not read shards {laggards} to the end.", laggards=str(laggards)),
        code="follower-behind",
        shards=tuple(laggards or ()),
        found=found,
    )

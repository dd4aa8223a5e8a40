"""An upgrade as the registry sees it: offered, begun, reported shard by shard, done."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from migrations_app.domain.registry.names import version_order
from migrations_app.domain.registry.values import (
    AvailableUpgrade,
    DataUpdateStatus,
    Deployment,
    Service,
    Stage,
    UpgradeState,
)
from migrations_app.kernel.errors import Conflict, DeploymentDisabled, Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message

RING_LIMIT = 4096


def supports(deployment: Deployment, version: str) -> bool:
    """Tell whether the code a deployment runs could serve `version`."""
    offered = deployment.available_upgrade.api_version if deployment.available_upgrade else ""
    newest = max((deployment.current_version, offered), key=version_order)
    return version_order(version) <= version_order(newest)


def set_available_upgrade(deployment: Deployment, offer: AvailableUpgrade, data_ring: int = 0) -> Deployment:
    """Note what the deployment's code could move to; an offer of what it already runs clears the note.

    `data_ring` is how many shards the data have; 0 where they are kept elsewhere.
    """
    _check_ring(offer.total_shards_count)
    same_data = offer.db_data_version in ("", deployment.db_data_version)
    same_place = offer.db_location_tag in ("", deployment.db_location_tag)
    same_shards = not data_ring or offer.total_shards_count in (0, data_ring)
    same_version = offer.api_version in ("", deployment.current_version)
    if same_version and same_data and same_place and same_shards:
        return replace(deployment, available_upgrade=None)
    return replace(deployment, available_upgrade=offer)


def check_offer(deployment: Deployment, service: Service, offer: AvailableUpgrade, data_ring: int) -> None:
    """Say why an upgrade may not be offered; `data_ring` is 0 where the data is kept elsewhere.

    Raises: Invalid (`upgrade-target-unknown`), Conflict (`upgrade-ring-differs`).
    """
    if offer.api_version and offer.api_version not in service.all_versions:
        raise Invalid(
            message("{id} has no version '{api_version}'.", id=service.id, api_version=offer.api_version),
            code="upgrade-target-unknown",
            remedy=message("Known versions: {versions}", versions=", ".join(service.all_versions)),
        )
    ring = offer.total_shards_count
    if ring and data_ring and ring != data_ring and not _is_copied(deployment, offer):
        raise _other_ring(deployment, ring, data_ring, in_place=True)


def _is_copied(deployment: Deployment, offer: AvailableUpgrade) -> bool:
    """Tell whether what is offered copies the data; all but a data version alone does."""
    moves = offer.api_version not in ("", deployment.current_version)
    relocates = offer.db_location_tag not in ("", deployment.db_location_tag)
    return moves or relocates or offer.db_data_version in ("", deployment.db_data_version)


def check_shard_count(deployment: Deployment, ring: int, data_ring: int, *, is_copied: bool) -> None:
    """Refuse another shard count for data kept here that the upgrade does not copy.

    Raises: Conflict (`upgrade-ring-differs`).
    """
    if ring != data_ring and not is_copied:
        raise _other_ring(deployment, ring, data_ring, in_place=True)


def _other_ring(deployment: Deployment, ring: int, data_ring: int, *, in_place: bool = False) -> Conflict:
    remedy = message("Send totalShardsCount {data_ring}, or leave it out.", data_ring=data_ring)
    if in_place:
        remedy = message(
            "Send totalShardsCount {data_ring}, or leave it out; "
            "a data version is brought in place, which leaves their number.",
            data_ring=data_ring,
        )
    return Conflict(
        message(
            "The data of {name} is kept in {data_ring} shards, not {ring}.",
            name=deployment.name,
            data_ring=data_ring,
            ring=ring,
        ),
        code="upgrade-ring-differs",
        remedy=remedy,
    )


def check_begin(
    deployment: Deployment,
    siblings: Iterable[Deployment],
    service: Service,
    target: str,
    ring: int,
    data_ring: int,
    *,
    moves_version: bool = True,
) -> None:
    """Say why an upgrade may not begin; one that does not move the version changes the data or where they are.

    Raises: Conflict (`upgrade-running`, `deployment-disabled`, `upgrade-target-current`,
    `upgrade-not-everywhere`, `upgrade-ring-differs`), Invalid (`upgrade-target-unknown`).
    """
    running = deployment.upgrade_state
    if running is not None:
        values = {"name": deployment.name, "target": running.target_version}
        raise Conflict(
            message("{name} is already being upgraded to {target}.", **values),
            code="upgrade-running",
            remedy=message("Wait until it is done, or abort it."),
        )
    if deployment.is_disabled:
        raise DeploymentDisabled(
            message("{name} is disabled.", name=deployment.name), remedy=message("Enable it first.")
        )
    if target not in service.all_versions:
        raise Invalid(
            message("{id} has no version '{target}'.", id=service.id, target=target),
            code="upgrade-target-unknown",
            remedy=message("Known versions: {versions}", versions=", ".join(service.all_versions)),
        )
    if moves_version and target == deployment.current_version:
        raise Conflict(
            message("{name} already runs {target}.", name=deployment.name, target=target),
            code="upgrade-target-current",
        )
    behind = sorted(one.region_id for one in siblings if not one.is_disabled and not supports(one, target))
    if behind:
        values = {"regions": ", ".join(behind), "target": target}
        raise Conflict(
            message("The deployments in {regions} do not support {target} yet.", **values),
            code="upgrade-not-everywhere",
            remedy=message("Roll the new code out to all regions before any of them switches."),
        )
    if ring != data_ring:
        raise _other_ring(deployment, ring, data_ring)


def begin(deployment: Deployment, target: str, ring: int) -> Deployment:
    """Open the upgrade: every shard is pending."""
    _check_ring(ring)
    offer = deployment.available_upgrade
    return replace(
        deployment,
        upgrade_state=UpgradeState(
            target_version=target,
            pending_shards=tuple(range(ring)),
            stage=Stage.INITIAL_SYNCING,
            db_data_target_version=offer.db_data_version if offer else "",
            db_target_location_tag=offer.db_location_tag if offer else "",
        ),
    )


def notify_readiness(deployment: Deployment, first: int, last: int, ready: bool, total: int) -> Deployment:
    """Move the shards first..last (both included) to ready, or back to pending.

    When the total differs from what is known the ring has changed and all shards start as pending.
    Raises: Conflict (`upgrade-not-running`), Invalid (`shard-range`).
    """
    state = deployment.upgrade_state
    if state is None:
        raise Conflict(
            message("No upgrade of {name} runs.", name=deployment.name), code="upgrade-not-running"
        )
    total = total or state.total
    _check_ring(total)
    if not 0 <= first <= last < total:
        raise Invalid(
            message(
                "Shards {first} to {last} do not lie in a ring of {total}.",
                first=first,
                last=last,
                total=total,
            ),
            code="shard-range",
            remedy=message("shardsFrom and shardsTo are both included and count from 0."),
        )
    before = set(state.ready_shards) if total == state.total else set()
    named = set(range(first, last + 1))
    after = before | named if ready else before - named
    return replace(
        deployment,
        upgrade_state=replace(
            state,
            ready_shards=tuple(sorted(after)),
            pending_shards=tuple(one for one in range(total) if one not in after),
        ),
    )


def advance(deployment: Deployment, approved: bool) -> Deployment:
    """Take the stage on when all shards are caught up: to READY, SWITCHING (when `approved`), then done.

    A shard that falls behind before the switch takes READY back to INITIAL_SYNCING.
    """
    state = deployment.upgrade_state
    if state is None:
        return deployment
    level = not state.pending_shards
    if state.stage is Stage.SWITCHING:
        return finish(deployment) if level else deployment
    if not level:
        return _staged(deployment, state, Stage.INITIAL_SYNCING)
    if not approved:
        return _staged(deployment, state, Stage.READY)
    every = tuple(range(state.total))
    return replace(
        deployment,
        upgrade_state=replace(state, stage=Stage.SWITCHING, ready_shards=(), pending_shards=every),
    )


def check_release(deployment: Deployment) -> None:
    """Say why a person cannot let the upgrade switch now.

    Raises: Conflict (`upgrade-not-running`, `switch-released`, `switch-not-ready`).
    """
    state = deployment.upgrade_state
    if state is None:
        raise Conflict(
            message("No upgrade of {name} runs.", name=deployment.name), code="upgrade-not-running"
        )
    ready = f"{len(state.ready_shards)} of {state.total} shards"
    if state.stage is Stage.SWITCHING:
        raise Conflict(
            message("{name} is switching already: {ready} have switched.", name=deployment.name, ready=ready),
            code="switch-released",
            remedy=message("Wait for the rest."),
        )
    if state.stage is not Stage.READY:
        raise Conflict(
            message("{ready} of {name} are ready.", ready=ready, name=deployment.name),
            code="switch-not-ready",
            remedy=message("Wait until every shard has reported."),
        )


def release(deployment: Deployment) -> Deployment:
    """Let an upgrade switch whose shards are all ready: each switches, and reports once more.

    Raises: Conflict as `check_release` says.
    """
    check_release(deployment)
    return advance(deployment, approved=True)


def finish(deployment: Deployment) -> Deployment:
    """Close the upgrade: the target is now the current version."""
    state = deployment.upgrade_state
    if state is None:
        raise Conflict(
            message("No upgrade of {name} runs.", name=deployment.name), code="upgrade-not-running"
        )
    offer = deployment.available_upgrade
    done = offer is not None and offer.api_version in ("", state.target_version)
    return replace(
        deployment,
        current_version=state.target_version or deployment.current_version,
        db_data_version=state.db_data_target_version or deployment.db_data_version,
        db_location_tag=state.db_target_location_tag or deployment.db_location_tag,
        available_upgrade=None if done else offer,
        upgrade_state=None,
    )


def register_data_task(deployment: Deployment, tag: str, shards: int, target: str) -> Deployment:
    """Register a data task once; the same tag for a newer data version starts it over.

    Raises: Invalid (`data-task-tag`, `shard-range`).
    """
    if not tag:
        raise Invalid(message("A data task needs a tag."), code="data-task-tag")
    _check_ring(shards)
    if shards < 1:
        raise Invalid(message("A data task needs at least one shard."), code="shard-range")
    for status in deployment.data_update_statuses:
        if status.task_tag == tag and status.target_version == target and status.shards_count == shards:
            return deployment
    fresh = DataUpdateStatus(
        task_tag=tag, shards_count=shards, target_version=target, progress_bar=({},) * shards
    )
    others = tuple(one for one in deployment.data_update_statuses if one.task_tag != tag)
    return replace(
        deployment, data_update_statuses=tuple(sorted((*others, fresh), key=lambda one: one.task_tag))
    )


def update_data_task(
    deployment: Deployment, tag: str, shard: int, done: bool, progress: JsonObject, target: str
) -> Deployment:
    """Note the progress of one shard of a data task.

    Raises: Missing (`data-task-missing`), Conflict (`data-task-target`), Invalid (`shard-range`).
    """
    status = next((one for one in deployment.data_update_statuses if one.task_tag == tag), None)
    if status is None:
        raise Missing(
            message("{name} has no data task '{tag}'.", name=deployment.name, tag=tag),
            code="data-task-missing",
            remedy=message("Register it first."),
        )
    if target and target != status.target_version:
        raise Conflict(
            message(
                "The data task '{tag}' brings data to {target_version}, not to {target}.",
                tag=tag,
                target_version=status.target_version,
                target=target,
            ),
            code="data-task-target",
        )
    if not 0 <= shard < status.shards_count:
        raise Invalid(
            message(
                "Shard {shard} is not one of {shards_count}.", shard=shard, shards_count=status.shards_count
            ),
            code="shard-range",
        )
    bar = list(status.progress_bar)
    bar[shard] = progress
    ready = set(status.ready_shards) | {shard} if done else set(status.ready_shards) - {shard}
    after = replace(status, ready_shards=tuple(sorted(ready)), progress_bar=tuple(bar))
    return replace(
        deployment,
        data_update_statuses=tuple(
            after if one.task_tag == tag else one for one in deployment.data_update_statuses
        ),
    )


def _staged(deployment: Deployment, state: UpgradeState, stage: Stage) -> Deployment:
    return replace(deployment, upgrade_state=replace(state, stage=stage))


def _check_ring(ring: int) -> None:
    if not 0 <= ring <= RING_LIMIT:
        raise Invalid(
            message("{ring} shards are out of bounds.", ring=ring),
            code="shard-range",
            remedy=message("Choose at most {ring_limit}.", ring_limit=RING_LIMIT),
        )

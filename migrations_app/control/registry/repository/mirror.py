"""An upgrade as the registry's deployment shows it, and the fence copied to its current version."""

from __future__ import annotations

from msgspec.structs import replace

from migrations_app.adapters.extensions import installed_extensions
from migrations_app.control.registry.repository import registry
from migrations_app.domain.registry.names import RegistryKind
from migrations_app.domain.registry.upgrade import register_data_task, set_available_upgrade, update_data_task
from migrations_app.domain.registry.values import Deployment, Stage, UpgradeState
from migrations_app.domain.switch.plan import UpgradeKind as UpgradeKind
from migrations_app.domain.switch.states import META_STAGES, State
from migrations_app.domain.sync import tasks_for
from migrations_app.kernel.json import JsonObject
from migrations_app.models.registry import Deployment as DeploymentRow
from migrations_app.models.registry import Namespace as NamespaceRow
from migrations_app.models.upgrades import Upgrade
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import ShardState

_READY = {
    State.SYNCING: {ShardState.READY.value},
    State.READY: {ShardState.READY.value},
    State.SWITCHING: {ShardState.SWITCHED.value},
    State.REVERTING: {ShardState.SWITCHED.value},
}


def show(row: Upgrade) -> None:
    """Let the deployment's `upgradeState` follow an upgrade that moved or whose shards did."""
    state = State(row.state)
    with registry.writing() as writer:
        value = registry.find(RegistryKind.DEPLOYMENT, row.deployment)
        if isinstance(value, Deployment):
            value = replace(value, upgrade_state=_shown(row, state))
            writer.save(_with_data_tasks(value, row) if row.kind == UpgradeKind.DATA.value else value)


def _with_data_tasks(value: Deployment, row: Upgrade) -> Deployment:
    """Show each task of a data version with how far its shards are, in percent."""
    target = str(row.plan["target_data_version"])
    shards = {shard.shard: shard for shard in row.shards.all()}
    ended = State(row.state) is State.COMPLETED
    for task in tasks_for(installed_extensions().data_tasks, row.service, row.from_version, target):
        value = register_data_task(value, task.tag, row.ring, target)
        for number in range(row.ring):
            shard = shards.get(number)
            done = ended or (shard is not None and shard.state == ShardState.READY.value)
            percent = 100 * shard.copied // max(1, shard.total) if shard else 0
            progress: JsonObject = {"percent": 100 if done else percent}
            value = update_data_task(value, task.tag, number, done, progress, target)
    return value


def renewed(row: Upgrade) -> None:
    """Show the data version that the data in place were brought to."""
    with registry.writing() as writer:
        value = registry.find(RegistryKind.DEPLOYMENT, row.deployment)
        if isinstance(value, Deployment):
            writer.save(replace(value, db_data_version=str(row.plan["target_data_version"])))


def show_shard(row: Upgrade) -> None:
    """Let the shard lists follow while the registry shows the upgrade at all."""
    if META_STAGES[State(row.state)]:
        show(row)


def _shown(row: Upgrade, state: State) -> UpgradeState | None:
    stage = META_STAGES[state]
    if not stage:
        return None
    counting = _READY.get(state, set())
    reports = row.shards.filter(shard__lt=row.shard_count).values_list("shard", "state")
    ready = {shard for shard, at in reports if at in counting}
    return UpgradeState(
        target_version=row.from_version if state is State.REVERTING else row.to_version,
        ready_shards=tuple(sorted(ready)),
        pending_shards=tuple(shard for shard in range(row.shard_count) if shard not in ready),
        stage=Stage(stage),
        db_data_target_version=str(row.plan.get("target_data_version", "")),
        db_target_location_tag=str(row.plan.get("target_location", "")),
    )


def publish(place: Namespace, epoch: int) -> bool:
    """Copy a fence that is newer than what was published; tell whether it was."""
    with registry.writing() as writer:
        known = DeploymentRow.objects.filter(pk=place.deployment)
        newer = known.filter(fence_epoch__lt=epoch).update(fence_epoch=epoch)
        value = registry.find(RegistryKind.DEPLOYMENT, place.deployment) if newer else None
        if isinstance(value, Deployment):
            writer.save(_at(value, place))
    return bool(newer)


def _at(value: Deployment, place: Namespace) -> Deployment:
    """Show a deployment as served from a place; one whose data moved is found there from now on."""
    row = DeploymentRow.objects.get(pk=place.deployment)
    if place.ring != row.ring:
        value = _with_shards(value, row, place.ring)
    if place.database != row.database:
        DeploymentRow.objects.filter(pk=place.deployment).update(database=place.database)
    served = NamespaceRow.objects.filter(deployment=row, version=place.version)
    if served.exists() and not served.filter(schema=place.schema).exists():
        served.update(
            database=place.database, schema=place.schema, shard_count=place.ring, numbering=place.numbering
        )
        if place.database != row.database:
            value = replace(value, db_location_tag=place.database)
    return replace(value, current_version=place.version)


def _with_shards(value: Deployment, row: DeploymentRow, count: int) -> Deployment:
    """Note how many shards the data have that are served; an upgrade that is offered with as many as before follows."""
    DeploymentRow.objects.filter(pk=row.pk).update(ring=count)
    offer = value.available_upgrade
    if offer is None:
        return value
    if offer.total_shards_count == row.ring:
        offer = replace(offer, total_shards_count=count)
    return set_available_upgrade(value, offer, count)

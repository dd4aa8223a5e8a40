"""Register a data task of a deployment, and note the progress of its shards."""

from __future__ import annotations

from migrations_app.control.registry.commands.change_deployment import change_deployment
from migrations_app.domain.access import Actor
from migrations_app.domain.registry.upgrade import register_data_task, update_data_task
from migrations_app.domain.registry.values import DataUpdateStatus, Deployment
from migrations_app.kernel.json import JsonObject


def get_or_register_data_task(
    actor: Actor, name: str, tag: str, shards: int, target: str
) -> tuple[Deployment, DataUpdateStatus]:
    """Register a data task unless it is there already, and give it.

    Raises: Denied, Missing, Invalid (`data-task-tag`, `shard-range`).
    """
    after = change_deployment(
        actor, name, "data-task.register", lambda before: register_data_task(before, tag, shards, target)
    )
    return after, next(one for one in after.data_update_statuses if one.task_tag == tag)


def note_data_task(
    actor: Actor, name: str, tag: str, shard: int, *, done: bool, progress: JsonObject, target: str
) -> Deployment:
    """Note how far one shard of a data task is.

    Raises: Denied, Missing (`data-task-missing`), Conflict (`data-task-target`), Invalid (`shard-range`).
    """
    return change_deployment(
        actor,
        name,
        "data-task.update",
        lambda before: update_data_task(before, tag, shard, done, progress, target),
    )

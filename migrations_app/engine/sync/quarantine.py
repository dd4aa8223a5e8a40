"""The worklist of resources that would not go across: parked, tried again, waived, gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from migrations_app.domain.sync import next_attempt_seconds
from migrations_app.domain.sync.quarantine import PARKED_RESOURCE, ParkedEvent
from migrations_app.engine.sync.renew import renew
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import HANGS, HUNG, Carriage, Load, UnappliedResource, carry
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.ports.checkpoints import ParkedState, QuarantinedResource
from migrations_app.ports.feed import Change
from migrations_app.ports.stored import BatchResult, Put, Removal, ReplicationToken

Worklist = dict[tuple[str, str], QuarantinedResource]


def worklist(ports: PipelinePorts, pipeline: ShardPipeline) -> Worklist:
    """Read the pipeline's parked resources by type and name."""
    return {(parked.type, parked.name): parked for parked in ports.checkpoints.parked(pipeline.key)}


def park(
    ports: PipelinePorts, pipeline: ShardPipeline, poisons: Iterable[UnappliedResource], known: Worklist
) -> None:
    """Set resources aside, each with the time of its next try."""
    for unapplied in poisons:
        before = known.get((unapplied.type, unapplied.name))
        attempts = before.attempts + 1 if before else 1
        wait = timedelta(seconds=next_attempt_seconds(attempts))
        parked = QuarantinedResource(
            key=pipeline.key,
            type=unapplied.type,
            name=unapplied.name,
            revision=unapplied.revision,
            error=unapplied.error,
            code=unapplied.code,
            attempts=attempts,
            retry_at=ports.clock.now() + wait,
            state=PARKED_RESOURCE.after(before.state, ParkedEvent.FAIL) if before else ParkedState.PARKED,
            changes_behind=before.changes_behind if before else 0,
        )
        ports.checkpoints.park(parked)
        known[unapplied.type, unapplied.name] = parked


def hold_behind(ports: PipelinePorts, changes: list[Change], known: Worklist) -> list[Change]:
    """Leave out the changes of parked resources, counting them; the retry reads the newest state anyway."""
    going: list[Change] = []
    for change in changes:
        parked = known.get((change.type, change.name))
        if parked is None or parked.state is ParkedState.HIDDEN:
            going.append(change)
            continue
        behind = replace(parked, revision=change.revision, changes_behind=parked.changes_behind + 1)
        ports.checkpoints.park(behind)
        known[change.type, change.name] = behind
    return going


def hide(
    ports: PipelinePorts, pipeline: ShardPipeline, load: Load, newest: list[Change], known: Worklist
) -> None:
    """Keep the list of what the old version cannot show: the price of going back, by name."""
    hidden = {(one.type, one.name): one for one in load.hidden}
    for change in newest:
        key = (change.type, change.name)
        before = known.get(key)
        if before is not None and before.state is ParkedState.HIDDEN and key not in hidden:
            ports.checkpoints.unpark(pipeline.key, *key)
            del known[key]
    for key, one in hidden.items():
        parked = QuarantinedResource(
            pipeline.key, *key, one.revision, one.error, one.code, state=ParkedState.HIDDEN
        )
        ports.checkpoints.park(parked)
        known[key] = parked


def retry(
    ports: PipelinePorts, pipeline: ShardPipeline, replication_token: ReplicationToken, known: Worklist
) -> int:
    """Try those parked resources again whose time has come or that a person asked for; tell how many went."""
    now = ports.clock.now()
    due = [
        parked
        for parked in known.values()
        if parked.state is ParkedState.RETRY
        or (parked.state is ParkedState.PARKED and (parked.retry_at is None or parked.retry_at <= now))
    ]
    gone = hung = 0
    for parked in due:
        code = _retry_one(ports, pipeline, replication_token, parked, known)
        gone, hung = gone + (not code), hung + (code == HUNG)
        if hung == HANGS:
            break
    return gone


def _retry_one(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    replication_token: ReplicationToken,
    parked: QuarantinedResource,
    known: Worklist,
) -> str:
    """Try one again; tell the code of what went wrong, if it did."""
    row = ports.store.read(pipeline.origin).get(parked.type, parked.name)
    if row is not None:
        load = carry(pipeline, [row])
        apply(ports, pipeline, load, replication_token)
        if load.poisons:
            park(ports, pipeline, load.poisons, known)
            return load.poisons[0].code
    elif not pipeline.in_place:
        # It was deleted meanwhile; what the other side may hold of it goes too.
        _remove(ports, pipeline, parked, replication_token)
    ports.checkpoints.unpark(pipeline.key, parked.type, parked.name)
    del known[parked.type, parked.name]
    return ""


def _remove(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    parked: QuarantinedResource,
    replication_token: ReplicationToken,
) -> None:
    converter = pipeline.converters[parked.type]
    name = converter.name(parked.name)
    if name is None or converter.target_type is None:
        return
    held = ports.store.read(pipeline.passive).get(converter.target_type, name)
    if held is not None:
        removal = Removal(
            converter.target_type, name, held.uid, max(parked.revision, held.revision + 1), pipeline.shard
        )
        ports.store.apply(pipeline.passive, [removal], replication_token)


def apply(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    load: Load,
    replication_token: ReplicationToken,
    *,
    copy: bool = False,
) -> BatchResult:
    """Write a load to the other side; what it refuses becomes poison, one by one.

    Raises: Stale when the replication token is void; Busy when the database is.
    """
    if not load.carriages:
        return BatchResult(0, 0, 0)
    try:
        return _write(ports, pipeline, load.carriages, replication_token, copy)
    except (Busy, Stale):
        raise
    except SwitchyardError as error:
        if len(load.carriages) == 1:
            load.unapplied(load.carriages[0], error)
            return BatchResult(0, 0, 0)
    written = removed = ignored = 0
    for carriage in load.carriages:
        try:
            one = _write(ports, pipeline, [carriage], replication_token, copy)
        except (Busy, Stale):
            raise
        except SwitchyardError as error:
            load.unapplied(carriage, error)
            continue
        written, removed, ignored = written + one.written, removed + one.removed, ignored + one.ignored
    return BatchResult(written, removed, ignored)


def _write(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    carriages: list[Carriage],
    replication_token: ReplicationToken,
    copy: bool,
) -> BatchResult:
    if pipeline.in_place:
        return renew(ports, pipeline, [one for one in carriages if isinstance(one, Put)])
    if not copy:
        return ports.store.apply(pipeline.passive, carriages, replication_token)
    return ports.store.copy(
        pipeline.passive, [one for one in carriages if isinstance(one, Put)], replication_token
    )

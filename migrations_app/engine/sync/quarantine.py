"""The worklist of resources that would not go across: quarantined, tried again, waived, gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from migrations_app.domain.sync import next_attempt_seconds
from migrations_app.domain.sync.quarantine import QUARANTINED_RESOURCE, QuarantineEvent
from migrations_app.engine.sync.renew import renew
from migrations_app.engine.sync.shard_pipeline import PipelinePorts, ShardPipeline
from migrations_app.engine.sync.single_resources import HANGS, HUNG, Carriage, Load, UnappliedResource, carry
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.ports.checkpoints import QuarantinedResource, QuarantineState
from migrations_app.ports.feed import Change
from migrations_app.ports.stored import BatchResult, Put, Removal, ReplicationToken

Worklist = dict[tuple[str, str], QuarantinedResource]


def worklist(ports: PipelinePorts, pipeline: ShardPipeline) -> Worklist:
    """Read the pipeline's quarantined resources by type and name."""
    return {
        (quarantined.type, quarantined.name): quarantined
        for quarantined in ports.checkpoints.quarantined(pipeline.key)
    }


def quarantine(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    unapplied_resources: Iterable[UnappliedResource],
    known: Worklist,
) -> None:
    """Set resources aside, each with the time of its next try."""
    for unapplied in unapplied_resources:
        before = known.get((unapplied.type, unapplied.name))
        attempts = before.attempts + 1 if before else 1
        wait = timedelta(seconds=next_attempt_seconds(attempts))
        quarantined = QuarantinedResource(
            key=pipeline.key,
            type=unapplied.type,
            name=unapplied.name,
            revision=unapplied.revision,
            error=unapplied.error,
            code=unapplied.code,
            attempts=attempts,
            retry_at=ports.clock.now() + wait,
            state=QUARANTINED_RESOURCE.after(before.state, QuarantineEvent.FAIL)
            if before
            else QuarantineState.QUARANTINED,
            changes_behind=before.changes_behind if before else 0,
        )
        ports.checkpoints.quarantine(quarantined)
        known[unapplied.type, unapplied.name] = quarantined


def hold_behind(ports: PipelinePorts, changes: list[Change], known: Worklist) -> list[Change]:
    """Leave out the changes of quarantined resources, counting them; the retry reads the newest state anyway."""
    going: list[Change] = []
    for change in changes:
        quarantined = known.get((change.type, change.name))
        if quarantined is None or quarantined.state is QuarantineState.HIDDEN:
            going.append(change)
            continue
        behind = replace(quarantined, revision=change.revision, changes_behind=quarantined.changes_behind + 1)
        ports.checkpoints.quarantine(behind)
        known[change.type, change.name] = behind
    return going


def hide(
    ports: PipelinePorts, pipeline: ShardPipeline, load: Load, newest: list[Change], known: Worklist
) -> None:
    """Keep the list of what the old version cannot show: the downgrade loss, by name."""
    hidden = {(one.type, one.name): one for one in load.hidden}
    for change in newest:
        key = (change.type, change.name)
        before = known.get(key)
        if before is not None and before.state is QuarantineState.HIDDEN and key not in hidden:
            ports.checkpoints.lift_quarantine(pipeline.key, *key)
            del known[key]
    for key, one in hidden.items():
        quarantined = QuarantinedResource(
            pipeline.key, *key, one.revision, one.error, one.code, state=QuarantineState.HIDDEN
        )
        ports.checkpoints.quarantine(quarantined)
        known[key] = quarantined


def retry(
    ports: PipelinePorts, pipeline: ShardPipeline, replication_token: ReplicationToken, known: Worklist
) -> int:
    """Try those quarantined resources again whose time has come or that a person asked for; tell how many went."""
    now = ports.clock.now()
    due = [
        quarantined
        for quarantined in known.values()
        if quarantined.state is QuarantineState.RETRY
        or (
            quarantined.state is QuarantineState.QUARANTINED
            and (quarantined.retry_at is None or quarantined.retry_at <= now)
        )
    ]
    gone = hung = 0
    for quarantined in due:
        code = _retry_one(ports, pipeline, replication_token, quarantined, known)
        gone, hung = gone + (not code), hung + (code == HUNG)
        if hung == HANGS:
            break
    return gone


def _retry_one(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    replication_token: ReplicationToken,
    quarantined: QuarantinedResource,
    known: Worklist,
) -> str:
    """Try one again; tell the code of what went wrong, if it did."""
    row = ports.store.read(pipeline.origin).get(quarantined.type, quarantined.name)
    if row is not None:
        load = carry(pipeline, [row])
        apply(ports, pipeline, load, replication_token)
        if load.unapplied:
            quarantine(ports, pipeline, load.unapplied, known)
            return load.unapplied[0].code
    elif not pipeline.in_place:
        # It was deleted meanwhile; what the other side may hold of it goes too.
        _remove(ports, pipeline, quarantined, replication_token)
    ports.checkpoints.lift_quarantine(pipeline.key, quarantined.type, quarantined.name)
    del known[quarantined.type, quarantined.name]
    return ""


def _remove(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    quarantined: QuarantinedResource,
    replication_token: ReplicationToken,
) -> None:
    place = pipeline.converters[quarantined.type].place(quarantined.name)
    if place is None:
        return
    held = ports.store.read(pipeline.passive).get(*place)
    if held is not None:
        removal = Removal(*place, held.uid, max(quarantined.revision, held.revision + 1), pipeline.shard)
        ports.store.apply(pipeline.passive, [removal], replication_token)


def apply(
    ports: PipelinePorts,
    pipeline: ShardPipeline,
    load: Load,
    replication_token: ReplicationToken,
    *,
    copy: bool = False,
) -> BatchResult:
    """Write a load to the other side; what it refuses is kept as unapplied, one by one.

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
            load.set_aside(load.carriages[0], error)
            return BatchResult(0, 0, 0)
    written = removed = ignored = 0
    for carriage in load.carriages:
        try:
            one = _write(ports, pipeline, [carriage], replication_token, copy)
        except (Busy, Stale):
            raise
        except SwitchyardError as error:
            load.set_aside(carriage, error)
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

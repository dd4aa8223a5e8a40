"""The worklist of resources that would not go across: parked, tried again, waived, gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from migrations_app.domain.sync import next_attempt_seconds
from migrations_app.domain.sync.quarantine import PARKED_RESOURCE, ParkedEvent
from migrations_app.engine.sync.carry import HANGS, HUNG, Carriage, Load, Poison, carry
from migrations_app.engine.sync.lane import Lane, Yard
from migrations_app.engine.sync.renew import renew
from migrations_app.kernel.errors import Busy, Stale, SwitchyardError
from migrations_app.ports.checkpoints import Parked, ParkedState
from migrations_app.ports.feed import Change
from migrations_app.ports.stored import Applied, Put, Removal, Warrant

Worklist = dict[tuple[str, str], Parked]


def worklist(yard: Yard, lane: Lane) -> Worklist:
    """Read the lane's parked resources by type and name."""
    return {(parked.type, parked.name): parked for parked in yard.checkpoints.parked(lane.key)}


def park(yard: Yard, lane: Lane, poisons: Iterable[Poison], known: Worklist) -> None:
    """Set resources aside, each with the time of its next try."""
    for poison in poisons:
        before = known.get((poison.type, poison.name))
        attempts = before.attempts + 1 if before else 1
        wait = timedelta(seconds=next_attempt_seconds(attempts))
        parked = Parked(
            key=lane.key,
            type=poison.type,
            name=poison.name,
            revision=poison.revision,
            error=poison.error,
            code=poison.code,
            attempts=attempts,
            retry_at=yard.clock.now() + wait,
            state=PARKED_RESOURCE.after(before.state, ParkedEvent.FAIL) if before else ParkedState.PARKED,
            changes_behind=before.changes_behind if before else 0,
        )
        yard.checkpoints.park(parked)
        known[poison.type, poison.name] = parked


def hold_behind(yard: Yard, changes: list[Change], known: Worklist) -> list[Change]:
    """Leave out the changes of parked resources, counting them; the retry reads the newest state anyway."""
    going: list[Change] = []
    for change in changes:
        parked = known.get((change.type, change.name))
        if parked is None or parked.state is ParkedState.HIDDEN:
            going.append(change)
            continue
        behind = replace(parked, revision=change.revision, changes_behind=parked.changes_behind + 1)
        yard.checkpoints.park(behind)
        known[change.type, change.name] = behind
    return going


def hide(yard: Yard, lane: Lane, load: Load, newest: list[Change], known: Worklist) -> None:
    """Keep the list of what the old version cannot show: the price of going back, by name."""
    hidden = {(one.type, one.name): one for one in load.hidden}
    for change in newest:
        key = (change.type, change.name)
        before = known.get(key)
        if before is not None and before.state is ParkedState.HIDDEN and key not in hidden:
            yard.checkpoints.unpark(lane.key, *key)
            del known[key]
    for key, one in hidden.items():
        parked = Parked(lane.key, *key, one.revision, one.error, one.code, state=ParkedState.HIDDEN)
        yard.checkpoints.park(parked)
        known[key] = parked


def retry(yard: Yard, lane: Lane, warrant: Warrant, known: Worklist) -> int:
    """Try those parked resources again whose time has come or that a person asked for; tell how many went."""
    now = yard.clock.now()
    due = [
        parked
        for parked in known.values()
        if parked.state is ParkedState.RETRY
        or (parked.state is ParkedState.PARKED and (parked.retry_at is None or parked.retry_at <= now))
    ]
    gone = hung = 0
    for parked in due:
        code = _retry_one(yard, lane, warrant, parked, known)
        gone, hung = gone + (not code), hung + (code == HUNG)
        if hung == HANGS:
            break
    return gone


def _retry_one(yard: Yard, lane: Lane, warrant: Warrant, parked: Parked, known: Worklist) -> str:
    """Try one again; tell the code of what went wrong, if it did."""
    row = yard.store.read(lane.origin).get(parked.type, parked.name)
    if row is not None:
        load = carry(lane, [row])
        apply(yard, lane, load, warrant)
        if load.poisons:
            park(yard, lane, load.poisons, known)
            return load.poisons[0].code
    elif not lane.in_place:
        # It was deleted meanwhile; what the other side may hold of it goes too.
        _remove(yard, lane, parked, warrant)
    yard.checkpoints.unpark(lane.key, parked.type, parked.name)
    del known[parked.type, parked.name]
    return ""


def _remove(yard: Yard, lane: Lane, parked: Parked, warrant: Warrant) -> None:
    converter = lane.converters[parked.type]
    name = converter.name(parked.name)
    if name is None or converter.target_type is None:
        return
    held = yard.store.read(lane.passive).get(converter.target_type, name)
    if held is not None:
        removal = Removal(
            converter.target_type, name, held.uid, max(parked.revision, held.revision + 1), lane.shard
        )
        yard.store.apply(lane.passive, [removal], warrant)


def apply(yard: Yard, lane: Lane, load: Load, warrant: Warrant, *, copy: bool = False) -> Applied:
    """Write a load to the other side; what it refuses becomes poison, one by one.

    Raises: Stale when the warrant is void; Busy when the database is.
    """
    if not load.carriages:
        return Applied(0, 0, 0)
    try:
        return _write(yard, lane, load.carriages, warrant, copy)
    except (Busy, Stale):
        raise
    except SwitchyardError as error:
        if len(load.carriages) == 1:
            load.poison(load.carriages[0], error)
            return Applied(0, 0, 0)
    written = removed = ignored = 0
    for carriage in load.carriages:
        try:
            one = _write(yard, lane, [carriage], warrant, copy)
        except (Busy, Stale):
            raise
        except SwitchyardError as error:
            load.poison(carriage, error)
            continue
        written, removed, ignored = written + one.written, removed + one.removed, ignored + one.ignored
    return Applied(written, removed, ignored)


def _write(yard: Yard, lane: Lane, carriages: list[Carriage], warrant: Warrant, copy: bool) -> Applied:
    if lane.in_place:
        return renew(yard, lane, [one for one in carriages if isinstance(one, Put)])
    if not copy:
        return yard.store.apply(lane.passive, carriages, warrant)
    return yard.store.copy(lane.passive, [one for one in carriages if isinstance(one, Put)], warrant)

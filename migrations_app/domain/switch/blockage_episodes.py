"""When a cause that holds an upgrade up is announced, and when its end is: once each, however often it flaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from migrations_app.domain.switch.blockages import Blockage, BlockageKind

BLOCKED_SECONDS = 10.0
"""So long a cause must last before it is announced."""
SLOWER_SECONDS: Mapping[BlockageKind, float] = MappingProxyType(
    {BlockageKind.THROTTLED: 60.0, BlockageKind.WORKER_LATE: 20.0, BlockageKind.NO_RESULT: 20.0}
)
"""The same for causes that come and go on a busy machine."""
UNBLOCKED_SECONDS = 20.0
"""So long a cause must be gone before its end is announced; twice as long after each further announcement."""
LONGEST_UNBLOCKED_SECONDS = 900.0


@dataclass(frozen=True, slots=True)
class Episode:
    """What is remembered of one kind of cause.

    Units: `last_at` is the last look that found it, `seen_at` the first one in a row (None = the last look did not
    find it), `announced_at` None = it is not announced now; `times` counts its announcements.
    """

    kind: BlockageKind
    last_at: datetime
    seen_at: datetime | None = None
    announced_at: datetime | None = None
    times: int = 0


@dataclass(frozen=True, slots=True)
class EpisodeStep:
    """The episodes after a look; `blocked` are the causes to announce, `unblocked_since` the begin of what ended."""

    episodes: tuple[Episode, ...]
    blocked: tuple[Blockage, ...] = ()
    unblocked_since: datetime | None = None


def advance_episodes(
    known: Sequence[Episode], found: Sequence[Blockage], now: datetime, *, reporting: bool = True
) -> EpisodeStep:
    """Compare the causes found now with those remembered.

    An upgrade that is not `reporting` (paused, halted) is held up by nothing: what was announced ends at once.
    """
    first: dict[BlockageKind, Blockage] = {}
    for blockage in found if reporting else ():
        first.setdefault(blockage.kind, blockage)
    before = {episode.kind: episode for episode in known}
    kinds = [kind for kind in BlockageKind if kind in before or kind in first]
    after: list[Episode] = []
    for kind in kinds:
        if kind in first:
            after.append(_continued(before.get(kind), kind, now))
        elif (episode := _missed(before[kind], now, at_once=not reporting)) is not None:
            after.append(episode)
    announced = [episode.announced_at for episode in known if episode.announced_at is not None]
    ended = bool(announced) and all(episode.announced_at is None for episode in after)
    new = {episode.kind for episode in after if episode.announced_at == now}
    return EpisodeStep(
        tuple(after),
        tuple(blockage for blockage in found if blockage.kind in new),
        min(announced) if ended else None,
    )


def _continued(episode: Episode | None, kind: BlockageKind, now: datetime) -> Episode:
    if episode is None:
        return Episode(kind, now, now)
    seen_at = episode.seen_at or now
    lasts = (now - seen_at).total_seconds() >= SLOWER_SECONDS.get(kind, BLOCKED_SECONDS)
    if episode.announced_at is None and lasts:
        return replace(episode, last_at=now, seen_at=seen_at, announced_at=now, times=episode.times + 1)
    return replace(episode, last_at=now, seen_at=seen_at)


def _missed(episode: Episode, now: datetime, *, at_once: bool) -> Episode | None:
    """Keep an episode that is not found now; one that was never announced is forgotten."""
    if not episode.times:
        return None
    patience = min(LONGEST_UNBLOCKED_SECONDS, UNBLOCKED_SECONDS * 2.0 ** (episode.times - 1))
    ended = at_once or (now - episode.last_at).total_seconds() >= patience
    return replace(episode, seen_at=None, announced_at=None if ended else episode.announced_at)

"""When waves may switch by windows and freezes: what may switch first of those that are ready, and when waves are over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from migrations_app.domain.approvals.switch_schedule import SwitchOpening, SwitchSchedule


class Scheduled(Protocol):
    """What has a schedule, and takes so many seconds from its start to its switch, None where unknown."""

    @property
    def name(self) -> str:
        """Name it."""
        ...

    @property
    def schedule(self) -> SwitchSchedule:
        """Give when it may switch."""
        ...

    @property
    def seconds(self) -> float | None:
        """Give how long it takes before its switch."""
        ...


Moving = TypeVar("Moving", bound=Scheduled)


@dataclass(frozen=True, slots=True)
class SwitchTime:
    """When one deployment of a wave may switch; None where no opening is known. `waits` for a window or freeze."""

    opening: SwitchOpening | None
    waits: bool

    @property
    def waited_for(self) -> SwitchOpening | None:
        """The opening that is waited for, if one is known."""
        return self.opening if self.waits else None


def switch_times(deployments: Iterable[Scheduled], begin: datetime) -> dict[str, SwitchTime]:
    """Tell when deployments of a wave that begins at an instant may switch; unknown durations count as none."""
    known: dict[tuple[int, float], SwitchTime] = {}
    times: dict[str, SwitchTime] = {}
    for each in deployments:
        key = (id(each.schedule), each.seconds or 0.0)
        if key not in known:
            ready_at = begin + timedelta(seconds=key[1])
            opening = each.schedule.opening(ready_at)
            known[key] = SwitchTime(opening, opening is None or opening.at > ready_at)
        times[each.name] = known[key]
    return times


def first_open(ready: Sequence[Moving], times: dict[str, SwitchTime]) -> list[Moving]:
    """Pick those whose switch waits for nothing, or else those whose window opens first, in their order."""
    at_once = [each for each in ready if not times[each.name].waits]
    if at_once:
        return at_once
    openings = {each.name: opening.at for each in ready if (opening := times[each.name].opening) is not None}
    first = min(openings.values(), default=None)
    return [each for each in ready if openings.get(each.name) == first]


def end_of_wave(wave: Iterable[Scheduled], times: dict[str, SwitchTime], begin: datetime) -> datetime:
    """Tell when all of a wave may have switched, as far as that is known."""
    openings = [opening.at for each in wave if (opening := times[each.name].opening) is not None]
    return max(openings, default=begin)


@dataclass(frozen=True, slots=True, order=True)
class WindowWait:
    """What windows and freezes alone make of an order: for how many none opens in time, and when the last may switch."""

    without_opening: int
    end: datetime


def window_wait(waves: Iterable[Iterable[Scheduled]], begin: datetime) -> WindowWait:
    """Tell when waves may switch, each after the one before, if no copying took any time."""
    without = 0
    for wave in waves:
        openings = [each.schedule.opening(begin) for each in wave]
        without += openings.count(None)
        begin = max((opening.at for opening in openings if opening is not None), default=begin)
    return WindowWait(without, begin)

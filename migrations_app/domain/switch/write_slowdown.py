"""That an upgrade copies and compares more slowly than it could, because writes are slowed: as its workers report it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from migrations_app.kernel.clock import to_second
from migrations_app.kernel.messages import Phrase, message

PACE_LIMIT_SECONDS = 10.0
"""A worker that is slowed reports its pace every few seconds: what is older is not so any more."""


@dataclass(frozen=True, slots=True)
class WorkerPace:
    """What one worker process reported; `slowed_since` is None where it works as fast as it can.

    Units: `pace` in threads that work at once.
    """

    at: datetime
    pace: float
    p95_seconds: float
    calm_seconds: float
    slowed_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class WriteSlowdown:
    """The slowing as it is shown: since when, and how old the newest report is."""

    sentence: str
    since: datetime
    reported_at: datetime
    phrases: tuple[Phrase, ...] = field(default=(), compare=False)


def find_slowdown(now: datetime, paces: Sequence[WorkerPace]) -> WriteSlowdown | None:
    """Tell that workers are slowed now; None where none is, or where the reports are old."""
    fresh = [pace for pace in paces if (now - pace.at).total_seconds() <= PACE_LIMIT_SECONDS]
    slowed = [pace for pace in fresh if pace.slowed_since is not None]
    if not slowed:
        return None
    newest = max(slowed, key=lambda pace: pace.at)
    since = min(pace.slowed_since for pace in slowed if pace.slowed_since is not None)
    work = sum(pace.pace for pace in fresh)
    words = message(
        "Copying and comparing are slowed since {since_at}, to {work} s of work a second: 95 % of the writes took up to"
        " {p95} ms, and up to {calm} ms without this work.",
        since_at=to_second(since),
        work=f"{work:.1f}",
        p95=f"{newest.p95_seconds * 1000:.1f}",
        calm=f"{newest.calm_seconds * 1000:.1f}",
    )
    return WriteSlowdown(str(words), since, newest.at, words.phrases)

"""How long clients' writes take, as the processes that answer them tell it, and at what pace workers work meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from migrations_app.domain.sync.write_latency import LatencyCounts


@dataclass(frozen=True, slots=True)
class PaceReport:
    """At what pace a worker process copies and compares for a deployment, and the measurements that it goes by.

    `slowed_since` is None where it works as fast as it can.
    """

    pace: float
    p95_seconds: float
    calm_seconds: float
    slowed_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class WriteReport:
    """What is known of a deployment's writes; nothing where no worker reported lately.

    `seconds` has what took how long by the second (since 1970) in which it was answered; `calm_seconds` is the 95th
    percentile in calm by which other worker processes go, None where none does.
    """

    seconds: Mapping[int, LatencyCounts] = field(default_factory=dict)
    calm_seconds: float | None = None


class WriteLatencies(Protocol):
    """What web processes report of writes, and worker processes of their pace."""

    def read(self, deployment: str) -> WriteReport:
        """Read what was reported of a deployment in the last seconds."""
        ...

    def publish(self, deployment: str, report: PaceReport) -> None:
        """Tell the pace of this process."""
        ...

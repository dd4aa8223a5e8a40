"""What is acted upon, and how sentences of access name it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """What is acted upon; `requested_by` is who asked for it, where four eyes are needed.

    Its places may be patterns: what a policy, a window, a binding or a channel is about.
    """

    kind: str
    id: str = ""
    service: str = ""
    region: str = ""
    environment: str = ""
    requested_by: str = ""

    def __str__(self) -> str:
        return f"{self.kind}/{self.id}" if self.id else self.kind


EVERYTHING = Target("system")


def place_of(target: Target) -> str:
    """Name what was asked for; what has no name of its own, by where it is."""
    if target == EVERYTHING:
        return "everything"
    if target.id or not (target.service or target.region):
        return str(target)
    return where_of(target)


def where_of(target: Target) -> str:
    """Name where a target is: its service and region, with a star for any."""
    return f"{target.service or '*'} @ {target.region or '*'}"

"""What a deployment began and has not ended: attempts with an unknown outcome, deletions that wait for a peer.

Invariants I2 (every blockade ends) and I9 (a deletion completes, or names what holds it up). Source: quality.md §1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, Shadow

MOST = 500


@dataclass(frozen=True, slots=True)
class ConstraintFinding:
    """A reference or a read copy that is not as it should be, or `unknown` without an answer.

    References are `gone` or `unlisted`; copies have no path and are `lacking`, `stale` or `extra`. An attempt whose
    outcome is not known yet is `unsettled`, and what is deleted and not gone yet `undeleted`; `reason` says what
    that waits for.
    """

    source: str
    target: str
    path: str
    what: str
    reason: str = ""


def unended(router: Router, here: Peer, late_seconds: float) -> Iterator[ConstraintFinding]:
    """Find what is under way for longer than that; the oldest attempts, and the deletions in the order of their uids."""

    def _answer(_: ServingRoute, reading: Reading) -> tuple[ConstraintFinding, ...]:
        return (*_unsettled(here, reading, late_seconds), *_undeleted(here, reading, late_seconds))

    yield from router.read_active(here.region, here.service, _answer)[1]


def _unsettled(here: Peer, reading: Reading, late_seconds: float) -> Iterator[ConstraintFinding]:
    for each in reading.constraints.standing(late_seconds, MOST):
        shadow, source = reading.constraints.shadow_of(each.uid), Peer.parse(each.source)
        target = shadow.name if shadow is not None else str(each.uid)
        reason = f"{each.source} has not told how attempt {each.token} ended."
        yield ConstraintFinding(
            f"//{source.service}/{source.region}", _name(here, target), "", "unsettled", reason
        )


def _undeleted(here: Peer, reading: Reading, late_seconds: float) -> Iterator[ConstraintFinding]:
    until, after = reading.constraints.now() - timedelta(seconds=late_seconds), ""
    while page := reading.constraints.moving(after, MOST):
        for each in page:
            if each.since is not None and each.since <= until:
                # It is kept as its type and name.
                asked = _name(here, each.root.partition(" ")[2] or each.name)
                yield ConstraintFinding(asked, _name(here, each.name), "", "undeleted", _wait(each))
        after = str(page[-1].uid)


def _wait(shadow: Shadow) -> str:
    if not shadow.sources:
        return f"{shadow.state.value}; it waits for a worker of this deployment."
    return f"{shadow.state.value}; it waits for the word of {', '.join(sorted(shadow.sources))}."


def _name(here: Peer, name: str) -> str:
    return f"//{here.service}/{here.region}/{name}"

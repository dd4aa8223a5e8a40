"""What people see of read copies and of changed policies: how far each source was followed, and how old that is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from migrations_app.engine.constraints.messages import ConstraintMessage, Text, write
from migrations_app.engine.regions.feed_watch import EVERY_SECONDS
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import Phrase
from migrations_app.ports.copies import ComparisonStage, Copies, CopySource
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import Reading, Store
from migrations_app.ports.touching import Touch, Touches

SILENT_SECONDS = 3 * EVERY_SECONDS
SHOWN = 20


class CopyState(ConstraintMessage, frozen=True):
    """Where a deployment stands with one region in one version.

    `state` is `following`, `comparing`, or `unknown` when the region does not answer; `behind_seconds` how old
    the copies are at most, nothing before they were caught up for the first time.
    """

    region: Text
    version: Text
    state: Text
    position: Text = ""
    behind_seconds: float | None = None
    waiting: int = 0
    problem: str = ""
    problem_phrases: tuple[Phrase, ...] = ()


class TouchState(ConstraintMessage, frozen=True):
    """How far the resources under a policy were touched; `scope` is empty for the service's own policy."""

    scope: Text
    looked: int
    changed: int
    open_seconds: float
    at: Text = ""
    checking: bool = False


class DescribedCopies(ConstraintMessage, frozen=True):
    """DescribeCopies: read copies by source, and changed policies under way."""

    copies: tuple[CopyState, ...] = ()
    touches: tuple[TouchState, ...] = ()


class Describing:
    """Describes the deployments that are served here."""

    def __init__(
        self,
        router: Router,
        *,
        store: Store,
        copies: Copies,
        touches: Touches,
        regions: Callable[[str], Sequence[str]],
        clock: Clock,
    ) -> None:
        self._store, self._copies, self._touches = store, copies, touches
        self._router, self._regions, self._clock = router, regions, clock

    def describe(self, sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        """DescribeCopies: every region of the service, also those that were never asked."""
        route = self._router.read_active(here.region, here.service, _only_route)[0]
        now = self._clock.now()
        copies = [
            each
            for version, namespace in route.served.namespaces.items()
            if self._store.types(namespace)
            for each in self._sources(here, version, namespace, now)
        ]
        open_ = self._touches.listed(route.namespace, ended=False, limit=SHOWN)
        return write(DescribedCopies(tuple(copies), tuple(_touch(each, now) for each in open_)))

    def _sources(self, here: Peer, version: str, namespace: Namespace, now: datetime) -> Iterator[CopyState]:
        known = {each.region: each for each in self._copies.sources(namespace)}
        for region in self._regions(here.service):
            if region != here.region:
                yield _state(known.get(region, CopySource(region)), version, now)


def _state(source: CopySource, version: str, now: datetime) -> CopyState:
    heard = source.heard_at is not None and (now - source.heard_at).total_seconds() < SILENT_SECONDS
    state = "following" if source.stage is ComparisonStage.FOLLOW else "comparing"
    behind = None if source.level_at is None else max(0.0, (now - source.level_at).total_seconds())
    return CopyState(
        source.region,
        version,
        state if heard and not source.problem else "unknown",
        source.position,
        behind,
        source.waiting,
        str(source.problem),
        source.problem.phrases,
    )


def _touch(touch: Touch, now: datetime) -> TouchState:
    age = (now - touch.opened_at).total_seconds() if touch.opened_at else 0.0
    at = f"{touch.type} {touch.name}".strip() if touch.name else ""
    return TouchState(touch.scope, touch.looked, touch.changed, age, at, touch.second)


def _only_route(route: ServingRoute, reading: Reading) -> None:
    return None

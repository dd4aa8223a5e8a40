"""The controller of subscribed deletions: follows what other deployments delete, and carries it on here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import cast

import msgspec

from migrations_app.engine.constraints.carrying import Carrying
from migrations_app.engine.constraints.messages import (
    ConstraintMessage,
    Deletions,
    WatchDeletions,
    read,
    write,
)
from migrations_app.engine.constraints.pending import AWAY_SECONDS, Hosted
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.serving.routing import Router
from migrations_app.kernel import json
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.errors import Busy, Invalid, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, as_message, message
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.regions.peers import Peer, Peers

POLL_SECONDS = 20.0
SILENT_SECONDS = 3 * POLL_SECONDS
"""A deployment that was not heard of for so long is unknown."""
PAGE = 500
_EPOCH = datetime.fromtimestamp(0, UTC)

Interests = Callable[[Peer], Sequence[Peer]]
"""Tells whose deletions concern a deployment: those of what it imports in all regions, and its own service's."""


class DeletionCursor(ConstraintMessage, frozen=True):
    """How far the deletions of one deployment were followed.

    A round goes over all that is being deleted there; `position` is where the present one goes on, empty between
    two. Whatever was being deleted at `level_at` has been heard of and carried on as far as it goes.
    """

    position: str = ""
    began_at: datetime | None = None
    level_at: datetime | None = None
    heard_at: datetime | None = None
    waiting: int = 0
    problem: str = ""
    problem_phrases: tuple[Phrase, ...] = ()

    @property
    def problem_words(self) -> WordedMessage:
        """Give the problem with its phrases."""
        return as_message(self.problem, self.problem_phrases)

    def with_problem(self, words: WordedMessage) -> DeletionCursor:
        """Note why it does not go on."""
        return msgspec.structs.replace(self, problem=str(words), problem_phrases=words.phrases)


class DeletionCursors(ConstraintMessage, frozen=True):
    """The standings with the deployments of one region, by their service."""

    of: dict[str, DeletionCursor] = {}


class SubscribedController:
    """Watches the deletions of one region's deployments for one of ours; a key names both.

    The watch is by level, not by edge: whatever is being deleted and may be referred to from here is told
    again in every round, until it is finalised there. Source: the model `cascade`, D1.
    """

    name = "subscribed-deletions"
    queue = "constraints"
    work_class = WorkClass.CONSTRAINT_ANSWERS

    def __init__(
        self,
        router: Router,
        peers: Peers,
        arrangements: Arrangements,
        hosted: Hosted,
        interests: Interests,
        clock: Clock,
        rest: Rest | None = None,
        is_watched: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._peers, self._hosted, self._interests, self._clock = peers, hosted, interests, clock
        self._carrying = Carrying(router, arrangements)
        self._rest, self._is_watched = rest, is_watched

    def due(self) -> Iterable[str]:
        """List our deployments, each with the regions it watches: one that hangs holds up no other."""
        return [
            key_of(here, region)
            for here in self._hosted()
            for region in dict.fromkeys(there.region for there in self._interests(here))
        ]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Go on with the rounds over what the deployments of the region are deleting, the one longest left first.

        Once: positions are left with the lease; losing them begins a round again, which changes nothing.
        """
        ours, _, region = key.partition("<")
        here, known = Peer.parse(ours), standings_of(lease.memo)
        theirs = [each for each in self._interests(here) if each.region == region]
        found = {each.service: known.get(each.service, DeletionCursor()) for each in theirs}
        moved, silent = 0, False
        for there in sorted(theirs, key=lambda each: _turn(found[each.service])):
            if budget.spent or silent:
                break
            try:
                found[there.service], carried = self._round(here, there, found[there.service], budget)
                moved += carried
            except SwitchyardError as error:
                problem = message("{place}:", place=f"{there.service} @ {region}") + error.words
                found[there.service] = found[there.service].with_problem(problem)
                # A deployment that hangs costs seconds, and its neighbours hang with it.
                silent = isinstance(error, Busy)
        told = write(DeletionCursors(found))
        problems = sum((each.problem_words for each in found.values()), NOTHING)
        if problems and not moved:
            return Again(AWAY_SECONDS, waits_for=problems, memo=told)
        under_way = moved or any(each.position for each in found.values())
        waiting = any(each.waiting for each in found.values())
        if self._rest is None or under_way or waiting or not self._is_watched(region):
            return Again(0.0 if under_way else POLL_SECONDS, memo=told)
        return Again(self._rest.after(key).after_seconds, memo=told)

    def _round(
        self, here: Peer, there: Peer, known: DeletionCursor, budget: Budget
    ) -> tuple[DeletionCursor, int]:
        """Take pages of a round as far as the budget goes; tell how many resources moved here."""
        now, moved = self._clock.now(), 0
        began, waiting = (known.began_at, known.waiting) if known.position else (now, 0)
        standing = DeletionCursor(known.position, began, known.level_at, now, waiting)
        while not budget.spent:
            asked = write(WatchDeletions(standing.position, PAGE))
            answer = self._peers.call(here, there, "watchImportedServiceDeletions", asked)
            page = read(answer, Deletions)
            try:
                carried = self._carrying.carry_on(here, there.service, page.deletions, budget)
            except SwitchyardError as error:
                # This page is tried again in the next round; what follows need not wait for it.
                carried, began = 0, known.level_at
                standing = standing.with_problem(error.words)
            moved += carried
            waiting = standing.waiting + len(page.deletions)
            if carried and not budget.left_seconds:
                break  # there may be more to do for this page
            if not page.next:
                return msgspec.structs.replace(standing, position="", level_at=began, waiting=waiting), moved
            standing = msgspec.structs.replace(standing, position=page.next, began_at=began, waiting=waiting)
        return standing, moved


def _turn(standing: DeletionCursor) -> tuple[bool, datetime]:
    """Order those who did not answer behind the others, so that they delay no other."""
    return bool(standing.problem), standing.level_at or _EPOCH


def standings_of(told: JsonObject | str) -> dict[str, DeletionCursor]:
    """Read what a key of this controller was left with; nothing when it is of another release."""
    try:
        return read(
            cast(JsonObject, json.decode(told)) if isinstance(told, str) else told, DeletionCursors
        ).of
    except Invalid:
        return {}


def key_of(here: Peer, region: str) -> str:
    """Name the work of watching a region for a deployment."""
    return f"{here.deployment}<{region}"

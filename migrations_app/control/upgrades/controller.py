"""The controller that announces what holds an upgrade up, once, and once that nothing does any more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.upgrade_state.repository.progress import blockage_as_json
from migrations_app.control.upgrade_state.repository.snapshots import (
    REPORTING,
    UpgradeSnapshot,
    is_reporting,
    snapshot_of,
    with_facts,
)
from migrations_app.control.upgrade_state.repository.upgrade_rows import add_line, locked
from migrations_app.control.upgrade_state.repository.upgrades import tell_progress
from migrations_app.domain.switch.blockage_episodes import Episode, EpisodeStep, advance_episodes
from migrations_app.domain.switch.blockages import Blockage, BlockageKind
from migrations_app.domain.switch.states import FINAL, State
from migrations_app.domain.switch.words import span
from migrations_app.engine.controller import Again, Budget, Lease, Outcome, WorkClass, at_whole
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.messages import as_message, message
from migrations_app.models.upgrades import Upgrade, UpgradeBlockage
from migrations_app.ports.upgrades import TimelineEntry

KEY = "live"
EVERY_SECONDS = 5.0
IDLE_SECONDS = 15.0
"""How often it looks while no upgrade runs; no notification reaches the process that serves this queue alone."""


class UpgradeBlockageWatch:
    """One key for all upgrades, in the queue of notifications: its worker lives where the one that copies does not."""

    name = "upgrade-blockages"
    queue = "notifications"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases, clock: Clock) -> None:
        self._leases, self._clock = leases, clock

    def due(self) -> Iterable[str]:
        """List the one key; its row says when it is due again."""
        return (KEY,)

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Compare the causes that hold each running upgrade up with what was announced.

        Once: what is announced commits with its episode and with the lease.
        """
        watched = Q(state__in=[state.value for state in REPORTING], paused=False)
        watched |= Q(pk__in=UpgradeBlockage.objects.values("upgrade_id"))
        rows = with_facts(Upgrade.objects.filter(watched)).order_by("id")
        found = [snapshot_of(row) for row in rows.prefetch_related("blockage_episodes")]
        for snapshot in found:
            known = [_episode(row) for row in snapshot.row.blockage_episodes.all()]
            step = advance_episodes(
                known, snapshot.blockages, snapshot.at, reporting=is_reporting(snapshot.row)
            )
            if known or step.episodes:
                self._keep(snapshot, step, lease)
        return Again(at_whole(EVERY_SECONDS if found else IDLE_SECONDS, self._clock))

    def _keep(self, snapshot: UpgradeSnapshot, step: EpisodeStep, lease: Lease) -> None:
        with transaction.atomic():
            self._leases.confirm(lease)
            row = locked(snapshot.row.id)
            if State(row.state) in FINAL:
                return
            kept = {episode.kind.value for episode in step.episodes}
            row.blockage_episodes.exclude(kind__in=kept).delete()
            for episode in step.episodes:
                values = {
                    "last_at": episode.last_at,
                    "seen_at": episode.seen_at,
                    "announced_at": episode.announced_at,
                    "times": episode.times,
                }
                row.blockage_episodes.update_or_create(kind=episode.kind.value, defaults=values)
            if step.blocked:
                add_line(row.id, "", blocked_line(step.blocked))
            if step.unblocked_since is not None:
                add_line(row.id, "", _unblocked_line(snapshot.at - step.unblocked_since))
            if step.blocked or step.unblocked_since is not None:
                tell_progress(row)


def blocked_line(causes: Sequence[Blockage]) -> TimelineEntry:
    """Say what holds an upgrade up, since when, and what helps."""
    words = message("It is held up:")
    for cause in causes:
        words += as_message(cause.sentence, cause.phrases) + as_message(cause.remedy, cause.remedy_phrases)
    if any(cause.needs_person for cause in causes):
        words += message("It waits for a person.")
    return TimelineEntry("blocked", words, {"causes": [blockage_as_json(cause) for cause in causes]})


def _unblocked_line(lasted: timedelta) -> TimelineEntry:
    seconds = round(lasted.total_seconds())
    return TimelineEntry(
        "unblocked",
        message("Nothing holds it up any more; it was held up for {time}.", time=span(seconds, seconds)),
        {"blocked_seconds": seconds},
    )


def _episode(row: UpgradeBlockage) -> Episode:
    return Episode(BlockageKind(row.kind), row.last_at, row.seen_at, row.announced_at, row.times)

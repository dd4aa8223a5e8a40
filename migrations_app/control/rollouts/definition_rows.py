"""Definitions that change in phases, as rows: shown, moved, and taken on by what is stored and what clients do."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters import definitions
from migrations_app.control.access.queries.access import actor_named
from migrations_app.control.access.repository.access import environment
from migrations_app.control.audit.ledger import record
from migrations_app.control.definition_changes.commands.rule_on_change import ChangeRuling, ruling_on
from migrations_app.control.definition_changes.queries.shown import lacking_as_json
from migrations_app.control.registry.commands.apply_service import apply_service
from migrations_app.domain.access import SYSTEM, Actor, Target
from migrations_app.domain.schema.folder import read_files
from migrations_app.domain.switch.rollout import ENDED, ROLLOUT, RolloutEvent, RolloutState
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Busy, Missing, Stale, SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, message, phrases_of
from migrations_app.kernel.wordings import (
    all_phrases_as_json,
    kept_message,
    phrases_as_json,
    phrases_from_json,
    reason_as_json,
)
from migrations_app.models.rollouts import DefinitionRollout

SERVED_AFTER = timedelta(seconds=10)
"""How long after a definition was applied every process that can reach the registry serves it."""
CHECK_SECONDS = 60.0
"""How often the evidence is asked for the next phase of servers: it counts stored resources."""
SERVER = "server"


def locked_definition_rollout(rollout_id: str) -> DefinitionRollout:
    """Read a rollout and keep others from changing it until the transaction ends.

    Raises: Missing (`rollout-missing`).
    """
    row = DefinitionRollout.objects.select_for_update().filter(pk=rollout_id).first()
    if row is None:
        raise Missing(
            message("There is no rollout {rollout_id}.", rollout_id=rollout_id), code="rollout-missing"
        )
    return row


def target_of_definition_rollout(row: DefinitionRollout) -> Target:
    """Name a rollout for decisions and the ledger: it counts in every region of its service."""
    return Target("definition-rollout", row.id, row.service, environment=environment())


def running_definition_rollouts() -> list[str]:
    """Name the rollouts that go on by themselves."""
    running = DefinitionRollout.objects.filter(state=RolloutState.RUNNING.value)
    return list(running.values_list("id", flat=True))


def definition_rollouts_of(service: str) -> list[JsonObject]:
    """Show the rollouts of a service, newest first."""
    return [definition_rollout_as_json(row) for row in DefinitionRollout.objects.filter(service=service)]


def change_definition_rollout(
    row: DefinitionRollout, actor: Actor, action: str, event: RolloutEvent, reason: str | WordedMessage
) -> None:
    """Move a locked rollout as the table of rollouts says, and note who did."""
    before: JsonObject = {"state": row.state, "phase": row.phase}
    state = ROLLOUT.after(RolloutState(row.state), event)
    row.state, row.rev = state.value, row.rev + 1
    row.reason, row.reason_phrases = str(reason), phrases_as_json(phrases_of(reason))
    row.finished_at = timezone.now() if state in ENDED else None
    row.save()
    after: JsonObject = {"state": row.state, "phase": row.phase, "rev": row.rev}
    record(actor, action, target_of_definition_rollout(row), "done", before, after, reason)


def advance_definition_rollout(row: DefinitionRollout) -> float | None:
    """Take a locked, running rollout as far as it may go now; say after how many seconds to look again, if ever.

    Once: what was applied is noted in the same transaction.
    """
    while row.phase < len(row.phases):
        now = timezone.now()
        waits = _pause_left(row, now)
        if waits > 0:
            return waits
        try:
            with transaction.atomic():
                lacking = _take_phase(row, now)
        except Busy:
            return CHECK_SECONDS
        except SwitchyardError as error:
            change_definition_rollout(row, SYSTEM, "definition-rollout.pause", RolloutEvent.FAIL, error.words)
            return None
        row.checked_at = now
        if lacking:
            row.phases[row.phase].update(lacking_as_json(lacking))
            row.save()
            return CHECK_SECONDS
    change_definition_rollout(row, SYSTEM, "definition-rollout.done", RolloutEvent.FINISH, "")
    return None


def _pause_left(row: DefinitionRollout, now: datetime) -> float:
    """Tell how long every process may still need to serve the phase before."""
    before = row.phases[row.phase - 1] if row.phase else None
    if before is None or before["side"] != SERVER or not before["settled_at"]:
        return 0.0
    return (datetime.fromisoformat(before["settled_at"]) + SERVED_AFTER - now).total_seconds()


def _take_phase(row: DefinitionRollout, now: datetime) -> list[WordedMessage]:
    """Apply the next definition if nothing stands against it; else give what does.

    That clients did their part is known by that: it is what the decision on the next definition rests on.

    Raises: Stale (`definition-moved`), Busy, and what applying raises.
    """
    if definitions.current_fingerprint(row.service) != row.against:
        raise Stale(message("Another definition was applied meanwhile."), code="definition-moved")
    at = next((at for at in range(row.phase, len(row.phases)) if row.phases[at]["side"] == SERVER), None)
    if at is None:
        _settle(row, len(row.phases), now)
        return []
    files = definitions.files_of(row.service, row.phases[at]["fingerprint"])
    ruling = ruling_on(read_files(files).refuse_errors())
    if not ruling.may_apply:
        return _reasons(ruling)
    row.against = apply_service(actor_named(row.started_by), files).fingerprint
    _settle(row, at + 1, now)
    return []


def _settle(row: DefinitionRollout, until: int, now: datetime) -> None:
    """Note that the phases before one are over."""
    for phase in row.phases[row.phase : until]:
        phase["settled_at"], phase["lacking"] = iso(now), []
    row.phase = until
    row.rev += 1
    row.save()


def _reasons(ruling: ChangeRuling) -> list[WordedMessage]:
    return [
        message("{place}:", place=f"{each.difference.version}/{each.difference.path}") + reason
        for each in ruling.against
        for reason in each.words
    ]


def _phrases_of(phase: dict[str, Any]) -> list[Json]:
    """Give the phrases of what is lacking, where they are those of its texts: an older process keeps texts only."""
    kept = [WordedMessage(phrases_from_json(each)) for each in phase.get("lacking_phrases", [])]
    return all_phrases_as_json(kept) if [*map(str, kept)] == phase["lacking"] else []


def definition_rollout_as_json(row: DefinitionRollout) -> JsonObject:
    """Show a rollout with its phases."""
    phases: list[Json] = [_phase_as_json(row, at, each) for at, each in enumerate(row.phases)]
    return {
        "id": row.id,
        "rev": row.rev,
        "service": row.service,
        "state": row.state,
        **reason_as_json(kept_message(row.reason, row.reason_phrases)),
        "note": row.note,
        "phase": row.phase if row.phase < len(row.phases) else None,
        "phases": phases,
        "created_by": row.created_by,
        "created_at": iso(row.created_at),
        "started_by": row.started_by,
        "checked_at": iso(row.checked_at),
        "finished_at": iso(row.finished_at),
    }


def _phase_as_json(row: DefinitionRollout, at: int, phase: dict[str, Any]) -> JsonObject:
    state = "done" if at < row.phase else "current" if at == row.phase else "waiting"
    return {
        "side": phase["side"],
        "action": phase["action"],
        "action_phrases": phase.get("action_phrases", []),
        "wait": phase["wait"],
        "fingerprint": phase["fingerprint"],
        "state": state,
        "lacking": phase["lacking"],
        "lacking_phrases": _phrases_of(phase),
        "settled_at": phase["settled_at"],
    }

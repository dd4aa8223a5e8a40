"""Plan, start, pause and stop a rollout of a definition that takes the place of the served one in phases."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.db import IntegrityError, transaction
from django.utils import timezone

from migrations_app.adapters import definitions
from migrations_app.control.audit.ledger import record
from migrations_app.control.definition_changes.commands.rule_on_change import ruling_on
from migrations_app.control.registry.commands.save_registered import check_not_mirrored
from migrations_app.control.rollouts.definition_rows import (
    advance_definition_rollout,
    change_definition_rollout,
    definition_rollout_as_json,
    locked_definition_rollout,
    target_of_definition_rollout,
)
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.in_place.phase_definitions import (
    DefinitionPhase,
    phases_of_definition,
)
from migrations_app.domain.schema.folder import read_files, read_service_name
from migrations_app.domain.switch.rollout import RolloutEvent, RolloutState, state_refusal
from migrations_app.kernel.errors import Conflict, Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.rollouts import DefinitionRollout
from migrations_app.wiring import dispatch

CONTROLLER = "definition-rollouts"


def plan_definition_rollout(
    actor: Actor, service: str, files: Mapping[str, bytes], note: str = "", *, start: bool = False
) -> JsonObject:
    """Plan the phases in which a definition takes the place of the served one; with `start` the first begins at once.

    Raises: Denied, Invalid (`service-other` and what reading the folder raises), Conflict (`phases-none`,
    `phases-differ`, `definition-rollout-exists`), Busy, Missing (`definition-missing`).
    """
    require(actor, "registry.write", Target("service", service, service))
    if read_service_name(files) != service:
        raise Invalid(
            message("The folder is of another service."),
            code="service-other",
            remedy=message("Name that service."),
        )
    check_not_mirrored()
    given = read_files(files).refuse_errors()
    served = definitions.folder(service)
    ruling = ruling_on(given)
    phases = phases_of_definition(served, given, ruling.decided.decisions)
    with transaction.atomic():
        row = DefinitionRollout(
            id=f"d{secrets.token_hex(5)}",
            service=service,
            note=note.strip(),
            phases=[_kept(service, each) for each in phases],
            against=ruling.decided.against or "",
            created_by=actor.person,
            created_at=timezone.now(),
        )
        _keep(row)
        target, after = target_of_definition_rollout(row), definition_rollout_as_json(row)
        record(actor, "definition-rollout.plan", target, "done", after=after, reason=row.note)
        if start:
            _start(actor, row)
    return definition_rollout_as_json(row)


def _kept(service: str, phase: DefinitionPhase) -> JsonObject:
    """Write a phase as it is kept, with its definition put by."""
    return {
        "side": phase.side,
        "action": str(phase.action),
        "action_phrases": phrases_as_json(phase.action.phrases),
        "wait": phase.wait,
        "fingerprint": definitions.put_by(service, phase.files) if phase.files is not None else "",
        "lacking": [],
        "settled_at": None,
    }


def _keep(row: DefinitionRollout) -> None:
    """Save a new rollout, if its service has no other one that is open.

    Raises: Conflict (`definition-rollout-exists`).
    """
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:
        raise Conflict(
            message("{service} has a rollout of a definition that is not over.", service=row.service),
            code="definition-rollout-exists",
            remedy=message("Stop that one, or wait until it is over."),
        ) from error


def start_definition_rollout(actor: Actor, rollout_id: str) -> JsonObject:
    """Begin the first phase, or go on after a pause; what may be applied now is applied in this request.

    Raises: Missing (`rollout-missing`), Denied, Conflict (`rollout-state`).
    """
    with transaction.atomic():
        row = locked_definition_rollout(rollout_id)
        require(actor, "registry.write", target_of_definition_rollout(row))
        _start(actor, row)
        return definition_rollout_as_json(row)


def pause_definition_rollout(actor: Actor, rollout_id: str) -> JsonObject:
    """Apply no further definition until it is started again.

    Raises: Missing (`rollout-missing`), Denied, Conflict (`rollout-state`).
    """
    return _moved(actor, rollout_id, RolloutEvent.PAUSE, "")


def stop_definition_rollout(actor: Actor, rollout_id: str, reason: str) -> JsonObject:
    """End it: the definition of the phase that is served stays.

    Raises: Missing (`rollout-missing`), Denied, Conflict (`rollout-state`).
    """
    return _moved(actor, rollout_id, RolloutEvent.STOP, reason.strip())


def _start(actor: Actor, row: DefinitionRollout) -> None:
    planned = row.state == RolloutState.PLANNED.value
    event = RolloutEvent.START if planned else RolloutEvent.RESUME
    _demand(row, event)
    row.started_by = actor.person
    change_definition_rollout(row, actor, f"definition-rollout.{event}", event, "")
    advance_definition_rollout(row)
    dispatch().poke(CONTROLLER, row.id)


def _moved(actor: Actor, rollout_id: str, event: RolloutEvent, reason: str) -> JsonObject:
    with transaction.atomic():
        row = locked_definition_rollout(rollout_id)
        require(actor, "registry.write", target_of_definition_rollout(row))
        _demand(row, event)
        change_definition_rollout(row, actor, f"definition-rollout.{event}", event, reason)
        return definition_rollout_as_json(row)


def _demand(row: DefinitionRollout, event: RolloutEvent) -> None:
    """Let an action pass that makes sense now.

    Raises: Conflict (`rollout-state`).
    """
    reason = state_refusal(event.value, RolloutState(row.state))
    if reason:
        raise Conflict(reason, code="rollout-state", remedy=message("Look at its phases."))

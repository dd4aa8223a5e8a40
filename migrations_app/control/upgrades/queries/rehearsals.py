"""What a switch or a rollback would do now, step by step, read without changing anything."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.control.upgrades.queries.upgrades import find
from migrations_app.domain.access import Actor
from migrations_app.engine.switch.rehearsal import rehearse
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import phrases_of
from migrations_app.kernel.wordings import phrases_as_json, wording_as_json
from migrations_app.ports.upgrades import Direction

DIRECTIONS = {"switch": Direction.FORWARD, "rollback": Direction.REVERSE}


def rehearsal(actor: Actor, upgrade_id: str, action: str) -> JsonObject:
    """Rehearse an action on connections that cannot write.

    Raises: Missing, Denied.
    """
    record = wiring.reading_ports().upgrades.load(find(actor, upgrade_id).id)
    try:
        found = rehearse(wiring.reading_ports(), record, DIRECTIONS[action])
    except SwitchyardError as error:
        return {
            "steps": [],
            "predicted_freeze_ms": None,
            "stopped": error.message,
            "stopped_phrases": phrases_as_json(error.phrases),
        }
    return {
        "steps": [
            {
                "step": step.step,
                "text": step.sentence,
                **wording_as_json(phrases_of(step.words), ()),
            }
            for step in found.steps
        ],
        "predicted_freeze_ms": round(found.predicted_freeze_ms, 1),
        "stopped": str(found.stopped),
        "stopped_phrases": phrases_as_json(found.stopped.phrases),
    }

"""Rehearse the deletion of a resource: done in full, and taken back."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.serving.deletion_dry_run import DeletionDryRun, rehearse_deletion
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import NotFound, Violation
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import WordedMessage, counted, message
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json


def rehearse(actor: Actor, name: str) -> JsonObject:
    """Let the server delete a resource named in full, within a transaction that is taken back.

    Raises: Denied, Invalid (`full-name`), Missing (`not-found`, `deployment-missing`) · Busy (`frozen`).
    """
    node = ReferenceNode.parse(name)
    target = Target("resource", node.id, node.service, node.region)
    require(actor, "resource.write", target)
    node = wiring.reference_graph().known(node)
    if node.state is NodeState.MISSING:
        raise NotFound(message("There is no {name}.", name=node.name[:200]))
    found = rehearse_deletion(wiring.router(), wiring.arrangements(), node)
    violations: list[Json] = [_violation(each) for each in found.violations]
    answer: JsonObject = {
        "outcome": found.outcome,
        **sentence_as_json(_sentence(found)),
        "deleted": found.deleted,
        "asks": [*found.asks],
        "violations": violations,
    }
    record(actor, "resource.delete", target, "dry_run", after={"outcome": found.outcome})
    return answer


def _violation(violation: Violation) -> JsonObject:
    shown: JsonObject = {"path": violation.path, "message": violation.message}
    return shown | ({"phrases": phrases_as_json(violation.phrases)} if violation.phrases else {})


def _sentence(found: DeletionDryRun) -> WordedMessage:
    match found.outcome:
        case "delete":
            if found.deleted > 1:
                return counted(
                    found.deleted - 1,
                    "It was deleted, and {count} other with it; then all of it was taken back.",
                    "It was deleted, and {count} others with it; then all of it was taken back.",
                )
            return message("It was deleted; then all of it was taken back.")
        case "ask":
            asks = (
                counted(
                    len(found.asks),
                    "{count} deployment would be asked to agree first.",
                    "{count} deployments would be asked to agree first.",
                )
                if found.asks
                else message("Other deployments would be asked to agree first.")
            )
            return message("Within its own deployment nothing forbids it.") + asks
        case _:
            return message("It was refused:") + found.reason

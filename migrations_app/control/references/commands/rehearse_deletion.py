"""Rehearse the deletion of a resource: done in full, and taken back."""

from __future__ import annotations

from migrations_app import wiring
from migrations_app.control.audit.ledger import record
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.domain.switch.words import count
from migrations_app.engine.serving.deletion_dry_run import DeletionDryRun, rehearse_deletion
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import NotFound
from migrations_app.kernel.json import Json, JsonObject


def rehearse(actor: Actor, name: str) -> JsonObject:
    """Let the server delete a resource named in full, within a transaction that is taken back.

    Raises: Denied, Invalid (`full-name`), Missing (`not-found`, `deployment-missing`) · Busy (`frozen`).
    """
    node = ReferenceNode.parse(name)
    target = Target("resource", node.id, node.service, node.region)
    require(actor, "resource.write", target)
    node = wiring.reference_graph().known(node)
    if node.state is NodeState.MISSING:
        raise NotFound(f"There is no {node.name[:200]}.")
    found = rehearse_deletion(wiring.router(), wiring.arrangements(), node)
    violations: list[Json] = [{"path": each.path, "message": each.message} for each in found.violations]
    answer: JsonObject = {
        "outcome": found.outcome,
        "sentence": _sentence(found),
        "deleted": found.deleted,
        "asks": [*found.asks],
        "violations": violations,
    }
    record(actor, "resource.delete", target, "dry_run", after={"outcome": found.outcome})
    return answer


def _sentence(found: DeletionDryRun) -> str:
    match found.outcome:
        case "delete":
            more = found.deleted - 1
            also = f", and {count(more, 'other')} with it" if more > 0 else ""
            return f"It was deleted{also}; then all of it was taken back."
        case "ask":
            asks = count(len(found.asks), "deployment") if found.asks else "other deployments"
            return f"Within its own deployment nothing forbids it. {asks[:1].upper()}{asks[1:]} would be asked to agree first."
        case _:
            return f"It was refused: {found.reason}"

"""A deletion carried out in full, in a transaction that is then taken back."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from migrations_app.engine.serving.references.integrity import ReferenceIntegrity
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.writes.coordination import Unarranged
from migrations_app.kernel.errors import Conflict, NotFound, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.ports.regions.arrangements import Arrangements
from migrations_app.ports.store import Transaction


@dataclass(frozen=True, slots=True)
class DeletionDryRun:
    """What came of it: how many resources went, or who must agree first, or why it was refused."""

    outcome: str
    deleted: int = 0
    asks: tuple[str, ...] = ()
    reason: WordedMessage = NOTHING
    violations: tuple[Violation, ...] = ()


class _TakenBackError(Exception):
    """Ends the transaction of a rehearsal, so that nothing of it stays."""


def rehearse_deletion(router: Router, arrangements: Arrangements, node: ReferenceNode) -> DeletionDryRun:
    """Delete a resource with what goes with it, as its server would, and take it back.

    Others are not asked to agree: that would leave a mark with them. Whom the server would ask is told.

    Raises: Missing (`not-found`, `deployment-missing`) · Busy (`frozen`).
    """
    found: list[DeletionDryRun] = []

    def _change(route: ServingRoute, transaction: Transaction) -> None:
        integrity = ReferenceIntegrity(route, transaction, arrangements)
        if transaction.get(node.type, node.name) is None:
            raise NotFound(message("There is no {type} {name}.", type=node.type, name=node.name[:200]))
        sources = transaction.shadow(node.type, node.name)
        try:
            integrity.delete(node.type, node.name)
        except Unarranged:
            found.append(DeletionDryRun("ask", asks=sources.sources if sources else ()))
        except Conflict as error:
            found.append(DeletionDryRun("refuse", reason=error.words, violations=error.violations))
        else:
            found.append(DeletionDryRun("delete", deleted=integrity.deleted))
        raise _TakenBackError

    with suppress(_TakenBackError):
        router.write_active(node.region, node.service, _change)
    return found[-1]

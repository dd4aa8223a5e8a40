"""The controller that looks again at resources that a person wants to delete, until nothing blocks them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.db import transaction
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.control.events.outbox import publish
from migrations_app.domain.constraints.shadows import NodeState
from migrations_app.engine.controller import Again, Budget, Done, Lease, Outcome, WorkClass
from migrations_app.engine.serving.references.graph import ReferenceGraph
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.errors import Missing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import phrases_as_json, sentence_as_json
from migrations_app.models.watches import DeletionWatch

LOOK_SECONDS = 15.0
GONE = message("It is deleted.")


class DeletionWatches:
    """One key for each watch that is not clear yet."""

    name = "deletion-watches"
    queue = "housekeeping"
    work_class = WorkClass.UPKEEP

    def __init__(self, leases: PostgresLeases, graph: Callable[[], ReferenceGraph]) -> None:
        self._leases, self._graph = leases, graph

    def due(self) -> Iterable[str]:
        """List the watches that still wait."""
        return list(DeletionWatch.objects.filter(cleared_at__isnull=True).values_list("pk", flat=True))

    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Look once; tell when the way is free or the resource is gone.

        Once: the row says that it was told, in the transaction that tells it.
        """
        row = DeletionWatch.objects.filter(pk=key, cleared_at__isnull=True).first()
        if row is None:
            return Done()
        verdict, sentence = look(self._graph(), row.name)
        with transaction.atomic():
            self._leases.confirm(lease)
            now = timezone.now()
            clear = verdict in ("safe", "gone")
            changed: dict[str, object] = {
                "verdict": verdict,
                "sentence": str(sentence),
                "phrases": phrases_as_json(sentence.phrases),
                "looked_at": now,
            }
            mine = DeletionWatch.objects.filter(pk=key, cleared_at__isnull=True)
            if mine.update(**changed, cleared_at=now if clear else None) and clear:
                node = ReferenceNode.parse(row.name)
                result: JsonObject = {"verdict": verdict, **sentence_as_json(sentence)}
                publish("fleet", "deletion", row.name, full=result, places=[(node.service, node.region)])
        return Done() if clear else Again(LOOK_SECONDS)


def look(graph: ReferenceGraph, name: str) -> tuple[str, WordedMessage]:
    """Judge the deletion of a resource named in full: safe, blocked, unknown or gone, and in a sentence."""
    try:
        found = graph.deletion(ReferenceNode.parse(name))
    except Missing:
        return "gone", GONE
    except SwitchyardError as error:
        return "unknown", error.words
    if found.focus.state is NodeState.MISSING:
        return "gone", GONE
    return found.verdict, found.sentence

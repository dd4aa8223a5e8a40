"""Deletions that the controllers carry on: of stored resources, in any number, under the rules of every write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from migrations_app.domain.constraints.references import DocumentReference
from migrations_app.domain.resources.lifecycle import is_leaving
from migrations_app.engine.serving.references.integrity import ReferenceIntegrity
from migrations_app.engine.serving.references.stored_references import marked_draft
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import names_of
from migrations_app.engine.serving.writes.coordination import ArrangedWrite, arranged_write
from migrations_app.ports.regions.arrangements import Agreed, Arrangements, PendingDeletion
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.store import ShadowState, Transaction


class ErasingServer:
    """Deletes, marks and clears stored resources of the active version."""

    def __init__(self, router: Router, arrangements: Arrangements | None) -> None:
        self._router, self._arrangements = router, arrangements

    def erase(
        self,
        here: Peer,
        doomed: Sequence[PendingDeletion],
        agreed: Agreed | None = None,
        still: Callable[[Transaction], bool] = lambda _: True,
    ) -> int:
        """Delete resources together, those that are still there; tell how many went, cascades included.

        `still` looks once more, in the transaction, whether that is what is wanted.

        Raises: Conflict (`deletion-blocked`, `cascade-too-large`) · Busy (`peer-unavailable`); then none went.
        """

        def _attempt(arranged: ArrangedWrite) -> int:
            def _change(route: ServingRoute, transaction: Transaction) -> int:
                integrity = ReferenceIntegrity(route, transaction, self._arrangements, arranged)
                if not still(transaction):
                    return 0
                for each in doomed:
                    resource = transaction.get(each.type, each.name)
                    if resource is not None and not is_leaving(resource.metadata):
                        integrity.delete(each.type, each.name)
                return integrity.deleted

            return self._router.write_active(here.region, here.service, _change)[1]

        return arranged_write(self._arrangements, here, _attempt, ArrangedWrite(agreed=dict(agreed or {})))

    def mark(self, here: Peer, doomed: PendingDeletion) -> int:
        """Mark a resource as being deleted: it stays, no new reference to it is allowed. Tell whether that was new."""

        def _change(route: ServingRoute, transaction: Transaction) -> int:
            shadow = transaction.lock(doomed.type, doomed.name)
            resource = transaction.get(doomed.type, doomed.name)
            if shadow is None or resource is None or shadow.state is ShadowState.DELETING:
                return 0
            transaction.put(marked_draft(resource), resource.revision)
            names = names_of(route, doomed.type, doomed.name, resource.body)
            transaction.put_shadow(
                replace(
                    shadow,
                    uid=resource.uid,
                    state=ShadowState.DELETING,
                    delete_id=shadow.delete_id + 1,
                    names=names,
                    root=f"{doomed.type} {doomed.name}",
                )
            )
            return 1

        return self._router.write_active(here.region, here.service, _change)[1]

    def clear(
        self, here: Peer, sources: Sequence[PendingDeletion], chosen: Callable[[DocumentReference], bool]
    ) -> int:
        """Take the chosen references out of the documents of these resources; tell how many changed."""

        def _attempt(arranged: ArrangedWrite) -> int:
            def _change(route: ServingRoute, transaction: Transaction) -> int:
                integrity = ReferenceIntegrity(route, transaction, self._arrangements, arranged)
                return sum(integrity.clear(each.type, each.name, chosen) for each in sources)

            return self._router.write_active(here.region, here.service, _change)[1]

        return arranged_write(self._arrangements, here, _attempt)

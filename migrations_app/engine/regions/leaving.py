"""The controller of left regions: drops the read copies of those that a service is not deployed in any more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from migrations_app.engine.controller import Again, Budget, Lease, Outcome, Rest, WorkClass, while_hosted
from migrations_app.engine.regions.copy_ports import CopyPorts
from migrations_app.engine.regions.places import replication_token_for
from migrations_app.kernel.clock import Clock
from migrations_app.kernel.messages import message
from migrations_app.ports.copies import CopySource
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.regions.peers import Peer
from migrations_app.ports.stored import Removal

BATCH = 500
LOOK_EVERY_SECONDS = 15.0
GRACE_SECONDS = 60.0
"""So long a source is silent before its copies go: who is registered again at once keeps them."""


class LeavingController:
    """Drops what a deployment keeps of regions that left; a key names the deployment.

    A region has left when the registry has no deployment of the service there. One that is only disabled, cut off
    or evicted has not: its copies may be all that is left of it.
    """

    name = "left-copies"
    queue = "sync"
    work_class = WorkClass.UPKEEP

    def __init__(
        self,
        ports: CopyPorts,
        hosted: Callable[[], Sequence[Peer]],
        registered: Callable[[str], Sequence[str]],
        clock: Clock,
        rest: Rest | None = None,
    ) -> None:
        self._store, self._copies = ports.store, ports.copies
        self._fence, self._directory = ports.fence, ports.directory
        self._hosted, self._registered, self._clock, self._rest = hosted, registered, clock, rest

    def due(self) -> Iterable[str]:
        """List the deployments whose data is here."""
        return [each.deployment for each in self._hosted()]

    @while_hosted
    def reconcile(self, key: str, budget: Budget, lease: Lease) -> Outcome:
        """Drop copies batch by batch, then what was known of their source.

        Once: each batch commits by itself, and only from where the source was read.
        """
        here = Peer.parse(key)
        served = self._directory.served(here.region, here.service)
        known, left = {here.region, *self._registered(here.service)}, False
        for namespace in served.namespaces.values():
            if not self._store.types(namespace):
                continue
            for source in self._copies.sources(namespace):
                left = left or source.region not in known
                if source.region not in known and self._is_silent(source):
                    self._drop(namespace, source, budget)
            if budget.spent:
                return Again()
        return Again(LOOK_EVERY_SECONDS) if left or self._rest is None else self._rest.after(key)

    def _is_silent(self, source: CopySource) -> bool:
        heard = source.heard_at
        return heard is None or (self._clock.now() - heard).total_seconds() > GRACE_SECONDS

    def _drop(self, namespace: Namespace, source: CopySource, budget: Budget) -> None:
        replication_token = replication_token_for(self._fence, namespace)
        # A region that may be asked again one day is compared with from the beginning.
        source = replace(source, position="", problem=message("It is not deployed there any more."))
        for type_ in sorted(self._store.types(namespace)):
            while page := self._copies.held(namespace, source.region, type_, "", BATCH):
                if budget.spent:
                    return
                lost = [Removal(each.type, each.name, each.uid, each.revision + 1, 0) for each in page]
                source, _ = self._copies.bring(namespace, source, lost, replication_token)
        self._copies.forget(namespace, source)

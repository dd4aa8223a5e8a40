"""What an owner's side does when an owner is saved: it asks those whom the owner may own something of to look again.

Source: seed 003 §2.2, the second of its three cases. The ownee's side then asks as it always does, so that a
reference is removed by the same compare-and-delete. Should a first confirmation be under way while the owner is
saved, its deployment is not asked; it asks by itself within minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.engine.constraints.messages import OwnersSaved, write
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.kernel.errors import SwitchyardError, UnknownAction
from migrations_app.ports.owners import OwneeCheck
from migrations_app.ports.regions.peers import Peer, Peers
from migrations_app.ports.store import Transaction

AT_ONCE = 200


class OwneeChecks:
    """Asks for the checks that a deployment's writes have noted."""

    def __init__(self, router: Router, peers: Peers) -> None:
        self._router, self._peers = router, peers

    def ask(self, here: Peer, note: Callable[[str, SwitchyardError], None]) -> bool:
        """Ask for one batch; tell whether nothing is left to ask for now. `note` hears of who did not answer."""
        checks = self._router.read_active(
            here.region, here.service, lambda _, reading: reading.constraints.owners.checks(AT_ONCE)
        )[1]
        by_target: dict[str, list[OwneeCheck]] = {}
        for check in checks:
            by_target.setdefault(check.target, []).append(check)
        answered = [self._ask(here, target, group, note) for target, group in sorted(by_target.items())]
        return all(answered) and len(checks) < AT_ONCE

    def _ask(
        self,
        here: Peer,
        target: str,
        checks: Sequence[OwneeCheck],
        note: Callable[[str, SwitchyardError], None],
    ) -> bool:
        body = write(OwnersSaved(tuple(check.uid for check in checks)))
        try:
            self._peers.call(here, Peer.parse(target), "recheckMetaOwners", body)
        except UnknownAction:
            pass  # An older release there; it asks by itself within minutes.
        except SwitchyardError as error:
            note(target, error)
            return False

        def _change(_: ServingRoute, transaction: Transaction) -> None:
            transaction.constraints.owners.drop_checks(*checks)

        self._router.write_active(here.region, here.service, _change)
        return True

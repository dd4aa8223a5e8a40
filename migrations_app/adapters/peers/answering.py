"""Whether a deployment is there at all."""

from __future__ import annotations

from migrations_app.kernel.errors import SwitchyardError
from migrations_app.ports.regions.peers import Peer, Peers


def answers(peers: Peers, peer: Peer) -> bool:
    """Tell whether a deployment answers; it is asked in its own name."""
    try:
        peers.call(peer, peer, "describeConstraints", {})
    except SwitchyardError:
        return False
    return True

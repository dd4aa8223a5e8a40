"""Peers by region: those served in this process are asked directly, the others over HTTP."""

from __future__ import annotations

from collections.abc import Callable

from migrations_app.kernel.json import JsonObject
from migrations_app.ports.peers import Peer, Peers


class PeersByRegion:
    """Chooses how to ask a deployment; `is_here` tells whether a region is served in this process."""

    def __init__(self, is_here: Callable[[str], bool], here: Peers, elsewhere: Peers) -> None:
        self._is_here, self._here, self._elsewhere = is_here, here, elsewhere

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action at another deployment."""
        peers = self._here if self._is_here(target.region) else self._elsewhere
        return peers.call(sender, target, action, body)

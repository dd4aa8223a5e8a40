"""Peers by region: those served in this process are asked directly, the others over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Answered, Peer, Peers, Question


class PeersByRegion:
    """Chooses how to ask a deployment; `is_here` tells whether a region is served in this process."""

    def __init__(self, is_here: Callable[[str], bool], here: Peers, elsewhere: Peers) -> None:
        self._is_here, self._here, self._elsewhere = is_here, here, elsewhere

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action at another deployment."""
        peers = self._here if self._is_here(target.region) else self._elsewhere
        return peers.call(sender, target, action, body)

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        """Ask several deployments: those elsewhere while those here answer."""
        here = [each for each in questions if self._is_here(each.target.region)]
        elsewhere = [each for each in questions if each not in here]
        if not (here and elsewhere):
            return (self._here if here else self._elsewhere).call_all(sender, questions)
        with ThreadPoolExecutor(max_workers=1) as pool:
            away = pool.submit(self._elsewhere.call_all, sender, elsewhere)
            told = dict(zip(map(id, here), self._here.call_all(sender, here), strict=True))
            told |= zip(map(id, elsewhere), away.result(), strict=True)
        return [told[id(each)] for each in questions]

"""Peers of the same process: asked by a call, with the same bodies as over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.kernel import json
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Answered, Mixin, Peer, Question, in_turn


class LocalPeers:
    """Asks deployments that are served in this process; `mixin` gives what answers for them."""

    def __init__(self, mixin: Callable[[], Mixin]) -> None:
        self._mixin = mixin

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action at another deployment."""
        # Through JSON, so that nothing works here that would not work over HTTP.
        asked = json.decode(json.encode(body))
        assert isinstance(asked, dict)
        return self._mixin().answer(sender, target, action, asked)

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        """Ask several deployments, one after the other: they share this thread's connections."""
        return in_turn(self, sender, questions)

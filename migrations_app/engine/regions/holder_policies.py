"""The policy of a holder that is not known here: asked for in the other regions before anything is placed under it.

Source: seed 003 §1.4. A holder is written where its own policy says, and its copies arrive elsewhere a moment later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from migrations_app.engine.constraints.messages import ConstraintMessage, Text, read, write
from migrations_app.engine.registry.policies import RemotePolicy, holder_types
from migrations_app.engine.serving.routing import Router, ServingRoute
from migrations_app.engine.serving.stored_names import stored_as
from migrations_app.kernel.errors import DeploymentMissing, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.ports.regions.peers import Peer, Peers, Question
from migrations_app.ports.store import Reading

ACTION = "describePolicyHolder"


class PolicyHolder(ConstraintMessage, frozen=True):
    """DescribePolicyHolder: a holder as the caller's version names it."""

    version: Text
    type: Text
    name: Text


class HolderPolicies:
    """Asks other regions for the policies of holders, and answers them."""

    def __init__(self, router: Router, peers: Peers, regions: Callable[[str], Sequence[str]]) -> None:
        self._router, self._peers, self._regions = router, peers, regions

    def ask(self, region: str, service: str, version: str, type_: str, name: str) -> RemotePolicy | None:
        """Ask all other regions of a holder's service; None when each of them answers that it knows none.

        Raises: Busy (`peer-unavailable`) when none knows it and one does not answer.
        """
        here = Peer(service, region)
        body = write(PolicyHolder(version, type_, name))
        others = [Peer(service, each) for each in self._regions(service) if each != region]
        failure: SwitchyardError | None = None
        for answer in self._peers.call_all(here, [Question(each, ACTION, body) for each in others]):
            if isinstance(answer, DeploymentMissing):
                continue
            if isinstance(answer, SwitchyardError):
                failure = answer
            elif answer.get("known") is True:
                return RemotePolicy(answer.get("policy"))
        if failure is not None:
            raise failure
        return None


def describe_holder(router: Router) -> Callable[[Peer, Peer, JsonObject], JsonObject]:
    """Give the action that tells peers whether a holder is here, and the policy it has set."""

    def _describe(sender: Peer, here: Peer, body: JsonObject) -> JsonObject:
        asked = read(body, PolicyHolder)

        def _answer(route: ServingRoute, reading: Reading) -> JsonObject:
            stored = stored_as(route, asked.version, asked.type, asked.name)
            found = reading.get(*stored) if stored else None
            if found is None:
                return {"known": False}
            keys = dict(holder_types(route.stored_schema).values())
            return {"known": True, "policy": found.body.get(keys.get(found.type, ""))}

        return router.read_active(here.region, here.service, _answer)[1]

    return _describe

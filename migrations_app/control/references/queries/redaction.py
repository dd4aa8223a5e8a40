"""Resources as far as an account may read deployments: of the others it is only shown that, and where, there is one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.crypto import salted_hmac

from migrations_app.domain.access import Actor, reach_of
from migrations_app.domain.reach import Reach
from migrations_app.engine.serving.references.nodes import ReferenceEdge, ReferenceNode

HIDDEN = "hidden"
SALT = "switchyard.references.veil"


@dataclass(frozen=True, slots=True)
class Redaction:
    """Takes names and fields from what lies beyond a reach; the same thing keeps the same sign everywhere.

    That something refers is told, and from which deployment: who may not delete has to know whom to ask.
    """

    reach: Reach

    def node(self, node: ReferenceNode) -> ReferenceNode:
        """Show a resource, or that there is one."""
        if self.reach.covers(node.service, node.region):
            return node
        return ReferenceNode(
            node.service, node.region, f"{HIDDEN}/{_sign(node.id)}", HIDDEN, state=node.state
        )

    def edge(self, edge: ReferenceEdge) -> ReferenceEdge:
        """Show a reference; what lies beyond reach keeps its field to itself."""
        if self.reach.everywhere:
            return edge
        source, target = (self._id(each) for each in (edge.source, edge.target))
        mine = source == edge.source
        return replace(edge, source=source, target=target, path=edge.path if mine else "")

    def _id(self, id: str) -> str:
        return self.node(ReferenceNode.parse(id)).id


def redaction_of(actor: Actor) -> Redaction:
    """Give the veil over what an actor may not read."""
    return Redaction(reach_of(actor, "resource.read"))


def _sign(id: str) -> str:
    """Sign a name so that it can be told apart and not be guessed at."""
    return salted_hmac(SALT, id).hexdigest()[:16]

"""Other deployments, in this process or elsewhere: how one asks another, and who it says it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True, order=True)
class Peer:
    """A deployment as others speak of it."""

    service: str
    region: str

    @property
    def deployment(self) -> str:
        """The deployment's name."""
        return f"services/{self.service}/deployments/{self.region}"

    @property
    def audience(self) -> str:
        """What a token names that is meant for this deployment."""
        return self.deployment

    @classmethod
    def parse(cls, deployment: str) -> Peer:
        """Read a deployment's name.

        Raises: Invalid (`deployment-name`).
        """
        parts = deployment.split("/")
        if len(parts) != 4 or (parts[0], parts[2]) != ("services", "deployments") or not all(parts):
            raise Invalid(
                message("{deployment} is no deployment.", deployment=repr(deployment[:120])),
                code="deployment-name",
            )
        return cls(parts[1], parts[3])


@dataclass(frozen=True, slots=True)
class NamedRegistry:
    """A registry as those speak of it that ask its Meta API by service tokens."""

    name: str

    @property
    def audience(self) -> str:
        """What a token names that is meant for this registry; no deployment has such a name."""
        return f"registries/{self.name}"


@dataclass(frozen=True, slots=True)
class Question:
    """One call that is made at the same time as others."""

    target: Peer
    action: str
    body: JsonObject


Answered: TypeAlias = "JsonObject | SwitchyardError"
"""What came of a question: the answer, or why there is none."""


class Peers(Protocol):
    """Asks other deployments. No database transaction is open while asking."""

    def call(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out a custom action of the schema mixin at another deployment, in the sender's name.

        Once: a call that got no answer may have been carried out, so that every action may be repeated.
        Raises: what the other one refused · Missing (`deployment-missing`) · Denied (`service-token`) ·
        Busy (`peer-unavailable`) when it does not answer in time.
        """
        ...

    def call_all(self, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
        """Ask several deployments, at the same time where they are elsewhere; as `call`, each for itself."""
        ...


def in_turn(peers: Peers, sender: Peer, questions: Sequence[Question]) -> list[Answered]:
    """Ask one question after the other."""
    return [_asked(peers, sender, each) for each in questions]


def _asked(peers: Peers, sender: Peer, question: Question) -> Answered:
    try:
        return peers.call(sender, question.target, question.action, question.body)
    except SwitchyardError as error:
        return error


class Mixin(Protocol):
    """What every deployment answers to its peers."""

    def answer(self, sender: Peer, target: Peer, action: str, body: JsonObject) -> JsonObject:
        """Carry out an action at `target`, which is served here, for a sender who proved who it is.

        Raises: Invalid (`mixin-action`, `mixin-body`) · Denied (`not-yours`) · what the action refuses.
        """
        ...

"""How the approval of one purpose stands, for a person who may use it or not, and what would bring it on."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.approvals.policy import Policy
from migrations_app.domain.approvals.votes import RequestState
from migrations_app.kernel.messages import WordedMessage, message

EMERGENCY = "EMERGENCY"
"""A break-glass override stands for the votes."""
NOT_BY_YOU = "NOT-BY-YOU"
"""It is approved, and this person may not use it."""
FREE = "FREE"
"""Votes are needed, but not yet: the rollback is free for a while after the switch."""


@dataclass(frozen=True, slots=True)
class Approval:
    """How the approval of one purpose stands."""

    policy: Policy
    state: str
    votes_given: int
    request_id: str
    message: WordedMessage
    who_can: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Give the message as a text."""
        return str(self.message)

    @property
    def remedy(self) -> WordedMessage:
        """Say what would bring it on."""
        words = {
            "none": message("Request approval.") + self.policy.must_approve,
            RequestState.OPEN.value: message("Wait for the votes of {group}.", group=self.group),
            RequestState.CHANGES.value: message("Answer what was asked for."),
            RequestState.REJECTED.value: message("Answer the rejection, and request approval again."),
            NOT_BY_YOU: message("Another person must run it."),
        }
        return words.get(self.state, message("Request approval again."))

    @property
    def settled(self) -> bool:
        """Tell whether nothing more is needed."""
        return self.needed == 0 or self.state in (RequestState.APPROVED.value, EMERGENCY)

    @property
    def needed(self) -> int:
        """Count the votes it takes now."""
        return 0 if self.state == FREE else self.policy.total

    @property
    def group(self) -> str:
        """Name the group whose turn it is to vote."""
        return self.policy.stage_at(self.votes_given).group

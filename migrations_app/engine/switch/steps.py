"""The steps of a switch in their model-checked order, for the one that performs them: live or in a rehearsal.

docs/models/version_switch.pml has the same names; a step may be taken any number of times.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from migrations_app.engine.switch.switchover import Switchover
from migrations_app.kernel.messages import WordedMessage
from migrations_app.ports.fence import FenceState

ORDER = ("freeze", "catch-up", "parity", "flip", "publish", "reverse-replication")


@dataclass(frozen=True, slots=True)
class StepResult:
    """What a step came to, in words, and how long writers would wait or did wait for it."""

    step: str
    words: WordedMessage | str
    milliseconds: float = 0.0

    @property
    def sentence(self) -> str:
        """Give what it came to in English."""
        return str(self.words)


class Steps(Protocol):
    """How each step is taken. Raises what the ports raise; `refused` reasons are Conflict."""

    def freeze(self, switchover: Switchover, expected: FenceState) -> tuple[FenceState, StepResult]:
        """Stop the writers of the origin, if they are not stopped at this epoch already."""
        ...

    def catch_up(self, switchover: Switchover, frozen: FenceState) -> StepResult:
        """Carry the last changes across, up to the freeze's end in every shard."""
        ...

    def prove(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Prove every key changed since the last clean pass, and note it in the fence.

        Raises: Conflict (`parity-differs`) naming the first difference.
        """
        ...

    def flip(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Open the other side: the one commit that is the switch."""
        ...

    def abort(self, switchover: Switchover, frozen: FenceState) -> tuple[FenceState, StepResult]:
        """Open the origin again; the answer says how the fence stands, also when another process was faster."""
        ...

    def publish(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Copy what the fence says to the control database."""
        ...

    def reverse_replication(self, switchover: Switchover, state: FenceState) -> StepResult:
        """Let the other direction be followed from the flip on."""
        ...

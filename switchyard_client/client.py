"""The client that waits for each answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from switchyard_client.errors import WaitTimedOut
from switchyard_client.exchange import Response
from switchyard_client.operations import Operations
from switchyard_client.options import LONG_POLL_SECONDS, PAUSE_SECONDS, ended, operation_id
from switchyard_client.plain_client import PlainClient

if TYPE_CHECKING:
    from switchyard_client import models


class Client(PlainClient, Operations):
    """One console, seen as the account of a token; a method for every operation of `/api/v1`, by its id.

    Every operation raises: ApiError (a refusal), Unreachable, AnswerUnreadable.
    """

    def wait_for(
        self, operation: models.Operation | Response[Any] | str, timeout: float = 3600.0
    ) -> models.Operation:
        """Wait until an operation is done: one that was answered, or by the answer that began it, or by its id.

        Raises: OperationFailed, WaitTimedOut, and what every operation raises.
        """
        named = operation_id(operation)
        ends = time.monotonic() + timeout
        while True:
            seconds = max(0.0, min(LONG_POLL_SECONDS, self.timeout / 2, ends - time.monotonic()))
            seen = self.operation(named, wait=f"{seconds:.0f}s").value
            if ended(seen):
                return seen
            if time.monotonic() >= ends:
                raise WaitTimedOut(named, timeout)
            time.sleep(PAUSE_SECONDS)

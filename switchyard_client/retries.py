"""When a request is sent again, and after how long."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from switchyard_client.errors import ApiError, ClientError, Unreachable
from switchyard_client.exchange import Request

REFUSED_FOR_NOW = frozenset({429, 503})
"""Nothing was done: the server says so before it begins, or took it back."""
PROXY_FAILED = frozenset({502, 504})
IN_PROGRESS = "idempotency-in-progress"


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often, and for how long altogether."""

    attempts: int = 5
    patience_seconds: float = 60.0
    first_delay_seconds: float = 0.25
    longest_delay_seconds: float = 10.0

    def delay_seconds(
        self, request: Request, error: ClientError, attempt: int, waited: float
    ) -> float | None:
        """Tell how long to wait before the request is sent again; None where it is not.

        What the server says in `Retry-After` counts; without it the delay doubles, with some chance in it.
        """
        if attempt >= self.attempts or not may_be_sent_again(request, error):
            return None
        said = retry_after_seconds(error.headers) if isinstance(error, ApiError) else None
        delay = self._backoff(attempt) if said is None else said
        return delay if waited + delay <= self.patience_seconds else None

    def _backoff(self, attempt: int) -> float:
        delay = min(self.longest_delay_seconds, self.first_delay_seconds * 2.0 ** (attempt - 1))
        return delay * random.uniform(0.5, 1.0)  # noqa: S311 -- spreads clients, no secret


NO_RETRIES = RetryPolicy(attempts=1)


def may_be_sent_again(request: Request, error: ClientError) -> bool:
    """Tell whether sending a request again can help, and does no harm."""
    if isinstance(error, Unreachable):
        return request.is_repeatable
    if not isinstance(error, ApiError):
        return False
    if error.status in PROXY_FAILED:
        # An answer of the console's own has a code, and is an answer: its service's code failed.
        return request.is_repeatable and error.code == "unreadable"
    if error.code == IN_PROGRESS:
        return True
    said = retry_after_seconds(error.headers)
    return error.status in REFUSED_FOR_NOW and (said is not None or request.is_repeatable)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Read `Retry-After`: seconds, or a moment."""
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())

"""Which service tokens were used already, known to all processes of an installation."""

from __future__ import annotations

from typing import Protocol


class UsedTokens(Protocol):
    """Remembers the tokens that were used until they end."""

    def claim(self, token: str, until: float) -> bool:
        """Note that a token is used now; false when it was used before.

        Units: `until` is the time, in seconds since 1970, from which on it need not be known.
        Once: of calls at the same time, in any process, exactly one is true.
        Raises: Busy when that cannot be told; then the token must not be taken.
        """
        ...

"""Page tokens: a place in a list, bound to the list it is of."""

from __future__ import annotations

import base64
from dataclasses import dataclass

from migrations_app.kernel import json
from migrations_app.kernel.errors import Invalid, PageTokenInvalid, SwitchyardError
from migrations_app.kernel.messages import message


@dataclass(frozen=True, slots=True)
class PageToken:
    """A place in a list: the stored name it goes on after, or ends before, and how many were shown earlier."""

    after: str = ""
    offset: int = 0
    before: str = ""


def sealed(mark: str, token: PageToken) -> str:
    """Write a page token."""
    text = json.encode([mark, token.after, token.offset, token.before])
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def opened(token: str, mark: str) -> PageToken:
    """Read what a page token holds.

    Raises: Invalid (`page-token`).
    """
    if not token:
        return PageToken()
    try:
        found = json.decode(base64.urlsafe_b64decode((token + "=" * (-len(token) % 4)).encode()))
    except (SwitchyardError, ValueError) as error:
        raise _broken_token() from error
    match found:
        case [str(known), str(after), int(offset), str(before)] if known == mark and offset >= 0:
            return PageToken(after, offset, before)
    raise _broken_token()


def _broken_token() -> Invalid:
    return PageTokenInvalid(
        message("This page token does not belong to this list, or the version it was stored in changed."),
        remedy=message("Start again without a token."),
    )

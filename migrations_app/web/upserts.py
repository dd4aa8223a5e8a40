"""Writes by name that create what is missing: what the caller expects to be there."""

from __future__ import annotations

from dataclasses import dataclass

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from migrations_app.kernel.errors import Conflict, Invalid, Missing
from migrations_app.kernel.messages import message
from migrations_app.web.preconditions import expected_tag

UPSERT = [
    OpenApiParameter(
        "If-Match",
        str,
        OpenApiParameter.HEADER,
        description="The ETag that was shown; `*` for whatever is there, or nothing yet. Needed without If-None-Match.",
    ),
    OpenApiParameter(
        "If-None-Match", str, OpenApiParameter.HEADER, description="`*`: only where nothing is there yet."
    ),
]
"""The conditions of a write by name."""


@dataclass(frozen=True, slots=True)
class ExpectedState:
    """What a caller expects under a name: `tag` names a revision; without one, anything or nothing may be there."""

    tag: str | None = None
    absent: bool = False

    @property
    def rev(self) -> int | None:
        """Give the expected revision.

        Raises: Invalid (`if-match`).
        """
        if self.tag is None:
            return None
        if not (self.tag.isascii() and self.tag.isdigit() and len(self.tag) < 19):
            raise Invalid(
                message("If-Match is not a revision."),
                code="if-match",
                remedy=message("Send the ETag you were shown."),
            )
        return int(self.tag)

    def creates(self, name: str, exists: bool) -> bool:
        """Tell whether the write creates, given whether something is there.

        Raises: Conflict (`name-taken`) where nothing was expected, Missing (`missing`) where a revision was.
        """
        if exists and self.absent:
            raise Conflict(
                message("There is {name} already.", name=name),
                code="name-taken",
                remedy=message("Send If-Match with its ETag."),
            )
        if not exists and self.tag is not None:
            raise Missing(
                message("There is no {name}.", name=name),
                code="missing",
                remedy=message("Send If-None-Match: * to create it."),
            )
        return not exists


def expected_state(request: Request) -> ExpectedState:
    """Read If-Match and If-None-Match of a write by name.

    Raises: Invalid (`precondition-required`, `if-match`, `if-none-match`).
    """
    none_match = request.headers.get("If-None-Match", "").strip()
    if none_match and (none_match != "*" or request.headers.get("If-Match")):
        raise Invalid(
            message("If-None-Match of a write must be *, without If-Match."),
            code="if-none-match",
            remedy=message("Send one of the two."),
        )
    return ExpectedState(absent=True) if none_match else ExpectedState(expected_tag(request))

"""What the identity provider says of a person: the claims of a token, and the groups in them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from migrations_app.kernel.errors import Invalid, SwitchyardError
from migrations_app.kernel.json import decode
from migrations_app.kernel.messages import message

MOST_GROUPS = 500


def groups_of(claims: Mapping[str, Any]) -> list[str]:
    """Read the groups that the provider named."""
    userinfo = claims.get("userinfo")
    found = (userinfo if isinstance(userinfo, dict) else claims).get("groups", [])
    return [str(group)[:150] for group in found[:MOST_GROUPS]] if isinstance(found, list) else []


def claims_of(token: str) -> Mapping[str, Any]:
    """Read the claims of a token without trusting it: to show them, never to let anybody in.

    Raises: Invalid (`identity-token`).
    """
    parts = token.strip().split(".")
    try:
        payload = base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4))
        claims = decode(payload.decode())
    except (IndexError, ValueError, binascii.Error, SwitchyardError):
        claims = None
    if not isinstance(claims, dict):
        raise Invalid(
            message("This is no token of an identity provider."),
            code="identity-token",
            remedy=message("Paste an ID token (three parts with dots between), or name the groups."),
        )
    return claims

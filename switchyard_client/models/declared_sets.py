"""Types of the operations of declared sets.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class DeclaredObject(Struct, frozen=True, kw_only=True):
    """An object that was made by declaring it, with what was declared of it."""

    kind: str
    name: str
    spec: dict[str, Any]


class DeclaredObjectRequest(Struct, frozen=True, kw_only=True):
    """An object that was made by declaring it, with what was declared of it."""

    kind: str
    name: str
    spec: dict[str, Any]


class DeclaredObjectsRequest(Struct, frozen=True, kw_only=True):
    """All objects that were made under an owner label and are declared still."""

    objects: list[DeclaredObjectRequest]


class DeclaredSet(Struct, frozen=True, kw_only=True):
    """What an account made under an owner label."""

    owner: str
    objects: list[DeclaredObject]

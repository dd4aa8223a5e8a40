"""Roles that are held, and when they count, as the API shows them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.web.contract import RequestBody, ResponseBody


class ConditionsSchema(RequestBody, frozen=True, kw_only=True):
    """When a role counts: all of it must hold, what is left out asks for nothing."""

    days: (
        Annotated[list[Annotated[int, Meta(ge=1, le=7)]], Meta(max_length=7, description="1 is Monday.")]
        | UnsetType
    ) = UNSET
    start: (
        Annotated[str, Meta(min_length=1, max_length=5, description="From this time of day: `08:30`.")]
        | UnsetType
    ) = UNSET
    end: Annotated[str, Meta(min_length=1, max_length=5, description="Before this one.")] | UnsetType = UNSET
    zone: Annotated[str, Meta(min_length=1, max_length=64)] | UnsetType = UNSET
    networks: (
        Annotated[
            list[Annotated[str, Meta(min_length=1, max_length=64)]],
            Meta(max_length=20, description="`10.20.0.0/16`"),
        ]
        | UnsetType
    ) = UNSET


class GrantSchema(ResponseBody, frozen=True, kw_only=True):
    """A role within a scope, and when it counts."""

    role: str
    service: str
    region: str
    environment: str
    through: Annotated[
        str, Meta(description="What gives it in place of a binding of the account itself: `group core`.")
    ]
    conditions: ConditionsSchema

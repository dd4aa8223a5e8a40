"""Types of the operations of access.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import AccessRequest, Phrase


class AccessDecisionRequest(Struct, frozen=True, kw_only=True):
    """A role within a scope; without one it is refused, and `answer` says why."""

    role: str | UnsetType = UNSET
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    answer: str | UnsetType = UNSET


class AccessQuestionRequest(Struct, frozen=True, kw_only=True):
    """Whose access to what is asked about."""

    account: str | UnsetType = UNSET
    action: str
    target_kind: str | UnsetType = UNSET
    target: str | UnsetType = UNSET
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    requested_by: str | UnsetType = UNSET
    at: datetime | UnsetType | None = UNSET
    """At this instant; now when left out."""
    address: str | UnsetType = UNSET
    """From this address."""


class AccessRequestPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[AccessRequest]
    next_cursor: str | None
    has_more: bool


class Account(Struct, frozen=True, kw_only=True):
    """An account and the roles it holds."""

    name: str
    email: str
    display_name: str
    kind: str
    groups: list[str]
    active: bool
    created_at: datetime
    last_sign_in: datetime | None
    roles: list[str] | UnsetType = UNSET


class AccountPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Account]
    next_cursor: str | None
    has_more: bool


class Binding(Struct, frozen=True, kw_only=True):
    """A role binding; its tag is its ETag."""

    id: int
    tag: str
    subject_kind: str
    subject: str
    role: str
    service: str
    region: str
    environment: str
    expires_at: datetime | None
    conditions: Conditions
    counts: str
    """The conditions in words."""
    counts_now: bool
    """Whether its days and hours let it count now."""
    created_by: str
    created_at: datetime


class BindingBoundsRequest(Struct, frozen=True, kw_only=True):
    """Where a role counts, and until when."""

    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    expires_at: datetime | UnsetType | None = UNSET
    conditions: ConditionsRequest | UnsetType = UNSET


class BindingPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Binding]
    next_cursor: str | None
    has_more: bool


class Conditions(Struct, frozen=True, kw_only=True):
    """When a role counts: all of it must hold, what is left out asks for nothing."""

    days: list[int] | UnsetType = UNSET
    """1 is Monday."""
    start: str | UnsetType = UNSET
    """From this time of day: `08:30`."""
    end: str | UnsetType = UNSET
    """Before this one."""
    zone: str | UnsetType = UNSET
    networks: list[str] | UnsetType = UNSET
    """`10.20.0.0/16`"""


class ConditionsRequest(Struct, frozen=True, kw_only=True):
    """When a role counts: all of it must hold, what is left out asks for nothing."""

    days: list[int] | UnsetType = UNSET
    """1 is Monday."""
    start: str | UnsetType = UNSET
    """From this time of day: `08:30`."""
    end: str | UnsetType = UNSET
    """Before this one."""
    zone: str | UnsetType = UNSET
    networks: list[str] | UnsetType = UNSET
    """`10.20.0.0/16`"""


class Explanation(Struct, frozen=True, kw_only=True):
    """A decision and what it rests on."""

    account: str
    action: str
    target: str
    allowed: bool
    reason: str
    phrases: list[Phrase] | UnsetType = UNSET
    """The sentence in phrases; left out where it has none."""
    who_can: list[str]
    bindings: list[str]
    """`grants` in words."""
    grants: list[Grant]


class Grant(Struct, frozen=True, kw_only=True):
    """A role within a scope, and when it counts."""

    role: str
    service: str
    region: str
    environment: str
    through: str
    """What gives it in place of a binding of the account itself: `group core`."""
    conditions: Conditions


class GroupGrants(Struct, frozen=True, kw_only=True):
    """What groups of the identity provider give here."""

    groups: list[str]
    unbound: list[str]
    bindings: list[str]
    """`grants` in words."""
    grants: list[Grant]
    roles: list[str]
    permissions: list[str]


class GroupsRequest(Struct, frozen=True, kw_only=True):
    """Groups by name, or a token of the identity provider that names them."""

    groups: list[str] | UnsetType = UNSET
    token: str | UnsetType = UNSET


class NewAccountRequest(Struct, frozen=True, kw_only=True):
    """An account to be."""

    name: str
    email: str | UnsetType = UNSET
    display_name: str | UnsetType = UNSET
    kind: Literal["user", "service"] | UnsetType = UNSET
    password: str | UnsetType = UNSET


class NewBindingRequest(Struct, frozen=True, kw_only=True):
    """A role for an account or a group, within a scope."""

    subject_kind: Literal["account", "group"] | UnsetType = UNSET
    subject: str
    role: str
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    expires_at: datetime | UnsetType | None = UNSET
    conditions: ConditionsRequest | UnsetType = UNSET


class NewRoleRequest(Struct, frozen=True, kw_only=True):
    """A role to be."""

    title: str | UnsetType = UNSET
    permissions: list[str]
    role: str


class PatchedChangeAccountRequest(Struct, frozen=True, kw_only=True):
    """Whether an account is open, a new password for it, and whether its second factors are lost."""

    active: bool | UnsetType = UNSET
    password: str | UnsetType = UNSET
    lost_second_factor: bool | UnsetType = UNSET
    """Takes its authenticator, passkeys and recovery codes away, and ends its sessions."""


class Permission(Struct, frozen=True, kw_only=True):
    """A permission and what it lets one do."""

    permission: str
    title: str


class Role(Struct, frozen=True, kw_only=True):
    """A role and its permissions; one that is built in has the revision 0 and stays as it is."""

    role: str
    title: str
    made: bool
    """It was made here; the others are built in."""
    rev: int
    permissions: list[Permission]
    changed_by: str
    changed_at: datetime | None


class RolePage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Role]
    next_cursor: str | None
    has_more: bool


class RoleRulesRequest(Struct, frozen=True, kw_only=True):
    """What a role is for, and what it carries."""

    title: str | UnsetType = UNSET
    permissions: list[str]

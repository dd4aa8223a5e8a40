"""Types of the operations of policies.

Written by `python -m client_generator` from docs/reference/openapi.yaml: change that.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from switchyard_client.models.shared import Phrase


class ChangedPolicy(Struct, frozen=True, kw_only=True):
    """A policy as it is after a change, and what the change means for upgrades under way."""

    purpose: str
    service: str
    region: str
    environment: str
    needed: int
    group: str
    last_approver_may_run: bool
    expires_seconds: int
    critical: bool
    window_needed: bool
    break_glass_group: str
    then: list[Stage]
    """Who votes after the first group, in order."""
    free_seconds: int
    """For `revert`: so long after the switch rolling back takes no votes."""
    about: UpgradeSelector
    """Which upgrades of its scope are meant; `{}`: all of them."""
    void_when_worse: bool
    """Votes are void once a check fails that passed when one of them was given. Otherwise they bind to
    the plan, and the switch waits until every check passes.
    """
    name: str
    rev: int
    updated_by: str
    warnings: list[str]
    warning_phrases: list[list[Phrase]]
    """Each of `warnings` in phrases."""


class NewPolicyRequest(Struct, frozen=True, kw_only=True):
    """A policy with its name."""

    purpose: Literal["switch", "revert", "evict", "brownout"]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    group: str | UnsetType = UNSET
    last_approver_may_run: bool | UnsetType = UNSET
    expires_seconds: int | UnsetType = UNSET
    critical: bool | UnsetType = UNSET
    window_needed: bool | UnsetType = UNSET
    break_glass_group: str | UnsetType = UNSET
    then: list[StageRequest] | UnsetType = UNSET
    """Who votes after the first group, in order."""
    free_seconds: int | UnsetType = UNSET
    """For `revert`: so long after the switch rolling back takes no votes."""
    about: UpgradeSelectorRequest | UnsetType = UNSET
    """Which upgrades of its scope are meant; `{}`: all of them."""
    void_when_worse: bool | UnsetType = UNSET
    """Votes are void once a check fails that passed when one of them was given. Otherwise they bind to
    the plan, and the switch waits until every check passes.
    """
    name: str


class Policy(Struct, frozen=True, kw_only=True):
    """A policy as it is kept; revision 0 is what counts by default."""

    purpose: str
    service: str
    region: str
    environment: str
    needed: int
    group: str
    last_approver_may_run: bool
    expires_seconds: int
    critical: bool
    window_needed: bool
    break_glass_group: str
    then: list[Stage]
    """Who votes after the first group, in order."""
    free_seconds: int
    """For `revert`: so long after the switch rolling back takes no votes."""
    about: UpgradeSelector
    """Which upgrades of its scope are meant; `{}`: all of them."""
    void_when_worse: bool
    """Votes are void once a check fails that passed when one of them was given. Otherwise they bind to
    the plan, and the switch waits until every check passes.
    """
    name: str
    rev: int
    updated_by: str


class PolicyPage(Struct, frozen=True, kw_only=True):
    """A page of a list."""

    items: list[Policy]
    next_cursor: str | None
    has_more: bool


class PolicyPreview(Struct, frozen=True, kw_only=True):
    """What a policy would mean."""

    seen: int
    upgrades: list[PreviewedUpgrade]
    voters: list[str]


class PolicyRulesRequest(Struct, frozen=True, kw_only=True):
    """What a policy says: how many must agree, from which group, and where it counts."""

    purpose: Literal["switch", "revert", "evict", "brownout"]
    service: str | UnsetType = UNSET
    region: str | UnsetType = UNSET
    environment: str | UnsetType = UNSET
    needed: int | UnsetType = UNSET
    group: str | UnsetType = UNSET
    last_approver_may_run: bool | UnsetType = UNSET
    expires_seconds: int | UnsetType = UNSET
    critical: bool | UnsetType = UNSET
    window_needed: bool | UnsetType = UNSET
    break_glass_group: str | UnsetType = UNSET
    then: list[StageRequest] | UnsetType = UNSET
    """Who votes after the first group, in order."""
    free_seconds: int | UnsetType = UNSET
    """For `revert`: so long after the switch rolling back takes no votes."""
    about: UpgradeSelectorRequest | UnsetType = UNSET
    """Which upgrades of its scope are meant; `{}`: all of them."""
    void_when_worse: bool | UnsetType = UNSET
    """Votes are void once a check fails that passed when one of them was given. Otherwise they bind to
    the plan, and the switch waits until every check passes.
    """


class PreviewedUpgrade(Struct, frozen=True, kw_only=True):
    """An upgrade that the policy matches, and whether it would have decided about it."""

    id: str
    service: str
    region: str
    from_version: str
    to_version: str
    state: str
    by: str
    decides: bool
    """No other policy is more specific or stricter."""
    decided_by: str


class Stage(Struct, frozen=True, kw_only=True):
    """So many of one group, who vote after those before them."""

    group: str
    needed: int


class StageRequest(Struct, frozen=True, kw_only=True):
    """So many of one group, who vote after those before them."""

    group: str
    needed: int | UnsetType = UNSET


class UpgradeSelector(Struct, frozen=True, kw_only=True):
    """Which upgrades are meant; all that is named must hold, and what is left out asks for nothing."""

    from_version: str | UnsetType = UNSET
    """Its version until now: a name, or a pattern."""
    to_version: str | UnsetType = UNSET
    """Its new version: a name, or a pattern."""
    kinds: list[str] | UnsetType = UNSET
    without_rollback: bool | UnsetType = UNSET
    """Only those after whose switch the old version is not kept current."""


class UpgradeSelectorRequest(Struct, frozen=True, kw_only=True):
    """Which upgrades are meant; all that is named must hold, and what is left out asks for nothing."""

    from_version: str | UnsetType = UNSET
    """Its version until now: a name, or a pattern."""
    to_version: str | UnsetType = UNSET
    """Its new version: a name, or a pattern."""
    kinds: list[Literal["version", "location", "data", "shards"]] | UnsetType = UNSET
    without_rollback: bool | UnsetType = UNSET
    """Only those after whose switch the old version is not kept current."""

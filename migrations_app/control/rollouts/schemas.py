"""The wire forms of proposals, and of rollouts of definitions."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.domain.switch.rollout import RolloutState
from migrations_app.domain.switch.rollout_proposal import ProposalKind
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases


class ProposedItemSchema(ResponseBody, frozen=True, kw_only=True):
    """One deployment in its wave, with the reasons why it stands there."""

    deployment: str
    service: str
    region: str
    from_version: str
    seconds: Annotated[
        float | None, Meta(description="What upgrades of its service took; null where unknown.")
    ]
    not_before: Annotated[
        Instant | None,
        Meta(
            description="When a window or freeze lets it switch at the earliest, if its wave begins as expected; null where none is waited for."
        ),
    ]
    reasons: list[str]
    reason_phrases: list[Phrases] | UnsetType = UNSET


class LeftOutSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that cannot move now, and why."""

    deployment: str
    reason: str
    phrases: Phrases | UnsetType = UNSET


class RolloutProposalSchema(ResponseBody, frozen=True, kw_only=True):
    """Waves in which no intermediate state breaks an importer."""

    kind: Annotated[str, one_of(ProposalKind)]
    target_version: str
    seconds: Annotated[
        float | None,
        Meta(
            description="Of all waves one after the other, with what they wait for windows; null where one is unknown."
        ),
    ]
    waves: list[list[ProposedItemSchema]]
    left_out: list[LeftOutSchema]


class RolloutRestSchema(ResponseBody, frozen=True, kw_only=True):
    """Whether the waves that a rollout did not begin still hold by the facts of now, and the ones proposed instead."""

    holds: bool
    reasons: list[str]
    reason_phrases: list[Phrases] | UnsetType = UNSET
    digest: Annotated[str, Meta(description="Names the proposed waves, for `replan`.")]
    proposal: RolloutProposalSchema


class DefinitionPhaseSchema(ResponseBody, frozen=True, kw_only=True):
    """One phase of a definition that changes in place."""

    side: Annotated[str, one_of(("server", "client"))]
    action: str
    action_phrases: Phrases | UnsetType = UNSET
    wait: Annotated[str, Meta(description="What the next phase waits for; empty of the last.")]
    fingerprint: Annotated[str, Meta(description="The definition that servers have then; empty of clients.")]
    state: Annotated[str, one_of(("done", "current", "waiting"))]
    lacking: Annotated[list[str], Meta(description="What stood against the next definition at `checked_at`.")]
    lacking_phrases: (
        Annotated[list[Phrases], Meta(description="Each of `lacking` in phrases; empty where it has none.")]
        | UnsetType
    ) = UNSET
    settled_at: Instant | None


class DefinitionRolloutSchema(ResponseBody, frozen=True, kw_only=True):
    """A definition that takes the place of the served one in phases, each applied when nothing stands against it."""

    id: str
    rev: int
    service: str
    state: Annotated[str, one_of(RolloutState)]
    reason: Annotated[str, Meta(description="Why it is paused or was stopped.")]
    reason_phrases: Phrases | UnsetType = UNSET
    note: str
    phase: Annotated[
        int | None, Meta(description="The first phase that is not over, from 0; null after the last.")
    ]
    phases: list[DefinitionPhaseSchema]
    created_by: str
    created_at: Instant
    started_by: Annotated[str, Meta(description="As whom its definitions are applied.")]
    checked_at: Annotated[Instant | None, Meta(description="When the evidence was asked last.")]
    finished_at: Instant | None

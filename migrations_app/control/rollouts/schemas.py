"""The wire forms of proposals."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from migrations_app.domain.switch.rollout_proposal import ProposalKind
from migrations_app.web.contract import Instant, ResponseBody, one_of


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


class LeftOutSchema(ResponseBody, frozen=True, kw_only=True):
    """A deployment that cannot move now, and why."""

    deployment: str
    reason: str


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
    digest: Annotated[str, Meta(description="Names the proposed waves, for `replan`.")]
    proposal: RolloutProposalSchema

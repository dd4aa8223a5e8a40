"""Proposals of rollouts: which deployments move in which wave, why, and how long that takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from migrations_app.control.rollouts.proposal_facts import (
    broken_by,
    delayed_by,
    fleet_facts,
    scheduled,
    with_held,
)
from migrations_app.control.upgrade_state.repository.upgrade_rows import target_of
from migrations_app.domain.access import Actor, require, require_reach
from migrations_app.domain.switch.rollout_proposal import (
    ProposalKind,
    RolloutProposal,
    propose,
)
from migrations_app.domain.switch.states import State
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import Json, JsonObject, digest
from migrations_app.kernel.messages import WordedMessage, message
from migrations_app.kernel.wordings import all_phrases_as_json, phrases_as_json
from migrations_app.models.rollouts import Rollout, RolloutItem

_OVER = ("done", "skipped")


def proposals(
    actor: Actor, target: str, services: Sequence[str], regions: Sequence[str], names: Sequence[str]
) -> list[Json]:
    """Propose how deployments move to a version: balanced, fastest and safest.

    Chosen are the named ones, or all of the services and regions, as far as the actor sees them.
    Raises: Denied, Invalid (`proposal`).
    """
    reach = require_reach(actor, "upgrade.read")
    facts = scheduled(with_held(fleet_facts()), target)
    if not target or not (services or names):
        raise Invalid(
            message("Say which version, and which services or deployments."),
            code="proposal",
            remedy=message("Use target_version with services, or with deployments; regions narrows both."),
        )
    chosen = [
        each.name
        for each in facts.deployments.values()
        if (each.name in names or each.service in services)
        and (not regions or each.region in regions)
        and reach.covers(each.service, each.region)
    ]
    chosen += [name for name in names if name not in facts.deployments]
    return [proposal_as_json(propose(facts, chosen, target, kind), target) for kind in ProposalKind]


def proposal_of_rest(actor: Actor, rollout_id: str) -> JsonObject:
    """Propose the waves of what a rollout did not begin yet, from the facts of now, and say whether its own still hold.

    Raises: Denied, Missing (`rollout-missing`).
    """
    require(actor, "upgrade.read")
    row = Rollout.objects.filter(pk=rollout_id).first()
    if row is None:
        raise Missing(
            message("There is no rollout {rollout_id}.", rollout_id=rollout_id), code="rollout-missing"
        )
    rest = rest_of(row)
    for each in rest.items:
        require(actor, "upgrade.read", target_of(each.upgrade))
    proposal = proposal_as_json(rest.proposal, rest.target)
    return {
        "holds": not rest.broken,
        "reasons": [*map(str, rest.broken)],
        "reason_phrases": all_phrases_as_json(rest.broken),
        "digest": rest.digest,
        "proposal": proposal,
    }


@dataclass(frozen=True, slots=True)
class RolloutRest:
    """What a rollout did not begin: its deployments, what they would break or wait for in their order, and the proposed waves."""

    items: tuple[RolloutItem, ...]
    target: str
    broken: tuple[WordedMessage, ...]
    proposal: RolloutProposal

    @property
    def waves(self) -> list[list[str]]:
        """Name the deployments of the proposed waves; those that cannot move now come last."""
        left_out = [each.deployment for each in self.proposal.left_out]
        waves = [[each.deployment.name for each in wave] for wave in self.proposal.waves]
        return [*waves, left_out] if left_out else waves

    @property
    def digest(self) -> str:
        """Name the proposed waves, so that only what was looked at is taken over."""
        return digest({"target": self.target, "waves": [[*wave] for wave in self.waves]})


def rest_of(row: Rollout) -> RolloutRest:
    """Find what a rollout did not begin, and judge it by the facts of now."""
    items = [each for each in row.items.select_related("upgrade") if each.state not in _OVER]
    waiting = [each for each in items if State(each.upgrade.state) is State.PLANNED]
    target = waiting[0].upgrade.to_version if waiting else ""
    facts = scheduled(fleet_facts(), target)
    waves: dict[int, list[str]] = {}
    for each in waiting:
        waves.setdefault(each.wave, []).append(each.deployment)
    planned = [waves[number] for number in sorted(waves)]
    broken = broken_by(facts, planned, target)
    proposal = propose(facts, [each.deployment for each in waiting], target, ProposalKind.BALANCED)
    rest = RolloutRest(tuple(waiting), target, tuple(broken), proposal)
    delayed = delayed_by(facts, planned, rest.waves)
    return replace(rest, broken=(*broken, *delayed))


def proposal_as_json(found: RolloutProposal, target: str) -> JsonObject:
    """Show a proposal."""
    return {
        "kind": found.kind.value,
        "target_version": target,
        "seconds": found.seconds,
        "waves": [
            [
                {
                    "deployment": each.deployment.name,
                    "service": each.deployment.service,
                    "region": each.deployment.region,
                    "from_version": each.deployment.version,
                    "seconds": each.deployment.seconds,
                    "not_before": iso(each.opening.at) if each.opening else None,
                    "reasons": [*map(str, each.reasons)],
                    "reason_phrases": all_phrases_as_json(each.reasons),
                }
                for each in wave
            ]
            for wave in found.waves
        ],
        "left_out": [
            {
                "deployment": each.deployment,
                "reason": str(each.reason),
                "phrases": phrases_as_json(each.reason.phrases),
            }
            for each in found.left_out
        ],
    }

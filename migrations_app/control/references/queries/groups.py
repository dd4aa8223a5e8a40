"""References of a resource in groups, as the console shows them: counts first, the single references page by page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace

from migrations_app import wiring
from migrations_app.control.references.queries.redaction import HIDDEN, Redaction, redaction_of
from migrations_app.control.references.queries.references import focus_of, shown_node, shown_unanswered
from migrations_app.domain.access import Actor, Target, require
from migrations_app.engine.serving.references.groups import (
    CountedGroup,
    GroupedReferences,
    GroupMember,
    ReferenceGroup,
)
from migrations_app.engine.serving.references.nodes import ReferenceNode
from migrations_app.kernel.json import JsonObject

KEY = ("direction", "service", "region", "version", "type", "field", "kind")
"""What names a group among those of one resource."""
WEIGHT = {"BLOCK": 0, "OWNER": 1, "CASCADE": 2, "UNSET": 3, "WEAK": 4}


def reference_groups(actor: Actor, name: str) -> JsonObject:
    """Count the references around a resource, named in full or by its plain name.

    Raises: Denied, Missing (`not-found`).
    """
    require(actor, "resource.read")
    focus = focus_of(actor, wiring.reference_graph(), name)
    return groups_around(focus, redaction_of(actor))


def groups_around(focus: ReferenceNode, redaction: Redaction) -> JsonObject:
    """Count the references around a resource for an actor whose permission is decided already.

    Raises: Missing (`deployment-missing`, `not-found`).
    """
    found = wiring.reference_groups().around(focus)
    return {
        "focus": shown_node(found.focus),
        "groups": [_shown(each) for each in _redacted(found, redaction)],
        "unknown": [shown_unanswered(each) for each in found.unknown.values()],
    }


def group_members(
    actor: Actor, name: str, named: Mapping[str, str], after: tuple[str, int], limit: int
) -> Sequence[GroupMember]:
    """List the references of a group, named by the words of `KEY`, to an actor who may read the deployment at its other end.

    Raises: Denied, Missing (`not-found`).
    """
    group = ReferenceGroup(**named)
    require(actor, "resource.read", Target("deployment", service=group.service, region=group.region))
    focus = focus_of(actor, wiring.reference_graph(), name)
    return wiring.reference_groups().members(focus, group, after, limit)


def _redacted(found: GroupedReferences, redaction: Redaction) -> list[CountedGroup]:
    """Leave of deployments beyond reach what must be known to ask there: that, and how often, they refer."""
    totals: dict[ReferenceGroup, CountedGroup] = {}
    for each in found.groups:
        group = each.group
        if not redaction.reach.covers(group.service, group.region):
            path = group.field if group.direction == "out" else ""
            group = replace(group, type=HIDDEN, version="", field=path)
        before = totals.get(group, CountedGroup(group, 0))
        totals[group] = CountedGroup(group, before.count + each.count, before.is_exact and each.is_exact)
    return sorted(totals.values(), key=_rank)


def _rank(each: CountedGroup) -> tuple[str, int, int, tuple[str, ...]]:
    group = each.group
    return (
        group.direction,
        WEIGHT[group.kind],
        -each.count,
        (group.service, group.region, group.type, group.field),
    )


def _shown(each: CountedGroup) -> JsonObject:
    return {**asdict(each.group), "count": each.count, "is_exact": each.is_exact}

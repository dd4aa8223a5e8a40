"""What the endpoints of windows, policies and bindings share: the warnings of a change."""

from __future__ import annotations

from collections.abc import Callable

from migrations_app.control.approvals.queries.rule_effects import standing, warnings
from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.web.contract import ResponseBody
from migrations_app.web.preconditions import rehearsed


class WarningsSchema(ResponseBody, frozen=True, kw_only=True):
    """What a change would mean for upgrades under way."""

    warnings: list[str]


def changing(actor: Actor, dry_run: bool, change: Callable[[], JsonObject]) -> JsonObject:
    """Make a change, or rehearse it, and say with its outcome what it means for upgrades under way."""

    def changed() -> JsonObject:
        before = standing(actor)
        outcome = change()
        return {**outcome, "warnings": warnings(before, standing(actor))}

    return rehearsed(dry_run, changed)

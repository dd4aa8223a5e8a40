"""What the endpoints of windows, policies and bindings share: the warnings of a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta

from migrations_app.control.approvals.queries.rule_effects import standing, warnings
from migrations_app.domain.access import Actor
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.wordings import all_phrases_as_json
from migrations_app.web.contract import ResponseBody
from migrations_app.web.preconditions import rehearsed
from migrations_app.web.shared_schemas import Phrases

WarningPhrases = Annotated[list[Phrases], Meta(description="Each of `warnings` in phrases.")]


class WarningsSchema(ResponseBody, frozen=True, kw_only=True):
    """What a change would mean for upgrades under way."""

    warnings: list[str]
    warning_phrases: WarningPhrases


def changing(actor: Actor, dry_run: bool, change: Callable[[], JsonObject]) -> JsonObject:
    """Make a change, or rehearse it, and say with its outcome what it means for upgrades under way."""

    def changed() -> JsonObject:
        before = standing(actor)
        outcome = change()
        found = warnings(before, standing(actor))
        return {
            **outcome,
            "warnings": [*map(str, found)],
            "warning_phrases": all_phrases_as_json(found),
        }

    return rehearsed(dry_run, changed)

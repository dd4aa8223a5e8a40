"""The shapes of checks and of blockages, with what other languages need to word their sentences."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from migrations_app.domain.switch.blockages import BlockageKind
from migrations_app.domain.switch.guards import CheckVerdict
from migrations_app.web.contract import Instant, ResponseBody, one_of
from migrations_app.web.shared_schemas import Phrases, RemedyPhrases


class CheckSchema(ResponseBody, frozen=True, kw_only=True):
    """A guard, judged."""

    check: str
    verdict: Annotated[str, one_of(CheckVerdict)]
    sentence: str
    remedy: str
    at: Instant | None
    phrases: Phrases | UnsetType = UNSET
    remedy_phrases: RemedyPhrases | UnsetType = UNSET


class BlockageSchema(ResponseBody, frozen=True, kw_only=True):
    """One cause that holds an upgrade up, as found from facts."""

    kind: Annotated[str, one_of(BlockageKind)]
    sentence: str
    since: Instant | None
    remedy: str
    needs_person: Annotated[bool, Meta(description="It stays until a person acts.")]
    phrases: Phrases | UnsetType = UNSET
    remedy_phrases: RemedyPhrases | UnsetType = UNSET

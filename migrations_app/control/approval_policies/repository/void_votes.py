"""Votes that count no more, in any table of votes: the reason is kept as a sentence and in phrases."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage, as_message
from migrations_app.kernel.wordings import phrases_as_json, phrases_from_json
from migrations_app.models.votes import VoteRow


def void_words(row: VoteRow) -> WordedMessage:
    """Read why a vote is void; a process of an older version keeps the sentence only."""
    return as_message(row.void_reason, phrases_from_json(row.void_phrases))


def keep_void(row: VoteRow, reason: WordedMessage) -> None:
    """Keep of a vote that it is void, and why."""
    row.void_reason, row.void_phrases = str(reason), phrases_as_json(reason.phrases)
    row.save(update_fields=["void_reason", "void_phrases"])


def void_round(votes: QuerySet[Any], reason: WordedMessage) -> int:
    """Make void those of some votes that count; say how many."""
    counted = votes.filter(void_reason="")
    return counted.update(void_reason=str(reason), void_phrases=phrases_as_json(reason.phrases))


def void_as_json(reason: WordedMessage, name: str = "void_reason") -> JsonObject:
    """Answer why a vote is void, with the phrases where it is."""
    phrases = {"void_phrases": phrases_as_json(reason.phrases)} if reason else {}
    return {name: str(reason), **phrases}

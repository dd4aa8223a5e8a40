"""Note in the ledger that an action was denied."""

from __future__ import annotations

from dataclasses import replace

from migrations_app.control.audit import ledger
from migrations_app.domain.access import Actor, Target
from migrations_app.kernel.errors import Denied
from migrations_app.kernel.messages import Phrase, WordedMessage


def note_refusal(actor: Actor, refused: Denied, target: Target, *, method: str) -> None:
    """Write down a refused attempt, with its reason, and the place that was refused."""
    action = str(refused.nouns.get("action") or method.lower())
    place = refused.nouns.get("place")
    if isinstance(place, tuple) and any(place):
        target = replace(target, service=place[0], region=place[1])
    target = replace(
        target,
        id=_storable(target.id)[:400],
        service=_storable(target.service)[:200],
        region=_storable(target.region)[:100],
    )
    ledger.record(actor, action, target, "denied", reason=_storable_words(refused.words))


def _storable_words(words: WordedMessage) -> WordedMessage:
    return WordedMessage(
        tuple(
            Phrase(phrase.key, {name: _storable_value(value) for name, value in phrase.values.items()})
            for phrase in words.phrases
        )
    )


def _storable_value(value: str | int) -> str | int:
    return _storable(value) if isinstance(value, str) else value


def _storable(text: str) -> str:
    """Write what an address may name, and no name can hold, as characters that the database takes."""
    return text.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")

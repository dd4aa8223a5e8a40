"""Why a copy rests: workers keep the English text with their progress, and what shows it gives the text its phrases back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from migrations_app.kernel.clock import to_second
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, message

HELD = "held to"
"""How the rest of a shard begins that a person's bound makes: it goes on, only slower."""
SINCE = "; since "
_TEXTS = ("database", "error")
"""The values that are no numbers."""
_NAMES = re.compile(r"\{(\w+)\}")
_REST = re.compile(rf"(?P<reason>.*){SINCE}(?P<clock>(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d) UTC", re.DOTALL)


def sessions_active(active: int, limit: int) -> WordedMessage:
    """Say that too many sessions of a database are active."""
    return message("{active} sessions are active, more than {limit}.", active=active, limit=limit)


def commits_waiting(waiting: int, limit: int) -> WordedMessage:
    """Say that too many commits wait for the disk."""
    return message("{waiting} commits wait for the disk, more than {limit}.", waiting=waiting, limit=limit)


def replica_behind(seconds: str) -> WordedMessage:
    """Say that commits wait for a replica."""
    return message("commits wait {seconds} s for a replica.", seconds=seconds)


def commit_slow(milliseconds: int, limit: int) -> WordedMessage:
    """Say that a commit takes too long."""
    return message(
        "a commit takes {milliseconds} ms, more than {limit}.", milliseconds=milliseconds, limit=limit
    )


def load_unknown(database: str, error: str) -> WordedMessage:
    """Say that the load of a database could not be read: in doubt the copy rests."""
    return message("the load of {database} is unknown: {error}.", database=database, error=error)


def held(limit: int) -> WordedMessage:
    """Say that a person limited the copy rate."""
    return message("held to {limit} resources a second.", limit=limit)


_KNOWN = tuple(
    words.phrases[0].key
    for words in (
        sessions_active(0, 0),
        commits_waiting(0, 0),
        replica_behind(""),
        commit_slow(0, 0),
        load_unknown("", ""),
        held(0),
    )
)


def _read(text: str, key: str) -> dict[str, str] | None:
    """Read the values of a phrase out of its text; None where the text is another one.

    By parts, in time linear in the text: it may be what an operator's own query gave.
    """
    first, *rest = _NAMES.split(key)
    if not text.startswith(first):
        return None
    left, values = text[len(first) :], dict[str, str]()
    for at in range(0, len(rest), 2):
        name, literal = rest[at : at + 2]
        is_last = at + 2 == len(rest)
        value, found, left = left.rpartition(literal) if is_last else left.partition(literal)
        if not (value and found) or (is_last and left):
            return None
        if name not in _TEXTS and not value.replace(".", "", 1).isdecimal():
            return None
        values[name] = value
    return values


def text_of(words: WordedMessage) -> str:
    """Give a reason as workers keep it: without the point at its end."""
    return str(words).removesuffix(".")


@dataclass(frozen=True, slots=True)
class ShardRest:
    """Why a shard rests, and at which time of the day in UTC that began, where it is known."""

    reason: str
    clock: str = ""

    @property
    def words(self) -> WordedMessage:
        """The reason in phrases; a text of an operator's own query stays as it is."""
        for key in _KNOWN:
            values = _read(f"{self.reason}.", key)
            if values is not None:
                return WordedMessage((Phrase(key, _values(values)),))
        return message("{reason}.", reason=self.reason)

    def since_at(self, now: datetime) -> str:
        """Give the latest instant, not after now, at which a clock showed the time; empty where it is not known."""
        if not self.clock:
            return ""
        at = datetime.combine(now.date(), time.fromisoformat(self.clock), UTC)
        return to_second(at if at <= now else at - timedelta(days=1))


def read_rest(text: str) -> ShardRest:
    """Part why a shard rests from the time since when; the reason may be a text of an operator's own."""
    match = _REST.fullmatch(text)
    return ShardRest(match["reason"], match["clock"]) if match else ShardRest(text)


def rest_message(text: str, now: datetime) -> WordedMessage:
    """Word why a shard rests, and since when; nothing where it does not."""
    if not text:
        return NOTHING
    rest = read_rest(text)
    since = rest.since_at(now)
    return rest.words + (message("Since {since_at}.", since_at=since) if since else NOTHING)


def _values(texts: Mapping[str, str]) -> dict[str, str | int]:
    return {name: int(text) if text.isdecimal() else text for name, text in texts.items()}

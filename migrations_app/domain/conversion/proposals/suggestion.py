"""One thing that an edge file could say, how sure that is, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import WordedMessage


class Section(StrEnum):
    """Where in an edge file a suggestion is written."""

    OPS = "types"
    TYPES = "typeRename"
    RENAMED = "renamed"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A line for an edge file; one that is not `sure` is shown as a comment and left to a person.

    `owner` is the type whose ops it belongs to, or the old name of what is renamed. `old` and `new` are the paths
    that it speaks for.
    """

    section: Section
    owner: str
    op: str = ""
    args: JsonObject | None = None
    confidence: float = 1.0
    reasons: tuple[WordedMessage, ...] = ()
    sure: bool = True
    old: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    places: tuple[str, str] = ("", "")
    target: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What makes two suggestions the same."""
        return (self.section, self.owner, self.op, str(self.args or self.target))

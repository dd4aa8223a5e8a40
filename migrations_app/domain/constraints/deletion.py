"""May this be deleted, and what goes or changes with it: the verdict over a closure of references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.messages import WordedMessage, counted, message

MOST_IN_A_CASCADE = 1000
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Thing:
    """A resource of one namespace, by type and name."""

    type: str
    name: str


@dataclass(frozen=True, slots=True)
class IncomingReference:
    """A reference seen from its target: who refers, from which field, and of what kind."""

    source: Thing
    target: Thing
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class DeletionVerdict:
    """What a deletion would do.

    `deleted` are the things that go, the asked one first, each after who it was reached from; `unset` the
    references that are cleared; `blockers` those that forbid it. `complete` is false when there was too
    much to follow: then these are only the first of them.
    """

    deleted: tuple[Thing, ...]
    unset: tuple[IncomingReference, ...]
    blockers: tuple[IncomingReference, ...]
    complete: bool = True

    @property
    def allowed(self) -> bool:
        """Whether the deletion may go ahead."""
        return self.complete and not self.blockers

    def or_refuse(self, thing: Thing) -> None:
        """Refuse the deletion of a thing where this verdict does not allow it.

        Raises: Conflict (`deletion-blocked`, `cascade-too-large`).
        """
        if not self.complete:
            raise Conflict(
                message(
                    "Deleting {name} would delete more than {most} others at once.",
                    name=thing.name,
                    most=len(self.deleted),
                ),
                code="cascade-too-large",
                remedy=message("Delete what refers to it in parts first."),
            )
        if self.blockers:
            raise Conflict(
                self._blocked,
                code="deletion-blocked",
                remedy=message("Delete or change what refers to it."),
                violations=tuple(
                    Violation(
                        f"{link.source.name}#{link.path}",
                        message("refers to {name}", name=link.target.name),
                    )
                    for link in self.blockers[:_SHOWN]
                ),
            )

    @property
    def _blocked(self) -> WordedMessage:
        first, more = self.blockers[0], len(self.blockers) - 1
        names = {"name": first.target.name, "source": first.source.name}
        if not more:
            return message("{name} is referred to by {source}.", **names)
        return counted(
            more,
            "{name} is referred to by {source} and {count} more.",
            "{name} is referred to by {source} and {count} more.",
            **names,
        )


def verdict(
    thing: Thing, referrers: Callable[[Sequence[Thing]], Sequence[IncomingReference]]
) -> DeletionVerdict:
    """Follow cascades from a thing, level by level, and judge all that refers to what would go.

    `referrers` tells who refers to any of some things; of one thing, more than are looked at are enough.

    A blocking reference from something that goes itself does not block: who dies with its target never
    points at nothing.
    """
    dying: dict[Thing, None] = {thing: None}
    level = [thing]
    links: list[IncomingReference] = []
    while level:
        found = referrers(level)
        links += found
        if any(count > MOST_IN_A_CASCADE for count in Counter(link.target for link in found).values()):
            return _cut_short(dying, links)
        level = [*dict.fromkeys(link.source for link in found if link.kind == "CASCADE")]
        level = [each for each in level if each not in dying]
        if len(dying) + len(level) > MOST_IN_A_CASCADE:
            return _cut_short(dying, links)
        dying |= dict.fromkeys(level)
    staying = [link for link in links if link.source not in dying]
    return DeletionVerdict(
        tuple(dying),
        tuple(link for link in staying if link.kind == "UNSET"),
        tuple(link for link in staying if link.kind in ("BLOCK", "OWNER")),
    )


def _cut_short(dying: dict[Thing, None], links: Sequence[IncomingReference]) -> DeletionVerdict:
    """Tell what was found before there was too much.

    Who blocks is told only where nothing else would go: a blocker might go with what was not looked at.
    """
    alone = len(dying) == 1 and all(link.kind != "CASCADE" for link in links)
    blockers = [link for link in links if link.kind in ("BLOCK", "OWNER")] if alone else []
    return DeletionVerdict(tuple(dying), (), tuple(blockers), complete=False)

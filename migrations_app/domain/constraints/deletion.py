"""May this be deleted, and what goes or changes with it: the verdict over a closure of references."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

MOST_IN_A_CASCADE = 1000


@dataclass(frozen=True, slots=True)
class Thing:
    """A resource of one namespace, by type and name."""

    type: str
    name: str


@dataclass(frozen=True, slots=True)
class Link:
    """A reference seen from its target: who refers, from which field, and of what kind."""

    source: Thing
    target: Thing
    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a deletion would do.

    `deleted` are the things that go, the asked one first, each after who it was reached from; `unset` the
    references that are cleared; `blockers` those that forbid it. `complete` is false when there was too
    much to follow: then these are only the first of them.
    """

    deleted: tuple[Thing, ...]
    unset: tuple[Link, ...]
    blockers: tuple[Link, ...]
    complete: bool = True

    @property
    def allowed(self) -> bool:
        """Whether the deletion may go ahead."""
        return self.complete and not self.blockers


def verdict(thing: Thing, referrers: Callable[[Thing], Sequence[Link]]) -> Verdict:
    """Follow cascades from a thing and judge all that refers to what would go.

    A blocking reference from something that goes itself does not block: who dies with its target never
    points at nothing.
    """
    dying: dict[Thing, None] = {thing: None}
    queue = [thing]
    links: list[Link] = []
    while queue:
        found = referrers(queue.pop(0))
        if len(found) > MOST_IN_A_CASCADE:
            return _cut_short(dying, [*links, *found])
        for link in found:
            links.append(link)
            if link.kind == "CASCADE" and link.source not in dying:
                if len(dying) >= MOST_IN_A_CASCADE:
                    return _cut_short(dying, [*links, *found])
                dying[link.source] = None
                queue.append(link.source)
    staying = [link for link in links if link.source not in dying]
    return Verdict(
        tuple(dying),
        tuple(link for link in staying if link.kind == "UNSET"),
        tuple(link for link in staying if link.kind in ("BLOCK", "OWNER")),
    )


def _cut_short(dying: dict[Thing, None], links: Sequence[Link]) -> Verdict:
    """Tell what was found before there was too much.

    Who blocks is told only where nothing else would go: a blocker might go with what was not looked at.
    """
    alone = len(dying) == 1 and all(link.kind != "CASCADE" for link in links)
    blockers = [link for link in links if link.kind in ("BLOCK", "OWNER")] if alone else []
    return Verdict(tuple(dying), (), tuple(blockers), complete=False)

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
    references that are cleared; `blockers` those that forbid it. `complete` is false when the cascade was
    too large to follow.
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
    queue, links = [thing], []
    while queue:
        found = referrers(queue.pop(0))
        if len(found) > MOST_IN_A_CASCADE:
            return Verdict(tuple(dying), (), (), complete=False)
        for link in found:
            links.append(link)
            if link.kind == "CASCADE" and link.source not in dying:
                if len(dying) >= MOST_IN_A_CASCADE:
                    return Verdict(tuple(dying), (), (), complete=False)
                dying[link.source] = None
                queue.append(link.source)
    staying = [link for link in links if link.source not in dying]
    return Verdict(
        tuple(dying),
        tuple(link for link in staying if link.kind == "UNSET"),
        tuple(link for link in staying if link.kind in ("BLOCK", "OWNER")),
    )

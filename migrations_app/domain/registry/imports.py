"""The graph of services that import or use each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ImportGraph:
    """Who imports and who uses whom, by service id."""

    imports: Mapping[str, frozenset[str]] = field(default_factory=dict)
    uses: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def neighbours(self, service: str) -> frozenset[str]:
        """List the services one stands on."""
        return self.imports.get(service, frozenset()) | self.uses.get(service, frozenset())

    def dependants(self, service: str) -> frozenset[str]:
        """List the services that import or use one."""
        return frozenset(other for other in {*self.imports, *self.uses} if service in self.neighbours(other))

    def relevant(self, service: str) -> frozenset[str]:
        """List the services one must know of: itself, those below it and those above it.

        Source: seed 003 §1.2.
        """
        return frozenset({service}) | self.neighbours(service) | self.dependants(service)

    def standing(self, service: str, imports: frozenset[str], uses: frozenset[str]) -> ImportGraph:
        """Draw it with one service standing on these."""
        return ImportGraph({**self.imports, service: imports}, {**self.uses, service: uses})

    def importers(self, service: str) -> tuple[str, ...]:
        """List the services that import one, in order."""
        return tuple(sorted(other for other, imported in self.imports.items() if service in imported))

    def cycle(self) -> tuple[str, ...]:
        """Find one circle of imports, first service repeated at the end; empty when there is none."""
        colour: dict[str, bool] = {}
        for start in sorted(self.imports):
            path = self._walk(start, colour)
            if path:
                return path
        return ()

    def ranks(self) -> dict[str, int]:
        """Number the services so that each ranks above all it imports; those that import nothing are 0."""
        known: dict[str, int] = {}
        for start in sorted({*self.imports, *(one for them in self.imports.values() for one in them)}):
            self._rank(start, known)
        return known

    def _walk(self, start: str, finished: dict[str, bool]) -> tuple[str, ...]:
        stack: list[tuple[str, Iterable[str]]] = [(start, iter(sorted(self.imports.get(start, ()))))]
        if finished.get(start):
            return ()
        finished[start] = False
        while stack:
            service, rest = stack[-1]
            following = next(iter(rest), None)
            if following is None:
                finished[service] = True
                stack.pop()
            elif finished.get(following) is False:
                trail = [one for one, _ in stack]
                return (*trail[trail.index(following) :], following)
            elif following not in finished:
                finished[following] = False
                stack.append((following, iter(sorted(self.imports.get(following, ())))))
        return ()

    def _rank(self, start: str, known: dict[str, int]) -> None:
        stack, entered = [start], set()
        while stack:
            service = stack[-1]
            waiting = [
                one for one in self.imports.get(service, ()) if one not in known and one not in entered
            ]
            entered.add(service)
            if waiting and service not in known:
                stack.extend(waiting)
                continue
            stack.pop()
            below = (known.get(one, 0) + 1 for one in self.imports.get(service, ()))
            known.setdefault(service, max(below, default=0))

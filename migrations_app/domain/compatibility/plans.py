"""The cheapest plan for a key that travels in requests and in responses: deployments of client and server."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from migrations_app.domain.compatibility.statuses import OutcomePolicy, Status, Strategy, outcome

CLIENT_COST, SERVER_COST = 10, 1


@dataclass(frozen=True, slots=True)
class Ends:
    """What both sides emit and accept; a message flows from an emit to the other side's accept."""

    client_emit: Status
    client_accept: Status
    server_emit: Status
    server_accept: Status

    @classmethod
    def of(cls, request: Status, response: Status) -> Ends:
        """Both sides with one status in requests and one in responses."""
        return cls(request, response, response, request)


@dataclass(frozen=True, slots=True)
class PlannedDeployment:
    """One deployment of one side, and the statuses it changes."""

    side: str
    before: Ends
    after: Ends

    def __str__(self) -> str:
        moves = []
        for part in ("emit", "accept"):
            old, new = (getattr(ends, f"{self.side}_{part}") for ends in (self.before, self.after))
            if old is not new:
                moves.append(f"{part} {old}→{new}")
        return f"{self.side}({', '.join(moves)})"


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """The deployments of a change, in order."""

    steps: tuple[PlannedDeployment, ...]

    @property
    def client_deployments(self) -> int:
        """How often clients must be deployed."""
        return sum(step.side == "client" for step in self.steps)

    @property
    def clean_up(self) -> PlannedDeployment | None:
        """The last client deployment when an earlier one made everything safe: it may be left out."""
        last = self.steps[-1] if self.steps else None
        return last if last and last.side == "client" and self.client_deployments > 1 else None

    def __str__(self) -> str:
        return " ; ".join(map(str, self.steps))


def is_safe(ends: Ends, client: Strategy, server: Strategy, policy: OutcomePolicy) -> bool:
    """Tell whether requests and responses both fit."""
    request = outcome(ends.client_emit, ends.server_accept, server)
    response = outcome(ends.server_emit, ends.client_accept, client)
    return policy.admits(request) and policy.admits(response)


def cheapest_plan(
    start: Ends,
    end: Ends,
    client: Strategy,
    server: Strategy,
    policy: OutcomePolicy = OutcomePolicy.NO_LOSS,
) -> ChangePlan | None:
    """Find the cheapest safe plan from what both sides know to what they shall know; None when there is none.

    A client deployment costs ten server deployments. Of plans that cost the same, the one with fewer
    changes of status wins, then the one in which the server moves first.
    """
    known = (start.client_emit, end.client_emit, start.server_emit, end.server_emit, Status.OPTIONAL)
    allowed = tuple(dict.fromkeys(known))
    heap: list[tuple[int, int, tuple[str, ...], int, Ends, tuple[PlannedDeployment, ...]]] = []
    heapq.heappush(heap, (0, 0, (), 0, start, ()))
    done: set[Ends] = set()
    count = 0
    while heap:
        cost, changes, key, _, here, steps = heapq.heappop(heap)
        if here == end:
            return ChangePlan(steps)
        if here in done:
            continue
        done.add(here)
        for step in _moves(here, allowed):
            if step.after in done or not is_safe(step.after, client, server, policy):
                continue
            count += 1
            price = CLIENT_COST if step.side == "client" else SERVER_COST
            more = changes + _changes(here, step.after)
            sides = (*key, "1" if step.side == "client" else "0")
            heapq.heappush(heap, (cost + price, more, sides, count, step.after, (*steps, step)))
    return None


def _moves(here: Ends, allowed: tuple[Status, ...]) -> Iterator[PlannedDeployment]:
    for emit, accept in product(allowed, allowed):
        server = Ends(here.client_emit, here.client_accept, emit, accept)
        client = Ends(emit, accept, here.server_emit, here.server_accept)
        for side, after in (("server", server), ("client", client)):
            if after != here:
                yield PlannedDeployment(side, here, after)


def _changes(before: Ends, after: Ends) -> int:
    parts = ("client_emit", "client_accept", "server_emit", "server_accept")
    return sum(getattr(before, part) is not getattr(after, part) for part in parts)

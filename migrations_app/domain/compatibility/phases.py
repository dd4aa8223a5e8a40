"""The phases of a change that no single deployment can make safely: who deploys what, and what the next one waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from migrations_app.domain.compatibility.client_usage import ClientUsage
from migrations_app.domain.compatibility.plans import (
    ChangePlan,
    Ends,
    PlannedDeployment,
    cheapest_plan,
)
from migrations_app.domain.compatibility.report import VersionDifference
from migrations_app.domain.compatibility.statuses import OutcomePolicy, Status, Strategy
from migrations_app.kernel.messages import NOTHING, WordedMessage, catalogued, message

_EMITS: Mapping[tuple[str, Status], WordedMessage] = {
    ("server", Status.UNKNOWN): message("Servers stop sending it."),
    ("server", Status.OPTIONAL): message("Servers may send it."),
    ("server", Status.REQUIRED): message("Servers always send it."),
    ("server", Status.DEPRECATED): message("Servers send it no more than they must."),
    ("client", Status.UNKNOWN): message("Clients stop sending it."),
    ("client", Status.OPTIONAL): message("Clients may send it."),
    ("client", Status.REQUIRED): message("Clients always send it."),
    ("client", Status.DEPRECATED): message("Clients send it no more than they must."),
}
_ACCEPTS: Mapping[tuple[str, Status], WordedMessage] = {
    ("server", Status.UNKNOWN): message("Servers no longer know it."),
    ("server", Status.OPTIONAL): message("Servers accept messages with and without it."),
    ("server", Status.REQUIRED): message("Servers need it."),
    ("server", Status.DEPRECATED): message("Servers accept it with a warning."),
    ("client", Status.UNKNOWN): message("Clients no longer know it."),
    ("client", Status.OPTIONAL): message("Clients accept messages with and without it."),
    ("client", Status.REQUIRED): message("Clients need it."),
    ("client", Status.DEPRECATED): message("Clients accept it with a warning."),
}

_READ = {"server": "request", "client": "response"}
_SENT = {"server": "response", "client": "request"}
_OPTIONAL = message("It may be left out: every message is accepted without it.")


@dataclass(frozen=True, slots=True)
class ChangePhase:
    """One deployment of one side, and what must hold before the next phase; `lacking` is what does not hold now.

    `accepts` and `emits` are what its side knows of the key then, None where it knows what it knew.
    """

    side: str
    action: WordedMessage
    wait: str
    lacking: tuple[WordedMessage, ...] = ()
    accepts: Status | None = None
    emits: Status | None = None
    is_optional: bool = False


def phases_of(
    found: Sequence[VersionDifference], server: Strategy, seen: ClientUsage
) -> tuple[ChangePhase, ...]:
    """Give the phases of the cheapest plan over both sides; none where one deployment of each side is enough.

    A client deployment costs as much as ten of a server.
    """
    words = {
        each.where: (each.before, each.after) for each in found if each.where and each.before and each.after
    }
    if not words or any(word.upper() not in Status.__members__ for pair in words.values() for word in pair):
        return ()
    # What does not change in one direction needs no deployment there.
    same = (Status.OPTIONAL.name, Status.OPTIONAL.name)
    (request, new_request), (response, new_response) = (
        tuple(Status[word.upper()] for word in words.get(where, same)) for where in ("request", "response")
    )
    start, end = Ends.of(request, response), Ends.of(new_request, new_response)
    plan = cheapest_plan(start, end, Strategy.FILTER, server, OutcomePolicy.NO_LOSS)
    if plan is None or len(plan.steps) < 2:
        return ()
    phases = (
        replace(
            phase,
            accepts=phase.accepts if _READ[phase.side] in words else None,
            emits=phase.emits if _SENT[phase.side] in words else None,
        )
        for phase in (_phase(step, seen, _is_last(plan, step)) for step in plan.steps)
    )
    return tuple(
        replace(phase, action=phase.action + _OPTIONAL, is_optional=True) if step is plan.clean_up else phase
        for step, phase in zip(plan.steps, phases, strict=True)
    )


def _is_last(plan: ChangePlan, step: PlannedDeployment) -> bool:
    return step is plan.steps[-1]


def _phase(step: PlannedDeployment, seen: ClientUsage, last: bool) -> ChangePhase:
    emits, accepts = f"{step.side}_emit", f"{step.side}_accept"
    sent, taken = getattr(step.after, emits), getattr(step.after, accepts)
    action = NOTHING
    if sent is not getattr(step.before, emits):
        action += _EMITS[step.side, sent]
    if taken is not getattr(step.before, accepts):
        action += _ACCEPTS[step.side, taken]
    wait, lacking = ("", ()) if last else _wait(step.side, sent, seen)
    return ChangePhase(step.side, action, wait, lacking, accepts=taken, emits=sent)


def _wait(side: str, sent: Status, seen: ClientUsage) -> tuple[str, tuple[WordedMessage, ...]]:
    """Say what the next phase waits for, and what the evidence lacks of it now."""
    if side == "server":
        return catalogued("until every deployment serves that definition"), ()
    if sent is Status.REQUIRED:
        return catalogued("until every client is proved to send it always"), seen.not_always_sent()
    if sent is Status.UNKNOWN:
        return catalogued("until it is proved unused"), seen.not_unused(None)
    return catalogued("until no client of an earlier release was seen in the window"), ()

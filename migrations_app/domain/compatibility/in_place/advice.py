"""A change as a whole: what it takes in place, what it takes as a new version, and which of the two costs less.

Decisions judge one difference each. A developer chooses once, for all of them: a client deployment counts as ten of a
server, as in the plans of single keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from migrations_app.domain.compatibility.decisions import ChangeDecision, ChangeVerdict
from migrations_app.domain.compatibility.plans import CLIENT_COST, SERVER_COST
from migrations_app.domain.compatibility.report import CompatibilityRule
from migrations_app.domain.compatibility.transforms import OPEN
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message

DATA_TASK_COST, CONVERSION_COST, OPEN_COST = 5, 1, 2
"""What a task that changes stored data takes, a line of an edge, and what a person fills in of one."""
VERSION_COST = 5
"""What a version takes by itself: its definition, its tests and its documents."""
_UPGRADE_DEPLOYMENTS = 3
"""What serves a new version is deployed, switches, and retires the old one."""

NEVER_IN_PLACE = frozenset(
    {
        CompatibilityRule.TYPE_REPLACED,
        CompatibilityRule.UNIT_CHANGED,
        CompatibilityRule.NUMBER_CHANGED,
        CompatibilityRule.NUMBER_REUSED,
        CompatibilityRule.METHOD_CHANGED,
        CompatibilityRule.PATTERN_REMOVED,
    }
)


class ChangeWay(StrEnum):
    """How a definition can change."""

    IN_PLACE = "in-place"
    NEW_VERSION = "new-version"


@dataclass(frozen=True, slots=True)
class WayCost:
    """What one way takes: deployments, tasks on stored data, lines of an edge, and of these what a person fills in."""

    way: ChangeWay
    is_possible: bool
    client_deployments: int = 0
    server_deployments: int = 0
    data_tasks: int = 0
    conversions: int = 0
    open_conversions: int = 0
    versions: int = 0
    pros: tuple[WordedMessage, ...] = ()
    cons: tuple[WordedMessage, ...] = ()

    @property
    def cost(self) -> int:
        """Sum it up; a server deployment is one."""
        return (
            CLIENT_COST * self.client_deployments
            + SERVER_COST * self.server_deployments
            + DATA_TASK_COST * self.data_tasks
            + CONVERSION_COST * self.conversions
            + OPEN_COST * self.open_conversions
            + VERSION_COST * self.versions
        )


@dataclass(frozen=True, slots=True)
class ChangeAdvice:
    """Which way is recommended, None where neither is possible, and what both take."""

    recommended: ChangeWay | None
    words: WordedMessage
    ways: tuple[WayCost, ...]


def advise_on(decisions: Sequence[ChangeDecision], deployments: int) -> ChangeAdvice | None:
    """Weigh a change in place against a new version; None where nothing differs."""
    if not decisions:
        return None
    against = [each for each in decisions if each.verdict is not ChangeVerdict.ALLOWED]
    ways = (_in_place(against, deployments), _new_version(decisions, against, deployments))
    best = min((each for each in ways if each.is_possible), key=lambda each: each.cost, default=None)
    return ChangeAdvice(best.way if best else None, _sentence(best, ways, against), ways)


def _sentence(
    best: WayCost | None, ways: Sequence[WayCost], against: Sequence[ChangeDecision]
) -> WordedMessage:
    if not against:
        return message("Apply it in place: nothing that is stored or seen stands against it.")
    if best is None:
        return message("Neither way is possible for the whole: split the change, and retire what goes first.")
    other = next(each for each in ways if each is not best)
    words = (
        message("Change it in place, in the steps of each decision:")
        if best.way is ChangeWay.IN_PLACE
        else message("Make a new version:")
    )
    if not other.is_possible:
        return words + message("the other way is not possible.")
    return words + message(
        "it costs {cost}, the other way {other} (a server deployment is 1).", cost=best.cost, other=other.cost
    )


def _in_place(against: Sequence[ChangeDecision], deployments: int) -> WayCost:
    never = [each for each in against if each.difference.rule in NEVER_IN_PLACE]
    tasks = sum(each.verdict is ChangeVerdict.NEEDS_DATA_TASK for each in against)
    clients = max((_client_deployments(each) for each in against), default=0)
    servers = max((_server_phases(each) for each in against), default=1)
    cons = [
        message(
            "{places} cannot change in place: stored values or clients would be misread.",
            places=_places(never),
        )
        if never
        else NOTHING,
        counted(
            tasks,
            "{count} task on stored data must be written, tested and run first.",
            "{count} tasks on stored data must be written, tested and run first.",
        )
        if tasks
        else NOTHING,
        message("Clients must be deployed before it ends: {clients}.", clients=_waited_for(against))
        if clients
        else NOTHING,
    ]
    pros = (
        message("One version to serve, document and retire."),
        message("No resource is copied and no write is paused."),
        NOTHING if against else message("It takes effect at once."),
    )
    return WayCost(
        ChangeWay.IN_PLACE,
        not never,
        clients,
        servers * max(deployments, 1),
        tasks,
        pros=_said(pros),
        cons=_said(cons),
    )


def _new_version(
    decisions: Sequence[ChangeDecision], against: Sequence[ChangeDecision], deployments: int
) -> WayCost:
    retired = [each for each in against if each.difference.rule is CompatibilityRule.VERSION_REMOVED]
    lines = _lines(decisions)
    opened = sum(OPEN in line for line in lines)
    moved = any(_client_deployments(each) for each in against)
    cons = [
        message("{places} goes as a whole: only its retirement ends it.", places=_places(retired))
        if retired
        else NOTHING,
        _edge(len(lines), opened),
        message(
            "Every deployment copies its resources and switches; both versions are served until the older one retires."
        ),
    ]
    pros = (
        message("Clients of this version see no change, and move when they are deployed anyway.")
        if moved
        else NOTHING,
        message("Values of another type or unit are converted, there and back.")
        if _has_never(against)
        else NOTHING,
        message("The switch can be rolled back."),
    )
    return WayCost(
        ChangeWay.NEW_VERSION,
        not retired,
        int(moved),
        _UPGRADE_DEPLOYMENTS * max(deployments, 1),
        conversions=len(lines),
        open_conversions=opened,
        versions=1,
        pros=_said(pros),
        cons=_said(cons),
    )


def _client_deployments(decision: ChangeDecision) -> int:
    """Count how often clients must be deployed for one decision; what may be left out does not count."""
    if decision.phases:
        return sum(each.side == "client" and not each.is_optional for each in decision.phases)
    seen = decision.seen
    return int(bool(seen.senders or seen.receivers or seen.callers))


def _server_phases(decision: ChangeDecision) -> int:
    return max(sum(each.side == "server" for each in decision.phases), 1)


def _lines(decisions: Iterable[ChangeDecision]) -> list[str]:
    """Give the line of an edge for each place: of two that are proposed, the one that has to be filled in."""
    found: dict[str, str] = {}
    for each in decisions:
        for one in each.difference.differences:
            line = one.transform.partition("  # ")[0]
            if line and (OPEN in line or one.path not in found):
                found[one.path] = line
    return [*found.values()]


def _edge(lines: int, opened: int) -> WordedMessage:
    if not lines:
        return NOTHING
    if opened:
        return counted(
            lines,
            "An edge converts between both versions: {count} line, {opened} to be filled in.",
            "An edge converts between both versions: {count} lines, {opened} to be filled in.",
            opened=opened,
        )
    return counted(
        lines,
        "An edge converts between both versions: {count} line.",
        "An edge converts between both versions: {count} lines.",
    )


def _has_never(against: Iterable[ChangeDecision]) -> bool:
    return any(each.difference.rule in NEVER_IN_PLACE for each in against)


def _waited_for(against: Iterable[ChangeDecision]) -> str:
    names = {
        client.name
        for each in against
        for client in (*each.seen.senders, *each.seen.receivers, *each.seen.callers)
    }
    shown = ", ".join(sorted(names)[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def _places(decisions: Sequence[ChangeDecision]) -> str:
    return ", ".join(each.difference.path for each in decisions[:5])


def _said(sentences: Iterable[WordedMessage]) -> tuple[WordedMessage, ...]:
    return tuple(each for each in sentences if each)

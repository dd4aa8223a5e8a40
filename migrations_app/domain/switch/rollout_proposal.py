"""Proposals of rollouts: waves in which no intermediate state breaks an importer, each deployment with its reasons.

A deployment of an importing service asks its import for a version. That is served when the import runs this version or a newer
one that its definition still has; a version that is newer than the import's own is read-only there, so it does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from migrations_app.domain.approvals.switch_schedule import ALWAYS, SwitchOpening, SwitchSchedule
from migrations_app.domain.registry.names import version_order
from migrations_app.domain.switch.wave_timing import SwitchTime, end_of_wave, first_open, switch_times
from migrations_app.domain.switch.words import deployment_title
from migrations_app.kernel.messages import NOTHING, WordedMessage, counted, message


class ProposalKind(StrEnum):
    """What a proposal prefers."""

    BALANCED = "balanced"
    FASTEST = "fastest"
    SAFEST = "safest"


@dataclass(frozen=True, slots=True)
class ProposedDeployment:
    """One deployment as a proposal sees it; `seconds` is what its upgrades took, None where unknown.

    `supported` is the newest version that its code serves, None where unknown; `held_by` an upgrade that is not over.
    """

    name: str
    service: str
    region: str
    version: str
    calls: int = 0
    seconds: float | None = None
    schedule: SwitchSchedule = ALWAYS
    supported: str | None = None
    is_disabled: bool = False
    held_by: str = ""

    def supports(self, target: str) -> bool:
        """Tell whether its code serves a version; a disabled one need not."""
        if self.supported is None or self.is_disabled:
            return True
        return bool(self.supported) and version_order(self.supported) >= version_order(target)


@dataclass(frozen=True, slots=True)
class FleetFacts:
    """What runs, which versions services have, and what each version imports: by service, version and import.

    `at` is when it was read: the schedules of deployments begin there.
    """

    deployments: Mapping[str, ProposedDeployment]
    versions: Mapping[str, frozenset[str]]
    imports: Mapping[tuple[str, str], Mapping[str, str]]
    at: datetime = datetime.min.replace(tzinfo=UTC)
    by_place: Mapping[tuple[str, str], ProposedDeployment] = field(init=False)

    def __post_init__(self) -> None:
        places = {(each.service, each.region): each for each in self.deployments.values()}
        object.__setattr__(self, "by_place", places)

    def serves(self, service: str, current: str, asked: str) -> bool:
        """Tell whether a deployment that runs a version answers reads and writes in another."""
        return asked in self.versions.get(service, ()) and version_order(asked) <= version_order(current)

    def fits(
        self, importer: ProposedDeployment, version: str, imported: ProposedDeployment, current: str
    ) -> bool:
        """Tell whether an importer at a version gets what it needs from an import at a version."""
        asked = self.imports.get((importer.service, version), {}).get(imported.service)
        return asked is None or self.serves(imported.service, current, asked)


@dataclass(frozen=True, slots=True)
class ProposedItem:
    """One deployment in its wave, with the reasons why it stands there, and the opening that its switch waits for."""

    deployment: ProposedDeployment
    reasons: tuple[WordedMessage, ...]
    opening: SwitchOpening | None = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A deployment that cannot be moved now, and why."""

    deployment: str
    reason: WordedMessage


@dataclass(frozen=True, slots=True)
class RolloutProposal:
    """Waves, and what was left out. `seconds` is how long they take one after the other; None where unknown."""

    kind: ProposalKind
    waves: tuple[tuple[ProposedItem, ...], ...]
    left_out: tuple[LeftOut, ...]
    seconds: float | None


Pairs = Sequence[tuple[ProposedDeployment, ProposedDeployment]]


def importing_pairs(facts: FleetFacts) -> list[tuple[ProposedDeployment, ProposedDeployment]]:
    """List each deployment with those in its region whose service any version of it imports."""
    wanted: dict[str, set[str]] = {}
    for (service, _), imported in facts.imports.items():
        wanted.setdefault(service, set()).update(imported)
    return [
        (importer, found)
        for importer in facts.deployments.values()
        for service in sorted(wanted.get(importer.service, ()))
        if (found := facts.by_place.get((service, importer.region))) is not None
    ]


def propose(facts: FleetFacts, chosen: Iterable[str], target: str, kind: ProposalKind) -> RolloutProposal:
    """Order deployments that shall move to a version into waves."""
    pairs = importing_pairs(facts)
    moving, left_out = _movable(facts, chosen, target)
    needs, why, impossible = _order(facts, pairs, moving, target)
    stuck = {**impossible, **_stuck(needs, impossible)}
    moving = {name: each for name, each in moving.items() if name not in stuck}
    importers = _importers(pairs)
    timed, end = _timed_waves(moving, needs, kind, facts.at, _weight(importers))
    waves = tuple(
        tuple(
            ProposedItem(each, _reasons(each, number, why, importers, time), time.waited_for)
            for each, time in wave
        )
        for number, wave in enumerate(timed)
    )
    done = {each.name for wave in timed for each, _ in wave}
    left = {name: needs[name] - done for name in moving if name not in done}
    closed = {name: _closed(moving[name], facts.at) for name, waits in left.items() if not waits}
    stuck |= {**closed, **_stuck(left, closed)}
    left_out += [LeftOut(name, reason) for name, reason in sorted(stuck.items())]
    return RolloutProposal(kind, waves, tuple(left_out), _seconds(waves, end - facts.at))


def _timed_waves(
    moving: Mapping[str, ProposedDeployment],
    needs: Mapping[str, set[str]],
    kind: ProposalKind,
    begin: datetime,
    weigh: Callable[[ProposedDeployment], tuple[int, int, str]],
) -> tuple[list[list[tuple[ProposedDeployment, SwitchTime]]], datetime]:
    """Give waves with the time of each switch, and when all is over; what no window opens for is in none."""
    waves: list[list[tuple[ProposedDeployment, SwitchTime]]] = []
    done: set[str] = set()
    while True:
        ready = [each for name, each in moving.items() if name not in done and needs[name] <= done]
        times = switch_times(ready, begin)
        ready = [each for each in ready if times[each.name].opening is not None]
        if not ready:
            return waves, begin
        ready.sort(key=weigh)
        wave = _wave(first_open(ready, times), len(waves), kind)
        waves.append([(each, times[each.name]) for each in wave])
        begin = end_of_wave(wave, times, begin)
        done |= {each.name for each in wave}


def _closed(each: ProposedDeployment, at: datetime) -> WordedMessage:
    """Say why no switch is possible where windows and freezes forbid it."""
    if each.schedule.opening(at) is None:
        return message("It cannot switch within eight weeks.") + each.schedule.words
    return message("Its last window closes before its wave could begin.")


def _movable(
    facts: FleetFacts, chosen: Iterable[str], target: str
) -> tuple[dict[str, ProposedDeployment], list[LeftOut]]:
    moving: dict[str, ProposedDeployment] = {}
    left_out: list[LeftOut] = []
    behind: dict[str, list[str]] = {}
    for deployment in facts.deployments.values():
        if not deployment.supports(target):
            behind.setdefault(deployment.service, []).append(deployment.region)
    for name in dict.fromkeys(chosen):
        each = facts.deployments.get(name)
        if each is None:
            left_out.append(LeftOut(name, message("It is not registered.")))
        elif why := _immovable(facts, each, target, behind):
            left_out.append(LeftOut(name, why))
        else:
            moving[name] = each
    return moving, left_out


def _immovable(
    facts: FleetFacts, each: ProposedDeployment, target: str, behind: Mapping[str, list[str]]
) -> WordedMessage:
    """Say why no plan could be made for a deployment; nothing where one can."""
    if target not in facts.versions.get(each.service, ()):
        return message("{service} has no version {version}.", service=each.service, version=target)
    if version_order(each.version) >= version_order(target):
        return message("It runs {version} already.", version=each.version)
    if each.is_disabled:
        return message("It is disabled.")
    if each.service in behind:
        regions = ", ".join(sorted(behind[each.service]))
        return message(
            "The code in {regions} does not support {version} yet.", regions=regions, version=target
        )
    if each.held_by:
        return message("Upgrade {upgrade} holds it: finish or abort that one first.", upgrade=each.held_by)
    return NOTHING


def _order(
    facts: FleetFacts, pairs: Pairs, moving: Mapping[str, ProposedDeployment], target: str
) -> tuple[dict[str, set[str]], dict[str, list[WordedMessage]], dict[str, WordedMessage]]:
    """Find what has to move before what, why, and what cannot move at all."""
    needs: dict[str, set[str]] = {name: set() for name in moving}
    why: dict[str, list[WordedMessage]] = {name: [] for name in moving}
    impossible: dict[str, WordedMessage] = {}
    for importer, imported in pairs:
        # An import that moves on serves what it served: only importers wait, and only where they worked before.
        works = facts.fits(importer, importer.version, imported, imported.version)
        if importer.name not in moving or not works:
            continue
        if facts.fits(importer, target, imported, imported.version):
            continue
        asked = facts.imports[importer.service, target][imported.service]
        if imported.name in moving and facts.fits(importer, target, imported, target):
            needs[importer.name].add(imported.name)
            why[importer.name].append(
                message(
                    "after {service}, of which {version} imports {asked}",
                    service=imported.service,
                    version=target,
                    asked=asked,
                )
            )
        else:
            impossible[importer.name] = message(
                "{version} imports {asked} of {service}, which runs {current} in {region}.",
                version=target,
                asked=asked,
                service=imported.service,
                current=imported.version,
                region=imported.region,
            )
    return needs, why, impossible


def _stuck(needs: dict[str, set[str]], impossible: Mapping[str, WordedMessage]) -> dict[str, WordedMessage]:
    """Find what waits for what cannot move, or for each other."""
    found: dict[str, WordedMessage] = {}
    done: set[str] = set()
    left = {name for name in needs if name not in impossible}
    while ready := {name for name in left if needs[name] <= done}:
        done |= ready
        left -= ready
    for name in sorted(left):
        waits = ", ".join(sorted(map(deployment_title, needs[name] - done)))
        found[name] = message(
            "It would have to wait for {deployments}, which cannot move before it: move them in two steps.",
            deployments=waits,
        )
    return found


def _importers(pairs: Pairs) -> dict[str, int]:
    counts: dict[str, int] = {}
    for _, imported in pairs:
        counts[imported.name] = counts.get(imported.name, 0) + 1
    return counts


def _weight(importers: Mapping[str, int]) -> Callable[[ProposedDeployment], tuple[int, int, str]]:
    """Give what sorts deployments by what a failure would reach: importers, calls."""
    return lambda each: (importers.get(each.name, 0), each.calls, each.name)


def _wave(ready: list[ProposedDeployment], number: int, kind: ProposalKind) -> list[ProposedDeployment]:
    if kind is ProposalKind.FASTEST:
        return ready
    if number == 0:
        return ready[:1]
    if kind is ProposalKind.BALANCED:
        return ready[: 2**number]
    # One region of a service at a time, and no two services of which one imports another are ready at once.
    wave: list[ProposedDeployment] = []
    for each in ready:
        if all(each.service != other.service for other in wave):
            wave.append(each)
    return wave


def _reasons(
    each: ProposedDeployment,
    wave: int,
    why: Mapping[str, list[WordedMessage]],
    importers: Mapping[str, int],
    time: SwitchTime,
) -> tuple[WordedMessage, ...]:
    reach = counted(
        importers.get(each.name, 0),
        "{count} importer in its region, {calls} calls in 7 days",
        "{count} importers in its region, {calls} calls in 7 days",
        calls=each.calls,
    )
    first = (message("canary: a failure has the smallest impact here"),) if wave == 0 else ()
    waits = () if time.waited_for is None else (time.waited_for.words,)
    imports = {str(words): words for words in why[each.name]}
    return (*first, *imports.values(), *waits, reach)


def _seconds(waves: Iterable[Sequence[ProposedItem]], whole: timedelta) -> float | None:
    known = all(each.deployment.seconds is not None for wave in waves for each in wave)
    return whole.total_seconds() if known else None


def broken_importers(
    facts: FleetFacts, moved: frozenset[str], target: str, pairs: Pairs | None = None
) -> list[tuple[str, str]]:
    """List importers that worked and do not once some deployments moved: each with its import; of all without `pairs`."""

    def _at(each: ProposedDeployment) -> str:
        return target if each.name in moved else each.version

    return [
        (importer.name, imported.name)
        for importer, imported in (importing_pairs(facts) if pairs is None else pairs)
        if not facts.fits(importer, _at(importer), imported, _at(imported))
        and facts.fits(importer, importer.version, imported, imported.version)
    ]

"""The phases of a definition that changes in place: who deploys what, and the definition that servers have in each.

The definition of a phase between the first and the last is derived: the files of the new one, or of the old one where a field
goes, with what `transition` says of the fields that change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import yaml

from migrations_app.domain.compatibility.decisions import ChangeDecision
from migrations_app.domain.compatibility.phases import ChangePhase
from migrations_app.domain.compatibility.places import field_at
from migrations_app.domain.compatibility.statuses import Status
from migrations_app.domain.schema.folder import SERVICE_FILE, Files, ServiceFolder
from migrations_app.domain.schema.loaders.transition import KeyUse
from migrations_app.kernel.errors import Conflict, Violation
from migrations_app.kernel.messages import NOTHING, WordedMessage, message

_USES = {
    Status.UNKNOWN: KeyUse.UNKNOWN,
    Status.OPTIONAL: KeyUse.OPTIONAL,
    Status.DEPRECATED: KeyUse.OPTIONAL,
    Status.REQUIRED: KeyUse.REQUIRED,
}


@dataclass(frozen=True, slots=True)
class DefinitionPhase:
    """What one side does in a phase, and what the next one waits for; `files` is the definition of a phase of servers."""

    side: str
    action: WordedMessage
    wait: str
    files: Files | None = None


def phases_of_definition(
    old: ServiceFolder, new: ServiceFolder, decisions: Sequence[ChangeDecision]
) -> tuple[DefinitionPhase, ...]:
    """Give the phases in which a definition takes the place of the served one.

    Raises: Conflict (`phases-none`) where each side changes once, Conflict (`phases-differ`) where its changes do not go
    the same way, or one of them cannot be said of a field alone.
    """
    phased = [(each, _needed(each)) for each in decisions if each.phases]
    if not phased:
        raise Conflict(
            message("No change of this definition takes phases."),
            code="phases-none",
            remedy=message("Apply it, or follow the advice of each decision."),
        )
    added = {_is_known(new, each) for each, _ in phased}
    sides = {tuple(phase.side for phase in phases) for _, phases in phased}
    if len(added) > 1 or len(sides) > 1:
        raise _differ([each for each, _ in phased], message("goes another way than the others"))
    base = new if added == {True} else old
    length = len(phased[0][1])
    last = max(at for at, phase in enumerate(phased[0][1]) if phase.side == "server")
    made = []
    for at in range(length):
        of_each = [(each, phases[at]) for each, phases in phased]
        files: Files | None = None
        if of_each[0][1].side == "server":
            files = new.files if at == last else _files(base, of_each)
        made.append(_phase(of_each, files))
    return tuple(made)


def _needed(decision: ChangeDecision) -> tuple[ChangePhase, ...]:
    return tuple(each for each in decision.phases if not each.is_optional)


def _phase(of_each: Sequence[tuple[ChangeDecision, ChangePhase]], files: Files | None) -> DefinitionPhase:
    first = of_each[0][1]
    named = (message("{path}:", path=each.difference.path) + phase.action for each, phase in of_each)
    action = sum(named, NOTHING)
    return DefinitionPhase(first.side, action, first.wait, files)


def _is_known(folder: ServiceFolder, decision: ChangeDecision) -> bool:
    """Tell whether the field of a decision is in a definition."""
    schema = folder.schemas[decision.difference.version]
    return any(field_at(schema, each.resource, each.segments) for each in decision.difference.places)


def _files(base: ServiceFolder, of_each: Sequence[tuple[ChangeDecision, ChangePhase]]) -> Files:
    """Write what the servers of a phase know of each field beside the sources of its version."""
    deep = [
        each
        for each, phase in of_each
        if Status.UNKNOWN in (phase.accepts, phase.emits)
        and any(len(place.segments) > 1 for place in each.difference.places)
    ]
    if deep:
        why = message("lies inside another field, and servers cannot stop sending a part of a field")
        raise _differ(deep, why)
    top = yaml.safe_load(base.files[SERVICE_FILE])
    for version in top["versions"]:
        said: Mapping[str, dict[str, str]] = {
            each.difference.path: {
                word: _USES[status].value
                for word, status in (("accepts", phase.accepts), ("sends", phase.emits))
                if status is not None
            }
            for each, phase in of_each
            if each.difference.version == version["version"]
        }
        if said:
            version["transition"] = {**version.get("transition", {}), **said}
    text = yaml.safe_dump(top, sort_keys=False, allow_unicode=True, width=1000)
    return {**base.files, SERVICE_FILE: text.encode()}


def _differ(decisions: Sequence[ChangeDecision], why: WordedMessage) -> Conflict:
    violations = tuple(
        Violation(
            f"{each.difference.version}/{each.difference.path}",
            why,
            message("Change it by itself."),
            "phases-differ",
        )
        for each in decisions
    )
    return Conflict(
        message("Its changes cannot go through the same phases."),
        code="phases-differ",
        remedy=message("Apply them one after the other, each with a definition of its own."),
        violations=violations,
    )

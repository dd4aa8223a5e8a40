"""References that a switch would leave without a target: what they refer to has no counterpart in the new version."""

from __future__ import annotations

from dataclasses import dataclass

from migrations_app.domain.constraints.references import ReferenceFinder
from migrations_app.domain.conversion.service import CompiledService
from migrations_app.domain.schema.ir import Schema
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.messages import NOTHING, WordedMessage, message


@dataclass(frozen=True, slots=True)
class Breaking:
    """One field that refers to a resource type which the new version does not have."""

    type: str
    path: str
    kind: str
    target: str
    reason: WordedMessage


def breaking_references(
    referrer: Schema, of: CompiledService, written_against: str, taken: str
) -> tuple[Breaking, ...]:
    """List the fields of a schema, written against one version of a service, that refer to what another lacks.

    Raises: Missing (`version`) when either version is not known.
    """
    of.schema(taken)
    targets = of.schema(written_against).resources
    fields = ReferenceFinder(referrer)
    found: list[Breaking] = []
    for holder in referrer.resources:
        if referrer.service == of.service and _lost(of, holder, written_against, taken):
            continue
        for owner, path, candidates in fields.declared(holder):
            for service, target in candidates:
                if service != of.service or target not in targets:
                    continue
                reason = _lost(of, target, written_against, taken)
                if reason:
                    found.append(Breaking(holder, path, fields.kind_of(owner), target, reason))
    return tuple(found)


def _lost(of: CompiledService, type_: str, before: str, taken: str) -> WordedMessage:
    """Say why a type of one version is none of the other; nothing when it is."""
    if before == taken:
        return NOTHING
    try:
        there = any(each.target_type for each in of.routes(type_, before, taken))
    except SwitchyardError as error:
        return error.words
    return NOTHING if there else message("{version} has no {type}.", version=taken, type=type_)

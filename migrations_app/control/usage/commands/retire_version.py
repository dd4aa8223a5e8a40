"""Say from which day a version of a service is no longer meant to be used, or take that back."""

from __future__ import annotations

from datetime import date

from django.db import transaction
from django.utils import timezone

from migrations_app.control.audit.ledger import change_to, record
from migrations_app.control.definition_changes.repository.usage import VersionUsage
from migrations_app.control.events.outbox import publish
from migrations_app.control.registry.repository.retirements import retirement_as_json
from migrations_app.control.schemas.repository.kept_types import kept_types_of_version, state_of_kept
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.evidence import may_move_sunset
from migrations_app.domain.registry.names import version_order
from migrations_app.kernel.errors import Conflict, Invalid, Missing, NotFound, Stale
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.models.evidence.retirements import VersionRetirement
from migrations_app.models.registry import Service


def retire_version(
    actor: Actor,
    service: str,
    version: str,
    retires_on: date | None,
    note: str,
    rev: int | None,
    *,
    accept_unexported: bool = False,
) -> JsonObject:
    """Set the day of a version, or with none take it back; revision 0 stands for one that has none yet.

    A day that was announced only moves later, and none is in the past, unless the version is proved unused. What only
    this version serves is exported before, or a person accepts that it is not and says why.

    Raises: Denied, Missing (`not-found`, `version`), Stale (`retirement-changed`), Conflict (`retirement-newest`,
    `retirement-early`, `retirement-not-exported`), Invalid (`retirement-note`).
    """
    target = Target("version", f"{service}/{version}", service)
    require(actor, "registry.write", target)
    versions = _versions_with(service, version)
    if retires_on is not None:
        _demand_newer(service, version, versions)
    with transaction.atomic():
        row = VersionRetirement.objects.select_for_update().filter(service=service, version=version).first()
        if rev is not None and rev != (row.rev if row else 0):
            raise Stale(
                message("The retirement changed since you looked."),
                code="retirement-changed",
                remedy=message("Read it again."),
                current=retirement_as_json(row),
                changed=change_to("version", target.id, rev=row.rev) if row else None,
            )
        _demand_unused(service, version, row.retires_on if row else None, retires_on)
        left = _unexported(service, version) if retires_on is not None else []
        _demand_exported(version, left, note, accept_unexported)
        before = retirement_as_json(row) if row else None
        row = row or VersionRetirement(service=service, version=version, rev=0)
        row.retires_on, row.note, row.rev = retires_on, note.strip(), row.rev + 1
        row.set_by, row.set_at = actor.name, timezone.now()
        row.save()
        after = retirement_as_json(row)
        action = "version.retire" if retires_on else "version.keep"
        noted: JsonObject = {**after, "accepted_unexported": [*left]} if left else after
        record(actor, action, target, "done", before, noted, reason=row.note)
        publish("fleet", "version", f"{service}/{version}", full=after, rev=row.rev, places=[(service, "")])
    return after


def _versions_with(service: str, version: str) -> list[str]:
    """List the versions of a service, with this one among them.

    Raises: Missing (`not-found`, `version`).
    """
    known = Service.objects.filter(pk=service).first()
    if known is None:
        raise NotFound(message("There is no service {service}.", service=service))
    if version not in known.versions:
        words = message("{service} has no version {version}.", service=service, version=version)
        raise Missing(words, code="version")
    return list(known.versions)


def _demand_newer(service: str, version: str, versions: list[str]) -> None:
    """Let a version retire only where its clients have a newer one to move to.

    Raises: Conflict (`retirement-newest`).
    """
    if version_order(version) == max(map(version_order, versions)):
        raise Conflict(
            message(
                "{version} is the newest version of {service}: its clients have no newer one to move to.",
                version=version,
                service=service,
            ),
            code="retirement-newest",
            remedy=message("Apply a newer version before this one retires."),
        )


def _demand_unused(service: str, version: str, before: date | None, after: date | None) -> None:
    """Let a day be brought forward, or be in the past, only where the evidence proves that no client uses the version.

    Raises: Conflict (`retirement-early`).
    """
    today = timezone.now().date()
    if after is None or after == before:
        return
    reasons = may_move_sunset(before, after).reasons if before else ()
    if after < today:
        reasons = (*reasons, f"{after.isoformat()} is past")
    seen = VersionUsage(service, version).of_types(()) if reasons else None
    lacking = seen.use_not_ruled_out() if seen is not None and seen.is_known else ""
    if lacking:
        raise Conflict(
            message(
                "{version} cannot retire on {after}: {reasons}. {lacking}",
                version=version,
                after=after.isoformat(),
                reasons="; ".join(reasons),
                lacking=lacking,
            ),
            code="retirement-early",
            remedy=message("Give a later day, or wait until no client uses it: `swy usage show`."),
        )


def _unexported(service: str, version: str) -> list[str]:
    """Name what only this version serves and was not exported as it is; what cannot be read counts as that."""
    found: list[str] = []
    for each in kept_types_of_version(service, version):
        state = state_of_kept(each)
        if state.is_exported is True:
            continue
        many = "unknown how many" if state.stored is None else f"{state.stored:,}"
        since = ", written since the export" if state.export and state.is_changed else ""
        found.append(f"{many} {each.kept.type} in {each.region}{since}")
    return found


def _demand_exported(version: str, left: list[str], note: str, accept: bool) -> None:
    """Let a version retire when what only it serves was exported, or a person accepts that it was not.

    Raises: Conflict (`retirement-not-exported`), Invalid (`retirement-note`).
    """
    if not left:
        return
    if not accept:
        raise Conflict(
            message(
                "Only {version} serves resources that were not exported: {left}.",
                version=version,
                left="; ".join(left),
            ),
            code="retirement-not-exported",
            remedy=message(
                "Export them (`swy kept export`), or accept that they are not, with a note that says why."
            ),
        )
    if not note.strip():
        raise Invalid(
            message("Retiring without an export says why."),
            code="retirement-note",
            remedy=message("Write a note."),
        )

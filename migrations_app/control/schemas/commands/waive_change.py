"""Ask that a change in place be let through although the decision on it is against it; another person approves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.utils import timezone

from migrations_app.control.definition_changes.queries.decisions import decisions_on
from migrations_app.control.definition_changes.queries.shown import decision_as_json
from migrations_app.control.schemas.commands.waive_finding import WaiverWish, check_terms, keep_waiver
from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.decisions import ChangeVerdict
from migrations_app.domain.schema.folder import read_files, read_service_name
from migrations_app.kernel.errors import Invalid, Missing
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message


def waive_change(
    actor: Actor,
    service: str,
    files: Mapping[str, bytes],
    place: tuple[str, str, str],
    reason: str,
    until: datetime,
) -> JsonObject:
    """Ask that a difference be accepted that applying these files would make: its version, rule and path.

    It counts once another person approved, until its end, and for one apply.

    Raises: Denied, Invalid (`waiver`, `name` and what reading the folder refuses), Missing (`finding-missing`),
    Conflict (`waiver-exists`), Busy.
    """
    require(actor, "registry.write", Target("service", service, service))
    check_terms(reason, until)
    if read_service_name(files) != service:
        raise Invalid(message("The folder is not one of {service}.", service=service), code="name")
    version, rule, path = place
    for each in decisions_on(read_files(files).refuse_errors()).decisions:
        one = each.difference
        if (one.version, str(one.rule), one.path) == place and each.verdict is not ChangeVerdict.ALLOWED:
            wish = WaiverWish(service, version, version, rule, path, "", reason, until)
            return keep_waiver(actor, wish, one.change, decision_as_json(each, {}, timezone.now()))
    raise Missing(
        message(
            "The definition has nothing to accept by {rule} at {path} of {version}.",
            rule=rule,
            path=path,
            version=version,
        ),
        code="finding-missing",
        remedy=message("Read the decisions again, with a dry run of the same folder."),
    )

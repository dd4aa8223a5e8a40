"""Which declared references a switch would break: of the deployment itself, and of what stands on it."""

from __future__ import annotations

from migrations_app.adapters.conversions import compiled_service
from migrations_app.control.registry.repository.upgrade_contexts import dependants_of
from migrations_app.domain.constraints.breaking import breaking_references
from migrations_app.kernel.errors import SwitchyardError
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.wordings import phrases_as_json
from migrations_app.models.upgrades import Upgrade


def references_at_stake(row: Upgrade, left: str, taken: str) -> JsonObject:
    """List the references that no longer lead anywhere when `left` gives way to `taken`.

    `unknown` names the services whose definition does not tell: nothing is safe only because it was not looked at.
    """
    found: list[Json] = []
    unknown: list[Json] = []
    if left == taken:
        return {"breaking": found, "unknown": unknown}
    try:
        of = compiled_service(row.service)
    except SwitchyardError:
        return {"breaking": found, "unknown": [row.service]}
    referrers = [(row.service, left, left)]
    referrers += [
        (each.service, each.version, each.builds_on)
        for each in dependants_of(row.service, row.region)
        if each.builds_on
    ]
    for service, version, written_against in referrers:
        try:
            schema = compiled_service(service).schema(version)
            broken = breaking_references(schema, of, written_against, taken)
        except SwitchyardError:
            unknown.append(service)
            continue
        found += [
            {
                "service": service,
                "region": row.region,
                "version": version,
                "type": each.type,
                "path": each.path,
                "kind": each.kind,
                "target": each.target,
                "reason": str(each.reason),
                "phrases": phrases_as_json(each.reason.phrases),
            }
            for each in broken
        ]
    return {"breaking": found, "unknown": unknown}

"""Deployments: the page of one, and lists of many."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q, Sum

from migrations_app.control.audit.queries.gone import missing
from migrations_app.control.fleet.queries.fleet import cell, cells, live_upgrades
from migrations_app.control.registry.repository import registry
from migrations_app.control.registry.repository.rows import deployment_of
from migrations_app.control.registry.repository.upgrade_contexts import context_of, dependants_within
from migrations_app.control.rows.within import within
from migrations_app.control.upgrade_state.repository.snapshots import snapshot_of, with_facts
from migrations_app.control.upgrade_state.repository.words import message_of
from migrations_app.control.upgrades.queries.view import summary
from migrations_app.domain.access import Actor, Target, decide, reach_of, require, require_reach
from migrations_app.domain.reach import Reach
from migrations_app.domain.registry.documents import document
from migrations_app.domain.registry.names import RegistryKind, deployment_name, last_id, service_name
from migrations_app.domain.registry.redaction import redact
from migrations_app.domain.registry.upgrade import check_release
from migrations_app.domain.registry.values import Service
from migrations_app.kernel.clock import iso
from migrations_app.kernel.errors import Conflict, Invalid, NotFound
from migrations_app.kernel.json import Json, JsonObject
from migrations_app.kernel.messages import NOTHING, WordedMessage, message
from migrations_app.kernel.wordings import action_as_json, sentence_as_json, wording_as_json
from migrations_app.models.ledger import LedgerEntry
from migrations_app.models.registry import RESHARDED, Deployment, ShardState
from migrations_app.models.subscriptions import Subscription
from migrations_app.models.upgrades import Upgrade
from migrations_app.wiring import mirrored

MOST_FOLLOWED = 50
MODE = "automaticVersionSwitch"
FILTERS = {
    "service": "service_id",
    "region": "region_id",
    "service__in": "service_id__in",
    "region__in": "region_id__in",
    "version": "current_version",
    "stage": "upgrade_stage",
    "q": "name__icontains",
}


def deployments(
    actor: Actor, filters: Mapping[str, str], *, after: str | None = None, limit: int = 51
) -> list[JsonObject]:
    """List deployments by name.

    Raises: Denied, Invalid (`filter`).
    """
    reach = require_reach(actor, "fleet.read")
    rows = Deployment.objects.filter(within(reach, "service__id", "region__id")).order_by("name")
    for name, value in filters.items():
        column = FILTERS.get(name)
        if column is None:
            raise Invalid(
                message("There is no filter {name}.", name=repr(name)),
                code="filter",
                remedy=message("Use {filters}.", filters=", ".join(FILTERS)),
            )
        rows = rows.filter(**{column: value.split(",") if column.endswith("__in") else value})
    if after is not None:
        rows = rows.filter(name__gt=after)
    return [one for one in cells(rows[:limit]) if isinstance(one, dict)]


def deployment(actor: Actor, service: str, region: str) -> JsonObject:
    """Show all that is known of one deployment.

    Raises: Denied, Missing (`not-found`), Gone.
    """
    require(actor, "fleet.read", Target("deployment", service=service, region=region))
    name = deployment_name(service, region)
    row = Deployment.objects.filter(pk=name).first()
    owner = registry.find(RegistryKind.SERVICE, service_name(service)) if row else None
    if row is None or not isinstance(owner, Service):
        never = NotFound(
            message("There is no {name}.", name=name),
            remedy=message("The fleet lists what there is."),
            name=name,
        )
        raise missing(actor, "fleet.read", "deployment", name, never)
    upgrade = live_upgrades([name]).get(name)
    past = with_facts(Upgrade.objects.filter(deployment=name))[:5]
    shown, copied = cell(row, upgrade), _as_copied(name)
    return {
        **shown,
        **sentence_as_json(_sentence(row, upgrade)),
        "newest_version": owner.all_versions[0] if owner.all_versions else "",
        "reachable_versions": _reachable(name, owner),
        "db_data_version": row.db_data_version,
        "db_location_tag": row.db_location_tag,
        "shard_count": row.ring if row.database else None,
        "public_domain": row.details.get("publicDomain", ""),
        "imported_versions": _imports(owner, row, reach_of(actor, "registry.read")),
        "dependants": dependants_within(reach_of(actor, "fleet.read"), service, region),
        "databases": [
            {
                "namespace": f"{each.database}/{each.schema}",
                "version": each.version,
                "disabled": each.disabled,
                "resources": copied.get(each.schema),
            }
            for each in row.namespaces.all()
        ],
        "upgrades": [summary(each) for each in past],
        "active_upgrade": summary(upgrade) if upgrade else None,
        "actions": _actions(actor, row, upgrade),
        "followed": Subscription.objects.filter(deployment=row, account__username=actor.name).exists(),
        "switch_mode_set": _mode_set(name),
        "resharded": _resharded(row),
        "raw": redact(document(deployment_of(row)), reach_of(actor, "registry.read")),
    }


def last_changed(name: str, rev: int) -> JsonObject | None:
    """Tell who brought a deployment to a revision, and when; None where a step of an upgrade did."""
    said = LedgerEntry.objects.filter(target_kind="deployment", target=name, outcome="done")
    row = said.filter(after__metadata__resourceVersion=str(rev)).order_by("-id").first()
    return {"who": row.actor, "at": iso(row.at), "what": row.action} if row else None


def _resharded(row: Deployment) -> JsonObject | None:
    """Tell when the number of shards of an upgrade changed, so that its counts began again; None when it did not."""
    old = ShardState.objects.filter(deployment=row, stage=RESHARDED).first() if row.upgrade_ring else None
    if old is None or old.ring == row.upgrade_ring:
        return None
    return {"before": old.ring, "after": row.upgrade_ring, "at": iso(old.reported_at)}


def _as_copied(deployment: str) -> dict[str, int]:
    """Count the resources of each namespace as its newest copy did; one that was never copied is not named."""
    found: dict[str, int] = {}
    rows = Upgrade.objects.filter(deployment=deployment, started_at__isnull=False)
    for row in rows.annotate(total_copied=Sum("shards__total")).order_by("-created_at")[:MOST_FOLLOWED]:
        if row.total_copied:
            for schema in (row.source_schema, row.target_schema):
                found.setdefault(schema, row.total_copied)
    return found


def _mode_set(deployment: str) -> JsonObject | None:
    """Tell who said last how it switches, and when; None where it never changed."""
    said = LedgerEntry.objects.filter(target_kind="deployment", target=deployment, outcome="done")
    # What is false is left out of a document: one side says true where it changed, the other nothing.
    changed = Q(**{f"before__{MODE}": True}) ^ Q(**{f"after__{MODE}": True})
    newest = said.filter(changed).order_by("-id").values_list("actor", "at").first()
    return {"who": newest[0], "at": iso(newest[1])} if newest else None


def followed(actor: Actor) -> list[Json]:
    """Tell how the deployments stand that an actor follows; `key` changes when one of them moves on."""
    seen = within(reach_of(actor, "fleet.read"), "service__id", "region__id")
    kept = Deployment.objects.filter(seen, subscriptions__account__username=actor.name)
    rows = kept.order_by("name")[:MOST_FOLLOWED]
    live = live_upgrades([row.name for row in rows])
    found: list[Json] = []
    for row in rows:
        upgrade = live.get(row.name)
        state = upgrade.state if upgrade else row.upgrade_stage or "IDLE"
        found.append(
            {
                "service": row.service_id,
                "region": row.region_id,
                "current_version": row.current_version,
                "state": state,
                **sentence_as_json(_sentence(row, upgrade)),
                "link": f"/upgrades/{upgrade.id}" if upgrade else f"/d/{row.service_id}/{row.region_id}",
                "key": f"{row.name} {row.current_version} {state} {row.is_disabled}",
            }
        )
    return found


def _sentence(row: Deployment, upgrade: Upgrade | None) -> WordedMessage:
    place = f"{row.service_id} in {row.region_id}"
    if row.is_disabled:
        return message("{deployment} is disabled.", deployment=place)
    if upgrade is not None:
        return message_of(snapshot_of(upgrade))
    if row.upgrade_stage:
        return message(
            "{place} moves from {old} to {new}; {ready} of {total} shards are ready.",
            place=place,
            old=row.current_version,
            new=row.upgrade_target,
            ready=len(row.upgrade_ready),
            total=row.upgrade_ring,
        )
    offer, runs = (row.available_upgrade or {}).get("apiVersion", ""), row.current_version
    if not runs:
        return message("{place} runs no version yet.", place=place)
    if offer:
        return message(
            "{place} runs {version}; {offer} is available.", place=place, version=runs, offer=offer
        )
    return message("{place} runs {version}.", place=place, version=runs)


def _reachable(name: str, owner: Service) -> list[Json]:
    context = context_of(name)
    found: list[Json] = []
    for version in owner.all_versions:
        why = context.why_not_to(version)
        found.append(
            {
                "version": version,
                "reachable": not why,
                "reason": str(why),
                **wording_as_json(why.phrases, ()),
            }
        )
    return found


def _imports(owner: Service, row: Deployment, reach: Reach) -> list[Json]:
    """Say which version of each import this one uses and which that one runs here."""
    used = [
        one
        for one in owner.imported_versions
        if one.current_service_version == row.current_version and reach.covers(last_id(one.target_service))
    ]
    names = [deployment_name(last_id(one.target_service), row.region_id) for one in used]
    runs = dict(Deployment.objects.filter(pk__in=names).values_list("service_id", "current_version"))
    found: list[Json] = []
    for one in used:
        service = last_id(one.target_service)
        found.append(
            {
                "service": service,
                "version": one.target_service_version,
                "current_version": runs.get(service),
                "mismatch": runs.get(service) != one.target_service_version,
            }
        )
    return found


def _actions(actor: Actor, row: Deployment, upgrade: Upgrade | None) -> list[Json]:
    target = Target("deployment", row.name, service=row.service_id, region=row.region_id)
    reasons = {"plan": NOTHING, "disable": NOTHING, "delete": NOTHING}
    if upgrade is not None or row.upgrade_stage:
        reasons = dict.fromkeys(reasons, message("{deployment} is being upgraded.", deployment=row.name))
    elif row.is_disabled:
        reasons["plan"] = message("{deployment} is disabled.", deployment=row.name)
    reasons["set-switch-mode"] = NOTHING
    reasons["switch"] = _why_not_switch(row)
    found: list[Json] = []
    for action, permission in (
        ("plan", "upgrade.plan"),
        ("disable", "registry.write"),
        ("delete", "registry.write"),
        ("set-switch-mode", "registry.write"),
        ("switch", "upgrade.switch"),
    ):
        decision = decide(actor, permission, target)
        found.append(
            action_as_json(action, reasons[action], ())
            if decision.allowed
            else action_as_json(action, decision.words, decision.who_can)
        )
    return found


def _why_not_switch(row: Deployment) -> WordedMessage:
    """Say why it cannot be let switch from its own page; nothing when it can."""
    try:
        check_release(deployment_of(row))
    except Conflict as refusal:
        return refusal.words
    if row.database:
        return message("Its data are moved by Switchyard itself: ask its upgrade to switch.")
    if mirrored() is not None:
        return message("Another registry keeps it: switch it in the console of that registry.")
    return NOTHING

"""A valid request for every operation that may change something, about one region, another, or all of them."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.urls import URLPattern
from django.utils import timezone

from migrations_app.adapters.definitions import keep
from migrations_app.control.notifications.addresses import put_address
from migrations_app.control.regions.repository.evictions import eviction_policy
from migrations_app.control.urls import UnknownAddressView
from migrations_app.control.urls import urlpatterns as rest_patterns
from migrations_app.domain.approvals.policy import Policy, Purpose
from migrations_app.meta_api.urls import urlpatterns as meta_patterns
from migrations_app.meta_api.views import UnknownMetaAddressView as MetaNowhereDoor
from migrations_app.models.access import Account, MadeRole, RoleBinding, Token
from migrations_app.models.approvals import ApprovalPolicy, ApprovalRequest
from migrations_app.models.asks import Ask
from migrations_app.models.evictions import Eviction
from migrations_app.models.evidence.retirements import BrownOut, KeyStrategy
from migrations_app.models.evidence.waivers import Waiver
from migrations_app.models.hooks import Webhook, WebhookDelivery
from migrations_app.models.logs import ConversionSession
from migrations_app.models.registry import Deployment
from migrations_app.models.rollouts import DefinitionRollout
from migrations_app.models.windows import WindowRule
from migrations_app.web.rest_view import OPEN, SIGNED_IN, RestView
from tests.integration.upgrades.conftest import SERVICE

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
EU, US, ALL = "eu-1", "us-1", "*"
NAMES = {EU: "near", US: "far", ALL: "wide"}
"""What rules and channels about a region are called: their names tell nothing of it."""


@dataclass(frozen=True)
class Operation:
    """One method of one address."""

    method: str
    route: str
    permission: str

    def __str__(self) -> str:
        return f"{self.method} {self.route}"


def operations() -> list[Operation]:
    """List what the routers answer and a permission is asked for."""
    return sorted(
        {*_of("", rest_patterns, UnknownAddressView), *_of("meta:", meta_patterns, MetaNowhereDoor)}, key=str
    )


def _of(prefix: str, patterns: list[URLPattern], nowhere: type[RestView]) -> Iterator[Operation]:
    for pattern in patterns:
        door = getattr(pattern.callback, "cls", None)
        assert isinstance(door, type), pattern
        assert issubclass(door, RestView), pattern
        if door is nowhere:
            continue
        route = re.sub(r"\(\?P(<\w+>)\[\^/:\]\+\)", r"\1", str(pattern.pattern)).strip("^$")
        for method in METHODS:
            if hasattr(door, method.lower()) and door.may[method] not in (OPEN, SIGNED_IN):
                yield Operation(method, prefix + route, door.may[method])


def furnish(busy: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Make one of each thing in both regions and about all of them; give their ids by region and kind."""
    found: dict[str, dict[str, Any]] = {EU: {}, US: {}, ALL: {}}
    keep(SERVICE, FILES)
    now, owner = timezone.now(), Account.objects.create(username="nina")
    RoleBinding.objects.create(
        subject_kind="account", subject="nina", role="approver", service=SERVICE, created_by="root"
    )
    MadeRole.objects.create(name="spare", permissions=["fleet.read"], changed_by="root")
    for region, name in NAMES.items():
        place = {"service": "*", "region": region}
        hook = Webhook.objects.create(
            id=f"w{name}", name=name, events=["upgrade.*"], created_by="root", **place
        )
        put_address(hook, "https://hooks.example.com/x")
        hook.save()
        delivery = WebhookDelivery.objects.create(
            webhook=hook,
            seq=1,
            event="upgrade.caught-up",
            body={"event": "upgrade.caught-up", "link": ""},
            next_at=now,
        )
        ApprovalPolicy.objects.create(name=name, purpose="switch", updated_by="root", **place)
        WindowRule.objects.create(
            name=name, effect="allow", zone="UTC", cron="0 0 * * *", minutes=1440, created_by="root", **place
        )
        binding = RoleBinding.objects.create(
            subject_kind="account", subject="nina", role="viewer", created_by="root", **place
        )
        found[region] |= {
            "hooks": hook.pk,
            "delivery": delivery.pk,
            "binding": binding.pk,
        }
    waiver = Waiver.objects.create(
        id="v1", service=SERVICE, before="v1", after="v2", rule="r", path="p", change="c", reason="r",
        until=now + timedelta(days=1), asked_by="root", asked_at=now,
    )  # fmt: skip
    brown_out = BrownOut.objects.create(
        id="b1", service=SERVICE, version="v1", kind="field", place="Secret.note", percent=5, begins_at=now,
        ends_at=now + timedelta(days=1), sunset=now.date(), requested_by="root", requested_at=now,
        policy=Policy("p", Purpose.BROWN_OUT, group="").as_json(),
    )  # fmt: skip
    strategy = KeyStrategy.objects.create(
        id="k1", service=SERVICE, version="v1", type="Secret", path="legacy", strategy="filter", reason="r",
        until=now + timedelta(days=1), set_by="root", set_at=now,
    )  # fmt: skip
    ask = Ask.objects.create(
        id="a1", who="nina", permission="access.manage", what="access to this console", at=now
    )
    Token.objects.create(id="spare", account=owner, name="t", digest="d", scopes=["*"], created_by="nina")
    for region in (EU, US):
        upgrade = busy[region]["upgrade"]
        deployment = Deployment.objects.get(service=SERVICE, region=region)
        eviction = Eviction.objects.create(
            id=f"e{NAMES[region]}", deployment=deployment.name, uid=deployment.uid, service=SERVICE,
            region=region, digest="d", policy=eviction_policy(SERVICE, region).as_json(), asked_by="root", reason="r", created_at=now, closed_at=now,
            closed_as="REJECTED",
        )  # fmt: skip
        found[region] |= {
            "upgrades": upgrade,
            "approvals": ApprovalRequest.objects.get(upgrade=upgrade).pk,
            "emergencies": busy[region]["emergency"],
            "operations": busy[region]["operation"],
            "evictions": eviction.pk,
            "sessions": _session(deployment.name, now).pk,
        }
    found[ALL] |= {"rollouts": busy["rollout"], "requests": ask.pk, "waivers": waiver.pk}
    rollout = DefinitionRollout.objects.create(
        id="d1", service=SERVICE, against="f1", created_by="root", created_at=now,
        phases=[
            {"side": "client", "action": "Secret.note: Clients stop sending it.", "wait": "until it is proved unused",
             "fingerprint": "", "lacking": ["v1/Secret.note: not proved unused"], "settled_at": None},
        ],
    )  # fmt: skip
    found[ALL] |= {
        "brown-outs": brown_out.pk,
        "key-strategies": strategy.pk,
        "definition-rollouts": rollout.pk,
    }
    return found


def _session(deployment: str, now: datetime) -> ConversionSession:
    return ConversionSession.objects.create(
        id=f"cs-{NAMES[deployment.rpartition('/')[2]]}", deployment=deployment, client="nina", most_records=10,
        reason="r", started_by="root", started_at=now, expires_at=now + timedelta(minutes=5),
    )  # fmt: skip


@dataclass(frozen=True)
class Call:
    """What is sent."""

    path: str
    body: Any


def call_of(operation: Operation, region: str, ids: Mapping[str, Any]) -> Call | None:
    """Write the request of an operation about a region, or about all of them; None where it is about no such place.

    Raises: KeyError where what is sent is not listed.
    """
    body = BODIES[str(operation)](region, ids) if operation.method in ("POST", "PUT", "PATCH") else None
    if operation.route in WIDE and region != ALL:
        return None
    path = _filled(operation.route, region, ids)
    if path is None or body is NOTHING:
        return None
    meta = path.startswith("meta:")
    return Call(f"/meta/v1/{path.removeprefix('meta:')}" if meta else f"/api/v1/{path}", body)


_KINDS = {"requests": "requests", "conversion-sessions": "sessions"}
"""What is named by the id at the end of an address, where its first word does not say so."""


def _filled(route: str, region: str, ids: Mapping[str, Any]) -> str | None:
    top = route.split("/")[-2 if "requests" in route else 0]
    given: dict[str, Any] = {
        "region": region, "service": SERVICE, "version": "v1", "binding": ids.get("binding"), "role": "spare",
        "token": "spare", "type": "Secret", "delivery": ids.get("delivery"), "shard": 0, "page": "fleet",
        "id": ids.get(_KINDS.get(route.rpartition("/<")[0].rpartition("/")[2], top)),
        "name": {"services": SERVICE, "policies": NAMES[region], "windows": NAMES[region],
                 "hooks": NAMES[region]}.get(top, "nina"),
    }  # fmt: skip
    if route.startswith("meta:"):
        kind = re.findall(r"(regions|services|deployments|resources)", route)[-1]
        given["id"] = {"regions": region, "deployments": region, "services": SERVICE, "resources": "Secret"}[
            kind
        ]
    for named in re.findall(r"<(?:\w+:)?(\w+)>", route):
        value = given[named]
        if value in (None, "*"):
            return None
        route = re.sub(rf"<(?:\w+:)?{named}>", str(value), route, count=1)
    return route


NOTHING = object()
WIDE = frozenset(
    {
        "access/accounts/<str:name>", "access/roles/<str:role>", "tokens/<slug:token>", "meta:services/<id>",
        "meta:services/<service>/resources/<id>", "services/<str:name>/versions/<str:version>/retirement",
    }
)  # fmt: skip
"""Addresses of what belongs to no region."""


def _deployment(region: str) -> str:
    return f"services/{SERVICE}/deployments/{region}"


def _nothing(_: str, __: Mapping[str, Any]) -> Any:
    return {}


def _one(make: Callable[[str], Any]) -> Callable[[str, Mapping[str, Any]], Any]:
    """Say what is sent about one region; there is no such request about all."""
    return lambda region, _: NOTHING if region == ALL else make(region)


def _wide(body: Any) -> Callable[[str, Mapping[str, Any]], Any]:
    """Say what is sent about what has no place."""
    return lambda region, _: body if region == ALL else NOTHING


def _any(body: Any) -> Callable[[str, Mapping[str, Any]], Any]:
    return lambda _, __: body


def _in(days: int) -> str:
    return (timezone.now() + timedelta(days=days)).isoformat()


SCOPED_POLICY = {"purpose": "switch", "needed": 1}
SCOPED_WINDOW = {"effect": "allow", "cron": "0 0 * * *", "minutes": 60}
HOOK = {"url": "https://hooks.example.com/y", "events": ["upgrade.*"]}
LOGS = {"read_sampling": 0.5, "activity_days": 7, "change_days": 7}
COMMENT = {"comment": "because it is meant to be so"}
SERVICE_BODY = {"name": f"services/{SERVICE}", "displayName": "Secrets"}
RESOURCE = {"name": f"services/{SERVICE}/resources/Fresh", "pluralName": "freshes", "versions": ["v1"]}
QUESTION = {"before": "v1alpha2", "after": "v1"}
FILES = {
    "service.yaml": f"""
service: {SERVICE}
versions:
  - {{version: v1alpha2, stage: alpha, ordinal: 10, nextVersion: v1, sources: [{{kind: ir, path: s.yaml}}]}}
  - {{version: v1, stage: stable, ordinal: 20, sources: [{{kind: ir, path: t.yaml}}]}}
edges: [edge.yaml]
""".encode(),
    "s.yaml": b"schema: {types: {Secret: {fields: {name: string}}}, resources: {Secret: {patterns: ['secrets/{secret}']}}}",
    "t.yaml": b"schema:\n  types:\n    Secret: {fields: {name: string, note: string}}\n"
    b"  resources:\n    Secret: {patterns: ['secrets/{secret}']}\n",
    "edge.yaml": f"edge: {{service: {SERVICE}, from: v1alpha2, to: v1}}\n"
    "types: {Secret: {ops: [{added: [note]}]}}\n".encode(),
}
FOLDER = {path: b64encode(content).decode() for path, content in FILES.items()}
UPGRADE_ACTS = (
    "start", "edit", "retry-shard", "pause", "resume", "request-approval", "switch", "rollback", "complete",
    "abort", "settle", "break-glass", "enable-reverse-replication",
)  # fmt: skip
ROLLOUT_ACTS = ("start", "pause", "resume", "retry", "skip", "replan", "stop", "rollback")

BODIES: dict[str, Callable[[str, Mapping[str, Any]], Any]] = {
    **{f"POST upgrades/<str:id>/{act}": _any({**COMMENT, "ticket": "T-1"}) for act in UPGRADE_ACTS},
    "POST upgrades/<str:id>/edit": _any({"rollback_hours": 5}),
    "POST upgrades/<str:id>/retry-shard": _any({"shard": 0}),
    "POST upgrades/<str:id>/throttle": _any({"limit": 100}),
    "POST upgrades/<str:id>/extend": _any({"hours": 5}),
    "POST upgrades/<str:id>/window-override": _any({"reason": "it has to be"}),
    "POST upgrades/<str:id>/events": _any(COMMENT),
    "POST upgrades/<str:id>/wait": _any({"until": "ready"}),
    "POST upgrades/<str:id>/ask": _any({"action": "switch", **COMMENT}),
    "POST upgrades/<str:id>/quarantine": _any({"type": "Secret", "name": "x", "verdict": "retry"}),
    "POST upgrades": _one(lambda region: {"deployment": _deployment(region), "target_version": "v1"}),
    "POST upgrades:batch": _one(
        lambda region: {"upgrades": [{"deployment": _deployment(region), "target_version": "v1"}]}
    ),
    **{
        f"POST rollouts/<str:id>/{act}": _any({"deployment": _deployment(US), "comment": "so"})
        for act in ROLLOUT_ACTS
    },
    "POST rollouts": lambda region, _: {
        "target_version": "v1",
        "waves": [[_deployment(each)] for each in ((EU, US) if region == ALL else (region,))],
    },
    **{
        f"POST approvals/<str:id>/{act}": _any(COMMENT) for act in ("approve", "reject", "request-changes", "answer")
    },
    "POST approvals/<str:id>/delegate": _any({"to": "nina"}),
    "POST approvals:approve": lambda region, ids: (
        NOTHING if region == ALL else {"requests": [{"id": ids["approvals"], "digest": "d"}]}
    ),
    "POST emergencies/<str:id>/review": _any(COMMENT),
    "POST waivers/<str:id>/approve": _nothing,
    "POST waivers/<str:id>/end": _nothing,
    "POST services/<str:name>/waivers": _wide(
        {**QUESTION, "rule": "loss-no", "path": "p", "where": "", "reason": "r", "until": "2026-12-01T00:00:00Z"}
    ),
    "POST brown-outs/<str:id>/approve": _nothing,
    "POST brown-outs/<str:id>/stop": _any({"reason": "r"}),
    "POST key-strategies/<str:id>/end": _nothing,
    "POST definition-rollouts/<str:id>/start": _nothing,
    "POST definition-rollouts/<str:id>/pause": _nothing,
    "POST definition-rollouts/<str:id>/stop": _any({"reason": "r"}),
    "POST services/<str:name>/definition-rollouts": _wide({"files": FOLDER, "note": "r"}),
    "POST services/<str:name>/usage/brown-outs": _wide(
        {
            "version": "v1alpha2", "place": "v1alpha2", "percent": 5, "ends_at": _in(days=1), "sunset": "2099-12-01",
            "replaced_by": "v1", "note": "",
        }
    ),
    "POST services/<str:name>/usage/key-strategies": _wide(
        {
            "version": "v1alpha2", "place": "Secret.legacy", "strategy": "filter", "reason": "r",
            "until": _in(days=1),
        }
    ),
    "POST services/<str:name>/usage/deadlines": _wide(
        {"version": "v1", "place": "v1", "deadline": "2099-12-01", "note": ""}
    ),
    "POST services/<str:name>/changeWaivers": _wide(
        {
            "files": FOLDER, "version": "v1", "rule": "key-removed", "path": "p", "reason": "r",
            "until": "2026-12-01T00:00:00Z",
        }
    ),
    "POST services/<str:name>/compatibility:run": _wide(QUESTION),
    "PUT services/<str:name>/versions/<str:version>/retirement": _wide({"retires_on": "2027-01-01"}),
    "POST services": _wide({"files": FOLDER}),
    "POST fleet/example": _wide({}),
    "PUT deployments/<str:service>/<str:region>": _any({"deployment": {"publicDomain": "x.example.com"}}),
    "PUT deployments/<str:service>/<str:region>/subscription": _nothing,
    "POST deployments/<str:service>/<str:region>/switch": _nothing,
    "PUT deployments/<str:service>/<str:region>/logs": _any(LOGS),
    "POST deployments/<str:service>/<str:region>/conversion-sessions": _any({"client": "nina", "reason": "r"}),
    "POST constraints/<str:service>/<str:region>/evictions": _any({"reason": "it will not come back at all"}),
    "POST evictions/<str:id>/approve": _any(COMMENT),
    "POST evictions/<str:id>/reject": _any(COMMENT),
    "POST policies": lambda region, _: {**SCOPED_POLICY, "name": "new", "region": region},
    "PUT policies/<str:name>": lambda region, _: {**SCOPED_POLICY, "region": region},
    "POST policies/preview": lambda region, _: {**SCOPED_POLICY, "name": "new", "region": region},
    "POST windows": lambda region, _: {**SCOPED_WINDOW, "name": "new", "region": region},
    "PUT windows/<str:name>": lambda region, _: {**SCOPED_WINDOW, "region": region},
    "POST hooks": lambda region, _: {**HOOK, "name": "new", "region": region},
    "PUT hooks/<str:id>": lambda region, _: {**HOOK, "name": "named", "region": region},
    "PUT hooks/by-name/<str:name>": lambda region, _: {**HOOK, "region": region},
    "POST hooks/preview": _wide({"events": ["upgrade.*"]}),
    "POST hooks/<str:id>/rotate": _nothing,
    "POST hooks/<str:id>/test": _nothing,
    "POST hooks/<str:id>/deliveries/<int:delivery>/replay": _nothing,
    "POST audit/chain": _wide({"anchors": []}),
    "POST access/groups": _wide({"groups": ["g"]}),
    "POST access/accounts": _wide({"name": "fresh"}),
    "PATCH access/accounts/<str:name>": _wide({"active": False}),
    "POST access/bindings": lambda region, _: {"subject": "nina", "role": "auditor", "region": region},
    "PUT access/bindings": lambda region, _: {"subject": "nina", "role": "auditor", "region": region},
    "PUT access/bindings/<int:binding>": lambda region, _: {"region": region, "service": SERVICE},
    "POST access/requests/<str:id>": _wide({"answer": "no"}),
    "POST access/roles": _wide({"role": "fresh", "permissions": ["fleet.read"]}),
    "PUT access/roles/<str:role>": _wide({"permissions": ["fleet.read"]}),
    "POST tokens": _wide({"name": "fresh", "account": "nina", "scopes": ["*"]}),
    "POST health/quarantined-work": lambda region, _: {
        "controller": "pending", "key": "everything" if region == ALL else _deployment(region),
    },
    "PUT duty": _wide({"hours": 1}),
    "POST deletion-check/rehearsals": _one(lambda region: {"name": f"//{SERVICE}/{region}/secrets/x"}),
    "POST deletion-checks": _one(lambda region: {"names": [f"//{SERVICE}/{region}/secrets/x"]}),
    "POST deletion-watches": _one(lambda region: {"name": f"//{SERVICE}/{region}/secrets/x"}),
    "POST meta:regions": _one(lambda region: {"name": f"regions/{region}"}),
    "PUT meta:regions/<id>": _one(lambda region: {"name": f"regions/{region}", "title": "T"}),
    "POST meta:services": _wide({"name": "services/fresh.example.com"}),
    "PUT meta:services/<id>": _wide(SERVICE_BODY),
    "POST meta:services/<service>/deployments": _one(lambda region: {"name": _deployment(region)}),
    "PUT meta:services/<service>/deployments/<id>": _one(lambda region: {"publicDomain": "x.example.com"}),
    "POST meta:services/<service>/resources": _wide(RESOURCE),
    "PUT meta:services/<service>/resources/<id>": _wide({"pluralName": "secrets"}),
    "POST meta:services/<service>/deployments/<id>:beginUpgrade": _one(lambda _: {"targetVersion": "v1"}),
    "POST meta:services/<service>/deployments/<id>:setAvailableUpgrade": _one(lambda _: {"targetApiVersion": "v1"}),
    "POST meta:services/<service>/deployments/<id>:notifyShardsUpgradeReadiness": _one(
        lambda _: {"shardsFrom": 0, "shardsTo": 1, "ready": True, "totalShardsCount": 16}
    ),
    "POST meta:services/<service>/deployments/<id>:getOrRegisterDataUpdateTask": _one(
        lambda _: {"tag": "t", "shardsCount": 1}
    ),
    "POST meta:services/<service>/deployments/<id>:updateDataTaskUpdate": _one(lambda _: {"tag": "t", "shard": 0}),
    **{
        f"POST meta:{each}:watch": _wide({})
        for kind in ("regions", "services", "services/<service>/deployments", "services/<service>/resources")
        for each in (kind, f"{kind}/<id>")
    },
}  # fmt: skip

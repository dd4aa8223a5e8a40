"""What clients were seen to use of a service: versions, methods and keys, and what that proves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Max, Min, QuerySet, Sum
from django.utils import timezone

from migrations_app.domain.access import Actor, Target, require
from migrations_app.domain.compatibility.evidence import DEFAULT_PERIOD_DAYS, Usage, unused
from migrations_app.domain.compatibility.usage import KeyState
from migrations_app.kernel.errors import Invalid
from migrations_app.kernel.json import JsonObject
from migrations_app.kernel.messages import message
from migrations_app.kernel.wordings import all_phrases_as_json
from migrations_app.models.evidence.usage import UsageCount, UsageGap
from migrations_app.models.registry import Region

THIRTEEN_MONTHS = 396
MESSAGE = ""


def usage(
    actor: Actor, service: str, *, version: str = "", region: str = "", days: int = DEFAULT_PERIOD_DAYS
) -> JsonObject:
    """Tell who uses which version of a service, by client and method: in one region, or in all of them.

    Raises: Denied, Invalid (`days`, `region-unknown`).
    """
    require(actor, "registry.read", Target("service", service=service))
    since = _since(days)
    rows = UsageCount.objects.filter(service=service, path=MESSAGE, day__gte=since)
    if version:
        rows = rows.filter(version=version)
    if region:
        if not Region.objects.filter(pk=region).exists():
            raise Invalid(message("There is no region {region}.", region=region), code="region-unknown")
        rows = rows.filter(region=region)
    sums = rows.values("version", "client", "release", "method").annotate(
        messages=Sum("count"), first=Min("first_seen"), last=Max("last_seen")
    )
    versions: dict[str, dict[tuple[str, str], _Client]] = defaultdict(dict)
    for row in sums.order_by("version", "client", "release", "method"):
        key = row["client"], row["release"]
        known = versions[row["version"]].setdefault(key, _Client(*key))
        known.add(row["method"], row["messages"], row["first"], row["last"])
    return {
        "service": service,
        "days": days,
        "since": since.isoformat(),
        "uncounted": _uncounted(since),
        "versions": [_version(name, clients.values()) for name, clients in sorted(versions.items())],
    }


def usage_of_keys(
    actor: Actor,
    service: str,
    version: str,
    *,
    method: str = "",
    client: str = "",
    days: int = DEFAULT_PERIOD_DAYS,
) -> list[JsonObject]:
    """Tell how each key of the messages of a version was sent, and whether that proves it unused.

    Raises: Denied, Invalid (`days`).
    """
    require(actor, "registry.read", Target("service", service=service))
    since = _since(days)
    rows = UsageCount.objects.filter(service=service, version=version)
    if method:
        rows = rows.filter(method=method)
    seen = rows.filter(day__gte=since, client=client) if client else rows.filter(day__gte=since)
    ever = _clients(
        rows.filter(day__gte=_since(THIRTEEN_MONTHS), path=MESSAGE).values_list("method", "client")
    )
    messages: dict[str, int] = defaultdict(int)
    keys: dict[tuple[str, str], _Key] = {}
    for row in seen.order_by("method", "path").values(
        "method", "path", "state", "client", "count", "first_seen", "last_seen"
    ):
        if row["path"] == MESSAGE:
            messages[row["method"]] += row["count"]
            continue
        known = keys.setdefault((row["method"], row["path"]), _Key())
        known.add(row["state"], row["client"], row["count"], row["first_seen"], row["last_seen"])
    now = _clients(seen.filter(path=MESSAGE).values_list("method", "client"))
    rate = _rate(since, sum(messages.values()))
    observed = _observed(rows, days)
    return [
        known.shown(
            name,
            path,
            Usage(messages[name], known.hits, rate, observed, frozenset(now[name]), frozenset(ever[name])),
        )
        for (name, path), known in keys.items()
    ]


@dataclass(slots=True)
class _Client:
    client: str
    release: str
    methods: dict[str, int] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None

    def add(self, method: str, messages: int, first: datetime, last: datetime) -> None:
        self.methods[method] = self.methods.get(method, 0) + messages
        self.first = min(self.first or first, first)
        self.last = max(self.last or last, last)

    def shown(self) -> JsonObject:
        return {
            "client": self.client,
            "release": self.release,
            "messages": sum(self.methods.values()),
            "first_seen": _iso(self.first),
            "last_seen": _iso(self.last),
            "methods": [{"method": name, "messages": count} for name, count in sorted(self.methods.items())],
        }


@dataclass(slots=True)
class _Key:
    states: dict[str, int] = field(default_factory=lambda: {each.value: 0 for each in KeyState})
    clients: set[str] = field(default_factory=set)
    first: datetime | None = None
    last: datetime | None = None

    @property
    def hits(self) -> int:
        return sum(count for state, count in self.states.items() if KeyState(state).is_sent)

    def add(self, state: str, client: str, count: int, first: datetime, last: datetime) -> None:
        self.states[state] += count
        if KeyState(state).is_sent:
            self.clients.add(client)
            self.first = min(self.first or first, first)
            self.last = max(self.last or last, last)

    def shown(self, method: str, path: str, found: Usage) -> JsonObject:
        claim = unused(found)
        return {
            "method": method,
            "path": path,
            "messages": found.messages,
            "states": dict(self.states),
            "clients": [*sorted(self.clients)],
            "first_seen": _iso(self.first),
            "last_seen": _iso(self.last),
            "unused": {
                "proved": claim.is_open,
                "upper_bound": claim.upper_bound,
                "reasons": [*claim.reasons],
                "reason_phrases": all_phrases_as_json(claim.words),
            },
        }


def _version(name: str, clients: Iterable[_Client]) -> JsonObject:
    shown = [client.shown() for client in clients]
    return {
        "version": name,
        "messages": sum(int(str(each["messages"])) for each in shown),
        "last_seen": max(str(each["last_seen"]) for each in shown),
        "clients": [*shown],
    }


def _clients(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for method, client in pairs:
        found[method].add(client)
    return found


def _observed(rows: QuerySet[UsageCount], days: int) -> int:
    """Tell over how many of the last days uses were counted: what was not observed proves nothing."""
    first = rows.filter(path=MESSAGE).aggregate(day=Min("day"))["day"]
    return min(days, (timezone.now().date() - first).days + 1) if first else 0


def _uncounted(since: date) -> int:
    return UsageGap.objects.filter(day__gte=since).aggregate(sum=Sum("count"))["sum"] or 0


def _rate(since: date, counted: int) -> float:
    return counted / (counted + _uncounted(since)) if counted else 1.0


def _since(days: int) -> date:
    if not 1 <= days <= THIRTEEN_MONTHS:
        raise Invalid(
            message("days is 1 to {thirteen_months}.", thirteen_months=THIRTEEN_MONTHS), code="days"
        )
    return timezone.now().date() - timedelta(days=days - 1)


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()

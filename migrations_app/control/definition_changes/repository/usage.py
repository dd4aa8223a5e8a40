"""What clients were seen to do with a place of a version, from the counts of use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import pairwise
from typing import NamedTuple

from django.db.models import Max, Min, Sum
from django.utils import timezone

from migrations_app.domain.compatibility.client_usage import ClientRelease, ClientUsage
from migrations_app.domain.compatibility.evidence import DEFAULT_PERIOD_DAYS, Usage
from migrations_app.domain.compatibility.places import FieldOccurrence
from migrations_app.domain.compatibility.usage import WHOLE, KeyState, without_marks
from migrations_app.models.evidence.usage import UsageCount, UsageGap

THIRTEEN_MONTHS = timedelta(days=396)
_WRITES = ("create", "update")
_READS = frozenset({"get", "list", "batchGet", "search", "watch"})
_MESSAGE = ""


class CountRow(NamedTuple):
    """The sum of one key in one state, in the messages of one release of a client to one method."""

    method: str
    path: str
    state: str
    client: str
    release: str
    messages: int
    looked: int
    last: date

    @property
    def type(self) -> str:
        """The resource type."""
        return self.method.partition(".")[0]

    @property
    def verb(self) -> str:
        """The method without its type."""
        return self.method.partition(".")[2]

    @property
    def weight(self) -> int:
        """How many messages of a method prove something of what they lack: of reads those that were looked into."""
        return self.looked if self.verb in _READS else self.messages


@dataclass(slots=True)
class VersionUsage:
    """The counts of one version of a service in the window, and who was seen in thirteen months.

    The window is as long as the longest pause that a client made in thirteen months, and 35 days at least.
    """

    service: str
    version: str
    today: date = field(default_factory=lambda: timezone.now().date())
    period: int = field(init=False)
    rows: list[CountRow] = field(init=False)
    _by_place: dict[tuple[str, str], list[CountRow]] = field(init=False)
    _ever: dict[str, set[str]] = field(init=False)
    _newest: date | None = field(init=False)
    _observed: int = field(init=False)
    _rate: float = field(init=False)

    def __post_init__(self) -> None:
        counts = UsageCount.objects.filter(service=self.service, version=self.version)
        ever = counts.filter(day__gte=self.today - THIRTEEN_MONTHS, path=_MESSAGE)
        self.period = max(DEFAULT_PERIOD_DAYS, _longest_pause(ever.values_list("client", "day").distinct()))
        since = self.today - timedelta(days=self.period - 1)
        sums = counts.filter(day__gte=since).values_list("method", "path", "state", "client", "release")
        self.rows = [
            CountRow(*row) for row in sums.annotate(Sum("count"), Sum("looked"), Max("day")).order_by()
        ]
        self._by_place = defaultdict(list)
        for row in self.rows:
            self._by_place[row.type, without_marks(row.path)].append(row)
        self._ever = defaultdict(set)
        for method, client in ever.values_list("method", "client").distinct():
            self._ever[method.partition(".")[0]].add(client)
        bounds = ever.aggregate(first=Min("day"), last=Max("day"))
        self._newest = bounds["last"]
        observed = (self.today - bounds["first"]).days + 1 if bounds["first"] else 0
        self._observed = min(self.period, observed)
        missed = UsageGap.objects.filter(day__gte=since).aggregate(sum=Sum("count"))["sum"] or 0
        seen = sum(row.messages for row in self.rows if row.path == _MESSAGE)
        self._rate = seen / (seen + missed) if seen else 1.0

    def of_places(self, places: Iterable[FieldOccurrence]) -> ClientUsage:
        """Tell what was seen of a field, wherever it stands."""
        at = {(each.resource, without_marks(each.path)) for each in places}
        types = {resource for resource, _ in at}
        senders, receivers, absent = _Clients(), _Clients(), _Clients()
        last_used: date | None = None
        whole = [(type_, WHOLE) for type_ in types]
        for row in (row for place in (*at, *whole) for row in self._by_place.get(place, ())):
            if row.path == WHOLE and row.state != KeyState.SHOWN:
                continue
            if row.state == KeyState.SHOWN:
                receivers.add(row)
            elif row.state != KeyState.ABSENT:
                senders.add(row)
            elif row.verb == "create":
                absent.add(row)
            if row.state != KeyState.ABSENT:
                last_used = max(last_used or row.last, row.last)
        seen = self.of_types(types)
        messages = [row for type_ in types for row in self._by_place.get((type_, _MESSAGE), ())]
        made = _Clients()
        for row in messages:
            if row.verb == "create":
                made.add(row)
        hits = sum(each.count for each in (*senders.listed(), *receivers.listed()))
        now = {each.name for each in seen.callers}
        return ClientUsage(
            self.today,
            senders.listed(),
            seen.readers,
            seen.writers,
            self._usage(types, sum(row.weight for row in messages), hits, now),
            {
                name: self._usage(types, count, self._left_out(name, count, absent, at), now)
                for name, count in made.by_name().items()
            },
            self._newest,
            receivers.listed(),
            looked=sum(row.looked for row in messages),
            last_used=last_used,
        )

    def of_types(self, types: Iterable[str]) -> ClientUsage:
        """Tell who reads and writes resources of some types; without any, of all.

        That none does is proved by the messages about all other types, of a version by those in all other versions.
        """
        wanted = set(types)
        readers, writers = _Clients(), _Clients()
        for row in self.rows:
            if row.path == _MESSAGE and (not wanted or row.type in wanted):
                (writers if row.verb in _WRITES else readers).add(row)
        callers = (*readers.listed(), *writers.listed())
        hits = sum(each.count for each in callers)
        messages, now = self._around() if wanted else self._of_service()
        usage = self._usage(wanted, messages, hits, now)
        last = max((each.last for each in callers), default=None)
        return ClientUsage(
            self.today, (), readers.listed(), writers.listed(), usage, {}, self._newest, last_used=last
        )

    def of_method(self, name: str) -> ClientUsage:
        """Tell who calls a custom method."""
        callers = _Clients()
        for row in self.rows:
            if row.path == _MESSAGE and row.verb == name.rpartition(".")[2]:
                callers.add(row)
        listed = callers.listed()
        messages, now = self._around()
        usage = self._usage(set(), messages, sum(each.count for each in listed), now)
        last = max((each.last for each in listed), default=None)
        return ClientUsage(self.today, (), listed, usage=usage, newest=self._newest, last_used=last)

    def _around(self) -> tuple[int, set[str]]:
        """Count all messages in this version, and name who sent them."""
        messages = [row for row in self.rows if row.path == _MESSAGE]
        return sum(row.messages for row in messages), {row.client for row in messages}

    def _of_service(self) -> tuple[int, set[str]]:
        """Count all messages to the service in the window, and name who sent them."""
        since = self.today - timedelta(days=self.period - 1)
        counts = UsageCount.objects.filter(service=self.service, path=_MESSAGE, day__gte=since)
        sums = dict(counts.values_list("client").annotate(Sum("count")).order_by())
        return sum(sums.values()), set(sums)

    def _usage(self, types: set[str], messages: int, hits: int, now: Iterable[str]) -> Usage:
        ever = {client for type_ in types or self._ever for client in self._ever[type_]}
        return Usage(
            messages,
            hits,
            self._rate,
            self._observed,
            frozenset(now),
            frozenset(ever),
            longest_period_days=self.period,
        )

    def _left_out(self, client: str, made: int, absent: _Clients, at: set[tuple[str, str]]) -> int:
        """Count the creations of a client without the key: a key that is not known yet is only counted when sent."""
        known = absent.by_name().get(client, 0)
        sent = sum(
            row.messages
            for place in at
            for row in self._by_place.get(place, ())
            if row.client == client and row.verb == "create" and row.state in (KeyState.VALUE, KeyState.EMPTY)
        )
        return max(known, made - sent, 0)


def _longest_pause(days_of: Iterable[tuple[str, date]]) -> int:
    """Find the most days between two days on which the same client was seen, one after the other."""
    by_client: dict[str, list[date]] = defaultdict(list)
    for client, day in days_of:
        by_client[client].append(day)
    pauses = (
        (after - before).days for days in map(sorted, by_client.values()) for before, after in pairwise(days)
    )
    return max(pauses, default=0)


class _Clients:
    """Clients by name and release, with sums."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], tuple[int, date]] = {}

    def add(self, row: CountRow) -> None:
        """Count messages of a client."""
        known, last = self._sums.get((row.client, row.release), (0, row.last))
        self._sums[row.client, row.release] = known + row.messages, max(last, row.last)

    def listed(self) -> tuple[ClientRelease, ...]:
        """List them by name and release."""
        return tuple(ClientRelease(*key, *value) for key, value in sorted(self._sums.items()))

    def by_name(self) -> dict[str, int]:
        """Sum up by name."""
        sums: dict[str, int] = defaultdict(int)
        for (name, _), (count, _day) in self._sums.items():
            sums[name] += count
        return dict(sums)

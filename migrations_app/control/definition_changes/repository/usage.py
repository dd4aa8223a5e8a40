"""What clients were seen to do with a place of a version, from the counts of use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db.models import Max, Sum
from django.utils import timezone

from migrations_app.domain.compatibility.client_usage import ClientRelease, ClientUsage
from migrations_app.domain.compatibility.evidence import DEFAULT_PERIOD_DAYS, Usage
from migrations_app.domain.compatibility.places import FieldOccurrence
from migrations_app.domain.compatibility.usage import KeyState
from migrations_app.models.usage import UsageCount, UsageGap

_THIRTEEN_MONTHS = timedelta(days=396)
_WRITES = ("create", "update")
_MESSAGE = ""


@dataclass(slots=True)
class VersionUsage:
    """The counts of one version of a service in the window, and who was seen in thirteen months."""

    service: str
    version: str
    today: date = field(default_factory=lambda: timezone.now().date())
    _rows: list[tuple[str, str, str, str, str, int, date]] = field(init=False)
    _ever: dict[str, set[str]] = field(init=False)
    _newest: date | None = field(init=False)
    _rate: float = field(init=False)

    def __post_init__(self) -> None:
        since = self.today - timedelta(days=DEFAULT_PERIOD_DAYS - 1)
        counts = UsageCount.objects.filter(service=self.service, version=self.version)
        sums = counts.filter(day__gte=since).values_list("method", "path", "state", "client", "release")
        self._rows = [*sums.annotate(Sum("count"), Max("day")).order_by()]
        ever = counts.filter(day__gte=self.today - _THIRTEEN_MONTHS, path=_MESSAGE)
        self._ever = defaultdict(set)
        for method, client in ever.values_list("method", "client").distinct():
            self._ever[method.partition(".")[0]].add(client)
        self._newest = ever.aggregate(day=Max("day"))["day"]
        missed = UsageGap.objects.filter(day__gte=since).aggregate(sum=Sum("count"))["sum"] or 0
        seen = sum(row[5] for row in self._rows if row[1] == _MESSAGE)
        self._rate = seen / (seen + missed) if seen else 1.0

    def of_places(self, places: Iterable[FieldOccurrence]) -> ClientUsage:
        """Tell what was seen of a field, wherever it stands."""
        at = {(each.resource, each.path) for each in places}
        types = {resource for resource, _ in at}
        senders, absent = _Clients(), _Clients()
        for method, path, state, client, release, count, day in self._rows:
            type_, _, verb = method.partition(".")
            if (type_, path) not in at:
                continue
            if state != KeyState.ABSENT:
                senders.add(client, release, count, day)
            elif verb == "create":
                absent.add(client, release, count, day)
        seen = self.of_types(types)
        messages = sum(each.count for each in seen.callers)
        made = _Clients()
        for method, path, _, client, release, count, day in self._rows:
            if path == _MESSAGE and method.partition(".")[0] in types and method.endswith(".create"):
                made.add(client, release, count, day)
        return ClientUsage(
            self.today,
            senders.listed(),
            seen.readers,
            seen.writers,
            self._usage(types, messages, sum(each.count for each in senders.listed()), seen.callers),
            {
                name: self._usage(types, count, self._left_out(name, count, absent, at), seen.callers)
                for name, count in made.by_name().items()
            },
            self._newest,
        )

    def of_types(self, types: Iterable[str]) -> ClientUsage:
        """Tell who reads and writes resources of some types; without any, of all."""
        wanted = set(types)
        readers, writers = _Clients(), _Clients()
        for method, path, _, client, release, count, day in self._rows:
            type_, _, verb = method.partition(".")
            if path == _MESSAGE and (not wanted or type_ in wanted):
                (writers if verb in _WRITES else readers).add(client, release, count, day)
        usage = self._usage(wanted, 0, 0, ())
        return ClientUsage(self.today, (), readers.listed(), writers.listed(), usage, {}, self._newest)

    def of_method(self, name: str) -> ClientUsage:
        """Tell who calls a custom method."""
        callers = _Clients()
        for method, path, _, client, release, count, day in self._rows:
            if path == _MESSAGE and method.partition(".")[2] == name.rpartition(".")[2]:
                callers.add(client, release, count, day)
        return ClientUsage(self.today, (), callers.listed(), newest=self._newest)

    def _usage(self, types: set[str], messages: int, hits: int, now: Iterable[ClientRelease]) -> Usage:
        ever = {client for type_ in types or self._ever for client in self._ever[type_]}
        current = frozenset(each.name for each in now)
        return Usage(messages, hits, self._rate, DEFAULT_PERIOD_DAYS, current, frozenset(ever))

    def _left_out(self, client: str, made: int, absent: _Clients, at: set[tuple[str, str]]) -> int:
        """Count the creations of a client without the key: a key that is not known yet is only counted when sent."""
        known = absent.by_name().get(client, 0)
        sent = sum(
            row[5]
            for row in self._rows
            if row[3] == client
            and row[0].endswith(".create")
            and (row[0].partition(".")[0], row[1]) in at
            and row[2] not in (KeyState.ABSENT, KeyState.NULL)
        )
        return max(known, made - sent, 0)


class _Clients:
    """Clients by name and release, with sums."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], tuple[int, date]] = {}

    def add(self, name: str, release: str, count: int, day: date) -> None:
        """Count messages of a client."""
        known, last = self._sums.get((name, release), (0, day))
        self._sums[name, release] = known + count, max(last, day)

    def listed(self) -> tuple[ClientRelease, ...]:
        """List them by name and release."""
        return tuple(ClientRelease(*key, *value) for key, value in sorted(self._sums.items()))

    def by_name(self) -> dict[str, int]:
        """Sum up by name."""
        sums: dict[str, int] = defaultdict(int)
        for (name, _), (count, _day) in self._sums.items():
            sums[name] += count
        return dict(sums)

"""How the parts of the system are: the database, the broker, the workers, the sweep, the outbox, quarantined work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import timedelta

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.models import Count, Min, Q
from django.utils import timezone

from migrations_app.adapters.leases.postgres import PostgresLeases
from migrations_app.adapters.probes.postgres import PostgresProbe
from migrations_app.adapters.probes.valkey import broker_probe
from migrations_app.control.audit.ledger_health import ledger_component
from migrations_app.control.health.controller_health import controllers_component
from migrations_app.domain.health import Component
from migrations_app.domain.work_classes import WorkClass
from migrations_app.kernel.messages import NOTHING, Phrase, WordedMessage, catalogued, counted, message
from migrations_app.kernel.wordings import kept_message
from migrations_app.models.hooks import WebhookDelivery
from migrations_app.models.outbox import OutboxEvent
from migrations_app.models.work import Pulse, Work
from migrations_app.ports.locks import ClassBacklog

SILENT = timedelta(seconds=20)
MISSED_TICK = timedelta(minutes=2)
"""Until here a tick is late while workers work: a loaded machine delays it. Beyond, beat is taken to have stopped."""
LATE = timedelta(minutes=5)
LATE_WORK_SECONDS = 30.0
MOST_SKEW = timedelta(seconds=2)
MOST_LAG_MS = 5_000
WORST = {"ok": 0, "unknown": 1, "degraded": 2, "down": 3}


NAMING = ("work", "controllers", "channels")
"""The parts whose words name keys of work and channels."""


def components(data: Callable[[], list[Component]] | None = None) -> list[Component]:
    """Look at every part; one that cannot be looked at is `unknown`, never `ok`.

    `data` tells how the data databases are, in place of a new connection to each.
    """
    first = [_database(), _broker(), *(data or data_databases)()]
    if first[0].status == "down":
        away = message("The database does not answer.")
        names = ("workers", "sweep", "outbox", "stream", "work", "controllers", "channels", "clock", "ledger")
        return [*first, *(Component(name, "unknown", away) for name in names)]
    looks: tuple[tuple[str, Callable[[], Component]], ...] = (
        ("workers", _workers),
        ("sweep", _sweep),
        ("outbox", _outbox),
        ("stream", _stream),
        ("work", _work),
        ("controllers", controllers_component),
        ("channels", _channels),
        ("clock", _clock),
        ("ledger", ledger_component),
        *((("mirror", _mirror),) if settings.SWITCHYARD.meta_url else ()),
    )
    try:
        # One transaction for all: they are asked every few seconds.
        with transaction.atomic():
            return [*first, *[look() for _, look in looks]]
    except DatabaseError:
        return [*first, *(_looked_at(name, look) for name, look in looks)]


def worst(found: list[Component]) -> str:
    """Tell how the whole is: as its worst part."""
    return max((each.status for each in found), key=lambda status: WORST[status], default="unknown")


def _looked_at(name: str, look: Callable[[], Component]) -> Component:
    try:
        return look()
    except DatabaseError as error:
        words = message("It could not be looked at: {error}.", error=type(error).__name__)
        return Component(name, "unknown", words)


def _database() -> Component:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version'), pg_postmaster_start_time()")
            version, started = cursor.fetchone() or ("?", None)
    except DatabaseError:
        return Component(
            "database",
            "down",
            message("PostgreSQL does not answer."),
            remedy=message("Check DATABASE_URL and the server's log; it is found again by itself."),
        )
    return Component("database", "ok", message("PostgreSQL {version} answers.", version=version), started)


def _broker() -> Component:
    state = broker_probe().look()
    if state is None:
        return Component(
            "broker",
            "down",
            message("The broker does not answer; work waits, nothing is lost."),
            remedy=message("Check REDIS_URL and the server's log; the tick finds all work again."),
        )
    words = message("{name} {version} answers.", name=state.name, version=state.version)
    return Component("broker", "ok", words, state.started_at)


def data_databases() -> list[Component]:
    """Look whether each data database takes a new connection."""
    urls = sorted(settings.SWITCHYARD.data_urls.items())
    return [replace(_data_database(alias, url), region=alias) for alias, url in urls]


def _data_database(alias: str, url: str) -> Component:
    name = f"data {alias}"
    state = PostgresProbe(url).look()
    if state is None:
        return Component(
            name,
            "down",
            message("The data database does not answer; its deployments neither read nor write."),
            remedy=message(
                "Look at the server's log and at SWITCHYARD_DATA_URLS; it is found again by itself."
            ),
        )
    if state.is_standby:
        words = message("The server is a standby and takes no writes.")
        return Component(name, "degraded", words, state.started_at)
    words = message("PostgreSQL {version} answers.", version=state.version)
    return Component(name, "ok", words, state.started_at)


def _workers() -> Component:
    rows = list(Pulse.objects.filter(kind="worker"))
    alive = _alive(rows)
    if not alive:
        last = max((row.at for row in rows), default=None)
        return Component(
            "workers",
            "down",
            message("No worker was heard from in 20 s."),
            last,
            message("Start `celery -A celery_worker.app worker`."),
        )
    served = {queue for row in alive for queue in row.details.get("queues", [])}
    lacking = sorted({"sync", "constraints", "switch", "housekeeping", "notifications"} - served)
    if lacking:
        return Component(
            "workers",
            "degraded",
            message(
                "{workers} alive, but none listens to {queues}.",
                workers=len(alive),
                queues=", ".join(lacking),
            ),
            remedy=message("Start a worker of these queues."),
        )
    words = message("{workers} alive.", workers=len(alive))
    return Component("workers", "ok", words, min(row.since for row in alive))


def _alive(workers: Iterable[Pulse]) -> list[Pulse]:
    return [row for row in workers if row.at > timezone.now() - SILENT]


def _sweep() -> Component:
    row = Pulse.objects.filter(name="sweep").first()
    start = message("Start `celery -A celery_worker.app beat`.")
    if row is None:
        never = message("No tick was ever seen: lost wake-ups are not sent again.")
        return Component("sweep", "down", never, None, start)
    age = timezone.now() - row.at
    if age <= SILENT:
        return Component("sweep", "ok", message("Running."), row.since)
    seconds = round(age.total_seconds())
    if age < MISSED_TICK and _alive(Pulse.objects.filter(kind="worker")):
        return Component(
            "sweep",
            "degraded",
            message("The tick is late: the last one was {seconds} s ago.", seconds=seconds)
            + message("Workers go on; lost wake-ups wait for the next tick."),
            row.at,
            message("Wait; if it stays late, start more workers, or stop what uses the processor."),
        )
    words = message("No tick in {seconds} s: wake-ups that were lost are not sent again.", seconds=seconds)
    return Component("sweep", "down", words, row.at, start)


def _mirror() -> Component:
    """Tell how old the picture of the registry is that this installation mirrors."""
    url = settings.SWITCHYARD.meta_url
    row = Pulse.objects.filter(name="mirror").first()
    remedy = message(
        "See whether {url} answers with SWITCHYARD_META_TOKEN, and whether workers take `housekeeping`.",
        url=url,
    )
    if row is None:
        never = message("The registry at {url} was never read whole.", url=url)
        return Component("mirror", "down", never, None, remedy)
    age = timezone.now() - row.at
    seconds = max(0, round(age.total_seconds()))
    words = message("The registry at {url} was read {seconds} s ago.", url=url, seconds=seconds)
    if age > SILENT:
        return Component("mirror", "down", words + message("What is shown of it is as old."), row.at, remedy)
    return Component("mirror", "ok", words, row.since)


def _outbox() -> Component:
    kept = (
        OutboxEvent.objects.order_by("-seq").filter(seq__isnull=False).values_list("seq", flat=True).first()
    )
    waiting = OutboxEvent.objects.filter(seq__isnull=True).count()
    late = OutboxEvent.objects.filter(seq__isnull=True, at__lt=timezone.now() - timedelta(minutes=1)).exists()
    words = message("The newest event is number {seq}.", seq=kept or 0)
    if waiting:
        words += counted(waiting, "{count} event waits to be sent.", "{count} events wait to be sent.")
    else:
        words += message("No event waits to be sent.")
    # No process numbers events without a watcher, so waiting ones alone are no fault.
    return Component("outbox", "ok", words + (message("No connection is open.") if late else NOTHING))


def _stream() -> Component:
    rows = list(Pulse.objects.filter(kind="stream", at__gt=timezone.now() - SILENT))
    watchers = sum(int(row.details.get("watchers", 0)) for row in rows)
    if not watchers:
        return Component("stream", "ok", message("No connection is open."))
    lag = max(int(row.details.get("lag_ms", 0)) for row in rows)
    words = counted(watchers, "{count} connection is open.", "{count} connections are open.") + message(
        "In the last seconds, updates were sent after at most {lag} ms.", lag=lag
    )
    if lag > MOST_LAG_MS:
        return Component(
            "stream",
            "degraded",
            words,
            min(row.since for row in rows),
            message("Look at the load of the control database and of the web processes."),
        )
    return Component("stream", "ok", words, min(row.since for row in rows))


_LATE: Mapping[WorkClass, str] = {
    WorkClass.SWITCH: catalogued("The version switch is {seconds} s late ({due} due)."),
    WorkClass.CATCH_UP: catalogued("Catch-up is {seconds} s late ({due} due)."),
    WorkClass.CONSTRAINT_ANSWERS: catalogued("Answers to reference checks are {seconds} s late ({due} due)."),
    WorkClass.BACKFILL: catalogued("The backfill is {seconds} s late ({due} due)."),
    WorkClass.VERIFICATION: catalogued("Verification is {seconds} s late ({due} due)."),
    WorkClass.READ_COPIES: catalogued("Read copies are {seconds} s late ({due} due)."),
    WorkClass.UPKEEP: catalogued("Upkeep is {seconds} s late ({due} due)."),
}


def _lateness(of: ClassBacklog) -> WordedMessage:
    """Say how late a class of work is, and how many of its tasks are due."""
    values = {"seconds": round(of.late_seconds), "due": of.due}
    return WordedMessage((Phrase(_LATE[of.work_class], values),))


def _work() -> Component:
    quarantined = Work.objects.filter(quarantined_at__isnull=False)
    first = quarantined.order_by("quarantined_at").first()
    if first is not None:
        return Component(
            "work",
            "degraded",
            counted(
                quarantined.count(),
                "{count} task is quarantined:",
                "{count} tasks are quarantined; the first of them:",
            )
            + kept_message(first.quarantined_reason, first.quarantined_reason_phrases),
            first.quarantined_at,
            kept_message(first.quarantined_remedy, first.quarantined_remedy_phrases)
            or message("Look at it, fix the cause, then retry it."),
        )
    late = [each for each in PostgresLeases().backlog() if each.late_seconds >= LATE_WORK_SECONDS]
    if late:
        return Component(
            "work",
            "degraded",
            sum(map(_lateness, late), NOTHING),
            timezone.now() - timedelta(seconds=max(each.late_seconds for each in late)),
            message(
                "There is more work than the workers can do: start more workers, or stop what uses the processor."
            ),
        )
    return Component("work", "ok", message("No work is quarantined or late."))


def _channels() -> Component:
    counts = WebhookDelivery.objects.aggregate(
        late=Count("pk", filter=Q(state="pending", next_at__lt=timezone.now() - LATE)),
        waiting=Count("pk", filter=Q(state="pending")),
        failing=Count("pk", filter=Q(state="pending", attempts__gt=0)),
        first=Min("next_at", filter=Q(state="pending")),
    )
    words = message("No message waits to be sent.")
    if counts["waiting"]:
        words = counted(
            counts["waiting"], "{count} message waits to be sent.", "{count} messages wait to be sent."
        )
    if counts["failing"]:
        words += counted(counts["failing"], "{count} was refused before.", "{count} were refused before.")
    if counts["late"]:
        return Component(
            "channels",
            "degraded",
            words
            + counted(
                counts["late"],
                "{count} is more than {minutes} minutes late.",
                "{count} are more than {minutes} minutes late.",
                minutes=LATE.seconds // 60,
            ),
            counts["first"],
            message(
                "Look whether a worker listens to the queue notifications, and at the log under Notifications."
            ),
        )
    return Component("channels", "ok", words)


def _clock() -> Component:
    with connection.cursor() as cursor:
        before = timezone.now()
        cursor.execute("SELECT clock_timestamp()")
        (theirs,) = cursor.fetchone() or (before,)
        after = timezone.now()
    # Whatever the question itself took cannot be told from a difference.
    skew = max(before - theirs, theirs - after, timedelta(0)).total_seconds()
    if skew > MOST_SKEW.total_seconds():
        return Component(
            "clock",
            "degraded",
            message(
                "The clocks of the database and of this server differ by {seconds} s.", seconds=f"{skew:.1f}"
            ),
            remedy=message(
                "Let both follow the same time servers; leases and windows go by the database's clock."
            ),
        )
    seconds = f"{max(skew, 0.1):.1f}"
    words = message("The database's clock and this server's agree within {seconds} s.", seconds=seconds)
    return Component("clock", "ok", words)

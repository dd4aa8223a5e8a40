"""The namespaces of all deployments, from the registry and the upgrades."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import islice

from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Q, When
from django.utils import timezone

from migrations_app.domain.switch.states import State
from migrations_app.models import registry as rows
from migrations_app.models.sync import DroppedPlace, PreparedNamespace
from migrations_app.models.upgrades import LIVE_STATES, Upgrade
from migrations_app.ports.namespaces import Namespace
from migrations_app.ports.upgrades import UpgradeKind

MOVING_KINDS = (UpgradeKind.LOCATION.value, UpgradeKind.SHARDS.value)
"""What serves the same version from another place."""

KEPT = timedelta(hours=24)
AT_ONCE = 20


class DjangoPlaces:
    """`ports.places.Places` over the control database."""

    def __init__(self, kept: timedelta = KEPT) -> None:
        self._kept = kept

    def in_use(self) -> Sequence[Namespace]:
        places = _registered()
        return [*places, *_beside(places)]

    def in_use_at(self, database: str, schema: str) -> Sequence[Namespace]:
        """List what one schema of a database holds that deployments or upgrades use; cheap where there are many others."""
        places = _registered(database=database, schema=schema)
        return places or [each for each in _beside(()) if (each.database, each.schema) == (database, schema)]

    def left_over(self) -> Sequence[Namespace]:
        """List some of the places that ended upgrades left.

        The database leaves out what was dropped: an installation has ended upgrades by the thousand, and almost all of
        their places are gone.
        """
        ended = Upgrade.objects.filter(finished_at__lt=timezone.now() - self._kept).annotate(
            left_database=_left_column("database"), left_schema=_left_column("schema")
        )
        gone = DroppedPlace.objects.filter(database=OuterRef("left_database"), schema=OuterRef("left_schema"))
        undropped = ended.filter(~Exists(gone), left_schema__isnull=False).order_by("finished_at")
        needed = self._needed()
        left = (_left(row) for row in undropped)
        return list(islice((each for each in left if (each.database, each.schema) not in needed), AT_ONCE))

    def dropped(self, namespace: Namespace) -> None:
        with transaction.atomic():
            DroppedPlace.objects.get_or_create(database=namespace.database, schema=namespace.schema)
            place = {"database": namespace.database, "schema": namespace.schema}
            rows.Namespace.objects.filter(**place).delete()
            PreparedNamespace.objects.filter(**place).delete()

    def is_prepared(self, namespace: Namespace) -> bool:
        return PreparedNamespace.objects.filter(database=namespace.database, schema=namespace.schema).exists()

    def note_prepared(self, *namespaces: Namespace) -> None:
        for each in namespaces:
            PreparedNamespace.objects.get_or_create(database=each.database, schema=each.schema)

    def _needed(self) -> set[tuple[str, str]]:
        """What upgrades under way use, and what every deployment serves now."""
        live = Upgrade.objects.filter(state__in=LIVE_STATES)
        sources = live.values_list("source_database", "source_schema")
        targets = live.values_list("target_database", "target_schema")
        served = [
            (row.database, row.schema)
            for row in rows.Namespace.objects.select_related("deployment")
            if row.version == row.deployment.current_version
        ]
        return {*sources, *targets, *served}


def _registered(**where: str) -> list[Namespace]:
    """List the namespaces of the registry; by columns, because there are some for each deployment of the fleet."""
    columns = (
        "deployment_id",
        "version",
        "database",
        "schema",
        "shard_count",
        "deployment__ring",
        "numbering",
    )
    known = rows.Namespace.objects.filter(disabled=False, **where).values_list(*columns)
    return [
        Namespace(deployment, version, database, schema, count or shard_count, numbering)
        for deployment, version, database, schema, count, shard_count, numbering in known
    ]


def _beside(known: Sequence[Namespace]) -> list[Namespace]:
    """List the places of one version that upgrades under way use and the registry does not show."""
    live = Upgrade.objects.filter(kind__in=MOVING_KINDS, state__in=LIVE_STATES, started_at__isnull=False)
    shown = {(place.database, place.schema) for place in known}
    ends = [place for row in live for place in ends_of(row)]
    return [place for place in ends if (place.database, place.schema) not in shown]


def moving_places(deployment: str) -> Sequence[Namespace]:
    """List both ends of an upgrade of a deployment to other places of one version: one of them the registry does not show."""
    live = Upgrade.objects.filter(deployment=deployment, kind__in=MOVING_KINDS, state__in=LIVE_STATES)
    return [place for row in live for place in ends_of(row)]


def is_filled(deployment: str) -> bool:
    """Tell whether an upgrade under way copies into a place of a deployment, or may."""
    return Upgrade.objects.filter(deployment=deployment, state__in=LIVE_STATES).exists()


def namespace_of(row: rows.Namespace, shard_count: int) -> Namespace:
    """Give the place that a row is of; `shard_count` is that of its deployment."""
    count = row.shard_count or shard_count
    return Namespace(row.deployment_id, row.version, row.database, row.schema, count, row.numbering)


def ends_of(row: Upgrade) -> tuple[Namespace, Namespace]:
    """Give both places of an upgrade, the one that it leaves and the one that it fills."""
    count = row.target_shard_count or row.ring
    source = (row.source_database, row.source_schema, row.ring, row.source_numbering)
    target = (row.target_database, row.target_schema, count, row.target_numbering)
    return (
        Namespace(row.deployment, row.from_version, *source),
        Namespace(row.deployment, row.to_version, *target),
    )


LEFT_SOURCE = Q(state=State.COMPLETED.value)
LEFT_TARGET = Q(state__in=[State.ABORTED.value, State.REVERTED.value], started_at__isnull=False)
"""Which of an ended upgrade's two places no process serves any more."""


def _left_column(column: str) -> Case:
    return Case(When(LEFT_SOURCE, then=f"source_{column}"), When(LEFT_TARGET, then=f"target_{column}"))


def _left(row: Upgrade) -> Namespace:
    source, target = ends_of(row)
    return source if row.state == State.COMPLETED.value else target

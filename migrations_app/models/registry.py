"""Rows of the registry: regions, services and what they import, deployments, resource types, and their changes."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat


class Registered(models.Model):
    """What every row of the registry carries; `details` holds the fields no query or constraint speaks of."""

    uid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    revision = models.BigIntegerField(default=0)
    details = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    origin_version = models.CharField(
        max_length=1024,
        blank=True,
        default="",
        db_default="",
        help_text="The resourceVersion in the registry that is mirrored; empty where this is the registry.",
    )

    class Meta:
        abstract = True


class Region(Registered):
    """A place where services can be deployed."""

    id = models.CharField(primary_key=True, max_length=30, db_collation="C")
    title = models.CharField(max_length=1024, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(id__regex=r"^[a-z][a-z0-9\-]{0,28}[a-z0-9]$"), name="region_id"
            ),
        ]


class Service(Registered):
    """A service, with the definition its resource types are compiled from."""

    id = models.CharField(primary_key=True, max_length=30, db_collation="C")
    display_name = models.CharField(max_length=1024, blank=True)
    versions = models.JSONField(default=list, blank=True, help_text="Newest first.")
    leading = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="followers")
    automatic_version_switch = models.BooleanField(default=False)
    generation = models.BigIntegerField(default=0)
    policy = models.JSONField(default=dict, blank=True)
    definition = models.ForeignKey(
        "ServiceDefinition", models.PROTECT, null=True, blank=True, related_name="current_of"
    )
    unknown_keys = models.CharField(
        max_length=10,
        blank=True,
        default="",
        help_text="Where the definition says nothing; empty leaves it to the sources.",
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(id__regex=r"^[a-z][a-z0-9\-.]{0,28}[a-z0-9]$"), name="service_id"
            ),
            models.CheckConstraint(condition=Q(generation__gte=0), name="service_generation"),
            models.CheckConstraint(
                condition=Q(leading=None) | ~Q(leading=F("id")), name="service_led_by_another"
            ),
        ]


class ServiceDefinition(models.Model):
    """The files of a service folder as they were applied; never altered, told apart by their fingerprint."""

    service = models.CharField(max_length=30, db_collation="C")
    fingerprint = models.CharField(max_length=64)
    files = models.JSONField(help_text="Path to content, base64.")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "fingerprint"], name="definition_once"),
            models.CheckConstraint(
                condition=~Q(service="") & ~Q(fingerprint=""), name="definition_identified"
            ),
        ]


class ServiceVersion(models.Model):
    """One API version of a service."""

    service = models.ForeignKey(Service, models.CASCADE, related_name="version_rows")
    version = models.CharField(max_length=32)
    stage = models.CharField(max_length=16, blank=True)
    ordinal = models.IntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["service", "-ordinal"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "version"], name="service_version_once"),
            models.CheckConstraint(
                condition=Q(
                    version__regex=r"^v([1-9][0-9]{3}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])|[1-9][0-9]{0,5})"
                    r"((alpha|beta|preview)([1-9][0-9]{0,5})?)?$"
                ),
                name="service_version_pattern",
            ),
            models.CheckConstraint(condition=Q(ordinal__gte=0), name="service_version_ordinal"),
        ]


class Import(models.Model):
    """A service that stands on another; `versions` maps each of its versions to the other's it uses."""

    IMPORTS, USES = "imports", "uses"

    service = models.ForeignKey(Service, models.CASCADE, related_name="imports")
    target = models.ForeignKey(Service, models.PROTECT, related_name="importers")
    kind = models.CharField(max_length=8, choices=[(IMPORTS, IMPORTS), (USES, USES)])
    versions = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["service", "kind", "target"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "target", "kind"], name="import_once"),
            models.CheckConstraint(condition=~Q(service=F("target")), name="import_of_another"),
            models.CheckConstraint(condition=Q(kind__in=["imports", "uses"]), name="import_kind"),
        ]


class Deployment(Registered):
    """A service in one region. `current_version` is a copy of the fence's, newer only by `fence_epoch`."""

    name = models.CharField(primary_key=True, max_length=100, db_collation="C")
    service = models.ForeignKey(Service, models.PROTECT, related_name="deployments")
    region = models.ForeignKey(Region, models.PROTECT, related_name="deployments")
    current_version = models.CharField(max_length=32, blank=True)
    is_disabled = models.BooleanField(default=False)
    automatic_version_switch = models.BooleanField(default=False)
    generation = models.BigIntegerField(default=0)
    db_data_version = models.CharField(max_length=64, blank=True)
    db_location_tag = models.CharField(max_length=128, blank=True)
    ring = models.PositiveIntegerField(default=16)
    database = models.CharField(
        max_length=64, blank=True, help_text="Alias of the data database; empty when its data is elsewhere."
    )
    fence_epoch = models.BigIntegerField(default=0)
    available_upgrade = models.JSONField(null=True, blank=True)
    upgrade_target = models.CharField(max_length=32, blank=True)
    upgrade_stage = models.CharField(max_length=16, blank=True)
    upgrade_ring = models.PositiveIntegerField(default=0)
    upgrade_ready = models.JSONField(default=list, blank=True, help_text="Numbers of the ready shards.")
    upgrade_data_version = models.CharField(max_length=64, blank=True)
    upgrade_location_tag = models.CharField(max_length=128, blank=True)
    data_updates = models.JSONField(default=list, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "region"], name="deployment_once"),
            models.CheckConstraint(
                condition=Q(
                    name=Concat(Value("services/"), "service_id", Value("/deployments/"), "region_id")
                ),
                name="deployment_id_is_region",
            ),
            models.CheckConstraint(
                condition=Q(upgrade_stage="", upgrade_ring=0)
                | Q(upgrade_stage__in=["READY", "INITIAL_SYNCING", "SWITCHING"]),
                name="deployment_upgrade_stage",
            ),
            models.CheckConstraint(
                condition=Q(is_disabled=False) | Q(upgrade_stage=""), name="deployment_disabled_idle"
            ),
            models.CheckConstraint(condition=Q(ring__gte=1, ring__lte=4096), name="deployment_ring"),
            models.CheckConstraint(
                condition=Q(upgrade_stage="", upgrade_target="", upgrade_ring=0)
                | (~Q(upgrade_stage="") & Q(upgrade_ring__gte=1, upgrade_ring__lte=4096)),
                name="deployment_upgrade_whole",
            ),
            models.CheckConstraint(
                condition=Q(generation__gte=0, fence_epoch__gte=0), name="deployment_counters"
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["region", "name"], name="deployment_by_region"),
            models.Index(fields=["current_version", "name"], name="deployment_by_version"),
        ]


class Namespace(models.Model):
    """Where a deployment keeps one version's data: a schema of a data database.

    The row outlives the registration of its deployment as the data does: who registers it again finds them.
    """

    deployment = models.ForeignKey(
        Deployment, models.DO_NOTHING, db_constraint=False, related_name="namespaces"
    )
    version = models.CharField(max_length=32)
    database = models.CharField(max_length=64)
    schema = models.CharField(max_length=63)
    disabled = models.BooleanField(default=False)
    shard_count = models.PositiveSmallIntegerField(
        null=True, help_text="Null where it is that of the deployment."
    )
    numbering = models.CharField(
        max_length=16,
        blank=True,
        default="",
        db_default="",
        help_text="Names the fence where it has one of its own.",
    )
    created_at = models.DateTimeField()

    class Meta:
        # By the column: ordering by the relation joins the registration, which may be gone.
        ordering: ClassVar[list[str]] = ["deployment_id", "version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["deployment", "version", "database"], name="namespace_once"),
            models.UniqueConstraint(fields=["database", "schema"], name="namespace_place"),
            models.CheckConstraint(
                condition=~Q(version="") & ~Q(database="") & ~Q(schema=""), name="namespace_whole"
            ),
        ]


RESHARDED = "RESHARDED"
"""The stage of the one row that is left of a ring which gave way to another while an upgrade ran."""


class ShardState(models.Model):
    """How far one shard of a deployment's data is, as it reported last in its newest upgrade.

    The lease is that of the worker on it: none, or a holder until a time under an epoch that only grows.
    """

    deployment = models.ForeignKey(Deployment, models.CASCADE, related_name="shard_states")
    ring = models.PositiveIntegerField()
    shard = models.PositiveIntegerField()
    upgrade = models.CharField(max_length=64, blank=True)
    state = models.CharField(max_length=16, default="pending")
    stage = models.CharField(max_length=32, blank=True)
    copied = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    applied = models.BigIntegerField(default=0)
    failed = models.BigIntegerField(default=0)
    position = models.TextField(blank=True)
    lag_seconds = models.FloatField(null=True)
    rate_per_second = models.FloatField(default=0)
    error = models.TextField(blank=True)
    throttled = models.TextField(blank=True)
    lease_holder = models.CharField(max_length=200, blank=True)
    lease_epoch = models.BigIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    reported_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["deployment", "ring", "shard"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["deployment", "ring", "shard"], name="shard_state_once"),
            models.CheckConstraint(condition=Q(shard__lt=F("ring")), name="shard_state_in_ring"),
            models.CheckConstraint(condition=Q(ring__gte=1, ring__lte=4096), name="shard_state_ring"),
            models.CheckConstraint(
                condition=Q(lag_seconds=None) | Q(lag_seconds__gte=0), name="shard_state_lag"
            ),
            models.CheckConstraint(condition=Q(rate_per_second__gte=0), name="shard_state_rate"),
            models.CheckConstraint(
                condition=Q(lease_epoch__gte=0)
                & (Q(lease_holder="", leased_until=None) | (~Q(lease_holder="") & ~Q(leased_until=None))),
                name="shard_state_lease",
            ),
            models.CheckConstraint(
                condition=Q(copied__gte=0, total__gte=0, applied__gte=0, failed__gte=0),
                name="shard_state_counts",
            ),
            models.CheckConstraint(
                condition=Q(
                    state__in=[
                        "pending",
                        "syncing",
                        "ready",
                        "switching",
                        "switched",
                        "regressed",
                        "failed",
                        "unknown",
                    ]
                ),
                name="shard_state_known",
            ),
        ]


class ResourceType(Registered):
    """A resource type of a service, as the registry lists it."""

    name = models.CharField(primary_key=True, max_length=110, db_collation="C")
    service = models.ForeignKey(Service, models.CASCADE, related_name="resource_types")
    type = models.CharField(max_length=63)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["service", "type"], name="resource_type_once"),
            models.CheckConstraint(
                condition=Q(name=Concat(Value("services/"), "service_id", Value("/resources/"), "type")),
                name="resource_type_named",
            ),
            models.CheckConstraint(
                condition=Q(type__regex=r"^[A-Z][A-Za-z0-9]{0,62}$"), name="resource_type_pattern"
            ),
        ]


class RegistryChange(models.Model):
    """One change of the registry as watchers see it; numbered under the head's lock, so in order of commit."""

    seq = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()
    kind = models.CharField(max_length=16)
    name = models.CharField(max_length=110, db_collation="C")
    service = models.CharField(max_length=30, blank=True, db_collation="C")
    document = models.JSONField(
        null=True, help_text="The message after the change; null when it was removed."
    )

    class Meta:
        ordering: ClassVar[list[str]] = ["seq"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["at"], name="registry_change_at")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(seq__gte=1, kind__in=["regions", "services", "deployments", "resources"]),
                name="registry_change_of_a_kind",
            ),
        ]


class RegistryHead(models.Model):
    """The one row that lets writers in one at a time, and knows the newest and the newest pruned change."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    seq = models.BigIntegerField(default=0)
    pruned = models.BigIntegerField(default=0)
    settled = models.BigIntegerField(default=0, help_text="The change up to which services info follows.")
    graph = models.CharField(
        max_length=64, blank=True, help_text="Digest of what services info follows from."
    )
    started = models.UUIDField(
        default=uuid.uuid4, help_text="Told in resume tokens: another registry, another past."
    )

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(id=1), name="registry_head_one"),
            models.CheckConstraint(
                condition=Q(pruned__gte=0, pruned__lte=F("seq"), settled__lte=F("seq")),
                name="registry_head_order",
            ),
        ]

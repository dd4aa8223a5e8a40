"""Tables, columns and stored values get the words of the glossary."""

from typing import Any

from django.db import migrations, models

CHECKS = {
    "shards-level": "shards-caught-up",
    "parked": "quarantined",
    "way-back": "reverse-replication",
    "price": "downgrade-loss",
}
KINDS = {
    "UpgradeTimelineEntry": {"level": "caught-up", "thaw": "writes-resumed", "doubt": "outcome-unknown"},
    "UpgradeBlockage": {"broker-away": "broker-unavailable"},
}
EVENTS = {
    "upgrade.level": "upgrade.caught-up",
    "upgrade.thaw": "upgrade.writes-resumed",
    "upgrade.doubt": "upgrade.outcome-unknown",
}
POLICY_FIELDS = {"without_way_back": "without_rollback"}
NAMED = {
    ("Upgrade", "checks"): CHECKS,
    ("Upgrade", "waived"): CHECKS,
    ("ApprovalRequest", "evidence"): CHECKS,
    ("ApprovalRequest", "policy"): POLICY_FIELDS,
    ("Eviction", "policy"): POLICY_FIELDS,
    ("ApprovalPolicy", "about"): POLICY_FIELDS,
    ("Webhook", "events"): EVENTS,
}
"""The columns of JSON in which names of checks, of fields of a policy, or of events are stored."""


def replaced(value: Any, words: dict[str, str]) -> Any:
    """Replace the names of fields, and the names of checks: elements of a list, or the value of `check`."""
    if isinstance(value, dict):
        return {
            words.get(key, key): words.get(inner, inner)
            if key == "check" and isinstance(inner, str)
            else replaced(inner, words)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [
            words.get(inner, inner) if isinstance(inner, str) else replaced(inner, words) for inner in value
        ]
    return value


def rename(apps: Any, table: dict[tuple[str, str], dict[str, str]], kinds: dict[str, dict[str, str]]) -> None:
    """Write the new words into all rows that hold old ones."""
    for model, words in kinds.items():
        for old, new in words.items():
            apps.get_model("switchyard", model).objects.filter(kind=old).update(kind=new)
    for (model, column), words in table.items():
        rows = apps.get_model("switchyard", model).objects
        for key, before in rows.values_list("pk", column).iterator():
            if (after := replaced(before, words)) != before:
                rows.filter(pk=key).update(**{column: after})


def forward(apps: Any, schema_editor: Any) -> None:
    """Write the words of the glossary."""
    rename(apps, NAMED, KINDS)
    apps.get_model("switchyard", "QuarantineEntry").objects.filter(state="parked").update(state="quarantined")


def backward(apps: Any, schema_editor: Any) -> None:
    """Write the words as they were."""
    rename(
        apps,
        {place: _inverse(words) for place, words in NAMED.items()},
        {model: _inverse(words) for model, words in KINDS.items()},
    )
    apps.get_model("switchyard", "QuarantineEntry").objects.filter(state="quarantined").update(state="parked")


def _inverse(words: dict[str, str]) -> dict[str, str]:
    return {new: old for old, new in words.items()}


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0059_declared_sets"),
    ]

    # Old values are replaced before the constraint that names the new ones is there.
    operations = [
        migrations.RenameModel("UpgradeMove", "RecordedTransition"),
        migrations.RenameModel("UpgradeLine", "UpgradeTimelineEntry"),
        migrations.RenameModel("UpgradeShardTurn", "RecordedShardTransition"),
        migrations.RenameModel("ParkedResource", "QuarantineEntry"),
        migrations.RemoveConstraint("quarantineentry", "sync_parked_key"),
        migrations.RemoveConstraint("quarantineentry", "sync_parked_state"),
        migrations.AlterField(
            "quarantineentry", "state", models.CharField(default="quarantined", max_length=16)
        ),
        migrations.RunPython(forward, backward),
        migrations.RemoveIndex("work", "work_next"),
        migrations.RemoveIndex("work", "work_parked"),
        migrations.AddConstraint(
            "quarantineentry",
            models.UniqueConstraint(
                fields=("upgrade", "direction", "shard", "type", "name"), name="sync_quarantined_key"
            ),
        ),
        migrations.AddConstraint(
            "quarantineentry",
            models.CheckConstraint(
                condition=models.Q(state__in=["quarantined", "retry", "waived", "hidden"]),
                name="sync_quarantined_state",
            ),
        ),
        migrations.RenameField("syncprice", "found", "losses"),
        migrations.RenameField("syncdifference", "found", "actual"),
        migrations.RenameModel("SyncPrice", "DowngradeLossProgress"),
        migrations.RenameModel("SyncBrought", "TombstoneProgress"),
        migrations.RenameField("work", "told", "memo"),
        migrations.RenameField("work", "parked_at", "quarantined_at"),
        migrations.RenameField("work", "parked_code", "quarantined_code"),
        migrations.RenameField("work", "parked_reason", "quarantined_reason"),
        migrations.RenameField("work", "parked_remedy", "quarantined_remedy"),
        migrations.AddIndex(
            "work",
            models.Index(
                fields=["work_class", "due_at"],
                name="work_next",
                condition=models.Q(due_at__isnull=False, quarantined_at__isnull=True),
            ),
        ),
        migrations.AddIndex(
            "work",
            models.Index(
                fields=["quarantined_at"],
                name="work_quarantined",
                condition=models.Q(quarantined_at__isnull=False),
            ),
        ),
    ]

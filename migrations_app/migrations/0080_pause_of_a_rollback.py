"""The pause of writes of a rollback has a column of its own; until now it was written over that of the switch."""

from typing import Any

from django.db import migrations, models


def separate(apps: Any, _: Any) -> None:
    """Give upgrades that were rolled back both pauses, from the lines of their timelines that tell of them."""
    lines = apps.get_model("switchyard", "UpgradeTimelineEntry").objects
    upgrades = apps.get_model("switchyard", "Upgrade").objects
    for key in upgrades.filter(state="REVERTED", freeze_ms__isnull=False).values_list("pk", flat=True):
        flips = lines.filter(upgrade_id=key, kind="flip").order_by("id")
        pauses = [details.get("freeze_ms") for details in flips.values_list("details", flat=True)]
        if len(pauses) > 1:
            upgrades.filter(pk=key).update(freeze_ms=pauses[0], rollback_freeze_ms=pauses[-1])


class Migration(migrations.Migration):
    beside_old_processes = (
        "Only rows of upgrades that have ended are written. A process of the version before that rolls an upgrade back meanwhile "
        "writes the pause of the rollback over that of the switch, as it did until now."
    )
    dependencies = [
        ("switchyard", "0079_scans_both_ways"),
    ]

    operations = [
        migrations.AddField(
            model_name="upgrade",
            name="rollback_freeze_ms",
            field=models.FloatField(null=True),
        ),
        migrations.RunPython(separate, migrations.RunPython.noop),
    ]

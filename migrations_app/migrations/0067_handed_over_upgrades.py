"""Upgrades that go on elsewhere have a state of their own, and rows of a mirrored registry its own revisions."""

from __future__ import annotations

from django.db import migrations, models

STATES = [
    "PLANNED",
    "SYNCING",
    "READY",
    "SWITCHING",
    "REVERSIBLE",
    "COMPLETED",
    "ABORTED",
    "REVERTING",
    "REVERTED",
    "HALTED",
]
# A column that a trigger looks at cannot be widened.
DROP_TRIGGER = "DROP TRIGGER work_notify_changed ON switchyard_upgrade"
CREATE_TRIGGER = """
CREATE TRIGGER work_notify_changed AFTER UPDATE ON switchyard_upgrade FOR EACH ROW
WHEN ((OLD.state, OLD.paused, OLD.request, OLD.downgrade_sync)
  IS DISTINCT FROM (NEW.state, NEW.paused, NEW.request, NEW.downgrade_sync))
EXECUTE FUNCTION switchyard_work_notify('switch,sync,parity');
"""
# They were ended as aborted, which is the opposite of what became of them.
HANDED_OVER = """
UPDATE switchyard_upgrade u SET state = 'HANDED_OVER'
 WHERE state = 'ABORTED'
   AND EXISTS (SELECT FROM switchyard_upgradetimelineentry l WHERE l.upgrade_id = u.id AND l.kind = 'handed-over');
UPDATE switchyard_recordedtransition m SET state = 'HANDED_OVER', letter = 'T'
  FROM switchyard_upgrade u
 WHERE m.upgrade_id = u.id AND u.state = 'HANDED_OVER' AND m.state = 'ABORTED';
"""
ABORTED = """
UPDATE switchyard_upgrade SET state = 'ABORTED' WHERE state = 'HANDED_OVER';
UPDATE switchyard_recordedtransition SET state = 'ABORTED', letter = 'B' WHERE state = 'HANDED_OVER';
"""


class Migration(migrations.Migration):
    dependencies = [("switchyard", "0066_evidence_of_votes")]

    operations = [
        migrations.RunSQL(DROP_TRIGGER, CREATE_TRIGGER),
        migrations.RemoveConstraint(model_name="upgrade", name="upgrade_state"),
        migrations.AlterField("upgrade", "state", models.CharField(default="PLANNED", max_length=16)),
        migrations.AlterField("recordedtransition", "state", models.CharField(max_length=16)),
        migrations.AddField(
            "upgrade",
            "handed_over_to",
            models.CharField(blank=True, db_default="", default="", max_length=2048),
        ),
        migrations.RunSQL(CREATE_TRIGGER, DROP_TRIGGER),
        migrations.RunSQL(HANDED_OVER, ABORTED),
        migrations.AddConstraint(
            model_name="upgrade",
            constraint=models.CheckConstraint(
                condition=models.Q(state__in=[*STATES, "HANDED_OVER"]), name="upgrade_state"
            ),
        ),
        *(
            migrations.AddField(
                model,
                "origin_version",
                models.CharField(
                    blank=True,
                    db_default="",
                    default="",
                    help_text="The resourceVersion in the registry that is mirrored; empty where this is the registry.",
                    max_length=1024,
                ),
            )
            for model in ("region", "service", "deployment", "resourcetype")
        ),
    ]

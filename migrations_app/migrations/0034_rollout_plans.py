"""Each deployment of a rollout is bound to the plan it was planned with."""

from django.db import migrations, models


def bind(apps, schema_editor):
    """What is there is bound to the plans it has."""
    item = apps.get_model("switchyard", "RolloutItem")
    upgrade = apps.get_model("switchyard", "Upgrade")
    plan = upgrade.objects.filter(pk=models.OuterRef("upgrade_id")).values("plan_digest")[:1]
    item.objects.update(plan_digest=models.Subquery(plan))


class Migration(migrations.Migration):
    dependencies = [("switchyard", "0037_operation_requests")]

    operations = [
        migrations.AddField(
            model_name="rolloutitem",
            name="plan_digest",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="The plan that the rollout is bound to; another one is not begun.",
                max_length=64,
            ),
        ),
        migrations.RunPython(bind, migrations.RunPython.noop, elidable=True),
    ]

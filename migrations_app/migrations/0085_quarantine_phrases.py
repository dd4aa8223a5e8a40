from django.db import migrations, models


def phrases() -> models.JSONField:
    return models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list)


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0084_rollout_phrases"),
    ]

    operations = [
        migrations.AddField(model_name="work", name="quarantined_reason_phrases", field=phrases()),
        migrations.AddField(model_name="work", name="quarantined_remedy_phrases", field=phrases()),
    ]

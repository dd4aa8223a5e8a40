from django.db import migrations, models


def reason_phrases() -> models.JSONField:
    return models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list)


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0083_ledger_phrases"),
    ]

    operations = [
        migrations.AddField(model_name="rollout", name="reason_phrases", field=reason_phrases()),
        migrations.AddField(model_name="rolloutitem", name="reason_phrases", field=reason_phrases()),
        migrations.AddField(model_name="definitionrollout", name="reason_phrases", field=reason_phrases()),
    ]

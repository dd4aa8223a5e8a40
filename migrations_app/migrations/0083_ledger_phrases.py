from django.db import migrations, models


class Migration(migrations.Migration):
    """The phrases of a reason stand beside what the digest of an entry covers, so that every seal stays as it is."""

    dependencies = [
        ("switchyard", "0082_watch_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="ledgerentry",
            name="reason_phrases",
            field=models.JSONField(
                blank=True,
                db_default=models.Value([], models.JSONField()),
                default=list,
                help_text="The reason in phrases; the digest covers its English text alone.",
            ),
        ),
    ]

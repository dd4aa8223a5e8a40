from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0081_void_phrases"),
    ]

    operations = [
        migrations.AddField(
            model_name="deletionwatch",
            name="phrases",
            field=models.JSONField(
                blank=True,
                db_default=models.Value([], models.JSONField()),
                default=list,
                help_text="The sentence in phrases.",
            ),
        ),
    ]

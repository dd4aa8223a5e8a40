from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0074_definition_rollouts"),
    ]

    operations = [
        migrations.AddField(
            model_name="namespace",
            name="numbering",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Names the fence where it has one of its own.",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="upgrade",
            name="source_numbering",
            field=models.CharField(blank=True, db_default="", default="", max_length=16),
        ),
        migrations.AddField(
            model_name="upgrade",
            name="target_numbering",
            field=models.CharField(blank=True, db_default="", default="", max_length=16),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0089_sample_write_latency"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalrequest",
            name="closed_phrases",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]

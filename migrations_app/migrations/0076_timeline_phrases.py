from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0075_numberings"),
    ]

    operations = [
        migrations.AddField(
            model_name="upgradetimelineentry",
            name="phrases",
            field=models.JSONField(db_default=models.Value([], models.JSONField()), default=list),
        ),
    ]

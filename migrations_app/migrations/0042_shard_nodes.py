from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0041_what_policies_are_about"),
    ]

    operations = [
        migrations.AddField(
            model_name="upgradeshard",
            name="node",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
    ]

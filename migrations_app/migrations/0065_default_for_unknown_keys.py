from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0064_brown_outs"),
    ]

    operations = [
        migrations.AddField(
            model_name="service",
            name="unknown_keys",
            field=models.CharField(
                blank=True,
                default="",
                help_text="Where the definition says nothing; empty leaves it to the sources.",
                max_length=10,
            ),
        ),
    ]

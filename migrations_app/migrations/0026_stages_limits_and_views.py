from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0030_made_roles"),
    ]

    operations = [
        migrations.AddField(
            model_name="approvalpolicy",
            name="free_seconds",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="approvalpolicy",
            name="then",
            field=models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list),
        ),
        migrations.AddField(
            model_name="approvalrequest",
            name="bound",
            field=models.JSONField(blank=True, db_default=models.Value({}, models.JSONField()), default=dict),
        ),
        migrations.AddField(
            model_name="savedview",
            name="everybody",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="The page opens with it for all who chose none of their own.",
            ),
        ),
        migrations.AddField(
            model_name="upgrade",
            name="copy_limit",
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                condition=models.Q(("everybody", True)), fields=("page",), name="view_one_for_everybody"
            ),
        ),
    ]

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from migrations_app.control.notifications.signing_secrets import seal_secret, unseal_secret


def seal_secrets(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    for row in apps.get_model("switchyard", "Webhook").objects.exclude(secret=""):
        row.sealed_secret = seal_secret(row.id, row.secret)
        row.sealed_former_secret = seal_secret(row.id, row.former_secret) if row.former_secret else ""
        row.save(update_fields=["sealed_secret", "sealed_former_secret"])


def open_secrets(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Write the secrets back; one that cannot be read stops it, as its channel could not sign any more.

    Raises: RuntimeError.
    """
    for row in apps.get_model("switchyard", "Webhook").objects.exclude(sealed_secret=""):
        opened = {
            name: unseal_secret(row.id, sealed)
            for name, sealed in (("secret", row.sealed_secret), ("former_secret", row.sealed_former_secret))
            if sealed
        }
        if None in opened.values():
            raise RuntimeError(
                f"The secret of the channel {row.name} was stored under another SWITCHYARD_SECRET_KEY. "
                "Rotate it, and migrate again."
            )
        for name, secret in opened.items():
            setattr(row, name, secret)
        row.save(update_fields=list(opened))


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0052_account_names_in_any_case"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="sealed_secret",
            field=models.TextField(
                blank=True, default="", help_text="What messages are signed with, encrypted."
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="sealed_former_secret",
            field=models.TextField(blank=True, default="", help_text="The secret before, encrypted."),
        ),
        migrations.AlterField(
            model_name="webhook", name="secret", field=models.CharField(default="", max_length=100)
        ),
        migrations.AlterField(
            model_name="webhook", name="former_secret", field=models.CharField(default="", max_length=100)
        ),
        migrations.RunPython(seal_secrets, open_secrets),
        migrations.RemoveField(model_name="webhook", name="secret"),
        migrations.RemoveField(model_name="webhook", name="former_secret"),
    ]

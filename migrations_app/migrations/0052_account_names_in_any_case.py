import django.db.models.functions.text
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Lower


def refuse_twins(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Name the accounts that differ by the case of letters alone: nobody but people can tell who keeps the name.

    Raises: RuntimeError.
    """
    names: dict[str, list[str]] = {}
    rows = apps.get_model("switchyard", "Account").objects.annotate(small=Lower("username"))
    for small, name in rows.values_list("small", "username").order_by("username"):
        names.setdefault(small, []).append(name)
    twins = [" and ".join(same) for same in names.values() if len(same) > 1]
    if twins:
        raise RuntimeError(
            f"Accounts whose names differ by capital and small letters alone: {'; '.join(twins)}. "
            "Rename all but one of each in the table switchyard_account, and migrate again."
        )


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0051_work_notifications"),
    ]

    operations = [
        migrations.RunPython(refuse_twins, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="account",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("username"), name="account_name_in_any_case"
            ),
        ),
    ]

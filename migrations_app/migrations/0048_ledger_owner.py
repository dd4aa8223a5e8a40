from django.db import migrations, models

# The role of the processes adds entries and reads seals; the function that seals acts as the owner of both tables.
SEAL = "ALTER FUNCTION switchyard_ledger_seal() SECURITY DEFINER SET search_path = public, pg_temp"
UNDO = "ALTER FUNCTION switchyard_ledger_seal() SECURITY INVOKER RESET search_path"
GUARD = """
CREATE TRIGGER ledger_append_only BEFORE UPDATE OR DELETE ON switchyard_ledgeranchor
FOR EACH ROW EXECUTE FUNCTION switchyard_ledger_refuse();
CREATE TRIGGER ledger_no_truncate BEFORE TRUNCATE ON switchyard_ledgeranchor
FOR EACH STATEMENT EXECUTE FUNCTION switchyard_ledger_refuse();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0047_used_service_tokens"),
    ]

    operations = [
        migrations.RunSQL(SEAL, UNDO),
        migrations.CreateModel(
            name="LedgerAnchor",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seq", models.BigIntegerField()),
                ("digest", models.CharField(max_length=64)),
                ("at", models.DateTimeField()),
                ("key", models.CharField(max_length=64)),
                ("signature", models.CharField(max_length=100)),
            ],
            options={"ordering": ["seq", "id"]},
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]

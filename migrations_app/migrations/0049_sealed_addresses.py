from django.db import migrations, models

from migrations_app.control.notifications.addresses import seal, unseal
from migrations_app.domain.notices import shown_address

# Messages about channels that wait, and events that can be replayed, hold addresses as they were.
SQL = """
UPDATE switchyard_webhookdelivery SET body = body #- '{data,before,url}' #- '{data,after,url}'
WHERE event = 'audit.entry' AND body -> 'data' ->> 'target_kind' = 'webhook';
UPDATE switchyard_outboxevent SET "full" = "full" #- '{before,url}' #- '{after,url}'
WHERE topic = 'audit' AND kind = 'entry' AND "full" ->> 'target_kind' = 'webhook';
"""


def seal_addresses(apps, schema_editor):
    for row in apps.get_model("switchyard", "Webhook").objects.exclude(url=""):
        row.sealed_url, row.address = seal(row.id, row.url), shown_address(row.url)
        row.save(update_fields=["sealed_url", "address"])


def open_addresses(apps, schema_editor):
    for row in apps.get_model("switchyard", "Webhook").objects.exclude(sealed_url=""):
        row.url = unseal(row.id, row.sealed_url)
        row.save(update_fields=["url"])


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0048_ledger_owner"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhook",
            name="address",
            field=models.CharField(
                blank=True, default="", max_length=2000, help_text="What is shown of the address."
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="sealed_url",
            field=models.TextField(blank=True, default="", help_text="The address, encrypted."),
        ),
        migrations.AlterField(
            model_name="webhook", name="url", field=models.CharField(default="", max_length=2000)
        ),
        migrations.RunPython(seal_addresses, open_addresses),
        migrations.RunSQL(SQL, migrations.RunSQL.noop),
        migrations.RemoveField(model_name="webhook", name="url"),
    ]

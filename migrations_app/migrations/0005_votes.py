"""Whoever planned an upgrade cannot vote on it, and it keeps who that was."""

from pathlib import Path

from django.db import migrations

SQL = Path(__file__).with_suffix(".sql")

UNDO = """
DROP TRIGGER IF EXISTS planner_guard ON switchyard_upgrade;
DROP FUNCTION IF EXISTS switchyard_planner_guard();
"""


class Migration(migrations.Migration):
    dependencies = [
        ("switchyard", "0004_upgrades"),
    ]

    operations = [
        migrations.RunSQL(SQL.read_text(), UNDO),
    ]
